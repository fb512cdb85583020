"""Releases as a user of the library makes them: of a table or frame, by the labels of its columns.

What was drawn is kept, and file, frame, card and settings are read from it: nothing draws twice.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from compdp_core.accounting import Amount, Ledger, Spend
from compdp_core.accounting.charge import charged
from compdp_core.adjacency import Person
from compdp_core.errors import CompdpError, ParameterError, shown
from compdp_core.parameters import EPSILON
from compdp_core.randomness import Source
from compdp_core.release import columns, statistic
from compdp_core.release.column_plan import ColumnPlan, PlanError
from compdp_core.release.columns import TableRelease
from compdp_core.release.plan import Plan
from compdp_core.release.statistic import Answer
from compdp_core.report.frames import Asked, as_listed, by_itself, pandas_frame
from compdp_core.report.frames_of_arrow import arrow_frame
from compdp_core.report.frames_of_polars import polars_frame
from compdp_core.report.settings import TableSettings, to_json
from compdp_core.report.table_card import card_of_table
from compdp_core.statistics.query import Query
from compdp_core.tables import Table, read
from compdp_core.tables.frame_kinds import is_arrow, is_pandas, is_polars
from compdp_core.tables.sources import as_table, in_memory, position
from compdp_core.text import number
from compdp_core.validation import of, one_of

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from compdp_core.report.card import Card

Data = TypeVar("Data", bound="Table | pd.DataFrame | pl.DataFrame | pa.Table")
"""A table of :func:`~compdp_core.tables.sources.read_csv`, a frame of pandas or Polars, or a table
of PyArrow."""


@dataclass(frozen=True, eq=False, repr=False)
class Release(TableRelease, Generic[Data]):
    """What :func:`privatize` drew, once. Everything is read from here."""

    data: Data
    """What went in, as it was then. Private."""
    ledger: Ledger | None
    """The ledger with this release in it, to be used from now on; None where none was given."""

    @property
    def frame(self) -> Data:
        """The privatised data, of the kind that went in, with the same values as :meth:`csv`.

        A table for a table. For a frame a new frame with its index, labels, order of columns and
        the dtypes of untouched columns, which are as they came, lists and records, too; released
        numbers are float64, int64 where whole numbers are, and of pandas' nullable kind where the
        column was or where whole numbers may be missing, or each row answers some columns only; in
        Polars and PyArrow what is missing is null. Categories are texts, of the plan's list where
        the column was categorical, a dictionary or an Enum; dates, times and durations are what
        the library has for them where the column was that, and texts in their format otherwise.
        """
        sampled = self.plan.answered is not None
        make = next((made for test, made in _FRAMES if test(self.data)), None)
        same: Data = (
            self._again
            if make is None
            else make(self.data, self.columns, self.kept, sampled=sampled)
        )
        return same

    @property
    def card(self) -> dict[str, Any]:
        """The privacy card: everything public about the release, as plain values for JSON."""
        return self._card.as_dict()

    def card_html(self) -> str:
        """The card as a page that needs nothing else."""
        return self._card.to_html()

    def settings(self) -> str:
        """The settings as JSON, which the app opens: the plan, and nothing of the data."""
        return to_json(TableSettings.of(self))

    @cached_property
    def _card(self) -> Card:
        return card_of_table(self)

    @cached_property
    def _again(self) -> Any:
        table = read(
            self.csv(guard_formulas=False), name=self.table.name, **self.table.format.options
        )
        planned = {column.plan.position: column.plan for column in self.columns}
        for column in self.table.columns:
            plan = planned.get(column.position)
            mark = (plan.decimal if plan else None) or column.decimal
            if mark != table.format.decimal:
                table = table.marked(column.position, mark)
        for column in self.table.columns:
            if column.stripped is not None and column.position not in planned:
                table = table.stripped(column.position, column.stripped)
        return table


_FRAMES: tuple[tuple[Callable[[Any], bool], Callable[..., Any]], ...] = (
    (is_pandas, pandas_frame),
    (is_polars, polars_frame),
    (is_arrow, arrow_frame),
)
"""What makes a frame of each kind."""


def privatize(
    data: Data,
    plans: Mapping[Any, ColumnPlan],  # a mapping of texts is none of all that can be a label
    *,
    person: Person | None = None,
    per: Literal["row", "person"] = "row",
    answered: int | None = None,
    ledger: Ledger | None = None,
    source: Source | None = None,
) -> Release[Data]:
    r"""Privatise columns of a table or frame, once; what went in is never changed.

    ``data``: a table, a pandas or Polars frame, or a PyArrow table; ``release.frame`` is the same.

    ``plans``: what is to happen to each column, by its label, or by its position (from 0) where
    labels repeat. ``person``: whose rows are one person's, and how many they have at most; left out
    where each row is another person. ``per``: whose budget the ε of each plan is, that of a row
    (a person spends ``at_most`` times as much) or of a person, of which a row then gets its part.
    ``answered``: in how many of the columns each row has a value, drawn for each row whatever
    stands in it, with its other cells blank; it then spends the budgets of so many columns alone,
    the largest ones. ``ledger``: is charged before anything is drawn; a ledger never changes, so go
    on with ``release.ledger``. ``source``: the system's randomness unless a simulation hands in
    another.

    The CSV of a frame has its columns without its index: ``frame.reset_index()`` takes it in. Of
    columns that no CSV holds, such as lists, records and bytes, it has texts in JSON.

    >>> import compdp_core as cdp
    >>> table = cdp.read_csv(b"name,bmi\nAda,21.5\nBen,24\n")
    >>> release = cdp.privatize(table, {"bmi": cdp.ColumnPlan(inputs=(10, 70), epsilon=1)})
    >>> release.epsilon, release.frame.texts(0), release.card["privacy"]["epsilon"]
    (Fraction(1, 1), ['Ada', 'Ben'], '1')
    >>> data = b"born,smokes\n2001-05-17,yes\n1998-11-02,no\n2003-02-28,y\n"
    >>> born = cdp.ColumnPlan(inputs=("1995-01-01", "2005-12-31"), epsilon=2, kind="date")
    >>> listed = {"yes": ["yes", "y"], "no": ["no"]}  # all that may be released, and what means it
    >>> smokes = cdp.ColumnPlan(epsilon=1, kind="category", categories=listed)
    >>> release = cdp.privatize(cdp.read_csv(data), {"born": born, "smokes": smokes})
    >>> set(release.frame.texts(1)) <= {"yes", "no"}, [c["kind"] for c in release.card["items"]]
    (True, ['date', 'category'])
    >>> visits = cdp.read_csv(b"id,bmi\n1,21.5\n1,24\n1,22\n2,30\n")
    >>> two, plan = cdp.Person("id", at_most=2), cdp.ColumnPlan(inputs=(10, 70), epsilon=1)
    >>> release = cdp.privatize(visits, {"bmi": plan}, person=two)
    >>> release.epsilon, release.row_count, release.frame.texts(0)
    (Fraction(2, 1), 3, ['1', '1', '2'])
    >>> cdp.privatize(visits, {"bmi": plan}, person=two, per="person").epsilon
    Fraction(1, 1)

    Raises :class:`~compdp_core.errors.CompdpError`: a :class:`PlanError` of the plans,
    :class:`ParameterError` of the data and the person, what a ledger refuses, what the mechanisms
    refuse; nothing is drawn then.
    """
    given: Any = plans  # by its type it can be nothing else, in a notebook it can
    if not isinstance(given, Mapping) or not given:
        raise PlanError("plans must name at least one column, as in {'bmi': ColumnPlan(...)}")
    _check_person(person)
    cells = in_memory(data)
    placed = tuple(_placed(cells, label, plan) for label, plan in plans.items())
    numeric = [each.position for each in placed if each.reads_numbers]
    asked = cells if isinstance(cells, Table) else as_listed(cells, placed)
    table = as_table(asked, numeric, given_as=cells)
    placed = tuple(each.placed(table, each.position) for each in placed)
    plan = Plan(_of_a_row(placed, person, per), person, answered)
    ledger_now = _charged(ledger, plan.spends(table))
    drawn = columns.release(table, plan, source=source)
    return Release(**vars(drawn), data=_as_it_was(data), ledger=ledger_now)


def _as_it_was(data: Any) -> Any:
    """What went in, whatever becomes of it; an Arrow table never changes."""
    if is_pandas(data):
        return data.copy()
    return data.clone() if is_polars(data) else data


def answer(
    query: Query,
    data: Table | pd.DataFrame | pl.DataFrame | pa.Table,
    *,
    epsilon: Amount,
    person: Person | None = None,
    pair: str | None = None,
    steps: int | None = None,
    ledger: Ledger | None = None,
    source: Source | None = None,
) -> Answer:
    r"""The answer to a query, drawn once, with its confidence interval (unit of the answer).

    ``person``: whose rows are one person's, where the query does not say it. ``ledger``: is charged
    before the answer is drawn; go on with ``answer.ledger``. ``pair`` and ``steps``: the shape, the
    best one where left out.

    >>> import compdp_core as cdp
    >>> table = cdp.read_csv(b"bmi\n21.5\n24\n19\n")
    >>> answer = cdp.answer(cdp.Query("mean", "bmi", bounds=(10, 70)), table, epsilon=0.5)
    >>> 10 <= answer.interval[0] <= answer.interval[1] <= 70
    True
    >>> visits = cdp.read_csv(b"id,bmi\n1,21.5\n1,24\n1,22\n2,30\n")
    >>> query = cdp.Query("sum", "bmi", bounds=(10, 70))
    >>> cdp.answer(query, visits, epsilon=1, person=cdp.Person("id", at_most=2)).plan.formula
    'Δ = 2 · b − a = 140 − 10 = 130'

    Raises :class:`~compdp_core.errors.CompdpError` by what is public, and what a ledger refuses.
    """
    _check_query(query)
    if query.grouping is not None:
        raise ParameterError("query", query.grouping.by, "must ask for one answer: use answer_each")
    return _answers(_of(person, query), data, epsilon, pair, steps, ledger, source)[None]


def answer_each(
    query: Query,
    data: Table | pd.DataFrame | pl.DataFrame | pa.Table,
    *,
    epsilon: Amount,
    per: Literal["group", "all"] = "group",
    person: Person | None = None,
    pair: str | None = None,
    steps: int | None = None,
    ledger: Ledger | None = None,
    source: Source | None = None,
) -> dict[str, Answer]:
    r"""The answer for each category of the query's grouping, as :func:`answer`.

    ``per``: whose budget ``epsilon`` is, that of each answer or of all of them together, as of the
    bars of a histogram; of that each answer then gets its part. The ``ledger`` of each answer has
    all of them in it.

    >>> import compdp_core as cdp
    >>> table = cdp.read_csv(b"age\n17\n30\n41\n68\n")
    >>> query = cdp.Query("count", "age", grouping=cdp.Grouping("age", edges=(0, 18, 65, 120)))
    >>> bars = cdp.answer_each(query, table, epsilon=1, per="all")
    >>> list(bars), bars["[18, 65)"].epsilon
    (['[0, 18)', '[18, 65)', '[65, 120]'], Fraction(1, 2))
    """
    _check_query(query)
    if query.grouping is None:
        raise ParameterError("query", query.column, "must have a grouping: use answer")
    if one_of("per", per, ("group", "all")) == "all":
        epsilon = charged(epsilon) / _of(person, query).cost(1)
    found = _answers(_of(person, query), data, epsilon, pair, steps, ledger, source)
    return {name: each for name, each in found.items() if name is not None}


def _answers(
    query: Query,
    given: Table | pd.DataFrame | pl.DataFrame | pa.Table,
    epsilon: Amount,
    pair: str | None,
    steps: int | None,
    ledger: Ledger | None,
    source: Source | None,
) -> dict[str | None, Answer]:
    data = in_memory(given)
    place = position(data, query.column)
    _check_decimal(data, query.decimal)
    asked = replace(query, column=place)
    numeric = [place] if asked.numeric else []
    if asked.grouping is not None and asked.grouping.edges and asked.grouping.format is None:
        numeric.append(position(data, asked.grouping.by))
    read = data if isinstance(data, Table) else by_itself(data, _read_as(asked, data))
    table = as_table(read, numeric, [place, *asked.compared], given_as=data)
    questions = asked.questions(table, source)
    ids: dict[str | None, str] = {name: uuid.uuid4().hex for name in questions}
    ledger_now = _charged(ledger, asked.spends(table, epsilon, ids))
    return {
        name: replace(
            statistic.answer(question, epsilon, pair=pair, steps=steps, source=source),
            identifier=ids[name],
            ledger=ledger_now,
        )
        for name, question in questions.items()
    }


def _read_as(query: Query, data: pd.DataFrame) -> dict[int, list[Asked]]:
    """How the columns of a query are read that may hold dates, times or durations."""
    found = defaultdict[int, list[Asked]](list)
    if query.format is not None:
        found[position(data, query.column)].append(query.format)
    if query.grouping is not None:
        form, names = query.grouping.format, query.grouping.categories
        found[position(data, query.grouping.by)] += names if form is None else [form]
    for each in query.conditions:
        if isinstance(each.constant, str):
            found[position(data, each.column)].append(each.constant)
    return found


def _of(person: Person | None, query: Query) -> Query:
    """The query with that person. Raises :class:`ParameterError` where it names another one."""
    _check_person(person)  # an array would not say whether it is the same
    if person is None or person == query.person:
        return query
    if query.person is not None:
        raise ParameterError("person", person, "must be that of the query, or left out")
    return replace(query, person=person)


def _check_query(query: object) -> None:
    of("query", query, Query, "must be a Query, as in Query('mean', 'bmi', bounds=(10, 70))")


def _check_person(person: object) -> None:
    if person is not None:
        of("person", person, Person, "must be a Person, as in Person('id', at_most=3), or left out")


def _charged(ledger: Any, spends: Sequence[Spend]) -> Ledger | None:
    if not isinstance(ledger, Ledger | None):
        raise ParameterError("ledger", ledger, "must be a Ledger, that of the last release")
    return None if ledger is None else ledger.charge(*spends)


def _of_a_row(
    plans: tuple[ColumnPlan, ...], person: Person | None, per: str
) -> tuple[ColumnPlan, ...]:
    """The plans with the budget of a row, where it was ``per`` person."""
    one_of("per", per, ("row", "person"))
    if per == "row":
        return plans
    if person is None:
        raise ParameterError("per", per, "must be row where no person is stated")
    rows = person.at_most
    try:
        return tuple(replace(plan, epsilon=plan.epsilon / rows) for plan in plans)
    except CompdpError:
        least = min(plan.epsilon for plan in plans)
        few = number(EPSILON.lower)
        what = f"must leave {few} or more to each of {rows} rows: allow fewer, or more"
        raise ParameterError("epsilon", least, what) from None


def _placed(data: Table | pd.DataFrame, label: Hashable, plan: ColumnPlan) -> ColumnPlan:
    """The plan with its position. Raises :class:`PlanError` where it names another one."""
    if not isinstance(plan, ColumnPlan):
        raise PlanError(f"the plan of column {label} must be a ColumnPlan, got {type(plan)}")
    place = position(data, label)
    if plan.position not in (place, ColumnPlan.position):
        raise PlanError(
            f"the plan of column {label} names another position, {shown(plan.position)}"
        )
    _check_decimal(data, plan.decimal)
    return replace(plan, position=place)


def _check_decimal(data: Table | pd.DataFrame, decimal: str | None) -> None:
    if decimal == "," and not isinstance(data, Table):
        raise ParameterError("decimal", decimal, "must be left out: a frame holds numbers")
