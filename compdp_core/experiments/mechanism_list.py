"""Every mechanism of the library on the same inputs: the composite pairs and the baselines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from compdp_core.errors import ParameterError
from compdp_core.mechanisms.baselines import BASELINES, DELTA, Mechanism
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.planning import ALL_PAIRS
from compdp_core.validation import is_one_of

Factory = Callable[[float], Mechanism]
"""Builds the mechanism for an ε."""

KEYS: tuple[str, ...] = (*ALL_PAIRS, *BASELINES)
"""All that can be compared: the six pairs of the paper, the staircase, every baseline."""


def label(key: str) -> str:
    """What a table or legend calls it.

    >>> label("A1B1"), label("laplace")
    ('Composite A1B1', 'Laplace')
    """
    return f"Composite {key}" if is_one_of(key, ALL_PAIRS) else BASELINES[_known(key)].name


def factories(
    inputs: Any,
    *,
    sensitivity: float | None = None,
    delta: float | None = DELTA.default,
    keys: Iterable[str] = KEYS,
) -> dict[str, Factory]:
    """For each mechanism its name and how to build it at an ε, all on the same inputs.

    ``delta`` goes to the mechanisms that need one. Raises :class:`ParameterError` for an unknown
    key; what a mechanism refuses, it refuses when it is built.
    """

    def factory(key: str) -> Factory:
        if is_one_of(key, ALL_PAIRS):
            return lambda epsilon: CompositeMechanism(
                epsilon, inputs, sensitivity=sensitivity, pair=key
            )
        entry = BASELINES[_known(key)]
        return lambda epsilon: entry.build(epsilon, inputs, sensitivity=sensitivity, delta=delta)

    return {label(key): factory(key) for key in keys}


def roster(
    epsilon: float,
    inputs: Any,
    *,
    sensitivity: float | None = None,
    delta: float | None = DELTA.default,
    keys: Iterable[str] = KEYS,
) -> dict[str, Mechanism]:
    """The mechanisms themselves, by name.

    >>> [m.name for m in roster(1.0, (0, 100), keys=["A1B1", "laplace"]).values()]
    ['Composite A1B1', 'Laplace']
    """
    made = factories(inputs, sensitivity=sensitivity, delta=delta, keys=keys)
    return {name: build(epsilon) for name, build in made.items()}


def _known(key: str) -> str:
    if not is_one_of(key, BASELINES):
        raise ParameterError("keys", key, f"must be among {', '.join(KEYS)}")
    return key
