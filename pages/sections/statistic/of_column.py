"""What was said of a column's values, kept where links and files find it, and handed on from there.

Each column of each file has settings of its own, under the names that Privatize uses, too. A link
or a file speaks of the column that is asked about, whichever table is at hand.
"""

from __future__ import annotations

from functools import partial

from compdp_core.adjacency import PerPerson
from compdp_core.tables import Table
from compdp_core.tables.value_formats import ValueFormat
from pages.inputs.links import Setting, put
from pages.sections.shared.setup import setting
from pages.sections.statistic import reading
from pages.sections.statistic.settings import (
    EARLIEST,
    FORMAT,
    LATEST,
    LOWER,
    OF_A_COLUMN,
    PAGE,
    SOURCE,
    UNIT,
    UPPER,
    value,
)
from pages.session.state import keep, recall

MIRROR = f"{PAGE}.mirror"


def bounds_of(per_person: PerPerson) -> str:
    """What the names of the bounds begin with: those of a person's total are no values' bounds."""
    return "total." if per_person == "total" else ""


def follow(table: Table, position: int, per_person: PerPerson) -> None:
    """Hand on to the column what a link or a file has said since the last look."""
    seen = recall(MIRROR, {})
    reading.follow(FORMAT, table, position)
    for each, name in _names(table, position, per_person, value(FORMAT)).items():
        if (now := value(each)) != seen.get(each.name, each.default):
            put(name, now)


def hand_on(table: Table, position: int, per_person: PerPerson) -> None:
    """Hand on to the column all that a file has said, whatever was seen before."""
    form = value(FORMAT)
    reading.hand_on(FORMAT, table, position, form)
    for each, name in _names(table, position, per_person, form).items():
        put(name, value(each))
    mirror(table, position, per_person, form)


def mirror(table: Table, position: int, per_person: PerPerson, form: ValueFormat | None) -> None:
    """Keep what the column has where links and files find it."""
    reading.mirror(FORMAT, form)
    names = _names(table, position, per_person, form)
    has = {
        each.name: recall(names[each], each.default) if each in names else each.default
        for each in OF_A_COLUMN
    }
    for name, now in has.items():
        keep(name, now)
    keep(MIRROR, has)


def _names(
    table: Table, position: int, per_person: PerPerson, form: ValueFormat | None
) -> dict[Setting, str]:
    """Where a column that is read so keeps what each of the settings says."""
    named = partial(setting, table.fingerprint, position)
    of = bounds_of(per_person)
    if form is None or form.kind == "number":
        shorts = {LOWER: "lower", UPPER: "upper", UNIT: "unit", SOURCE: "source"}
    else:
        shorts = {EARLIEST: f"lower.{form.kind}", LATEST: f"upper.{form.kind}", SOURCE: "source"}
    return {each: named(of + short) for each, short in shorts.items()}
