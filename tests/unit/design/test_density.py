"""Laws of the composite density by two routes: closed form against quadrature of the pdf."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from compdp_core.design.density import Density
from compdp_core.design.design import Design
from compdp_core.design.optimize import optimize
from compdp_core.errors import ParameterError
from compdp_core.shapes import ACTIVATIONS, Pair, Quartic, pair_named
from tests.unit.design.measures import TOLERANCE, broken_laws, brute_force, gauss
from tests.unit.strategies import designs, positions

Function = Callable[[np.ndarray], np.ndarray]


@given(design=designs(), position=positions)
@example(design=Design(1.0, pair_named("A3B2", 1.0), 0.98, 0.01), position=1.0)
@example(design=Design(20.0, pair_named("A2B1", 20.0), 0.02, math.expm1(20.0)), position=-1.0)
def test_mass_mean_variance_and_h1(design: Design, position: float) -> None:
    assert broken_laws(Density(design), position * design.C) == []


@given(design=designs(), position=positions)
def test_an_activation_centred_on_the_input_itself_is_seen(design: Design, position: float) -> None:
    class Biased(Density):
        """Forgets to divide by S₁."""

        def start(self, c_p: float) -> float:
            return c_p - 0.5 * self.design.m

    # The bias is C_p S₂: visible wherever that is above the tolerance of the quadrature.
    assume(abs(position) * design.C * design.S2 > 10.0 * TOLERANCE * design.L)
    assert "mean" in broken_laws(Biased(design), position * design.C)


def test_a_wrong_base_area_or_variance_is_seen() -> None:
    class WrongArea(Quartic):
        area = 0.9 * (1.0 + 1e-8)

    class WrongMoment(Quartic):
        second_moment = (4.0 + 2.0 * 0.5) / 21.0

    for base, laws in ((WrongArea(0.5), {"mass", "S2", "H1"}), (WrongMoment(0.5), {"variance"})):
        density = Density(Design(2.0, Pair(ACTIVATIONS["A1"], base), 0.3, 1.0))
        assert laws <= set(broken_laws(density, 0.1 * density.design.C))


@given(design=designs(), position=positions)
def test_bounds(design: Design, position: float) -> None:
    density = Density(design)
    c_p = position * design.C
    x = np.linspace(-design.L, design.L, 501)
    pdf = density.pdf(x, c_p)
    assert pdf.min() >= design.t * (1.0 - 1e-12)
    assert pdf.max() <= (design.y + design.k) * (1.0 + 1e-12)
    beyond = design.L * np.array([1.0 + 1e-9, 1.5, 10.0])
    assert not np.any(density.pdf([*beyond, *(-beyond)], c_p))
    # The whole activation lies inside: otherwise mass and mean would depend on the input.
    assert density.start(c_p) >= -design.L * (1.0 + 1e-12)
    assert density.start(c_p) + design.m <= design.L * (1.0 + 1e-12)


@given(design=designs())
def test_input_fraction_is_where_the_activation_touches_the_edge(design: Design) -> None:
    density = Density(design)
    assert design.input_fraction == pytest.approx(design.C / design.L, rel=1e-13)
    assert design.C < design.L
    touching = design.L - density.start(design.C) - design.m
    assert touching == pytest.approx(0.0, abs=1e-12 * design.L)
    for beyond in (1.0 + 1e-9, -1.0 - 1e-9, math.nan, math.inf):
        with pytest.raises(ParameterError, match="C_p must lie within"):
            density.pdf(0.0, beyond * design.C)


@given(design=designs())
def test_ratio_at_the_same_output_stays_within_epsilon(design: Design) -> None:
    assert brute_force(design, 1.0) <= math.log(design.declared_ratio) + 1e-12
    assert math.log(design.declared_ratio) <= design.epsilon * (1.0 + 1e-12)


def test_the_bound_printed_in_the_paper_for_b2_breaks_epsilon() -> None:
    # The printed proof takes inf P = y; a base of height t < y at the edge then breaks ε.
    # The activation is narrow, so that its peak comes close to the edge.
    epsilon, pair = 1.0, pair_named("A1B2", 1.0, 0.5)
    broken = Design(epsilon, pair, 0.02, math.expm1(epsilon))
    assert brute_force(broken, 1.0) > epsilon + 0.4
    kept = dataclasses.replace(broken, kappa=pair.largest_height(epsilon))
    assert brute_force(kept, 1.0) <= epsilon


@given(design=designs(), position=positions, share=st.floats(-1.0, 1.0))
def test_cdf_is_the_integral_of_the_pdf(design: Design, position: float, share: float) -> None:
    density = Density(design)
    c_p, x = position * design.C, share * design.L
    below = gauss(lambda v: density.pdf(v, c_p), density.breakpoints(c_p), -design.L, x)
    assert float(density.cdf(x, c_p)) == pytest.approx(below, abs=TOLERANCE)


@given(design=designs(), position=positions, p=st.floats(0.0, 1.0))
def test_quantile_inverts_the_cdf(design: Design, position: float, p: float) -> None:
    density = Density(design)
    c_p = position * design.C
    x = float(density.quantile(p, c_p))
    assert -design.L <= x <= design.L
    # One step of a float in x moves the cdf by the peak of the density times that step.
    step = (design.k + design.y) * np.spacing(design.L)
    assert float(density.cdf(x, c_p)) == pytest.approx(p, abs=4.0 * step + 1e-14)


@pytest.mark.parametrize("p", [-0.1, 1.1, math.nan])
def test_quantile_refuses_what_is_no_probability(p: float) -> None:
    density = Density(Design(1.0, pair_named("A1B1", 1.0), 0.3, 1.0))
    with pytest.raises(ParameterError, match="p must lie from 0 to 1"):
        density.quantile([0.5, p], 0.0)


@given(design=designs(), position=positions)
def test_h2_by_quadrature(design: Design, position: float) -> None:
    density = Density(design)
    c_p = position * design.C
    edge = -design.L if c_p >= 0.0 else design.L

    near, far = c_p + 0.25 * (edge - c_p), c_p + 0.75 * (edge - c_p)

    def share(f: Function) -> float:
        inner, outer = (gauss(f, density.breakpoints(c_p), *sorted((c_p, q))) for q in (near, far))
        return inner / outer

    assert density.h2(c_p) == pytest.approx(share(lambda x: density.pdf(x, c_p)), rel=1e-8)
    assert density.h2(c_p, of="base") == pytest.approx(share(density.base_pdf), rel=1e-8)
    if design.pair.base.tau == 1.0:
        # What the paper prints for every B1 pair, 0.333.
        assert density.h2(c_p, of="base") == pytest.approx(1.0 / 3.0, rel=1e-12)


@given(design=designs(), position=positions, scale=st.floats(0.01, 100.0))
def test_the_scale_of_the_domain_changes_nothing(
    design: Design, position: float, scale: float
) -> None:
    other = dataclasses.replace(design, peak=design.peak * scale)
    assert other.L * scale == pytest.approx(design.L, rel=1e-13)
    assert other.k + other.y == pytest.approx(other.peak, rel=1e-13)
    assert other.relative_variance(position) == pytest.approx(
        design.relative_variance(position), rel=1e-13
    )


@given(design=designs(upper=10.0), base=st.sampled_from(["B1", "B2"]))
def test_parameters_of_the_paper_and_back(design: Design, base: str) -> None:
    activation = design.pair.activation
    epsilon = design.epsilon
    # Of B2 the paper knows only the tail ratio that uses up ε exactly.
    kappa = min(design.kappa, 0.98 * math.expm1(epsilon))
    pair = (
        Pair(activation, Quartic((1.0 + kappa) * math.exp(-epsilon)))
        if base == "B2"
        else (pair_named(f"{activation.name}B1", epsilon))
    )
    original = Design(epsilon, pair, design.mu, kappa, peak=1.0)
    again = Design.from_parameters(epsilon, activation, base, original.k, original.m, original.y)
    for name in ("mu", "kappa", "tau", "L", "S1", "S2", "C", "h1", "t", "peak"):
        assert getattr(again, name) == pytest.approx(getattr(original, name), rel=1e-9), name


@given(design=designs(0.001, 50.0), digits=st.integers(3, 12))
def test_rounded_parameters_break_no_constraint(design: Design, digits: int) -> None:
    k, m, y = design.rounded(digits)
    assert k <= Decimal(design.kappa) * y
    assert k + y <= Decimal(design.peak)
    assert m <= Decimal(design.m)
    for number, exact in ((k, design.k), (m, design.m), (y, design.y)):
        assert float(number) == pytest.approx(exact, rel=3.0 * 10.0 ** (1 - digits))
    assert all(len(number.as_tuple().digits) <= digits for number in (k, m))


def test_a_peak_of_one_is_kept_below_what_floats_call_one() -> None:
    k, m, y = map(float, optimize(50.0, pair_named("A1B1", 50.0)).rounded())
    design = Design.from_parameters(50.0, ACTIVATIONS["A1"], "B1", k, m, y)
    assert math.log(design.declared_ratio) == pytest.approx(50.0, abs=1e-5)


def test_the_papers_example() -> None:
    # ε = 1, k .5, m .4, y .3: the valid inputs of width 10 start where the authors' mapping puts
    # C_p = -C, at 24.4, when the lower output is 0.
    design = Design.from_parameters(1.0, ACTIVATIONS["A1"], "B1", 0.5, 0.4, 0.3)
    scale = 10.0 / (2.0 * design.C)
    assert pytest.approx(0.2) == design.S1
    assert (design.L - design.C) * scale == pytest.approx(24.4, abs=0.05)
    assert (design.L + design.C) * scale == pytest.approx(34.4, abs=0.05)


@pytest.mark.parametrize(
    ("base", "k", "m", "y", "name"),
    [
        ("B1", 0.9, 1.2, 0.1, "m"),  # S₁ = 1.08
        ("B1", 0.5, 1.9, 0.5, "m"),  # wider than the domain
        ("B2", 0.6, 0.4, 0.3, "k"),  # t >= y at ε = 1
        ("B1", math.nan, 0.4, 0.3, "k"),
        ("B1", 0.5, math.inf, 0.3, "m"),
        ("B1", 0.5, 0.4, 0.0, "y"),
        ("B1", True, 0.4, 0.3, "k"),
    ],
)
def test_parameters_that_make_no_density_are_refused(
    base: str, k: float, m: float, y: float, name: str
) -> None:
    with pytest.raises(ParameterError) as caught:
        Design.from_parameters(1.0, ACTIVATIONS["A1"], base, k, m, y)
    assert caught.value.name == name


@pytest.mark.parametrize("field", ["epsilon", "mu", "kappa", "peak"])
@pytest.mark.parametrize("value", [math.nan, math.inf, 0.0, -1.0])
def test_a_design_refuses_nonsense(field: str, value: float) -> None:
    good = Design(1.0, pair_named("A1B1", 1.0), 0.3, 1.0)
    with pytest.raises(ParameterError) as caught:
        dataclasses.replace(good, **{field: value})  # type: ignore[arg-type]
    assert caught.value.name == field
