"""What a released column of numbers is read with: its values, its lattice, its true values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from compdp_core.estimates import wording
from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.estimate import About, EstimateError
from compdp_core.estimates.likelihood.kernel import FEW
from compdp_core.estimates.reading import Reading, Sampling
from compdp_core.estimates.received.table import ReceivedColumn
from compdp_core.mechanisms.lattice import Lattice
from compdp_core.validation import Array


@dataclass(frozen=True, eq=False)
class ReleasedValues:
    """Released values in order, and what true values they may come from."""

    lattice: Lattice
    channel: NumberChannel
    values: Array | None
    """The true values there may be, where they are few."""
    rising: Array
    """Released ones."""
    weight: float
    """What a row counts in a likelihood."""
    note: str
    """Of whom something is said of them."""

    @classmethod
    def of(cls, column: ReceivedColumn, sampling: Sampling, about: About) -> ReleasedValues:
        """Those of a column of numbers."""
        channel = column.channel
        if not isinstance(channel, NumberChannel):
            raise EstimateError(f"{column.label} holds categories: ask for their shares")
        if channel.lattice is None:
            raise EstimateError(
                f"the card of {column.label} tells mean and variance of the noise alone, not what "
                "was drawn from, as lattice: ask for a card of version 0.3"
            )
        there = ~np.isnan(column.values)
        if not there.any():
            raise EstimateError(f"no row has a value of {column.label}: nothing can be said of it")
        reading = Reading(column.values, column.values, channel.inputs, channel, _missing(column))
        note = wording.note(about, sampling, reading)
        weight = 1.0 if about == "rows" else _weight(sampling, there)
        rising = np.sort(column.values[there])
        return cls(channel.lattice, channel, _few(column), rising, weight, note)

    @property
    def n(self) -> int:
        """Rows with a value."""
        return self.rising.size


def _missing(column: ReceivedColumn) -> str:
    return column.item.missing.policy


def _weight(sampling: Sampling, there: Array) -> float:
    """1 over how much the rows of persons may add to the variance of any count (Kish, Survey
    Sampling, 1965): where all rows of a person are alike, ``Σ m² / Σ m``.
    """
    if sampling.at_most == 1:
        return 1.0
    if sampling.persons is None:
        return 1.0 / sampling.at_most
    rows = np.bincount(sampling.persons[there])
    return float(rows.sum() / (rows**2).sum())


def places(column: ReceivedColumn) -> dict[str, float]:
    """The true values that a column of numbers may have, by what they are called, where they are
    few: those of a list, or whole numbers. Else none.
    """
    listed, channel = column.item.listed, column.channel
    if not isinstance(channel, NumberChannel):
        return {}
    if listed is not None:
        found = {
            each.name: float(each.number) for each in listed.categories if each.number is not None
        }
        found = dict(sorted(found.items(), key=lambda each: each[1]))
    elif channel.whole and channel.inputs.width < FEW:
        low, high = channel.inputs.as_tuple()
        steps = np.unique(np.clip(np.arange(np.floor(low), np.ceil(high) + 1.0), low, high))
        tell = "{:.15g}".format if column.format is None else column.format.text
        found = {tell(step): step for step in steps.tolist()}
    else:
        return {}
    return found if 2 <= len(set(found.values())) <= FEW else {}


def _few(column: ReceivedColumn) -> Array | None:
    found = places(column)
    return np.unique(list(found.values())) if found else None
