"""A released table and its card, as whoever receives them has them."""

from __future__ import annotations

import math
import os
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import CompdpError, ParameterError
from compdp_core.estimates.groups import Places, groups_of
from compdp_core.estimates.reading import Sampling
from compdp_core.estimates.received.cells import ReleasedCells
from compdp_core.estimates.received.opening import opened
from compdp_core.estimates.received.plausible import check_noise
from compdp_core.estimates.received.proving import Channel as Channel
from compdp_core.estimates.received.proving import channel_of as channel_of
from compdp_core.estimates.received.proving import check_budget
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.report.card import Card
from compdp_core.report.card_parts import InFormat, Item
from compdp_core.report.card_reading import CardError, card_of
from compdp_core.report.fields import value_format
from compdp_core.tables import Table
from compdp_core.tables.contributions import persons_of
from compdp_core.tables.sources import position
from compdp_core.tables.value_formats import UnwritableError, ValueFormat
from compdp_core.tables.value_formats.found import sample_of
from compdp_core.tables.value_formats.guesses import guesses
from compdp_core.validation import Array

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class ReceivedColumn:
    """A released column and what its card says of it."""

    label: str
    position: int
    item: Item
    channel: Channel
    values: Array
    """Numbers, steps of the format, or places in the list; NaN where a cell has none."""
    format: ValueFormat | None
    """Of dates, times and durations."""

    @property
    def is_category(self) -> bool:
        """Whether it holds one of a list."""
        return isinstance(self.channel, RandomizedResponse)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the categories, or of the places of a scale."""
        listed = self.item.listed
        return () if listed is None else tuple(each.name for each in listed.categories)


@dataclass(frozen=True, eq=False)
class ReceivedTable:
    """Released columns by the card, and the others as they came."""

    table: Table
    card: Card
    columns: tuple[ReceivedColumn, ...]

    @property
    def rows(self) -> int:
        """Rows of the file."""
        return self.table.row_count

    @cached_property
    def share(self) -> float:
        """Of the rows those that answer a column; 1 where all do."""
        sampled = self.card.items[0].sampled
        return 1.0 if sampled is None else float(Fraction(sampled.share))

    @cached_property
    def untouched(self) -> tuple[int, ...]:
        """Positions of the columns without noise."""
        taken = {each.position for each in self.columns}
        return tuple(c.position for c in self.table.columns if c.position not in taken)

    @cached_property
    def sampling(self) -> Sampling:
        """How its rows came to have values, and whose they are."""
        person = self.card.privacy.person
        if person is None or person.at_most == 1:
            return Sampling(self.rows, self.share)
        return Sampling(self.rows, self.share, self.persons, person.at_most)

    @cached_property
    def persons(self) -> NDArray[np.intp] | None:
        """Whose row each is; None where the columns that say it are not in the file as they were.

        Raises :class:`CardError` where somebody has more rows than were read.
        """
        person = self.card.privacy.person
        if person is None:
            return None
        try:
            if not {position(self.table, each) for each in person.by} <= {*self.untouched}:
                return None
            found = persons_of(self.table, person.by)
        except ParameterError:
            return None
        if (found.rows > person.at_most).any():
            raise CardError(
                f"a person by {' and '.join(person.by)} has {found.rows.max():,} rows, and by the "
                f"card at most {person.at_most:,} were read: take file and card as they were "
                "released"
            )
        return found.codes.astype(np.intp)

    @cached_property
    def _grouped(self) -> dict[int, dict[str, Places]]:
        return {}

    def groups(self, place: int) -> dict[str, Places]:
        """The rows of each text of an untouched column: read once, asked for with every group."""
        if place not in self._grouped:
            self._grouped[place] = groups_of(self.table.texts(place))
        return self._grouped[place]

    def find(self, column: Hashable, argument: str = "column") -> ReceivedColumn | int:
        """A released column by its label or position, or the position of an untouched one.

        ``argument``: what a refusal calls it.
        """
        # By its name on the card first: in a file, one that starts as a formula has an apostrophe.
        named = (each for each in self.columns if isinstance(column, str) and each.label == column)
        if (released := next(named, None)) is not None:
            return released
        try:
            place = position(self.table, column)
        except ParameterError as refused:
            raise ParameterError(argument, column, refused.requirement) from None
        return next((each for each in self.columns if each.position == place), place)


def received(
    released: Table | pd.DataFrame | pl.DataFrame | pa.Table | str | os.PathLike[str] | bytes,
    card: Card | Mapping[str, Any] | str | os.PathLike[str] | bytes,
) -> ReceivedTable:
    """A released table and its card, checked against each other.

    Every cell of a released column must be one that could have been drawn, and all of a column must
    look as the card's noise makes them; lattice and certificate are proved once more.

    Raises :class:`~compdp_core.report.card_reading.CardError` for a card that is none or of another
    file, :class:`~compdp_core.errors.TableError` for a file that is none.
    """
    read = card if isinstance(card, Card) else card_of(_content(card))
    if read.kind != "table":
        raise CardError(
            "this is the card of a statistic, whose answer stands on it: there is no table to read"
        )
    check_budget(read)
    asked = {item.name: _format(item) for item in read.items}
    table, places = opened(released, read, asked)
    columns = tuple(
        _column(table, places[item.name], item, asked[item.name]) for item in read.items
    )
    _check_answered(table, read, columns)
    for each in columns:
        check_noise(each.label, each.values, each.channel)
    found = ReceivedTable(table, read, columns)
    _ = found.persons  # refused before anything is said
    return found


def _content(card: Any) -> Any:
    """What a path leads to; anything else as it is."""
    is_path = isinstance(card, os.PathLike) or (
        isinstance(card, str) and not card.lstrip("\ufeff \t\r\n").startswith(("{", "<", "["))
    )
    if isinstance(card, str) and "\0" in card:  # no path has one, and no JSON
        return card
    return Path(card).read_bytes() if is_path else card


def _format(item: Item) -> ValueFormat | None:
    """How dates, times and durations are written; None where an old card does not say it."""
    if item.written is None or item.written.settings is None:
        return None
    try:
        return value_format(item.written.settings)
    except CompdpError:
        raise CardError(
            f"the card of {item.name} has a format that this version does not know: read it with "
            "the version that it was made with, or a later one"
        ) from None


def _found_format(table: Table, place: int, item: Item, said: InFormat) -> ValueFormat:
    """The format of a card of an earlier version: the one of the column that has its words."""
    ends = ((item.inputs, said.inputs), (item.outputs, said.outputs))
    for form in guesses(item.kind, sample_of(table, place)):
        try:
            texts = [
                (form.text(math.ceil(steps.lower)), form.text(math.floor(steps.upper)))
                == (written.lower, written.upper)
                for steps, written in ends
                if steps is not None
            ]
        except UnwritableError:
            continue
        if form.label == said.format and all(texts):
            return form
    raise CardError(
        f"the card is of an earlier version, which does not say how the {said.format} of "
        f"{item.name} are read, and the column does not show it: ask for a release with a card of "
        "today"
    )


def _column(table: Table, place: int, item: Item, form: ValueFormat | None) -> ReceivedColumn:
    channel, cells = channel_of(item), ReleasedCells(table, place, item)
    if isinstance(channel, RandomizedResponse):
        names = tuple(each.name for each in item.listed.categories) if item.listed else ()
        values = cells.places(names)
    elif item.written is not None:
        form = form or _found_format(table, place, item, item.written)
        values = cells.steps(form, channel)
    else:
        values = cells.numbers(channel)
    return ReceivedColumn(item.name, place, item, channel, values, form)


def _check_answered(table: Table, card: Card, columns: tuple[ReceivedColumn, ...]) -> None:
    """Raise :class:`CardError` where a row has values in more columns than it was to answer."""
    sampled = card.items[0].sampled
    if sampled is None:
        return
    answers = np.sum([~np.isnan(each.values) for each in columns], axis=0)
    wrong = np.flatnonzero(answers > sampled.columns)
    if wrong.size:
        row = int(wrong[0])
        raise CardError(
            f"row {table.row_number(row)} has values in {answers[row]} columns, and by the card "
            f"each row answers {sampled.columns}: take the file as it was released"
        )
