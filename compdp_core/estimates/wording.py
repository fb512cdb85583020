"""Sentences of the notes: of whom an estimate is said, and what else limits it."""

from __future__ import annotations

import numpy as np

from compdp_core.estimates.estimate import About
from compdp_core.estimates.reading import Reading, Sampling
from compdp_core.intervals import Interval
from compdp_core.mechanisms.categories import RandomizedResponse

OF_ROWS = "Of the rows at hand: what is not known of them is the noise alone."
OF_EXACT_ROWS = "Of the rows at hand: the column is as it came, so this is exact."
OF_SAMPLED_ROWS = (
    "Of all rows of the file, of which those with a value in this column were drawn at random."
)
OF_POPULATION = "Of the population that the rows were drawn from at random."
CLAMPED = "True values beyond the bounds count as the bound."
FILLED = (
    "Where a value was missing, the middle of the bounds was privatised in its place, and nobody "
    "can tell where: each such row pulls the estimate towards a column of nothing but that middle."
)
FILLED_CATEGORY = (
    "Where a value was missing, each of the {k} categories was drawn alike, and nobody can tell "
    "where: such rows pull every share towards 1/{k}, as many as there are."
)
BEYOND_SHARES = (
    "One below 0 or above 1 occurs by chance; it says that there were few rows, or nearly all."
)
KEPT = "Rows without a value are not counted."
PERSONS = "Rows of one person belong together, and the error allows for it."
PERSONS_NOT_KNOWN = (
    "The file does not say which rows are of one person, so the error is that for persons with "
    "{at_most} equal rows each: too large rather than too small."
)
ALL_ROWS = "Rows without a value are taken for rows like the others."
WEIGHT_OF_ROWS = "A person counts as often as they have rows."


def note(about: About, sampling: Sampling, *readings: Reading, more: tuple[str, ...] = ()) -> str:
    """Of whom something is said that is estimated from these columns, and what limits it.

    ``more``: sentences of the method, behind those of whom it is said.
    """
    said = [of_whom(about, sampling, *readings), *more]
    if about == "population" and sampling.at_most > 1:
        said += persons(sampling)
    if any(not isinstance(each.channel, RandomizedResponse | None) for each in readings):
        said.append(CLAMPED)
    for each in readings:
        said.append(missing(each))
    return " ".join(dict.fromkeys(filter(None, said)))


def of_shares(
    about: About, sampling: Sampling, mechanism: RandomizedResponse | None, missing: str
) -> str:
    """The note of shares of the categories of a column."""
    nothing = np.empty(0)
    reading = Reading(nothing, nothing, Interval(0.0, 1.0), mechanism, missing)
    below = (BEYOND_SHARES,) if mechanism is not None else ()
    return note(about, sampling, reading, more=below)


def of_whom(about: About, sampling: Sampling, *readings: Reading) -> str:
    """Of whom it is said."""
    if about == "population":
        return OF_POPULATION
    if all(each.is_clean for each in readings):
        return OF_EXACT_ROWS
    return OF_SAMPLED_ROWS if is_sampled(sampling, *readings) else OF_ROWS


def is_sampled(sampling: Sampling, *readings: Reading) -> bool:
    """Whether the rows with a value are some of all, drawn at random."""
    return sampling.share < 1.0 and not all(each.is_clean for each in readings)


def persons(sampling: Sampling) -> list[str]:
    """What is done about several rows of one person."""
    if sampling.persons is None:
        return [PERSONS_NOT_KNOWN.format(at_most=sampling.at_most), WEIGHT_OF_ROWS]
    return [PERSONS, WEIGHT_OF_ROWS]


def missing(reading: Reading) -> str:
    """What rows without a value do to an estimate; empty where there are none."""
    if reading.missing == "fill":
        if isinstance(reading.channel, RandomizedResponse):
            return FILLED_CATEGORY.format(k=reading.channel.categories)
        return FILLED
    return KEPT if reading.missing == "keep" else ""
