"""The designs behind the paper's numbers: its own optimiser's, and those its B2 rows imply."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from compdp_core.design.density import Density
from compdp_core.design.design import Design
from compdp_core.design.optimize import Problem, Search, optimize
from compdp_core.experiments.paper.printed import REPETITIONS, Printed
from compdp_core.intervals import Interval
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.shapes import PAIR_NAMES, Pair, Quartic, pair_named

UNIT = (-0.5, 0.5)
"""Inputs of width Δ = 1 around an answer of 0: everything in the paper's protocol scales with Δ."""


@lru_cache(maxsize=512)
def authors_design(epsilon: float, pair: str) -> Design:
    """What the paper's Algorithm 1 finds on the authors' grid of k, m, y.

    On B2 the edge of the base is left free, as in the paper: ``t = (y + k) e^-ε``.
    """
    asked = Problem(epsilon, pair_named(pair, epsilon), free_tail=pair.endswith("B2"))
    found = Search("enumeration", asked).run().design
    if found is None:  # the grid holds a feasible point at every ε of the paper
        raise LookupError(f"no feasible point of the grid for {pair} at epsilon {epsilon:g}")
    return found


def free_optimum(epsilon: float, pair: str) -> Design:
    """The exact optimum with the edge of the base free: on B2 that is B1, the limit τ → 1."""
    return optimize(epsilon, pair_named(f"{pair[:2]}B1", epsilon))


@lru_cache(maxsize=512)
def unit_mechanism(epsilon: float, pair: str) -> CompositeMechanism:
    """The pair as the paper runs it, on inputs of width Δ = 1 around 0.

    The six pairs at the authors' design; any other at its own best.
    """
    if pair in PAIR_NAMES:
        return CompositeMechanism.from_design(authors_design(epsilon, pair), UNIT)
    return CompositeMechanism(epsilon, UNIT, pair=pair)


def absolute_moment(design: Design, power: float, position: float = 0.0) -> float:
    """``E|X - C_p|^power`` over ``(2C)^power``: in units of Δ = R.

    By Gauss-Legendre between the bends of the density, 40 nodes a piece: exact to 1e-13 for the
    shapes of the paper. ``position`` of the input from -1 to 1.
    """
    density, c_p = Density(design), position * design.C
    ends = np.unique([*density.breakpoints(c_p), c_p])
    nodes, weights = np.polynomial.legendre.leggauss(40)
    half = 0.5 * np.diff(ends)[:, None]
    x = 0.5 * (ends[1:] + ends[:-1])[:, None] + half * nodes
    terms = half * weights * density.pdf(x, c_p) * np.abs(x - c_p) ** power
    return float(terms.sum()) / math.pow(2.0 * design.C, power)


def estimate_error(design: Design, power: int, draws: int = REPETITIONS) -> float:
    """Standard error of the mean of ``draws`` values of ``|error|^power``, in units of Δ^power."""
    mean = absolute_moment(design, power)
    return math.sqrt((absolute_moment(design, 2 * power) - mean**2) / draws)


def base_h2(tau: float) -> float:
    """H2 of the base alone at ``C_p = 0``: ``∫₀^¼ g / ∫₀^¾ g``, ⅓ for a constant base."""
    base = Quartic(tau)
    inner, outer = (float(base.integral(v) - base.area) for v in (0.25, 0.75))
    return inner / outer


def implied_tail_ratios(h2: Printed) -> Interval:
    """The τ at which H2 of the base alone rounds to the printed H2; H2 falls as τ rises."""
    from scipy.optimize import brentq

    lowest = math.exp(-h2.epsilon) * (1.0 + 1e-9)

    def tau_at(wanted: float) -> float:
        return float(brentq(lambda tau: base_h2(tau) - wanted, lowest, 1.0 - 1e-9, xtol=1e-15))

    return Interval(tau_at(h2.value + 0.5 * h2.digit), tau_at(h2.value - 0.5 * h2.digit))


def implied_design(h1: Printed, h2: Printed, variance: Printed) -> Design:
    """Of all designs with the printed H1 and H2, the one nearest to the printed variance.

    H1 and τ leave no freedom once ε is spent: ``μ = β / (κ α H1)``. The variance falls as τ rises,
    so the τ in question is found by bisection between the ends that H2 allows.
    """
    taus = implied_tail_ratios(h2)

    def design(tau: float) -> Design | None:
        named = pair_named(h1.pair, h1.epsilon)
        pair = Pair(named.activation, Quartic(tau))
        kappa = pair.largest_height(h1.epsilon)
        mu = pair.base.area / (kappa * pair.activation.area * h1.value) if kappa > 0.0 else 1.0
        return Design(h1.epsilon, pair, mu, kappa) if 0.0 < mu < 1.0 else None

    low, high = taus.as_tuple()
    for _ in range(60):
        middle = 0.5 * (low + high)
        tried = design(middle)
        if tried is None or tried.relative_variance() > variance.value:
            low = middle
        else:
            high = middle
    found = design(high)
    if found is None:
        raise LookupError(f"no design has the printed H1 of {h1.pair} at epsilon {h1.epsilon:g}")
    return found


def authors_valid_inputs(design: Design, lower: float, sensitivity: float) -> tuple[float, float]:
    """The answers for which the authors' program is unbiased and private; ``lower`` is the user's.

    Its map of inputs sends ``lower`` to ``-L`` and one Δ to the width ``2C``. It lets any answer
    through, but only inputs that land within ``[-C, C]`` keep both guarantees.

    >>> from compdp_core.shapes import Rectangle
    >>> design = Design.from_parameters(1.0, Rectangle(), "B1", k=0.5, m=0.4, y=0.3)
    >>> low, high = authors_valid_inputs(design, 0.0, 10.0)
    >>> round(low, 1), round(high, 1)
    (24.4, 34.4)
    """
    middle = lower + design.L * sensitivity / (2.0 * design.C)
    return (middle - 0.5 * sensitivity, middle + 0.5 * sensitivity)
