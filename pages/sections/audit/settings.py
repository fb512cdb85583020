"""What can be set on the page, each declared once, and the mechanism that is audited as set."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from compdp_core.auditing.attacks import FAULTY, Faulty
from compdp_core.auditing.privacy_loss import a_sensitivity_above
from compdp_core.intervals import Interval
from compdp_core.mechanisms.baselines import DELTA, Mechanism
from compdp_core.parameters import EPSILON, INPUT_BOUND, SEED, SENSITIVITY
from pages.inputs import links
from pages.inputs.mechanisms import mechanism_choices, mechanism_factories, mechanism_label

PAGE = "audit"
value = links.value
field = links.field
UNIT = "data units"
BROKEN = "broken_"
"""Before the keys of mechanisms that are broken on purpose."""

CONFIDENCES = {"0.95": "95 %", "0.99": "99 %", "0.999": "99.9 %", "0.999999": "99.9999 %"}
ATTACKS = {
    "bounds": "Bounds from the data",
    "repeats": "Repeats averaged",
    "bits": "Low-order bits",
    "outside": "Input outside",
}


def subjects() -> tuple[str, ...]:
    """Keys of all that can be audited: every mechanism, then those broken on purpose."""
    return (*mechanism_choices(), *(BROKEN + key for key in FAULTY))


SUBJECT = links.choice(f"{PAGE}.subject", "mechanism", subjects, "A1B1")
BUDGET = links.number(f"{PAGE}.epsilon", "epsilon", EPSILON, Decimal(1))
LOWER = links.number(f"{PAGE}.lower", "lower", INPUT_BOUND, Decimal(0))
UPPER = links.number(f"{PAGE}.upper", "upper", INPUT_BOUND, Decimal(100))
DISTANCE = links.number(f"{PAGE}.sensitivity", "sensitivity", SENSITIVITY, None)
CHANCE = links.number(f"{PAGE}.delta", "delta", DELTA, Decimal("1e-6"))
PLACE = links.number(f"{PAGE}.place", "neighbour", INPUT_BOUND, Decimal(50))
CONFIDENCE = links.choice(f"{PAGE}.confidence", "confidence", tuple(CONFIDENCES), "0.999")
START = links.number(f"{PAGE}.seed", "seed", SEED, Decimal(1))
ATTACK = links.choice(f"{PAGE}.attack", "attack", tuple(ATTACKS), "bounds")

SETTINGS = (
    SUBJECT, BUDGET, LOWER, UPPER, DISTANCE, CHANCE, PLACE, CONFIDENCE, START, ATTACK,
)  # fmt: skip


Array = NDArray[np.float64]


@dataclass(frozen=True)
class AuditSubject:
    """A mechanism with the claim that is put to the test, for two neighbours."""

    name: str
    mechanism: Mechanism | Faulty
    neighbours: tuple[float, float]
    question: tuple[object, ...]
    """Everything that results depend on."""

    @property
    def broken(self) -> Faulty | None:
        return self.mechanism if isinstance(self.mechanism, Faulty) else None

    @property
    def claimed(self) -> float:
        if isinstance(self.mechanism, Faulty):
            return self.mechanism.claimed
        return self.mechanism.epsilon

    @property
    def delta(self) -> float:
        return 0.0 if isinstance(self.mechanism, Faulty) else self.mechanism.delta

    def simulate(self, values: Array, seed: int) -> Array:
        """Draws for inputs: never a release."""
        if isinstance(self.mechanism, Faulty):
            return self.mechanism.simulate(values, seed)
        return self.mechanism.simulate(values, seed=seed)


def name_of(key: str) -> str:
    """What the list calls it; what is broken says so."""
    if key.startswith(BROKEN):
        return f"⚠ Broken on purpose: {broken(key).name}"
    return mechanism_label(key)


def broken(key: str) -> Faulty:
    return FAULTY[key.removeprefix(BROKEN)]()


def subject() -> AuditSubject:
    """The subject as set. Raises what the library refuses, with what to change."""
    key = value(SUBJECT)
    if key not in subjects():
        key = SUBJECT.default
    if key.startswith(BROKEN):
        faulty = broken(key)
        return AuditSubject(faulty.name, faulty, faulty.neighbours, (key,))
    inputs = Interval.checked("inputs", (float(value(LOWER)), float(value(UPPER))))
    distance = value(DISTANCE)
    wide = None if distance is None else float(distance)
    epsilon, delta = float(value(BUDGET)), float(value(CHANCE))
    made = mechanism_factories([key], inputs.as_tuple(), sensitivity=wide, delta=delta)
    mechanism = next(iter(made.values()))(epsilon)
    pair = neighbours(inputs, mechanism.sensitivity, float(value(PLACE)))
    return AuditSubject(name_of(key), mechanism, pair, (key, epsilon, inputs, wide, delta, pair))


def neighbours(inputs: Interval, distance: float, place: float) -> tuple[float, float]:
    """Two inputs Δ apart, the lower one as near to the place as fits."""
    lower = min(max(place, inputs.lower), max(inputs.upper - distance, inputs.lower))
    return lower, min(a_sensitivity_above(lower, distance), inputs.upper)
