"""What can be asked about: columns of numbers, and single answers of all others as 1 and 0."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from compdp_core.errors import CompdpError
from compdp_core.estimates.received.table import ReceivedColumn, ReceivedTable
from compdp_core.estimates.summary.requests import BLANK, Subject
from pages.session.state import memo

MOST_ANSWERS = 40
"""Of a column; what has more is no column of answers."""
Place = tuple[int, int | None]
"""A column by its position, and one of its answers by its place in their order."""


@dataclass(frozen=True)
class Subjects:
    """Columns of the file by what can be asked of them."""

    titles: dict[Place, str]
    """What can be correlated and regressed; columns of numbers come first."""
    released: frozenset[int]
    """Positions of columns with noise."""
    answers: dict[int, tuple[str, ...]]
    """Of each column that can make groups, released or not: the answers there are."""
    labels: dict[int, str]
    """What each column is called."""
    names: dict[int, Hashable]
    """How each column is named in a request: by its label, where that is one column's."""

    def beside(self, place: Place | None) -> dict[Place, str]:
        """What can go together with it: of a column with noise no other answer, as one draw made
        them all.
        """
        own: tuple[int | None, ...] = (
            () if place is None else place[:1] if place[0] in self.released else place
        )
        return {
            other: name
            for other, name in self.titles.items()
            if not own or other[: len(own)] != own
        }

    def subject(self, place: Place) -> Subject:
        """A choice as the library takes it."""
        column, answer = place
        named = self.names[column]
        return named if answer is None else (named, self.answers[column][answer])


def subjects(received: ReceivedTable) -> Subjects:
    """Looked up once for each release."""
    made: Subjects = memo("received.subjects", received, lambda: _subjects(received))
    return made


def _subjects(received: ReceivedTable) -> Subjects:
    answers = dict(_answers(received))
    labels = {c.position: c.label for c in received.table.columns}
    released = {each.position: each for each in received.columns}
    labels |= {place: each.label for place, each in released.items()}
    titles: dict[Place, str] = {}
    for place, label in labels.items():
        if _is_number(received, place):
            titles[place, None] = label
        else:
            named = enumerate(answers.get(place, ()))
            titles |= {(place, at): f"{label} is {name or BLANK}" for at, name in named}
    titles = dict(sorted(titles.items(), key=lambda each: each[0][1] is not None))
    names = {place: _named(received, place, label) for place, label in labels.items()}
    return Subjects(titles, frozenset(released), answers, labels, names)


def _answers(received: ReceivedTable) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The answers of the columns that have few enough."""
    for each in received.columns:
        if each.is_category and len(each.names) <= MOST_ANSWERS:
            yield each.position, each.names
    for place in received.untouched:
        found: set[str] = set()
        # Most columns of many answers show it in their first rows.
        for start in range(0, received.rows, 1000):
            found |= set(received.table.texts(place, start, start + 1000))
            if len(found) > MOST_ANSWERS:
                break
        else:
            if len(found) > 1:
                yield place, tuple(sorted(found))


def _is_number(received: ReceivedTable, place: int) -> bool:
    found = received.find(place)
    if isinstance(found, ReceivedColumn):
        return not found.is_category
    column = received.table.columns[place]
    return column.numbers > 0 and not column.texts and not column.constant


def _named(received: ReceivedTable, place: int, label: str) -> Hashable:
    try:
        found = received.find(label)
    except CompdpError:
        return place
    at = found.position if isinstance(found, ReceivedColumn) else found
    return label if at == place else place
