"""The inequalities a density must satisfy, as data: name, formula, margin, met or not, and why.

Zhang et al., IEEE S&P 2024, Section IV and Appendix A. They are evaluated on raw numbers, NaN and
nonsense included, and never raise: a page shows them while the user is still typing.

>>> from compdp_core.shapes import ACTIVATIONS
>>> rows = evaluate(1.0, ACTIVATIONS["A1"], "B1", k=0.9, m=1.2, y=0.1)
>>> [row.name for row in unmet_first(rows) if not row.met]
['mass', 'input', 'privacy']
>>> rows[3].formula, round(rows[3].margin, 2)
('S1 = k alpha m < 1', -0.08)
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from compdp_core.design.design import Design
from compdp_core.parameters import EPSILON
from compdp_core.shapes import Activation, Base, Constant, Quartic
from compdp_core.validation import real

ROUNDING = 1e-12
"""Relative slack for inequalities that allow equality: a design that spends ε exactly sits on the
bound, give or take the last digits. The proof of a release is the certificate, not this table."""

NAN = math.nan


@dataclass(frozen=True)
class Constraint:
    """One inequality, evaluated."""

    name: str
    """Which one: ``height``, ``width``, ``base``, ``mass``, ``input``, ``peak``, ``privacy``."""
    formula: str
    margin: float
    """How far the inequality is from being broken, in the unit of its sides; below 0 it is broken,
    NaN where it cannot be evaluated."""
    met: bool
    reason: str
    """Why it holds, or what to change."""

    @classmethod
    def judged(
        cls, name: str, formula: str, margin: float, met: bool, holds: str, broken: str
    ) -> Constraint:
        """With the reason that fits; never met where there is no margin."""
        if math.isnan(margin):
            return cls(name, formula, NAN, False, f"cannot be checked: {broken}")
        return cls(name, formula, margin, met, holds if met else broken)


def constraints(design: Design, c_p: float = 0.0) -> tuple[Constraint, ...]:
    """The constraints of a design for the mapped input ``C_p`` (domain units).

    >>> from compdp_core.design.optimize import optimize
    >>> from compdp_core.shapes import pair_named
    >>> all(row.met for row in constraints(optimize(1.0, pair_named("A1B1", 1.0))))
    True
    """
    d = design
    # S₂ and L from the design: out of k, m and y they lose their digits where S₁ nears 1.
    return _Numbers(
        d.epsilon, d.k, d.m, d.y, number_or_nan(c_p), d.S1, d.S2, d.L, d.pair.base, d.tau
    ).rows()


def evaluate(
    epsilon: object,
    activation: Activation,
    base: str | Base,
    k: object,
    m: object,
    y: object,
    c_p: object = 0.0,
    tail_ratio: object = None,
) -> tuple[Constraint, ...]:
    """The constraints of raw numbers, on base ``"B1"``, ``"B2"`` or a base of the user's own.

    On B2 without a ``tail_ratio`` the edge has the paper's height ``t = (y + k) e^-ε``, and the
    privacy constraint is ``t < y``. What is not a real number counts as NaN. Never raises.
    """
    budget, height, width, level, place = (number_or_nan(x) for x in (epsilon, k, m, y, c_p))
    tau, follows = 1.0, False
    if isinstance(base, Base):
        tau = base.tau
    elif base == "B2":
        follows = tail_ratio is None
        ratio = _ratio(height + level, level) * math.exp(-_bounded(budget))
        tau = ratio if follows else number_or_nan(tail_ratio)
    shape: Base | None = Quartic(tau) if 0.0 < tau < 1.0 else None
    if base == "B1":
        shape = Constant()
    elif isinstance(base, Base):
        shape = base
    s1 = height * activation.area * width
    half = NAN if shape is None else _ratio(1.0 - s1, 2.0 * shape.area * level)
    return _Numbers(
        budget, height, width, level, place, s1, 1.0 - s1, half, shape, tau, follows
    ).rows()


def unmet_first(rows: Iterable[Constraint]) -> tuple[Constraint, ...]:
    """The broken ones first, each group in its own order."""
    return tuple(sorted(rows, key=lambda row: row.met))


@dataclass(frozen=True)
class _Numbers:
    """Raw numbers, NaN for what is missing; ``base`` is None where no base exists."""

    epsilon: float
    k: float
    m: float
    y: float
    c_p: float
    s1: float
    s2: float
    half_width: float
    base: Base | None
    tau: float
    """The tail ratio of the base, or the one that was asked for in vain."""
    tau_follows: bool = False

    def rows(self) -> tuple[Constraint, ...]:
        return (
            self._positive("height", "k", self.k),
            self._positive("width", "m", self.m),
            self._positive("base", "y", self.y),
            self._mass(),
            self._input(),
            self._peak(),
            self._edge() if self.tau_follows else self._ratio_bound(),
        )

    @property
    def _heights(self) -> bool:
        return self.k > 0.0 and self.y > 0.0

    def _positive(self, name: str, symbol: str, value: float) -> Constraint:
        return Constraint.judged(
            name,
            f"{symbol} > 0",
            value,
            value > 0.0,
            f"{symbol} is a positive number",
            f"{symbol} must be a positive, finite number",
        )

    def _mass(self) -> Constraint:
        margin = self.s2
        return Constraint.judged(
            "mass",
            "S1 = k alpha m < 1",
            margin,
            margin > 0.0,
            f"mass {margin:.6g} is left for the base",
            f"the activation alone has mass {self.s1:.6g}: lower k or m",
        )

    def _input(self) -> Constraint:
        half, s1 = self.half_width, self.s1
        limit = s1 * (half - 0.5 * self.m)
        # Without a density the formula still gives numbers, which mean nothing.
        exists = self.m > 0.0 and self._heights and self.s2 > 0.0
        fits = self.m < 2.0 * half
        margin = limit - abs(self.c_p)
        if not exists:
            margin, broken = NAN, "k, m and y must make a density first"
        elif not fits:
            broken = f"the activation is wider than the domain, {2.0 * half:.6g}: lower m"
        else:
            broken = f"C_p must lie within [{-limit:.6g}, {limit:.6g}]"
        return Constraint.judged(
            "input",
            "|C_p| <= C = S1 (L - m/2)",
            margin,
            fits and margin >= -ROUNDING * half,
            f"the activation stays inside for every input up to {limit:.6g} from the middle",
            broken,
        )

    def _peak(self) -> Constraint:
        margin = 1.0 - (self.k + self.y)
        return Constraint.judged(
            "peak",
            "k + y <= 1",
            margin,
            margin >= -ROUNDING,
            f"the peak is {self.k + self.y:.6g}",
            f"the peak is {self.k + self.y:.6g}: lower k or y",
        )

    def _ratio_bound(self) -> Constraint:
        """``κ <= τ e^ε - 1``, with ``τ = 1`` on B1."""
        tau, kappa = self.tau, _ratio(self.k, self.y)
        limit = tau * math.expm1(_bounded(self.epsilon)) - (1.0 - tau)
        margin = limit - kappa
        if not self._heights:
            margin, broken = NAN, "k and y must be positive first"
        elif self.base is None:
            margin, broken = NAN, "the tail ratio must lie above e^-epsilon and below 1"
        elif not EPSILON.contains(self.epsilon):
            margin, broken = NAN, f"epsilon {EPSILON.requirement}"
        elif not limit > 0.0:
            broken = f"the base alone spends {-math.log(tau):.6g}: raise the tail ratio or epsilon"
        else:
            broken = f"lower k to at most {limit * self.y:.6g}, or raise y or epsilon"
        met = self._heights and limit > 0.0 and margin >= -ROUNDING * (1.0 + limit)
        return Constraint.judged(
            "privacy",
            "k/y <= e^epsilon - 1" if tau == 1.0 else "k/y <= tau e^epsilon - 1",
            margin,
            met,
            f"spends {math.log1p(kappa) - math.log(tau):.6g} of epsilon" if met else "",
            broken,
        )

    def _edge(self) -> Constraint:
        """``t < y`` with ``t = (y + k) e^-ε``, strictly: at ``t = y`` B2 is B1."""
        margin = self.y * (1.0 - self.tau)
        limit = self.y * math.expm1(_bounded(self.epsilon))
        broken = f"lower k to below y (e^epsilon - 1) = {limit:.6g}, or raise epsilon"
        if not self._heights:
            margin, broken = NAN, "k and y must be positive first"
        elif not EPSILON.contains(self.epsilon):
            margin, broken = NAN, f"epsilon {EPSILON.requirement}"
        return Constraint.judged(
            "privacy",
            "t = (y + k) e^-epsilon < y",
            margin,
            margin > 0.0,
            f"the edge has {self.tau:.6g} of the height in the middle",
            broken,
        )


def number_or_nan(value: object) -> float:
    """A real number as a float, NaN for all else."""
    number = real(value)
    return NAN if number is None else number


def _ratio(a: float, b: float) -> float:
    return a / b if b != 0.0 else NAN


def _bounded(epsilon: float) -> float:
    """Where ``e^ε`` does not overflow; an ε outside its range is reported as such."""
    return min(max(epsilon, -EPSILON.upper), EPSILON.upper)
