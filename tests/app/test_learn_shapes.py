"""Steps 6 and 7 of the course, shapes and the best width: their numbers a second way."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from compdp_core.mechanisms.composite import CompositeMechanism
from pages.sections.shared.course.examples.noise import EPSILONS
from pages.sections.shared.course.lessons import optimum, shape
from pages.sections.shared.course.pictures import optimum as widths
from pages.sections.shared.course.pictures import shape as pairs
from pages.text.wording import number, percent, quantity, span
from tests.app.course import named, opened, option
from tests.app.densities import CELLS, HILLS, Piece, best


@pytest.mark.parametrize("tau", [0.95, 0.4])
@pytest.mark.parametrize("pair", ["A1B1", "A2B1", "A3B1", "A1B2", "A2B2", "A3B2"])
def test_shape_every_pair_is_at_its_best_width(pair: str, tau: float) -> None:
    own = best(pairs.EPSILON, pair, tau if pair.endswith("B2") else 1.0)
    now = pairs.cost(pair, tau)
    assert now.error == pytest.approx(own.error(), rel=1e-4)
    assert (now.design.S1, now.design.mu) == pytest.approx((own.share, own.mu), rel=1e-3)


def test_shape_tiles_and_ranking_follow_the_pair() -> None:
    app = opened(step="shape", shape_activation="A3")
    for base, tau in (("B1", 1.0), ("B2", 0.95)):
        app.pick("Base: the floor", base)
        own = best(pairs.EPSILON, f"A3{base}", tau)
        assert app.metric("From the hill") == percent(own.share)
        assert app.metric("Typical error") == quantity(own.error(), "points")
        assert app.metric("H₁") == number(own.hidden / own.share)
        assert named(app, "shape-ranking")["chosen"]["y"] == [f"A3{base}"]
    # τ belongs to the sinking floor alone; a lower edge costs.
    app.slide(shape.TAIL.label, 0.5)
    (error,) = named(app, "shape-ranking")["chosen"]["x"]
    assert error == pytest.approx(best(2.0, "A3B2", 0.5).error(), rel=1e-4)
    assert app.metric("Typical error") == quantity(error, "points")
    app.pick("Base: the floor", "B1")
    assert shape.TAIL.label not in app.labels("slider")
    assert app.metric("Typical error") == quantity(best(2.0, "A3B1").error(), "points")


def test_shape_h2_is_the_inner_share_of_the_way_to_the_edge() -> None:
    own = best(pairs.EPSILON, "A2B1")
    x = (np.arange(CELLS) + 0.5) / CELLS
    within = x < own.mu
    hill = np.where(within, np.sin(np.pi * (x + own.mu) / (2 * own.mu)), 0)
    density = 1 + math.expm1(pairs.EPSILON) * hill
    ratio = density[x < 0.25].sum() / density[x < 0.75].sum()
    assert opened(step="shape").metric("H₂") == number(ratio)


def test_shape_the_rectangle_is_the_best_hill_because_it_holds_most() -> None:
    hills = {name: best(pairs.EPSILON, f"{name}B1") for name in HILLS}
    assert min(hills, key=lambda name: hills[name].error()) == "A1"
    assert max(hills, key=lambda name: hills[name].share) == "A1"
    why = option(shape.SHAPE).why
    assert f"{percent(hills['A3'].share)} come from the triangle" in why
    assert f"{percent(hills['A1'].share)} from the rectangle" in why
    # The others are wrong: the tops are equally high, both means are right, nothing leaves.
    for name in ("A1B1", "A3B1"):
        made = pairs.cost(name).mechanism
        heights = made.pdf(np.linspace(*made.outputs, 4001)[1:-1], value=50.0)
        assert heights.max() / heights.min() == pytest.approx(math.exp(pairs.EPSILON), rel=1e-6)
        assert abs(made.bias(20.0)) < 1e-6
        assert made.probability_outside(made.outputs) == 0.0


def test_shape_the_spans_told_are_those_of_the_best_widths() -> None:
    told = shape.SHAPE.question().options[-1].why
    for name in ("A1B1", "A3B1"):
        half = 50 / best(pairs.EPSILON, name).room
        assert span(50 - half, 50 + half) in told


def test_shape_no_other_hill_on_a_flat_floor_has_a_smaller_error() -> None:
    star = best(pairs.EPSILON, "A1B1")
    grown, cells = math.expm1(pairs.EPSILON), np.arange(200)
    x = (cells + 0.5) / 200

    def error(hill: Any, width: int) -> Any:
        """Of symmetric hills that end so many cells from the middle, and are 1 at most."""
        total = 1 + grown * hill.mean(axis=-1)
        variance = ((1 + grown * hill) * x**2).mean(axis=-1) / total
        return 100 * np.sqrt(variance) / (2 * (1 - 1 / total) * (1 - width / 200))

    # Bells of every steepness, hills with several tops, and all between those and the rectangle.
    for width in (20, round(200 * star.mu), 100, 140):
        v = np.minimum(cells / width, 1.0)
        bells = [np.minimum(c * (1 - v**a), 1.0) for a in (0.2, 1, 2, 8) for c in (0.3, 1, 4, 30)]
        tops = [np.cos(k * np.pi * v) ** 2 for k in (0.5, 1, 2, 5)]
        hills = [np.maximum(hill, low) for hill in bells + tops for low in np.linspace(0, 1, 40)]
        inside = np.where(cells < width, hills, 0.0)
        assert error(inside, width).min() >= star.error() * (1 - 1e-4)
    width = round(200 * star.mu)
    assert error(np.where(cells < width, 1.0, 0.0), width) == pytest.approx(star.error(), rel=1e-3)


@pytest.mark.parametrize("budget", EPSILONS)
def test_optimum_is_that_of_the_closed_form(budget: str) -> None:
    grown = math.expm1(float(budget))

    def variance(mu: float) -> float:
        return (1 + grown * mu**3) * (1 + grown * mu) / (12 * (grown * mu * (1 - mu)) ** 2)

    found = minimize_scalar(
        variance, bounds=(0.01, 0.99), method="bounded", options={"xatol": 1e-9}
    )
    star = widths.best(float(budget))
    assert star.percent == pytest.approx(100 * found.x, rel=1e-4)
    assert star.error == pytest.approx(100 * math.sqrt(found.fun), rel=1e-9)
    for width in (2, 10, 37, 80, 95):
        error = widths.at(float(budget), width).error
        assert error == pytest.approx(100 * math.sqrt(variance(width / 100)), rel=1e-9)
        assert error >= star.error


def on_the_lattice(epsilon: float, width: int, piece: Piece) -> tuple[float, float]:
    """Where outputs lie that follow the piece, to the nearest points of their lattice."""
    made = CompositeMechanism.from_design(widths.at(epsilon, width).design, (0, 100))
    half = 50 / piece.room
    assert made.outputs == pytest.approx((50 - half, 50 + half), abs=made.lattice.spacing)
    return made.outputs


def test_optimum_the_place_on_the_curve_is_the_one_set_by_hand() -> None:
    app = opened(step="optimum", optimum_width="60", optimum_epsilon="2")
    for width in (60, 31):
        app.slide(optimum.WIDTH.label, width)
        own = Piece(2.0, "A1B1", width / 100)
        yours = named(app, "optimum")["your width"]
        assert yours["x"] == [pytest.approx(width)]
        assert yours["y"] == [pytest.approx(own.error(), rel=1e-6)]
        assert f"**{quantity(own.error(), 'points')}**" in app.said("markdown")
        assert f"{percent(own.share)} of releases come from the hill" in app.said("markdown")
        assert f"take up {percent(own.room)} of the outputs" in app.said("markdown")
    assert "as little as can be" in app.said("markdown")
    low, high = on_the_lattice(2.0, 31, own)
    assert span(low, high) in app.chart("optimum-density").alt
    app.pick("Privacy budget ε", "0.5")
    assert quantity(best(0.5, "A1B1").error(), "points") in app.said("markdown")


@pytest.mark.parametrize("search", ["enumeration", "evolution"])
def test_optimum_a_search_comes_down_to_the_floor_and_never_below(search: str) -> None:
    app = opened(step="optimum", optimum_search=search)
    drawn = named(app, "optimum")["the search, best so far"]
    floor = best(1.0, "A1B1").error()
    heights = np.array(drawn["y"])
    assert (heights >= floor * (1 - 1e-6)).all()
    assert (np.diff(heights) < 0).all()
    assert heights[0] > 1.1 * floor
    assert heights[-1] == pytest.approx(floor, rel=1e-3)
    # Every diamond lies on the curve of its width or above it, there with a lower hill.
    designs = [each.design for each in widths.found(1.0, search).widths]
    for width, height, design in zip(drawn["x"], heights, designs, strict=True):
        curve = Piece(1.0, "A1B1", width / 100).error()
        assert height >= curve * (1 - 1e-6)
        assert (height > curve * (1 + 1e-6)) == (1 + design.kappa < math.e * (1 - 1e-6))
    excess = float((heights[-1] / floor) ** 2 - 1)
    small = "less than 0.001 %"
    assert f"a variance {small if excess < 1e-5 else percent(excess, 2)} above" in app.said(
        "markdown"
    )


def test_optimum_too_wide_a_hill_needs_wider_outputs() -> None:
    star, wide = best(optimum.ASKED, "A1B1"), Piece(optimum.ASKED, "A1B1", optimum.WIDE / 100)
    assert wide.room < star.room
    assert wide.error() > 2 * star.error()
    right = option(optimum.OPTIMUM)
    assert "too little room to move" in right.words
    assert span(50 - 50 / star.room, 50 + 50 / star.room, "points") in right.why
    assert span(*on_the_lattice(optimum.ASKED, optimum.WIDE, wide), "points") in right.why
    for piece in (star, wide):
        assert quantity(piece.error(), "points") in right.why
    # The others are wrong: more releases come from the hill, and neither ε nor the mean suffers.
    assert wide.share > star.share
    made = CompositeMechanism.from_design(widths.at(1.0, optimum.WIDE).design, (0, 100))
    assert made.certificate.holds
    assert made.certificate.epsilon <= 1.0
    assert abs(made.bias(10.0)) < 1e-6
