"""A released table and its card, as whoever receives them has them."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.accounting import exact_text
from compdp_core.errors import ParameterError
from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.reading import Sampling
from compdp_core.intervals import Interval
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.lattice import Certificate, Lattice
from compdp_core.mechanisms.lattice.runs import Runs
from compdp_core.numerics import not_above
from compdp_core.report.card import Card
from compdp_core.report.card_parts import Item, RunsPart
from compdp_core.report.card_reading import CardError, card_of
from compdp_core.report.fields import value_format
from compdp_core.report.frames import by_itself
from compdp_core.report.proofs import ratio_text
from compdp_core.tables import Table
from compdp_core.tables.categories import Categories
from compdp_core.tables.sources import as_table, is_frame, position, read_csv
from compdp_core.tables.value_formats import ValueFormat
from compdp_core.validation import Array

if TYPE_CHECKING:
    import pandas as pd

Channel = NumberChannel | RandomizedResponse
"""What draws a column."""


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
        return Sampling(self.rows, self.share, self._persons(person.by), person.at_most)

    def _persons(self, by: tuple[str, ...]) -> NDArray[np.intp] | None:
        """Whose row each is; None where the columns that say it are not in the file."""
        try:
            places = [position(self.table, each) for each in by]
        except ParameterError:
            return None
        texts = zip(*(self.table.texts(place) for place in places), strict=True)
        codes: dict[tuple[str, ...], int] = {}
        return np.array([codes.setdefault(each, len(codes)) for each in texts], dtype=np.intp)

    def find(self, column: Hashable) -> ReceivedColumn | int:
        """A released column by its label or position, or the position of an untouched one."""
        place = position(self.table, column)
        return next((each for each in self.columns if each.position == place), place)


def received(
    released: Table | pd.DataFrame | str | os.PathLike[str] | bytes,
    card: Card | Mapping[str, Any] | str | os.PathLike[str] | bytes,
) -> ReceivedTable:
    """A released table and its card, checked against each other.

    Raises :class:`~compdp_core.report.card_reading.CardError` for a card that is none or of another
    file, :class:`~compdp_core.errors.TableError` for a file that is none.
    """
    read = card if isinstance(card, Card) else card_of(_content(card))
    if read.kind != "table":
        raise CardError(
            "this is the card of a statistic, whose answer stands on it: there is no table to read"
        )
    asked = {item.name: _format(item) for item in read.items}
    data: Any = released
    if is_frame(data):
        places = {position(data, name): form for name, form in asked.items()}
        formats = {place: [form] for place, form in places.items() if form is not None}
        plain = [place for place, form in places.items() if form is None]
        table = as_table(by_itself(data, formats), [p for p in plain if _is_number(data, p)])
    else:
        table = data if isinstance(data, Table) else read_csv(data)
    columns = tuple(_column(table, item, asked[item.name]) for item in read.items)
    return ReceivedTable(table, read, columns)


def _content(card: Any) -> Any:
    """What a path leads to; anything else as it is."""
    is_path = isinstance(card, os.PathLike) or (
        isinstance(card, str) and not card.lstrip().startswith("{")
    )
    return Path(card).read_bytes() if is_path else card


def _is_number(frame: pd.DataFrame, place: int) -> bool:
    return frame.dtypes.iloc[place].kind in "iuf"


def _format(item: Item) -> ValueFormat | None:
    if item.written is None:
        return None
    if item.written.settings is None:
        raise CardError(
            f"the card is of an earlier version, which does not say how {item.name} is read"
        )
    return value_format(item.written.settings)


def _column(table: Table, item: Item, form: ValueFormat | None) -> ReceivedColumn:
    try:
        place = position(table, item.name)
    except ParameterError:
        raise CardError(
            f"the card is that of another file: no column here is named {item.name}"
        ) from None
    channel = channel_of(item)
    if isinstance(channel, RandomizedResponse):
        assert item.listed is not None
        names = tuple(each.name for each in item.listed.categories)
        found = table.codes(place, Categories(names, tuple((name,) for name in names)))
    elif form is not None:
        found = table.values(place, form)
    else:
        found = table.readings(place, None, item.cells.decimal if item.cells else None)
    return ReceivedColumn(item.name, place, item, channel, found.values, form)


def channel_of(item: Item) -> Channel:
    """The noise of a column by its card, where the card agrees with itself."""
    epsilon = not_above(Fraction(item.epsilon))
    if item.response is not None:
        listed = item.listed
        if listed is None:
            raise CardError(f"the card of {item.name} has no list of its categories")
        made = RandomizedResponse(epsilon, len(listed.categories))
        if (str(made.kept), str(made.each_other)) != (item.response.kept, item.response.each_other):
            raise _edited(item)
        return made
    if item.inputs is None or item.outputs is None or item.certificate.spacing is None:
        raise CardError(f"the card of {item.name} says nothing of its bounds")
    inputs = Interval(item.inputs.lower, item.inputs.upper)
    outputs = Interval(item.outputs.lower, item.outputs.upper)
    if item.lattice is not None:
        part = item.lattice
        lattice = Lattice(
            _runs(part.base), _runs(part.activation), part.first, part.exponent, inputs
        )
        sensitivity = item.sensitivity.value if item.sensitivity else inputs.width
        proved = Certificate.of(lattice, epsilon, sensitivity)
        if ratio_text(proved.ratio) != item.certificate.ratio or not proved.holds:
            raise _edited(item)
        return NumberChannel.of(lattice, outputs, whole=item.whole)
    if item.c is None or item.p is None or item.c0 is None:
        raise CardError(
            f"the card of {item.name} is of an earlier version, without what estimates need: ask "
            "for one of version 0.3"
        )
    return NumberChannel(
        inputs, outputs, item.c, item.p, item.c0, item.certificate.spacing, item.whole, None
    )


def _runs(part: RunsPart) -> Runs:
    return Runs.mirrored(part.lengths, [int(each) for each in part.weights])


def _edited(item: Item) -> CardError:
    return CardError(
        f"the card of {item.name} does not agree with itself at ε = "
        f"{exact_text(Fraction(item.epsilon))}: it was changed after the release"
    )
