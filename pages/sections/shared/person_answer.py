"""What was said of whose privacy it is: one answer a table, which both release pages read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from compdp_core.adjacency import Beyond, Person
from compdp_core.tables import Table
from compdp_core.tables.repeats import RepeatedIdentifier, repeated_identifiers
from pages.inputs.links import put
from pages.session.state import keep, memo, recall

ROWS, PERSON = "rows", "person"
LEAVE_OUT: Beyond = "leave out"


@dataclass(frozen=True)
class PrivacyUnit:
    person: Person | None = None
    """None where every row is another person's."""
    lacks: str = ""
    """What is still to be said; nothing is released before."""


def named(table: Table, name: str) -> str:
    """The name under which a part of the answer is kept."""
    return f"person.{table.fingerprint[:16]}.{name}"


def repeats(table: Table) -> tuple[RepeatedIdentifier, ...]:
    """IDs that several rows have, looked for once."""
    return memo("person.repeats", table, lambda: repeated_identifiers(table))


def doubtful(table: Table) -> bool:
    """Whether nothing may be assumed: an ID repeats, or what a file said made no sense."""
    return bool(repeats(table)) or bool(recall(named(table, "again"), ""))


def first_columns(table: Table) -> list[int]:
    """What is offered as the columns of a person before any is chosen."""
    return [each.position for each in repeats(table)[:1]]


def chosen_columns(table: Table) -> Sequence[str]:
    positions = recall(named(table, "by"), first_columns(table))
    return [column.label for column in table.columns if column.position in positions]


def privacy_unit(table: Table) -> PrivacyUnit:
    who = recall(named(table, "who"), None if doubtful(table) else ROWS)
    if who is None:
        return PrivacyUnit(lacks="Say whose privacy it is to go on.")
    if who == ROWS:
        return PrivacyUnit()
    by, most = chosen_columns(table), recall(named(table, "at_most"))
    if not by or most is None:
        lacking = "at most how many rows a person has" if by else "which rows are one person's"
        return PrivacyUnit(lacks=f"Say {lacking} to go on.")
    return PrivacyUnit(Person(by, int(most), recall(named(table, "beyond"), LEAVE_OUT)))


def person_of(table: Table) -> Person | None:
    """Whose rows are one person's, as it was said; None where every row is another one's."""
    return privacy_unit(table).person


def take(table: Table, person: Person | None, *, said: bool, notices: list[str]) -> None:
    """Set what a file says; where that makes no sense, or not in this table, ask again.

    Step 1 then says why: what comes below it is not seen before it is answered, and is stale after.
    Older files say nothing of it, and so take nothing back.
    """
    places = {column.label: column.position for column in table.columns}
    if not said:
        for notice in [notice for notice in notices if notice.startswith("person ")]:
            notices.remove(notice)
            _ask_again(table, "What it says of persons makes no sense.")
        return
    keep(named(table, "again"), "")
    if person is None:
        put(named(table, "who"), ROWS)
    elif absent := [label for label in person.by if label not in places]:
        _ask_again(
            table,
            f"By it, rows with the same {person.text} are one person's, and {absent[0]} is no "
            "column of this table.",
        )
    else:
        put(named(table, "who"), PERSON)
        put(named(table, "by"), [places[label] for label in person.by])
        put(named(table, "at_most"), Decimal(person.at_most))
        put(named(table, "beyond"), person.beyond)


def _ask_again(table: Table, why: str) -> None:
    """Take the answer back."""
    keep(named(table, "again"), why)
    put(named(table, "who"), None)
