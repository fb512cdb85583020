"""What is audited: a mechanism as set, or one that is broken on purpose."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from compdp_core.auditing.attacks import FAULTY, Faulty
from compdp_core.auditing.privacy_loss import a_sensitivity_above
from compdp_core.intervals import Interval
from compdp_core.mechanisms.baselines import Mechanism
from pages.inputs.mechanisms import mechanism_factories, mechanism_label
from pages.sections.audit import settings as to

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
    if key.startswith(to.BROKEN):
        return f"⚠ Broken on purpose: {broken(key).name}"
    return mechanism_label(key)


def broken(key: str) -> Faulty:
    return FAULTY[key.removeprefix(to.BROKEN)]()


def subject() -> AuditSubject:
    """The subject as set. Raises what the library refuses, with what to change."""
    key = to.value(to.SUBJECT)
    if key not in to.subjects():
        key = to.SUBJECT.default
    if key.startswith(to.BROKEN):
        faulty = broken(key)
        return AuditSubject(faulty.name, faulty, faulty.neighbours, (key,))
    inputs = Interval.checked("inputs", (float(to.value(to.LOWER)), float(to.value(to.UPPER))))
    distance = to.value(to.DISTANCE)
    wide = None if distance is None else float(distance)
    epsilon, delta = float(to.value(to.BUDGET)), float(to.value(to.CHANCE))
    made = mechanism_factories([key], inputs.as_tuple(), sensitivity=wide, delta=delta)
    mechanism = next(iter(made.values()))(epsilon)
    pair = neighbours(inputs, mechanism.sensitivity, float(to.value(to.PLACE)))
    return AuditSubject(name_of(key), mechanism, pair, (key, epsilon, inputs, wide, delta, pair))


def neighbours(inputs: Interval, distance: float, place: float) -> tuple[float, float]:
    """Two inputs Δ apart, the lower one as near to the place as fits."""
    lower = min(max(place, inputs.lower), max(inputs.upper - distance, inputs.lower))
    return lower, min(a_sensitivity_above(lower, distance), inputs.upper)
