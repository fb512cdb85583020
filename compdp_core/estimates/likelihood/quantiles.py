"""Shares of true values beyond a limit and at a value, and quantiles: where the share below has a
given size.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.estimates.estimate import About, Estimate
from compdp_core.estimates.likelihood.distribution import smoothed
from compdp_core.estimates.likelihood.kernel import around, of_values
from compdp_core.estimates.likelihood.profile import Profile
from compdp_core.estimates.likelihood.support import ReleasedValues, places
from compdp_core.estimates.reading import Sampling
from compdp_core.estimates.received.table import ReceivedColumn
from compdp_core.numerics import bracket, first_above
from compdp_core.parameters import share as share_parameter
from compdp_core.tables.value_formats.bounds import WHAT, end_in
from compdp_core.validation import Array, setting

_PARTS = 4096
"""Of the range of inputs: so closely the ends of the interval of a quantile are found."""

AT_LIMIT = (
    "What lies at the very limit cannot be told from what lies beside it, and may be counted."
)
FOR_POPULATION = (
    "The interval allows for other rows in place of these as well, so it is wider than need be."
)
SHARE = (
    "profile likelihood over all distributions of true values, with the exact probabilities of the "
    "released ones; value by the smoothed distribution, within the interval"
)
QUANTILE = "all values that the interval of the share below them allows; " + SHARE


def split(given: ReleasedValues, below: float, above: float) -> Profile:
    """True values from ``above`` on, against those up to ``below``; at one limit, both."""
    if given.values is None:
        cells, is_above = around(given.lattice, below, above)
    else:
        values = given.values
        place = int(np.searchsorted(values, above))
        if below == above:  # what stands there may be of either side
            values, place = np.insert(values, place, below), place + 1
        cells, is_above = of_values(given.lattice, values), np.arange(values.size) >= place
    counts = given.weight * cells.counts(given.rising)
    return Profile(cells.kernel, counts[None], is_above, given.values is not None)


def beside(given: ReleasedValues, limit: float, *, included: bool) -> tuple[float, float]:
    """The last true value before a limit and the first one behind, or at it."""
    side: Literal["left", "right"] = "left" if included else "right"
    if given.values is not None:
        values = given.values
    elif given.channel.whole:
        near = np.arange(np.floor(limit) - 1.0, np.floor(limit) + 3.0)
        values = np.unique(np.clip(near, *given.channel.inputs.as_tuple()))
    else:
        return limit, limit
    place = int(np.searchsorted(values, limit, side=side))
    return float(values[place - 1]), float(values[place])


def share(
    column: ReceivedColumn, sampling: Sampling, name: str, limit: Any, about: About, level: float
) -> Estimate:
    """The share ``above``, ``at_least``, ``below`` or ``at_most`` a limit."""
    given, at = ReleasedValues.of(column, sampling, about), limit_of(column, name, limit)
    low, high = given.channel.inputs.as_tuple()
    included = name in ("at_least", "below")
    if not (low < at < high or at == (high if included else low)):
        what = f"must have true values on both sides, which lie from {low:.15g} to {high:.15g}"
        raise ParameterError(name, limit, what)
    ends = split(given, *beside(given, at, included=included)).interval(level)
    fit = smoothed(given)
    if given.values is None:
        middle = 1.0 - float(np.interp(at, fit.edges, np.append(0.0, np.cumsum(fit.shares))))
    else:
        middle = float(fit.shares[given.values >= at if included else given.values > at].sum())
    found = np.array([middle, *ends])
    if name in ("below", "at_most"):
        found = 1.0 - found[[0, 2, 1]]
    told = [given.note]
    if given.values is None and not given.channel.whole:
        told.append(AT_LIMIT)
    if about == "rows":
        told.append(FOR_POPULATION)
    return _estimate(found, given.n, level, SHARE, " ".join(told), about)


def shares(
    column: ReceivedColumn, sampling: Sampling, about: About, level: float
) -> dict[str, Estimate]:
    """The share of each of the few true values that there may be, by what it is called."""
    given, named = ReleasedValues.of(column, sampling, about), places(column)
    values = given.values
    assert values is not None
    cells, fit = of_values(given.lattice, values), smoothed(given)
    counts = given.weight * cells.counts(given.rising)[None]
    note = f"{given.note} {FOR_POPULATION}" if about == "rows" else given.note
    found = {}
    for name, value in named.items():
        ends = Profile(cells.kernel, counts, values == value, apart=True).interval(level)
        told = np.array([fit.shares[values == value].sum(), *ends])
        found[name] = _estimate(told, given.n, level, SHARE, note, about)
    return found


def quantile(
    column: ReceivedColumn, sampling: Sampling, probability: float, level: float
) -> Estimate:
    """The least value that at least so large a share of the true ones does not exceed."""
    p = share_parameter("probability").check(probability)
    given = ReleasedValues.of(column, sampling, "population")
    fit = smoothed(given)
    before = np.cumsum(fit.shares)

    def side(at: float) -> int:
        """-1 where too few of the true values lie up to it, 1 where too many lie before."""
        profile, beyond = split(given, at, at), np.array([1.0 - p])
        if profile.holds(beyond, level)[0]:
            return 0
        return -1 if profile.share[0] > beyond[0] else 1

    if given.values is not None:
        values, k = given.values, given.values.size
        place = min(int(np.searchsorted(before, p)), k - 1)
        first = first_above(-1, k - 1, lambda i: side(values[i]) >= 0)
        last = first_above(first, k, lambda i: side(values[i]) > 0) - 1
        found = values[[place, first, last]]
    else:
        low, high = given.channel.inputs.as_tuple()
        gap = (high - low) / _PARTS
        ends = [
            low
            if side(low) >= 0
            else bracket(low, high, lambda at: side(at) >= 0, lambda *_: gap)[0],
            high
            if side(high) <= 0
            else bracket(low, high, lambda at: side(at) > 0, lambda *_: gap)[1],
        ]
        middle = float(np.interp(p, np.append(0.0, before), fit.edges))
        if given.channel.whole:
            middle, ends = float(np.rint(middle)), [np.floor(ends[0]), np.ceil(ends[1])]
        found = np.array([middle, *np.clip(ends, low, high)])
    return _estimate(found, given.n, level, QUANTILE, given.note, "population")


def limit_of(column: ReceivedColumn, name: str, limit: Any) -> float:
    """A limit in steps of the column, which may be given as a date or its text."""
    if column.format is None:
        return setting(name, limit)
    kind = column.item.kind
    found = end_in(kind, limit, column.format, name)
    if found is None:
        what = WHAT.get(kind, "the numbers of the column")
        raise ParameterError(name, limit, f"must be one of {what}")
    return found


def _estimate(found: Array, n: int, level: float, method: str, note: str, about: About) -> Estimate:
    from scipy.special import ndtri

    value, low, high = (float(each) for each in found)
    error = (high - low) / (2.0 * float(ndtri(0.5 + 0.5 * level)))
    return Estimate(min(max(value, low), high), error, low, high, level, n, method, note, about)
