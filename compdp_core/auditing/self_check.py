"""A mechanism checks itself: bounds, bias, mass, loss and certificate, each by numbers of its own.

What rests on draws is held to six standard errors: a sound mechanism fails such a check once in
5 · 10⁸, and a bias of a tenth of the noise is certain to be seen at 20,000 draws.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.auditing.attacks.faulty import Faulty
from compdp_core.auditing.attacks.fingerprints import lattice_fingerprints
from compdp_core.auditing.output_distribution import unseen
from compdp_core.auditing.privacy_loss import LogRatio, log_ratio_curve
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.text import number, telling
from compdp_core.validation import whole

if TYPE_CHECKING:
    from compdp_core.mechanisms.baselines import Mechanism

Array = NDArray[np.float64]

DRAWS = 20_000
SIGMAS = 6.0
MASS = 1e-3
"""How far a mass from a numeric integral may be off; an exact one, far less."""


@dataclass(frozen=True)
class Check:
    """One thing that was checked."""

    name: str
    checked: str
    """What was compared with what, in words."""
    result: float
    """What was found …"""
    limit: float
    """… and what it may be at most."""
    unit: str
    met: bool | None
    """None where the mechanism makes no such promise."""

    def row(self) -> dict[str, Any]:
        """The same as plain data, for a file."""
        return {
            "name": self.name,
            "checked": self.checked,
            "result": self.result,
            "limit": self.limit,
            "unit": self.unit,
            "met": "not promised" if self.met is None else "yes" if self.met else "no",
        }


def self_check(
    mechanism: Mechanism | Faulty,
    neighbours: tuple[float, float] | None = None,
    *,
    draws: int = DRAWS,
    seed: int = 1,
) -> tuple[Check, ...]:
    """All checks, for two neighbours: those in the middle of the inputs where none are given.

    >>> from compdp_core import CompositeMechanism
    >>> all(check.met for check in self_check(CompositeMechanism(1.0, (0, 100))))
    True
    >>> from compdp_core.auditing.attacks import FAULTY
    >>> [check.name for check in self_check(FAULTY["half"]()) if check.met is False]
    ['privacy loss']

    Raises :class:`ParameterError` for neighbours that are no two numbers, and for fewer than 100
    draws.
    """
    count = whole("draws", draws, 100)
    curve = log_ratio_curve(mechanism, neighbours)
    samples = [_draw(mechanism, x, count, seed + i) for i, x in enumerate(curve.neighbours)]
    checks = [
        _bounds(mechanism, samples),
        _bias(mechanism, curve.neighbours, samples),
        _mass(mechanism, curve, samples),
        _loss(curve),
    ]
    if isinstance(mechanism, CompositeMechanism):
        checks += [_exact_bias(mechanism), _lattice(mechanism, samples), _certificate(mechanism)]
    return tuple(checks)


def _draw(mechanism: Mechanism | Faulty, value: float, count: int, seed: int) -> Array:
    values = np.full(count, value)
    if isinstance(mechanism, Faulty):
        return mechanism.simulate(values, seed)
    return mechanism.simulate(values, seed=seed)


def _bounds(mechanism: Mechanism | Faulty, samples: list[Array]) -> Check:
    low, high = mechanism.outputs
    promised = bool(np.isfinite([low, high]).all())
    if isinstance(mechanism, Faulty):
        promised = mechanism.bounded
    drawn = np.concatenate(samples)
    outside = int(np.count_nonzero((drawn < low) | (drawn > high)))
    return Check(
        "bounds",
        f"draws outside the outputs {_span(low, high)}, of {drawn.size:,}",
        float(outside),
        0.0,
        "draws",
        outside == 0 if promised else None,
    )


def _span(low: float, high: float) -> str:
    if np.isinf([low, high]).all():
        return "without bounds"
    digits = telling(low, high, 6) if np.isfinite([low, high]).all() else 6
    return f"{number(low, digits)} … {number(high, digits)}"


def _bias(mechanism: Mechanism | Faulty, pair: tuple[float, float], samples: list[Array]) -> Check:
    """Of a biased baseline: whether its bias is the one it states."""
    stated = [0.0 if isinstance(mechanism, Faulty) else float(mechanism.bias(x)) for x in pair]
    off = [
        abs(float(drawn.mean()) - x - bias) / _standard_error(mechanism, x, drawn)
        for drawn, x, bias in zip(samples, pair, stated, strict=True)
    ]
    kind = "the true value" if max(map(abs, stated)) < 1e-9 else "true value plus stated bias"
    return Check(
        "bias in draws",
        f"mean of {samples[0].size:,} draws against {kind}, at both neighbours",
        float(max(off)),
        SIGMAS,
        "standard errors",
        bool(max(off) <= SIGMAS),
    )


def _standard_error(mechanism: Mechanism | Faulty, x: float, drawn: Array) -> float:
    """Of the mean of the draws, never 0.

    Where ε is large all draws can be equal though another output is possible: then only the stated
    variance knows of it. The last term is what adding up floats may be off.
    """
    variance = float(drawn.var())
    if not isinstance(mechanism, Faulty):
        variance = max(variance, float(mechanism.variance(x)))
    rounding = 1e-12 * max(float(np.max(np.abs(drawn))), abs(x), 1e-300)
    return float(np.sqrt(variance / drawn.size)) + rounding


def _mass(mechanism: Mechanism | Faulty, curve: LogRatio, samples: list[Array]) -> Check:
    low, high = mechanism.outputs
    off, error = [], MASS
    beyond = None if isinstance(mechanism, Faulty) else unseen(mechanism, curve.neighbours)
    for i, (total, drawn) in enumerate(zip(curve.table.totals, samples, strict=True)):
        if beyond is None:
            outside = float(np.mean((drawn < low) | (drawn > high)))
            error = max(error, SIGMAS * np.sqrt((outside + 1e-4) / drawn.size))
        else:
            outside = beyond[i]
        off.append(abs(total + outside - 1.0))
    limit = 1e-12 if isinstance(mechanism, CompositeMechanism) else float(error)
    return Check(
        "mass",
        "probabilities of all outputs added up, against 1, at both neighbours",
        float(max(off)),
        limit,
        "probability",
        bool(max(off) <= limit),
    )


def _loss(curve: LogRatio) -> Check:
    x, y = (number(value, 9) for value in curve.neighbours)
    if curve.delta > 0.0:
        return Check(
            "privacy loss",
            f"least δ with which {x} and {y} keep ε = {number(curve.claimed, 6)}, against the "
            "claimed δ",
            curve.excess,
            curve.delta,
            "probability",
            curve.kept,
        )
    return Check(
        "privacy loss",
        f"largest |ln p/p′| of {x} and {y} over all outputs, against the claimed ε",
        curve.largest,
        curve.claimed,
        "ε",
        curve.kept,
    )


def _exact_bias(mechanism: CompositeMechanism) -> Check:
    low, high = mechanism.inputs
    bias = float(np.max(np.abs(mechanism.bias(np.linspace(low, high, 201)))))
    # The input itself is a float: its own rounding is no bias of the mechanism.
    limit = mechanism.certificate.worst_bias + 2.0 * float(np.spacing(max(abs(low), abs(high))))
    return Check(
        "exact bias",
        "mean of the lattice minus true value at 201 inputs, against the proved bound",
        bias,
        limit,
        "data units",
        bias <= limit,
    )


def _lattice(mechanism: CompositeMechanism, samples: list[Array]) -> Check:
    drawn = np.concatenate(samples)
    off = lattice_fingerprints(drawn, mechanism.lattice.exponent).told_apart
    return Check(
        "lattice",
        f"draws off the multiples of {number(mechanism.lattice.spacing, 6)} that all inputs share, "
        f"of {drawn.size:,}",
        float(off),
        0.0,
        "draws",
        off == 0,
    )


def _certificate(mechanism: CompositeMechanism) -> Check:
    proof = mechanism.certificate
    return Check(
        "certificate",
        f"ε proved in whole numbers for all inputs Δ = {number(mechanism.sensitivity, 6)} apart, "
        "against the claimed ε",
        proof.epsilon,
        proof.declared,
        "ε",
        proof.holds,
    )
