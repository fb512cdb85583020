"""Shares of true values beyond a limit, and quantiles: where the share below has a given size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.distribution import few_values, lattice_of, rising, smoothed
from compdp_core.estimates.estimate import About, Estimate, EstimateError
from compdp_core.estimates.kernel import around, of_values
from compdp_core.estimates.profile import Profile
from compdp_core.estimates.received import ReceivedColumn
from compdp_core.mechanisms.lattice import Lattice
from compdp_core.numerics import bracket
from compdp_core.parameters import PROBABILITY
from compdp_core.tables.value_formats.bounds import WHAT, end_in
from compdp_core.validation import Array, setting

_HALVINGS = 4096
"""Of the range of inputs, within which an end of the interval of a quantile is found."""

SHARE = (
    "profile likelihood over all distributions of true values, with the exact probabilities of the "
    "released ones; value by the smoothed distribution, within the interval"
)
QUANTILE = "all values that the interval of the share below them allows; " + SHARE


@dataclass(frozen=True, eq=False)
class ReleasedValues:
    """Released values in order, and what true ones they may come from."""

    lattice: Lattice
    channel: NumberChannel
    values: Array | None
    released: Array

    @classmethod
    def of(cls, column: ReceivedColumn) -> ReleasedValues:
        """Of a column of numbers with a value in some row."""
        channel, lattice = lattice_of(column)
        released = rising(column.values)
        if not released.size:
            raise EstimateError(f"{column.label} has no value in any row")
        return cls(lattice, channel, few_values(column, channel), released)

    def split(self, below: float, above: float) -> Profile:
        """True values from ``above`` on, against those up to ``below``; at one limit, both."""
        if self.values is None:
            cells, is_above = around(self.lattice, below, above)
        else:
            values = self.values
            if below == above:  # what stands there may be of either side
                values = np.insert(values, np.searchsorted(values, below), below)
            cells = of_values(self.lattice, values)
            is_above = values >= above
            if below == above:
                is_above[np.searchsorted(values, below)] = False
        return Profile(cells.kernel, cells.counts(self.released), is_above)

    def beside(self, limit: float, *, included: bool) -> tuple[float, float]:
        """The last true value before a limit and the first one behind, or at it."""
        side: Literal["left", "right"] = "left" if included else "right"
        if self.values is not None:
            all_values = self.values
        elif self.channel.whole:
            low, high = self.channel.inputs.as_tuple()
            near = np.arange(np.floor(limit) - 1.0, np.floor(limit) + 3.0)
            all_values = np.unique(np.clip(near, low, high))
        else:
            return limit, limit
        place = int(np.searchsorted(all_values, limit, side=side))
        return float(all_values[place - 1]), float(all_values[place])


def share(column: ReceivedColumn, name: str, limit: Any, about: About, level: float) -> Estimate:
    """The share ``above``, ``at_least``, ``below`` or ``at_most`` a limit."""
    asked, at = ReleasedValues.of(column), limit_of(column, name, limit)
    low, high = asked.channel.inputs.as_tuple()
    included = name in ("at_least", "below")
    if not (low < at < high or at == (high if included else low)):
        raise ParameterError(
            name,
            limit,
            f"must have true values on both sides, which lie from {low:.15g} to {high:.15g}",
        )
    profile = asked.split(*asked.beside(at, included=included))
    ends = profile.interval(level)
    fit = smoothed(asked.lattice, asked.values, asked.released)
    if asked.values is None:
        middle = 1.0 - float(np.interp(at, fit.edges, np.append(0.0, np.cumsum(fit.shares))))
    else:
        middle = float(fit.shares[asked.values >= at if included else asked.values > at].sum())
    found = np.array([middle, *ends])
    if name in ("below", "at_most"):
        found = 1.0 - found[[0, 2, 1]]
    return _estimate(found, level, asked.released.size, SHARE, "")


def quantile(column: ReceivedColumn, probability: float, level: float) -> Estimate:
    """The least value that at least so large a share of the true ones does not exceed."""
    p, asked = PROBABILITY.check(probability), ReleasedValues.of(column)
    fit = smoothed(asked.lattice, asked.values, asked.released)
    before = np.cumsum(fit.shares)
    if asked.values is not None:
        values = asked.values
        place = min(int(np.searchsorted(before, p)), values.size - 1)
        sides = [-asked.split(each, each).side(1.0 - p, level) for each in values]
        fine = [each for each, side in zip(values, sides, strict=True) if side == 0]
        found = np.array([values[place], fine[0], fine[-1]])
    else:
        low, high = asked.channel.inputs.as_tuple()

        def side(at: float) -> int:
            return asked.split(at, at).side(1.0 - p, level)

        def close(low: float, high: float) -> float:
            return asked.channel.inputs.width / _HALVINGS

        first = low if side(low) >= 0 else bracket(low, high, lambda at: side(at) >= 0, close)[0]
        last = high if side(high) <= 0 else bracket(low, high, lambda at: side(at) > 0, close)[1]
        middle = float(np.interp(p, np.append(0.0, before), fit.edges))
        found = np.array([middle, first, last])
    return _estimate(found, level, asked.released.size, QUANTILE, "")


def limit_of(column: ReceivedColumn, name: str, limit: Any) -> float:
    """A limit in steps of the column, which may be given as a date or its text."""
    if column.format is None:
        return setting(name, limit)
    kind = column.item.kind
    found = end_in(kind, limit, column.format, name)
    if found is None:
        raise ParameterError(
            name, limit, f"must be one of {WHAT.get(kind, 'the numbers of the column')}"
        )
    return found


def _estimate(found: Array, level: float, n: int, method: str, note: str) -> Estimate:
    from scipy.special import ndtri

    value, low, high = (float(each) for each in found)
    error = (high - low) / (2.0 * float(ndtri(0.5 + 0.5 * level)))
    return Estimate(min(max(value, low), high), error, low, high, level, n, method, note)
