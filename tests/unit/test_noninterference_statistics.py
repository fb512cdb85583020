"""Nothing of a row leaves with a statistic except through its noise.

Of two neighbouring tables, with the random words scripted so that the noisy answers are the same,
everything that leaves is the same, byte for byte. Broken twins, each a mistake that was made, tell.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from compdp_core.errors import CompdpError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.lattice.sampler import Sampler
from compdp_core.randomness import SeededSource, Words
from compdp_core.release.statistic import Answer, answer, mechanism_for
from compdp_core.report import card_of_answer, script, script_of_answer
from compdp_core.report.settings import StatisticSettings, to_json
from compdp_core.statistics import (
    COMPARISONS,
    STATISTICS,
    AllOf,
    Condition,
    Count,
    ExactAnswer,
    Grouping,
    Mean,
    Neighbours,
    QueryPlan,
    Statistic,
    Sum,
)
from compdp_core.statistics.query import Query
from compdp_core.tables import Numbers, Table, read
from compdp_core.tables.value_formats import DurationFormat, Limits
from pages.sections.statistic.answers_chart import answers_chart
from pages.sections.statistic.distribution import picture
from pages.sections.statistic.files import _csv
from pages.sections.statistic.query import Asked, KeptAnswers, ReadyQuery

REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE_ONE
Rows: TypeAlias = tuple[tuple[str, str, str], ...]
Published: TypeAlias = dict[str, str]

WHEN = datetime(2026, 1, 1, tzinfo=UTC)
NUMBERS = ["0", "17", "17.0", "-3", "12.5", "1e3", "99", "0017", "+4"]
UNFIT = [
    "", "x", "17 kg", "NaN", "n/a", "inf", "1e400", "1,5", "9007199254740995", "=1+1", "é", "Ā",
]  # fmt: skip
WRITTEN = ["0:17", "0:03", "1:40", "<5", ">20"]
LAPS = DurationFormat("%-H:%M")
FORMATS = [None, LAPS, Limits(below="half")]
GROUPS = ["a", "b", "A", " a", "", "zzz", "17"]


def table_of(rows: Rows) -> Table:
    """The table, read as its owner says; a total in its last row is left out, by its position."""
    lines = [f"{name};{value};{group}\n" for name, value, group in (*rows, ("Total", "1", "a"))]
    data = "name;v;w\n" + "".join(lines)
    how: dict[str, Any] = {"encoding": "utf-8", "separator": ";", "decimal": ".", "header": True}
    return read(data.encode(), **how).without([len(rows)])


@pytest.fixture(autouse=True, scope="module")
def _each_design_once() -> Iterator[None]:
    """Designs are made of public facts, and take far longer than all the rest."""
    made: dict[object, CompositeMechanism] = {}

    def mechanism(plan: QueryPlan, epsilon: Fraction, **shape: Any) -> CompositeMechanism:
        facts = (plan.range, plan.float_sensitivity, plan.whole, epsilon, *shape.items())
        if facts not in made:
            made[facts] = mechanism_for(plan, epsilon, **shape)
        return made[facts]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("compdp_core.release.statistic.mechanism_for", mechanism)
        yield


class Scripted:
    """Words that were thought of before, one list for each time that some are asked for."""

    def __init__(self, *words: int) -> None:
        self._left = list(words)

    def words(self, count: int) -> Words:
        assert count == 1
        return np.array([self._left.pop(0)], dtype=np.uint64)


def words_for(mechanism: CompositeMechanism, true: float, noisy: float) -> Scripted:
    """The words with which the noise on a true answer makes that noisy one."""
    lattice, sampler = mechanism.lattice, mechanism._sampler
    index = lattice.index_at_least(noisy)
    whole = int(np.floor(lattice.shift(np.array([true]))[0]))  # the largest word rounds down
    for run, (start, length) in enumerate(
        zip(sampler._starts.tolist(), sampler._lengths.tolist(), strict=True)
    ):
        place = index - start - (whole if run >= len(lattice.base.lengths) else 0)
        leading = _inside(sampler, run)
        if 0 <= place < length and leading is not None:
            bits = lattice.total.bit_length() - sampler._tail_bits
            return Scripted(2**64 - 1, leading << (64 - bits), place)
    raise AssertionError("every output is possible")


def _inside(sampler: Sampler, run: int) -> int | None:
    """Leading bits that settle on a run at once, if it has such."""
    first, behind = (int(sampler._leading[at]) for at in (run, run + 1))
    return first + 1 if behind - first > 1 else None


def drawn(question: ExactAnswer, epsilon: Fraction, like: Answer | None, seed: int) -> Answer:
    """An answer; with the words that make it the same as another one, if there is one."""
    if like is None:
        made = answer(question, epsilon, source=SeededSource(seed))
    else:
        source = words_for(like.mechanism, question.value, like.value)
        made = answer(question, epsilon, source=source)
        assert made.value == like.value
    return dataclasses.replace(made, identifier="of this release", when=WHEN)


Answers: TypeAlias = dict[str | None, Answer]


def answered(asked: Query, table: Table, epsilon: Fraction, like: Answers | None = None) -> Answers:
    return {
        name: drawn(question, epsilon, None if like is None else like[name], seed)
        for seed, (name, question) in enumerate(asked.questions(table).items())
    }


def published(asked: Query, table: Table, answers: Answers, epsilon: Fraction) -> Published:
    """Everything that leaves, but for the names of table and rows: a ledger keeps labels of them,
    under a key that stays.
    """
    given = answers[None] if None in answers else {str(n): each for n, each in answers.items()}
    card = card_of_answer(given, asked, table, "a scale")
    label = table.columns[asked.position].label
    ids: dict[str | None, str] = {name: f"of {name}" for name in answers}
    spends = asked.spends(table, epsilon, ids)
    first = next(iter(answers.values()))
    ready = ReadyQuery(Asked(asked, table, first.plan), epsilon, None, None, first.mechanism)
    kept = KeptAnswers(answers, {}, ready, 1)
    middle = 0.5 * sum(first.plan.range.as_tuple())
    chart, made_up = answers_chart(answers, ready.asked.words), picture(ready, middle, near=True)
    return {
        "answers": repr([(each.value, each.interval, each.plan) for each in answers.values()]),
        "card": card.to_html(),
        "card as data": card.to_json(),
        "script": script_of_answer(given, asked, table),
        "settings": to_json(StatisticSettings(asked, epsilon, None, None, label, "a scale")),
        "spends": repr(
            [
                (s.what, s.kind, s.columns, s.epsilon, s.neighbours, s.id)
                + ((s.group.by, s.group.value) if s.group else ())
                for s in spends
            ]
        ),
        "answers as CSV": _csv(kept).decode("utf-8-sig"),
        "chart": repr(
            (chart.title, chart.data, chart.layout, chart.summary, chart.numbers().to_csv())
        ),
        "picture": repr((made_up.title, made_up.data, made_up.layout, made_up.summary)),
    }


def differing(
    asked: Query,
    one: Rows,
    other: Rows,
    epsilon: Fraction = Fraction(1),
    how: Callable[[Query, Table], Query] = lambda asked, _: asked,
) -> set[str]:
    """What is not the same after both tables gave the same noisy answers.

    ``how``: what becomes of the owner's query; it is asked as it is, whatever the table.
    """
    said: list[Published] = []
    answers: Answers | None = None
    for rows in (one, other):
        table = table_of(rows)
        meant = how(asked, table)
        try:
            answers = answered(meant, table, epsilon, answers)
            said.append(published(meant, table, answers, epsilon))
        except CompdpError as refusal:
            said.append({"refusal": str(refusal)})
    return {name for name in said[0] | said[1] if said[0].get(name) != said[1].get(name)}


cells = st.sampled_from(NUMBERS) | st.sampled_from(WRITTEN) | st.sampled_from(UNFIT)
groupings = st.sampled_from(
    [
        Grouping("w", ("a", "zzz", "é")),
        *(Grouping("v", edges=(0, 5, 20), format=form) for form in FORMATS),
    ]
)
rows = st.tuples(st.sampled_from(["p1", "p2", ""]), cells, st.sampled_from(GROUPS))
conditions = st.builds(
    Condition, st.sampled_from(["v", "w"]), st.sampled_from(COMPARISONS), st.sampled_from([17, 0.5])
) | st.builds(
    Condition,
    st.sampled_from(["v", "w"]),
    st.sampled_from(["==", "!="]),
    st.sampled_from(["17", "a", "x", "é"]),
)
statistics = [*(kind() for kind in STATISTICS.values()), Mean(at_least=2)]


@st.composite
def inquiries(draw: st.DrawFn) -> Query:
    statistic: Statistic = draw(st.sampled_from(statistics))
    counting = isinstance(statistic, Count)
    return Query(
        statistic,
        1,
        None if counting else Interval(0, 20),
        draw(st.sampled_from([REPLACE, ADD])),
        draw(st.sampled_from([6, 30])),
        draw(st.none() | conditions | st.tuples(conditions, conditions).map(AllOf)),
        draw(st.none() | groupings),
        draw(st.sampled_from(["fill", "leave out"])),
        draw(st.booleans()),
        unit=draw(st.sampled_from(["", "cm"])),
        kind=draw(st.sampled_from(["number", "text"])) if counting else "number",
        decimal=draw(st.sampled_from([None, ".", ","])),
        format=draw(st.sampled_from(FORMATS)),
    )


@st.composite
def neighbouring(draw: st.DrawFn, notion: Neighbours) -> tuple[Rows, Rows]:
    """Two tables that differ in one row: replaced, or there in one of them only."""
    one = draw(st.lists(rows, min_size=1, max_size=6))
    at = draw(st.integers(0, len(one) - (notion is REPLACE)))
    other = [*one[:at], draw(rows), *one[at + (notion is REPLACE) :]]
    pair = (tuple(one), tuple(other))
    return pair if draw(st.booleans()) else (pair[1], pair[0])


@given(st.data(), inquiries(), st.sampled_from([Fraction(1, 3), Fraction(1), Fraction(4)]))
def test_neighbours_with_the_same_noisy_answers_publish_the_same(
    data: st.DataObject, asked: Query, epsilon: Fraction
) -> None:
    one, other = data.draw(neighbouring(asked.neighbours))
    try:
        asked.plan(table_of(one))
    except CompdpError:  # by public facts alone: there is nothing to publish
        assume(False)
    assert differing(asked, one, other, epsilon) == set()


SEVENTEENS: Rows = tuple((f"p{i}", "17.0", "a") for i in range(4))
ODD = ("p0", "x", "a")
REPLACED = (SEVENTEENS, (ODD, *SEVENTEENS[1:]))
JOINED = (SEVENTEENS, (*SEVENTEENS, ODD))


def looked_up(asked: Query, table: Table) -> Query:
    """Broken twin: compared as numbers only where all cells are numbers."""
    (where,) = asked.conditions
    (column,) = (each for each in table.columns if each.label == where.column)
    constant = where.constant if column.numeric else f"{where.constant:g}"
    again = Condition(where.column, where.comparison, constant)
    return dataclasses.replace(asked, where=again)


class Refusing(Query):
    """Broken twin: a cell that is no number, or a column without any, is refused."""

    def _numbers(self, table: Table) -> Numbers:
        return table.numbers(self.position, self.strip)


COUNTED = Query(Count(), 1, None, ADD, 30, Condition("v", ">=", 17))
SUMMED = Query(Sum(), 1, Interval(0, 20))


@pytest.mark.parametrize("notion", [REPLACE, ADD], ids=lambda notion: notion.name)
def test_it_tells_where_the_kind_is_looked_up(notion: Neighbours) -> None:
    one, other = REPLACED if notion is REPLACE else JOINED
    where = Condition("v", "==", 17)
    asked = Query(Count(), 1, None, notion, 30, where)
    assert differing(asked, one, other) == set()
    told = differing(asked, one, other, how=looked_up)
    assert told >= {"answers", "card", "card as data", "script", "settings", "spends"}


def test_it_tells_where_a_cell_can_be_refused() -> None:
    for pair in (REPLACED, (SEVENTEENS[:1], (ODD,))):
        assert differing(SUMMED, *pair) == set()
        assert "refusal" in differing(SUMMED, *pair, how=lambda asked, _: Refusing(**vars(asked)))


def test_it_tells_where_a_script_prints_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    assert differing(COUNTED, *JOINED) == set()
    public = dataclasses.replace(COUNTED, neighbours=REPLACE)
    printing = script._left_out
    monkeypatch.setattr(script, "_left_out", lambda table, _: printing(table, public))
    assert differing(COUNTED, *JOINED) == {"script"}


def test_the_words_make_the_same_noisy_answer_of_different_true_ones() -> None:
    low, high = (
        SUMMED.ask(table_of((("p", "0", "a"), ("q", value, "a")))) for value in ("0", "20")
    )
    assert (low.value, high.value) == (0, 20)
    first = drawn(low, Fraction(1), None, 1)
    assert drawn(high, Fraction(1), first, 1).value == first.value
