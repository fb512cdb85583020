"""Answers about persons: what card, script and settings say, and what a ledger is charged."""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pandas as pd
import pytest

import compdp_core as cdp
from compdp_core.adjacency import Neighbours, Person
from compdp_core.errors import ParameterError
from compdp_core.randomness import SeededSource
from compdp_core.release.statistic import answer
from compdp_core.report import card_of_answer, schema, script_of_answer
from compdp_core.report.answer_card import Answers, whole_budget
from compdp_core.report.settings import StatisticSettings, to_json
from compdp_core.report.settings_reading import from_json
from compdp_core.statistics import Condition, Grouping, Mean
from compdp_core.statistics.query import Query
from compdp_core.tables import Table, read
from compdp_core.tables.contributions import TooManyRowsError
from tests.unit.report.examples import INQUIRIES, SURVEY, asked
from tests.unit.report.test_script import run, run_as_program

REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE_ONE
OF_PERSONS = [name for name, each in INQUIRIES.items() if each.person is not None]
ROWS = ["1,21,x", "1,24,y", "1,22,z", "2,30,x", "3,28,y", "3,,x"]
TWO = Person("id", at_most=2)


def table_of(rows: list[str]) -> Table:
    return read(("id,bmi,g\n" + "\n".join(rows) + "\n").encode())


def made(query: Query, table: Table, epsilon: str = "1") -> Answers:
    drawn = {
        name: dataclasses.replace(
            answer(question, epsilon, source=SeededSource(1)), identifier="0" * 32
        )
        for name, question in query.questions(table).items()
    }
    return drawn[None] if None in drawn else {str(name): each for name, each in drawn.items()}


def total(ledger: cdp.Ledger) -> Fraction:
    (dataset,) = ledger.datasets
    return ledger.total_by_dataset(dataset)


# Cards


@pytest.mark.parametrize("name", OF_PERSONS)
def test_a_card_says_whose_rows_are_one(name: str) -> None:
    told = asked(name)
    card, person = card_of_answer(*told.given), told.inquiry.person
    assert person is not None
    jsonschema.Draft202012Validator(schema()).validate(json.loads(card.to_json()))
    part = card.privacy.person
    assert part is not None
    assert (part.by, part.at_most, part.beyond, part.groups) == dataclasses.astuple(person)
    assert part.counts == told.inquiry.per_person
    public = told.inquiry.neighbours is REPLACE
    assert (part.count is not None) == public
    assert (card.rows.public, card.rows.count) == (False, None)
    assert ("How many persons the table has." in card.not_covered) == public
    assert not any("more than one row" in each for each in card.not_covered)
    page = card.to_html()
    assert "<dt>Persons</dt>" in page
    assert "<dt>Rows</dt>" not in page


def test_a_card_says_what_was_read_of_a_person() -> None:
    def said(**more: Any) -> str:
        query = Query(Mean(at_least=2), 1, (10, 70), **{"person": TWO} | more)
        table = table_of(ROWS)
        return card_of_answer(made(query, table), query, table).rows.meaning

    assert "Of each person at most 2 rows were read, drawn at random" in said()
    grouping = Grouping("g", ("x", "y"))
    in_groups = said(person=Person("id", 2, groups=3), grouping=grouping)
    assert "at most 2 rows were read over all groups" in in_groups
    assert "read in at most 3 groups" in in_groups
    assert "the mean of all rows" in said(per_person="mean")
    strict = said(person=Person("id", 3, "refuse"))
    assert "Nobody has more than 3 rows: a table in which somebody has is refused." in strict
    assert "drawn" not in strict


@pytest.mark.parametrize(
    ("notion", "person", "per_person", "charged", "why"),
    [
        (ADD, Person("id", 1, groups=3), "rows", 1, "at most 1 group, and charged for as many"),
        (ADD, Person("id", 5, groups=2), "rows", 2, "at most 2 groups, and charged for as many"),
        (ADD, Person("id", 9, groups=9), "rows", 3, "at most 3 groups, and charged for as many"),
        (ADD, Person("id", 1, groups=2), "total", 2, "at most 2 groups, and charged for as many"),
        (REPLACE, Person("id", 2), "rows", 2, "leave one group and join another, so two groups"),
        (REPLACE, Person("id", 2, groups=2), "rows", 3, "change the answer for any, so all are"),
        (REPLACE, Person("id", 1, groups=2), "mean", 3, "change the answer for any, so all are"),
    ],
)
def test_a_person_is_charged_for_the_groups_it_can_reach(
    notion: Neighbours, person: Person, per_person: Any, charged: int, why: str
) -> None:
    query = Query(
        "sum", 1, (10, 70), notion, 9, grouping=Grouping("g", ("x", "y", "z")), person=person,
        per_person=per_person,
    )  # fmt: skip
    table = table_of(ROWS)
    found = made(query, table)
    assert isinstance(found, dict)
    whole, composition = whole_budget(tuple(found.values()), query)
    assert whole == query.cost(1) == charged
    assert why in composition
    # And so says a ledger.
    spends = query.spends(table, 1)
    assert len({each.group and each.group.draw for each in spends}) == 1
    once = cdp.Ledger().charge(*spends)
    assert total(once) == charged
    assert total(once.charge(*query.spends(table, 1))) == 2 * charged


@pytest.mark.parametrize(
    "query",
    [
        Query("mean", 1, (10, 70), person=TWO),
        Query("sum", 1, (10, 70), person=TWO, per_person="total"),
        Query("count", 1, where=Condition("bmi", ">", 22), person=TWO),
        Query("mean", 1, (10, 70), person=TWO, per_person="mean", missing="fill"),
        Query("sum", 1, (10, 70), ADD, 9, person=TWO),
        Query("count", 1, None, ADD, 9, person=TWO, per_person="total"),
        Query(Mean(at_least=2), 1, (10, 70), ADD, 9, person=TWO, missing="leave out"),
    ],
    ids=lambda query: f"{query.statistic.name} {query.per_person} {query.neighbours.name}",
)
def test_how_many_rows_a_person_has_is_not_told(query: Query) -> None:
    """Of neighbours, for one and the same noisy answer, all that leaves is the same."""
    others = [*ROWS[3:], "total,135,"]
    another = ["4,60,q"] if query.neighbours is REPLACE else []
    tables = [table_of([*one, *others]) for one in (ROWS[:3], another)]
    tables = [table.without([table.row_count - 1]) for table in tables]
    found = made(query, tables[0])
    assert query.plan(tables[0]) == query.plan(tables[1])
    said = StatisticSettings(query, Fraction(1), label="bmi")
    one, other = (
        (
            (card := card_of_answer(found, query, table)).to_json(),
            card.to_html(),
            script_of_answer(found, query, table),
            to_json(said),
        )
        for table in tables
    )
    assert one == other


# Scripts


@pytest.mark.parametrize("name", OF_PERSONS)
def test_a_script_repeats_it(name: str, tmp_path: Path) -> None:
    told = asked(name)
    code, said, written = run(script_of_answer(*told.given), tmp_path, SURVEY)
    assert code == 0, said
    answers = json.loads(written.read_text(encoding="utf-8"))
    assert [each["question"] for each in answers] == [each.plan.text for each in told.each]


def test_a_script_runs_as_a_program(tmp_path: Path) -> None:
    told, written = asked("groups of persons"), tmp_path / "out"
    script = script_of_answer(*told.given)
    assert "person=Person(by=('age (years)',), at_most=4, groups=2)" in script
    code, said = run_as_program(script, tmp_path, str(SURVEY), str(written))
    assert code == 0, said
    assert "epsilon = 1.4" in said


def test_a_script_stops_where_somebody_has_more_rows(tmp_path: Path) -> None:
    query = Query("sum", 1, (10, 70), ADD, 9, person=Person("id", 3, "refuse"))
    table, source = table_of(ROWS), tmp_path / "in.csv"
    script = script_of_answer(made(query, table), query, table)
    source.write_text("id,bmi,g\n" + "1,20,x\n" * 4, encoding="utf-8")
    code, said, written = run(script, tmp_path, source)
    assert code == 1
    assert "Somebody has more than 3 rows" in said
    assert said.endswith("Nothing was drawn.")
    assert not written.exists()


# Settings


@pytest.mark.parametrize("name", OF_PERSONS)
def test_settings_open_again(name: str) -> None:
    said = StatisticSettings(INQUIRIES[name], Fraction(1, 3))
    opened = from_json(to_json(said))
    assert opened.settings == said
    assert opened.notices == ()
    assert opened.says_whose


GIVEN = json.loads(to_json(StatisticSettings(INQUIRIES["sum of totals"], Fraction(1))))


@pytest.mark.parametrize(
    "person",
    [
        3,
        "class",
        {},
        {"by": "class", "at_most": 3},
        {"by": ["class"]},
        {"by": ["class"], "at_most": 0},
        {"by": ["class"], "at_most": 2.5},
        {"by": ["class"], "at_most": True},
        {"by": [], "at_most": 3},
        {"by": ["class", "class"], "at_most": 3},
        {"by": ["class"], "at_most": 3, "beyond": "keep"},
        {"by": ["class"], "at_most": 3, "groups": -1},
    ],
)
def test_a_person_that_makes_no_sense_is_asked_for_again(person: object) -> None:
    """To take every row for another person in silence would promise more than is kept."""
    opened = from_json(json.dumps(GIVEN | {"person": person}))
    assert isinstance(opened.settings, StatisticSettings)
    assert opened.settings.inquiry.person is None
    assert opened.settings.inquiry.per_person == "rows"
    assert not opened.says_whose
    assert any(
        each.startswith("person ") and each.endswith("say again whose rows are one.")
        for each in opened.notices
    )
    assert any(each.startswith("per_person 'total' makes no sense") for each in opened.notices)


def test_settings_that_do_not_say_whose_rows_are_one_are_asked_about() -> None:
    unsaid = {name: value for name, value in GIVEN.items() if name not in ("person", "per_person")}
    opened = from_json(json.dumps(unsaid))
    assert not opened.says_whose
    assert opened.notices == ()
    said = StatisticSettings(INQUIRIES["mean"], Fraction(1))
    assert from_json(to_json(said)).says_whose  # each row is another person: that is said
    odd = from_json(json.dumps(GIVEN | {"per_person": "most"}))
    assert isinstance(odd.settings, StatisticSettings)
    assert odd.settings.inquiry.per_person == "rows"
    assert odd.notices == ("per_person 'most' makes no sense: 'rows' is used instead.",)


# The library


def test_answers_of_tables_and_frames() -> None:
    query = cdp.Query("sum", "bmi", bounds=(10, 70))
    ledger = cdp.Ledger(limit=3)
    table, frame = table_of(ROWS), pd.DataFrame({"id": [1, 1, 2], "bmi": [20.0, 30.0, 40.0]})
    for data, persons in ((table, 3), (frame, 2)):
        found = cdp.answer(query, data, epsilon=1, person=TWO, ledger=ledger)
        assert found.plan.range.as_tuple() == (10 * persons, 140 * persons)
        assert found.ledger is not None
        (spend,) = found.ledger.entries
        assert (spend.person, spend.epsilon) == (TWO, Fraction(1))
    grouped = cdp.Query(
        "sum", "bmi", (10, 70), ADD, 9, grouping=cdp.Grouping("g", ("x", "y")), person=TWO
    )
    each = cdp.answer_each(grouped, table, epsilon=1, person=TWO, ledger=ledger)
    charged = each["x"].ledger
    assert charged is not None
    assert [spend.person for spend in charged.entries] == [TWO, TWO]
    assert total(charged) == 1


def test_a_person_of_query_and_call_is_the_same() -> None:
    query = cdp.Query("sum", "bmi", (10, 70), person=TWO)
    with pytest.raises(ParameterError, match=r"^person must be that of the query"):
        cdp.answer(query, table_of(ROWS), epsilon=1, person=Person("id", 3))


def test_nothing_is_charged_where_somebody_has_more_rows() -> None:
    query, person = cdp.Query("sum", "bmi", (10, 70)), Person("id", 2, "refuse")
    ledger = cdp.Ledger()
    with pytest.raises(TooManyRowsError, match=r"^Somebody has more than 2 rows of one id"):
        cdp.answer(query, table_of(ROWS), epsilon=1, person=person, ledger=ledger)
    assert ledger.entries == ()
