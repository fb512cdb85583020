"""The second half of the course: its numbers a second way, and what its controls change.

The second way starts from the shapes of the density alone, integrated on a fine grid, or from
formulas of the literature. No test here depends on chance: all draws have fixed seeds.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from compdp_core.mechanism import CompositeMechanism
from pages.furniture.wording import number, percent, quantity, span
from pages.learning.examples import class_card, means, pairs, repeats, widths
from pages.learning.examples.noise import EPSILONS
from pages.learning.lesson import Lesson, Option
from pages.learning.lessons import card, optimum, place, repetition, shape
from pages.learning.pictures.place import CENTRAL, LOCAL
from tests.app.driving import Driven

PAGE = "pages/learn.py"
CELLS = 200_000
AT = (np.arange(CELLS) + 0.5) / CELLS
HILLS: dict[str, Callable[[Any], Any]] = {
    "A1": np.ones_like,
    "A2": lambda v: np.sin(np.pi * v),
    "A3": lambda v: 1 - np.abs(2 * v - 1),
}


class Piece:
    """A composite density on -1 … 1, out of its shapes alone, at a width of the hill."""

    def __init__(self, epsilon: float, pair: str, mu: float, tau: float = 1.0) -> None:
        hill, floor = HILLS[pair[:2]](AT), 1 - (1 - tau) * AT**4
        height = tau * math.exp(epsilon) - 1
        in_hill, in_floor = 2 * mu * height * hill.mean(), 2 * floor.mean()
        total = in_hill + in_floor
        self.mu = mu
        self.share = in_hill / total
        """Of the mass, in the hill."""
        square = 2 * mu * height * np.mean(hill * (2 * mu * (AT - 0.5)) ** 2)
        self.variance = (square + 2 * np.mean(floor * AT**2)) / total
        self.room = self.share * (1 - mu)
        """Half-width of the inputs, at which the hill reaches the end."""
        self.hidden = 1 - self.share

    def error(self, value: float = 50.0) -> float:
        """Root mean square error of a result of 0 … 100."""
        at = (value - 50) / 50
        square = self.variance / (2 * self.room) ** 2 + at**2 * (1 / self.share - 1) / 4
        return 100 * math.sqrt(square)


def best(epsilon: float, pair: str, tau: float = 1.0) -> Piece:
    found = minimize_scalar(
        lambda mu: Piece(epsilon, pair, mu, tau).error(), bounds=(0.01, 0.99), method="bounded"
    )
    return Piece(epsilon, pair, float(found.x), tau)


def opened(**link: str) -> Driven:
    """The course, opened by a link that says this."""
    app = Driven()
    app.at.query_params.update(link)
    return app.go(PAGE)


def said(app: Driven) -> str:
    return " ".join(app.messages("markdown"))


def tile(app: Driven, label: str) -> str:
    return next(str(each.value) for each in app.at.metric if each.label == label)


def traces(app: Driven, key: str) -> dict[str, Any]:
    """The traces of a chart by name."""
    found = json.loads(app.chart(key).spec)["data"]
    return {each["name"]: {end: listed(each[end]) for end in ("x", "y")} for each in found}


def listed(values: Any) -> list[Any]:
    """Numbers of a trace; arrays travel packed."""
    if isinstance(values, dict):
        unpacked = np.frombuffer(base64.b64decode(values["bdata"]), dtype=values["dtype"])
        return list(unpacked.tolist())
    return list(values)


def option(lesson: Lesson, *, right: bool = True) -> Option:
    question = lesson.question()
    return next(each for each in question.options if each.right is right)


def press(app: Driven, label: str, value: str) -> Driven:
    app._of("button_group", label).set_value(value)
    return app.run()


def slide(app: Driven, label: str, value: Any) -> Driven:
    app._of("slider", label).set_value(value)
    return app.run()


# Activation and base


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
        press(app, "Base: the floor", base)
        own = best(pairs.EPSILON, f"A3{base}", tau)
        assert tile(app, "From the hill") == percent(own.share)
        assert tile(app, "Typical error") == quantity(own.error(), "points")
        assert tile(app, "H₁") == number(own.hidden / own.share)
        assert traces(app, "shape-ranking")["chosen"]["y"] == [f"A3{base}"]
    # τ belongs to the sinking floor alone; a lower edge costs.
    slide(app, shape.TAIL.label, 0.5)
    (error,) = traces(app, "shape-ranking")["chosen"]["x"]
    assert error == pytest.approx(best(2.0, "A3B2", 0.5).error(), rel=1e-4)
    assert tile(app, "Typical error") == quantity(error, "points")
    press(app, "Base: the floor", "B1")
    assert shape.TAIL.label not in app.labels("slider")
    assert tile(app, "Typical error") == quantity(best(2.0, "A3B1").error(), "points")


def test_shape_h2_is_the_inner_share_of_the_way_to_the_edge() -> None:
    own = best(pairs.EPSILON, "A2B1")
    x = (np.arange(CELLS) + 0.5) / CELLS
    within = x < own.mu
    hill = np.where(within, np.sin(np.pi * (x + own.mu) / (2 * own.mu)), 0)
    density = 1 + math.expm1(pairs.EPSILON) * hill
    ratio = density[x < 0.25].sum() / density[x < 0.75].sum()
    assert tile(opened(step="shape"), "H₂") == number(ratio)


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


# The best noise


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


def test_optimum_the_place_on_the_curve_is_the_one_set_by_hand() -> None:
    app = opened(step="optimum", optimum_width="60", optimum_epsilon="2")
    for width in (60, 31):
        slide(app, optimum.WIDTH.label, width)
        own = Piece(2.0, "A1B1", width / 100)
        yours = traces(app, "optimum")["your width"]
        assert yours["x"] == [pytest.approx(width)]
        assert yours["y"] == [pytest.approx(own.error(), rel=1e-6)]
        assert f"**{quantity(own.error(), 'points')}**" in said(app)
        assert f"{percent(own.share)} of releases come from the hill" in said(app)
        assert f"take up {percent(own.room)} of the outputs" in said(app)
    assert "as little as can be" in said(app)
    low, high = (50 - 50 / own.room, 50 + 50 / own.room)
    assert span(low, high) in app.chart("optimum-density").alt
    press(app, "Privacy budget ε", "0.5")
    assert quantity(best(0.5, "A1B1").error(), "points") in said(app)


@pytest.mark.parametrize("search", ["enumeration", "evolution"])
def test_optimum_a_search_comes_down_to_the_floor_and_never_below(search: str) -> None:
    app = opened(step="optimum", optimum_search=search)
    drawn = traces(app, "optimum")["the search, best so far"]
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
    assert f"a variance {small if excess < 1e-5 else percent(excess, 2)} above" in said(app)


def test_optimum_too_wide_a_hill_needs_wider_outputs() -> None:
    star, wide = best(optimum.ASKED, "A1B1"), Piece(optimum.ASKED, "A1B1", optimum.WIDE / 100)
    assert wide.room < star.room
    assert wide.error() > 2 * star.error()
    right = option(optimum.OPTIMUM)
    assert "too little room to move" in right.words
    for piece in (star, wide):
        low, high = 50 - 50 / piece.room, 50 + 50 / piece.room
        assert span(low, high, "points") in right.why
        assert quantity(piece.error(), "points") in right.why
    # The others are wrong: more releases come from the hill, and neither ε nor the mean suffers.
    assert wide.share > star.share
    made = CompositeMechanism.from_design(widths.at(1.0, optimum.WIDE).design, (0, 100))
    assert made.certificate.holds
    assert made.certificate.epsilon <= 1.0
    assert abs(made.bias(10.0)) < 1e-6


# Local or central


def staircase_limit(epsilon: float) -> float:
    """Least variance of additive noise without bounds, Δ = 1 (Geng and Viswanath 2014)."""
    b = math.exp(-epsilon)
    return (2 ** (-2 / 3) * (b * (1 + b)) ** (2 / 3) + b) / (1 - b) ** 2


@pytest.mark.parametrize("budget", EPSILONS)
def test_place_errors_fall_with_the_root_of_the_rows_and_with_the_rows(budget: str) -> None:
    epsilon = float(budget)
    star = best(epsilon, "A1B1")
    # The error of one result, averaged over results spread evenly.
    each = math.sqrt(np.mean([star.error(value) ** 2 for value in 100 * AT[:: CELLS // 1000]]))
    for rows in (10, 200, 10_000):
        found = means.errors(epsilon, rows)
        assert found.local == pytest.approx(each / math.sqrt(rows), rel=1e-4)
        least = 100 / rows * math.sqrt(staircase_limit(epsilon))
        assert least * (1 - 1e-9) < found.central < 1.01 * least
        assert found.times == pytest.approx(found.local / found.central)


def test_place_the_dots_are_as_far_off_as_the_sentence_says() -> None:
    app = opened(step="place", place_rows="200", place_epsilon="2")
    now = means.errors(2.0, 200)
    assert f"**{quantity(now.local, 'points')}** if each adds noise" in said(app)
    assert f"**{quantity(now.central, 'points')}** if the teacher does" in said(app)
    drawn = traces(app, "place-classes")
    for name, error in ((LOCAL, now.local), (CENTRAL, now.central)):
        off = np.array(drawn[name]["x"]) - 50
        assert off.size == means.REPEATS
        assert 0.6 < math.sqrt(np.mean(off**2)) / error < 1.6
    assert traces(app, "place-rows")["this class"]["x"] == [200, 200]
    app._of("select_slider", "Pupils in the class").set_value("5000")
    app.run()
    assert traces(app, "place-rows")["this class"]["x"] == [5000, 5000]
    press(app, "Privacy budget ε", "0.5")
    assert f"**{quantity(means.errors(0.5, 5000).local, 'points')}**" in said(app)


def test_place_a_hundred_times_the_rows_help_the_mean_a_hundred_times() -> None:
    times = place.MANY / place.FEW
    assert option(place.PLACE).words == (
        f"About {number(math.sqrt(times))} times with noise on each result, {number(times)} times "
        "with noise on the mean."
    )
    assert "a mean of 100 by at most 1, and one of 10,000 by at most 0.01 points" in (
        option(place.PLACE).why
    )
    few, many = (means.errors(place.ASKED, rows) for rows in (place.FEW, place.MANY))
    assert few.local / many.local == pytest.approx(math.sqrt(times), rel=1e-9)
    assert few.central / many.central == pytest.approx(times, rel=0.01)


# Budget and repetition


@pytest.mark.parametrize(
    ("wished", "epsilon", "limit", "published"),
    [(5, "1", "none", 5), (40, "0.5", "4", 8), (3, "2", "16", 3), (40, "2", "2", 1)],
)
def test_repetition_the_ledger_lets_out_what_fits(
    wished: int, epsilon: str, limit: str, published: int
) -> None:
    kept = repeats.books(wished, epsilon, limit)
    assert kept.published == published
    assert kept.spent == published * Fraction(epsilon)
    assert (kept.refusal is not None) == (published < wished)
    if kept.refusal is not None:
        assert kept.spent + kept.refusal.asked > Fraction(limit)


def test_repetition_shows_errors_budgets_and_the_refusal() -> None:
    app = opened(step="repetition", repetition_asked="12", repetition_epsilon="0.5")
    star = best(0.5, "A1B1")
    drawn = traces(app, "repetition")
    expected = [star.error(repeats.ADA) / math.sqrt(n) for n in range(1, 13)]
    assert drawn["typical error of the mean"]["y"] == pytest.approx(expected, rel=1e-4)
    assert drawn["ε spent so far"]["y"] == pytest.approx([0.5 * n for n in range(1, 13)])
    assert f"factor of {number(math.exp(6))}" in said(app)
    assert not app.messages("error")
    press(app, "Limit for all releases together", "2")
    drawn = traces(app, "repetition")
    assert drawn["ε spent so far"]["x"] == [1, 2, 3, 4]
    assert drawn["refused"]["x"] == list(range(5, 13))
    assert len(drawn["typical error of the mean"]["y"]) == 4
    (refusal,) = app.messages("error")
    assert "Release 5 is refused." in refusal
    assert "nothing is left" in refusal
    slide(app, repetition.WISHED.label, 4)
    assert not app.messages("error")
    # The session's own ledger knows nothing of all this.
    app.go("pages/budget.py")
    assert "Nothing is released yet." in app.messages("info")


def test_repetition_simulated_attackers_are_off_as_expected() -> None:
    every = repeats.averaging("1")
    off = np.array([each.error for each in every])
    ratio = np.sqrt(np.mean(off**2, axis=0)) / every[0].expected
    assert off.shape == (repeats.ATTACKERS, repeats.MOST)
    assert 0.4 < ratio.min() < 1.0
    assert ratio.max() < 1.8
    assert len({float(each.error[0]) for each in every}) == repeats.ATTACKERS


def test_repetition_a_mean_of_sixteen_is_off_by_a_quarter_and_costs_sixteen() -> None:
    right = option(repetition.REPETITION)
    spent = Fraction(repetition.EACH) * repetition.ASKED
    times = number(math.sqrt(repetition.ASKED))
    assert right.words == f"{times} times less than one release. Spent: ε = {spent}."
    one = best(float(repetition.EACH), "A1B1").error(repeats.ADA)
    mean = one / math.sqrt(repetition.ASKED)
    assert f"from {number(one)} to {quantity(mean, 'points')}" in right.why


# Reading a privacy card


def sheet(app: Driven) -> dict[str, str]:
    """What the browser was given to show as the card."""
    found = [each.proto for each in app.at.get("bidi_component")]
    data: dict[str, str] = json.loads(
        next(each.json for each in found if each.component_name == "sheet")
    )
    return data


@pytest.mark.parametrize("budget", EPSILONS)
def test_card_is_that_of_a_release_and_proves_its_budget(budget: str) -> None:
    made = class_card.card(budget)
    (item,) = made.items
    assert made.privacy.epsilon == item.epsilon == budget
    # The weights are whole numbers, so the ratio is exact: compare it with a sum of e's series.
    above, below = (int(part) for part in item.certificate.ratio.split("/"))
    x = Fraction(budget)
    power = sum((x**n / math.factorial(n) for n in range(90)), Fraction(0))
    assert 0.99 * power < Fraction(above, below) < power
    half = 50 / best(float(budget), "A1B1").room
    assert item.certificate.lower == pytest.approx(50 - half, abs=1.01)
    assert item.certificate.upper == pytest.approx(50 + half, abs=1.01)
    assert made.unchanged_columns == ("desk",)
    # Nothing on it changes from one session to the next.
    class_card.card.cache_clear()
    assert class_card.card(budget) == made


def test_card_shows_the_part_and_the_budget_that_are_chosen() -> None:
    app = opened(step="card", card_epsilon="2")
    titles = {
        "summary": "What was released",
        "protected": "What is protected",
        "open": "What is not protected",
        "items": "The columns one by one",
    }
    for part, title in titles.items():
        press(app, "Part of the card", part)
        html = sheet(app)["html"]
        assert [other for other in titles.values() if f"<h2>{other}</h2>" in html] == [title]
        assert card.PARTS[part] in sheet(app)["title"]
    press(app, "Part of the card", "whole")
    assert sheet(app)["html"] == class_card.card("2").to_html()
    press(app, "ε of the release", "0.5")
    assert sheet(app)["html"] == class_card.card("0.5").to_html()
    found = next(text for text in app.messages("markdown") if "Proved ε" in text)
    assert "for a budget of 0.5" in found
    assert "0 … 100 points, stated by the owner as public" in found


def test_card_the_frame_lets_nothing_run() -> None:
    app = opened(step="card")
    frame = next(
        each.proto for each in app.at.get("bidi_component") if each.proto.component_name == "sheet"
    )
    assert 'sandbox="allow-same-origin"' in frame.html_content
    assert "allow-scripts" not in frame.html_content
    assert "default-src 'none'" in sheet(app)["html"]


def test_card_only_the_chance_to_guess_right_is_promised() -> None:
    made = class_card.card(card.ASKED)
    odds = math.exp(float(card.ASKED))
    chance = number(100 * odds / (1 + odds))
    assert f"at most {chance} of 100 cases" in option(card.CARD).words
    assert f"at most {chance} of 100 cases" in made.to_html("summary")
    # The others are wrong, as the card itself says.
    (item,) = made.items
    assert item.certificate.lower < 0
    assert item.certificate.upper > 100
    limits = " ".join(made.not_covered)
    assert "how many were moved is private" in limits
    assert "“desk”, released exactly as it came" in limits


def test_repetition_a_single_release_has_no_mean() -> None:
    text = said(opened(step="repetition", repetition_asked="1"))
    assert "**1 release.** It is typically off by" in text
    assert "It costs **ε = 1**" in text
