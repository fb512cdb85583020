"""Means of groups of rows, and differences of two of them.

Groups by an untouched column are known: their means are those of the readings in them, and two of
them are told apart by Welch's t (Biometrika 34, 1947). Groups by a category that was released are
not: of a category with the reading w (1 where a row has it, on average) the mean of u is
``mean(u w) / mean(w)``, as noises of two columns are independent, with Fieller's interval. The
interval of a difference of two such ratios is put together from theirs and their correlation (Zou
and Donner, Stat. Med. 27, 2008).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import ParameterError
from compdp_core.estimates import moments, wording
from compdp_core.estimates.estimate import Estimate, EstimateError
from compdp_core.estimates.ratios import FEWEST, CompleteRows, Ratio
from compdp_core.estimates.reading import Reading, Sampling
from compdp_core.tables.errors import some
from compdp_core.validation import Array, is_one_of

BLANK = "(blank)"
"""Name of the group of the rows whose cell is empty."""
MOST_GROUPS = 300
FEWEST_IN_GROUP = 5
"""Rows of a group that is compared: below, its spread is not known."""

Places = NDArray[np.intp]
T = TypeVar("T")


def groups_of(texts: Sequence[str]) -> dict[str, Places]:
    """The rows of each text, in their order; blank cells are last.

    >>> {name: places.tolist() for name, places in groups_of(["b", "a ", "", "b"]).items()}
    {'a': [1], 'b': [0, 3], '(blank)': [2]}

    Raises :class:`ParameterError` for more than are of use.
    """
    codes: dict[str, int] = {}
    found = np.array([codes.setdefault(each.strip(), len(codes)) for each in texts], dtype=np.intp)
    if len(codes) > MOST_GROUPS:
        what = f"must be a column of at most {MOST_GROUPS} texts: put them into classes first"
        raise ParameterError("by", f"one of {len(codes):,}", what)
    blank = BLANK
    while blank in codes:
        blank = f"({blank})"
    ends = np.cumsum(np.bincount(found, minlength=len(codes)))[:-1]
    places = np.split(np.argsort(found, kind="stable"), ends)
    rows = dict(zip(codes, places, strict=True))
    return {name or blank: rows[name] for name in sorted(rows, key=lambda name: (not name, name))}


def two_groups(found: Mapping[str, T], wanted: object) -> dict[str, T]:
    """Those that were named, or the only two there are besides blank cells.

    Raises :class:`ParameterError`.
    """
    named = [name for name in found if name != BLANK] if wanted is None else wanted
    what = f"must be two of {some(list(found))}"
    if not (isinstance(named, list | tuple) and len(named) == 2):
        raise ParameterError("groups", wanted, what)
    for at, name in enumerate(named):
        if not is_one_of(name, list(found)):
            raise ParameterError(f"groups[{at}]", name, what)
    if named[0] == named[1]:
        raise ParameterError("groups", named[0], f"{what}, and not one twice")
    return {name: found[name] for name in named}


def group_means(
    reading: Reading, groups: Mapping[str, Places], sampling: Sampling, level: float
) -> dict[str, Estimate]:
    """Of the rows in each group that has a value."""
    there = np.isfinite(reading.values)
    if not there.any():
        raise EstimateError("no row has a value in this column: nothing can be said of it")
    return {
        name: moments.mean(reading.take(rows), _part(sampling, rows), "rows", level)
        for name, rows in groups.items()
        if there[rows].any()
    }


def difference(
    reading: Reading, groups: Mapping[str, Places], sampling: Sampling, level: float
) -> Estimate:
    """Mean of the first of two groups less that of the second."""
    from scipy.special import stdtrit

    masks = [np.isfinite(reading.values) for _ in groups]
    for mask, places in zip(masks, groups.values(), strict=True):
        mask &= np.bincount(places, minlength=len(mask)) > 0
    either = masks[0] | masks[1]
    rows = CompleteRows.of(sampling, either)
    whose = np.arange(rows.count) if rows.persons is None else rows.persons
    found, sums, spreads, free = [], [], [], []
    for name, mask in zip(groups, masks, strict=True):
        values, own, part = (
            reading.values[mask],
            whose[mask[either]],
            CompleteRows.of(sampling, mask),
        )
        part.enough(FEWEST_IN_GROUP, f"in {name}")
        persons = part.independent
        found.append(float(values.mean()))
        scale = math.sqrt(persons / (persons - 1) * rows.repeated) / len(values)
        sums.append(np.bincount(own, (values - found[-1]) * scale, minlength=len(whose)))
        spreads.append(float(sums[-1] @ sums[-1]))
        free.append(persons - 1)
    both = sum(spreads)
    error = math.sqrt(max(both - 2.0 * float(sums[0] @ sums[1]), 0.0))
    parts = sum(v * v / f for v, f in zip(spreads, free, strict=True))
    freedom = both * both / parts if parts > 0.0 else min(free)
    half = error * float(stdtrit(freedom, 0.5 + 0.5 * level))
    value = found[0] - found[1]
    return Estimate(
        value,
        error,
        value - half,
        value + half,
        level,
        rows.count,
        "Difference of the means of the released values, by Welch's t (1947).",
        wording.note("population", sampling, reading, more=_no_cause(groups)),
    )


def noisy_means(
    reading: Reading, groups: Mapping[str, Reading], sampling: Sampling, level: float
) -> dict[str, Estimate]:
    """Of the groups of a released category whose shares are above 0 by their error."""
    rows, center, terms = _noisy(reading, groups, sampling)
    ratios, problem = {}, None
    for name, (above, below) in terms.items():
        found = Ratio.of(above, below, rows)
        try:
            rows.clear(found, level, f"the share of {name}")
        except EstimateError as error:
            problem = error
        else:
            ratios[name] = found
    if problem is not None and not ratios:
        raise problem
    lost = [name for name in groups if name not in ratios]
    more: tuple[str, ...] = (
        () if not lost else (f"Nothing can be said of {', '.join(lost)}: too rare to tell.",)
    )
    more += tuple(doubt for each in ratios.values() for doubt in each.doubt)
    note = wording.note("population", sampling, reading, *groups.values(), more=more)
    how = "Mean of u w over that of w, w the reading of the category; interval by Fieller (1954)."
    made = {}
    for name, found in ratios.items():
        low, high = (center + end for end in found.interval(level))
        value = center + found.value
        if reading.limits is not None:  # as for a mean: beyond a bound it is taken for the bound
            off = moments.held(value, *reading.limits.as_tuple()) - value
            low, high = (moments.held(end + off, *reading.limits.as_tuple()) for end in (low, high))
        made[name] = Estimate(value, found.error, low, high, level, rows.count, how, note)
    return made


def noisy_difference(
    reading: Reading, groups: Mapping[str, Reading], sampling: Sampling, level: float
) -> Estimate:
    """Of two groups of a released category."""
    rows, _, terms = _noisy(reading, groups, sampling)
    every = rows.covariance(*(term for pair in terms.values() for term in pair))
    ratios = []
    for at, (name, (above, below)) in enumerate(terms.items()):
        here = slice(2 * at, 2 * at + 2)
        found = Ratio(float(above.mean()), float(below.mean()), every[here, here], rows.freedom(2))
        rows.clear(found, level, f"the share of {name}")
        ratios.append(found)
    one, two = ratios
    slope = np.array([1.0, -one.value, -1.0, two.value])
    slope /= np.array([one.below, one.below, two.below, two.below])
    error = math.sqrt(max(float(slope @ every @ slope), 0.0))
    together = -float(slope[:2] @ every[:2, 2:] @ slope[2:])
    r = together / (one.error * two.error) if one.error * two.error > 0.0 else 0.0
    value = one.value - two.value
    (l1, u1), (l2, u2) = one.interval(level), two.interval(level)

    def half(a: float, b: float) -> float:
        return math.sqrt(max(a * a - 2.0 * r * a * b + b * b, 0.0))

    return Estimate(
        value,
        error,
        value - half(one.value - l1, u2 - two.value),
        value + half(u1 - one.value, two.value - l2),
        level,
        rows.count,
        "Difference of means of u w over those of w, w the reading of the category; interval from "
        "Fieller's of both (Zou and Donner 2008).",
        wording.note(
            "population",
            sampling,
            reading,
            *groups.values(),
            more=(*_no_cause(groups), *one.doubt, *two.doubt),
        ),
    )


def _noisy(
    reading: Reading, groups: Mapping[str, Reading], sampling: Sampling
) -> tuple[CompleteRows, float, dict[str, tuple[Array, Array]]]:
    """Rows with both values, what was taken off u for the sake of digits, and (u w, w)."""
    mask = np.isfinite(reading.values)
    for each in groups.values():
        mask &= np.isfinite(each.values)
    rows = CompleteRows.of(sampling, mask)
    rows.enough(FEWEST, "in both columns")
    u = reading.values[mask]
    center = float(u.mean())
    weights = {name: each.values[mask] for name, each in groups.items()}
    return rows, center, {name: ((u - center) * w, w) for name, w in weights.items()}


def _part(sampling: Sampling, rows: Places) -> Sampling:
    """Of some of the rows."""
    whose = None if sampling.persons is None else sampling.persons[rows]
    return Sampling(len(rows), sampling.share, whose, sampling.at_most)


def _no_cause(groups: Mapping[str, object]) -> tuple[str, ...]:
    return (f"Mean of {' less that of '.join(groups)}: it does not say why they differ.",)
