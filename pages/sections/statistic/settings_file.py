"""Open the settings of an earlier release: its question, budget and shape, for this table."""

from __future__ import annotations

from decimal import Decimal

from compdp_core.report.settings import StatisticSettings
from compdp_core.shapes import PAIR_NAMES
from compdp_core.statistics import Count, Mean, Median, Variance
from compdp_core.statistics.query import Query
from compdp_core.tables import Table
from compdp_core.tables.column import Column
from pages.inputs.links import put
from pages.sections.shared import person_answer
from pages.sections.shared.settings_box import opened
from pages.sections.shared.setup import setting
from pages.sections.shared.upload import strip_too
from pages.sections.statistic import settings as said
from pages.sections.statistic.bounds import MIRROR, bounds_of
from pages.session.state import keep
from pages.text.typed_numbers import as_decimal, plain

NAME = "statistic.settings"
ADVICE = (
    "Open the file “Settings” that step 5 offers beside a released answer about this table, or "
    "about one with a column of the same name."
)
ELSEWHERE = "These are settings of columns to privatize: the page Privatize opens them."
LONGEST = 4000


def take(table: Table, document: bytes) -> list[str]:
    """Set what the file says where this table has its column; what was left out, in sentences."""
    found, notices, whose = opened(document, StatisticSettings, ELSEWHERE, ADVICE)
    if found is None:
        return notices
    asked = found.inquiry
    counting = isinstance(asked.statistic, Count)
    column = None if counting else _column(table, found.label, asked.position)
    if column is None and not counting:
        missing = f"{found.label or 'Its column'} is no column of this table: nothing is taken."
        return [missing, *notices, ADVICE]
    for each in said.SETTINGS:
        put(each.name, each.default)
    person_answer.take(table, asked.person, said=whose, notices=notices)
    put(said.COUNTED.name, asked.per_person)
    put(said.MOST_GROUPS.name, _whole(1 if asked.person is None else asked.person.groups))
    put(said.KIND.name, asked.statistic.name)
    if column is not None:
        _of_column(table, column, found, notices)
    _rows(table, asked, notices)
    put(said.BUDGET.name, as_decimal(found.epsilon))
    pair = said.BEST if found.pair is None else found.pair
    if pair not in (said.BEST, said.STAIRCASE, *PAIR_NAMES):
        notices.append(f"The function pair {pair} is not offered here: the best is used.")
        pair = said.BEST
    put(said.PAIR.name, pair)
    put(said.STAIRS.name, _whole(found.steps))
    return notices


def _column(table: Table, label: str, position: int) -> Column | None:
    """By its name; by its place only where several bear the name."""
    named = [column for column in table.columns if column.label == label]
    return next((c for c in named if c.position == position), named[0] if named else None)


def _of_column(table: Table, column: Column, found: StatisticSettings, notices: list[str]) -> None:
    asked = found.inquiry
    if asked.strip is not None and column.affix == asked.strip:
        strip_too(column.position)
    elif asked.strip is not None:
        notices.append(f"The symbol or unit of {column.label} is not read past here.")
    put(said.DECIMAL.name, asked.decimal or said.DECIMAL.default)
    put(said.COLUMN.name, column.position)
    ends = (None, None) if asked.bounds is None else asked.bounds.as_tuple()
    lower, upper = (None if end is None else as_decimal(end) for end in ends)
    words = {said.LOWER: lower, said.UPPER: upper, said.UNIT: asked.unit, said.SOURCE: found.source}
    for each, value in words.items():
        put(each.name, value)
        short = bounds_of(asked.per_person) + said.OF_A_COLUMN[each]
        put(setting(table.fingerprint, column.position, short), value)
    # Both are set: nothing is left to be handed on from one to the other.
    keep(MIRROR, {each.name: value for each, value in words.items()})
    put(said.WHOLE.name, asked.whole_numbers)
    put(said.MISSING_POLICY.name, asked.missing)
    statistic = asked.statistic
    if isinstance(statistic, Variance):
        put(said.DDOF.name, "n-1" if statistic.ddof else "n")
    elif isinstance(statistic, Median):
        put(said.MEDIAN.name, statistic.kind)
    elif isinstance(statistic, Mean):
        put(said.AT_LEAST.name, _whole(statistic.at_least))


def _rows(table: Table, asked: Query, notices: list[str]) -> None:
    """Which rows are read, in which groups, and which tables must look alike."""
    places = {column.label: column.position for column in table.columns}
    put(said.NOTION.name, asked.neighbours.value)
    put(said.MAX_ROWS.name, _whole(asked.max_rows))
    conditions = asked.conditions
    if len(conditions) > 1:
        notices.append("The file has several conditions: the first alone holds here.")
    for condition in conditions[:1]:
        put(said.WHERE.name, True)
        if condition.column not in places:
            notices.append(f"{condition.column} is not in this table: choose what rows are read.")
            break
        constant = condition.constant
        put(said.WHERE_COLUMN.name, places[condition.column])
        put(said.WHERE_HOW.name, condition.comparison)
        put(said.WHERE_KIND.name, condition.kind)
        put(said.WHERE_WHAT.name, constant if isinstance(constant, str) else plain(constant))
    if asked.grouping is None:
        return
    put(said.GROUPS.name, True)
    edges = "\n".join(plain(edge) for edge in asked.grouping.edges)
    categories = "" if edges else "\n".join(asked.grouping.categories)
    if asked.grouping.by in places and max(len(edges), len(categories)) <= LONGEST:
        put(said.GROUPS_BY.name, places[asked.grouping.by])
        put(said.GROUPS_KIND.name, "bins" if edges else "categories")
        put(said.CATEGORIES.name, categories)
        put(said.EDGES.name, edges)
    else:
        notices.append(f"Groups by {asked.grouping.by} do not fit this table: choose others.")
    if asked.grouping.unlisted == "refuse":
        notices.append(
            "Rows of categories that are not listed are left out here. To refuse because of them, "
            "as the file says, would tell that there are some."
        )


def _whole(number: int | None) -> Decimal | None:
    return None if number is None else Decimal(number)
