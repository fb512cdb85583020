"""Releases to make cards, scripts and settings of."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from compdp_core.adjacency import Person
from compdp_core.intervals import Interval
from compdp_core.randomness import SeededSource
from compdp_core.release import ColumnPlan, Plan, TableRelease, release
from compdp_core.release.statistic import Answer, answer
from compdp_core.report import Card, card_of_answer, card_of_table, script_of_table
from compdp_core.report.answer_card import Answers
from compdp_core.report.settings import TableSettings, to_json
from compdp_core.shapes import Constant, Pair, Quartic, from_formula, from_points
from compdp_core.statistics import AllOf, Condition, Grouping, Mean, Median, Neighbours, Variance
from compdp_core.statistics.query import Query
from compdp_core.tables import Table, read

ROOT = Path(__file__).parents[3]
SURVEY = ROOT / "assets" / "school_health_survey.csv"
REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE_ONE


@cache
def survey() -> Table:
    return read(SURVEY.read_bytes())


HEIGHT, WEIGHT, SLEEP, SCREEN, STEPS = 3, 4, 5, 6, 7

PLANS: dict[str, Plan] = {
    "one column": Plan((ColumnPlan(HEIGHT, Interval(100, 220), 1),)),
    "three columns": Plan(
        (
            ColumnPlan(SLEEP, Interval(0, 24), "1/3", missing="keep"),
            ColumnPlan(
                STEPS,
                Interval(0, 30000),
                "0.5",
                pair="A2B2",
                tail_ratio=0.9,
                objective="worst",
                whole=True,
                missing="drop",
            ),
            ColumnPlan(WEIGHT, Interval(20, 150), "2", outputs=Interval(-300, 500)),
        )
    ),
    "persons": Plan((ColumnPlan(HEIGHT, Interval(100, 220), "1/3"),), Person("class", 9)),
    "some of the columns": Plan(
        (
            ColumnPlan(SLEEP, Interval(0, 24), "1/2", missing="keep", missing_as="NA"),
            ColumnPlan(STEPS, Interval(0, 30000), 1, whole=True),
            ColumnPlan(WEIGHT, Interval(20, 150), 1, missing="drop"),
        ),
        Person(("pupil_id", "class"), 2, beyond="refuse"),
        answered=2,
    ),
    "own shapes": Plan(
        (
            ColumnPlan(
                HEIGHT, Interval(100, 220), 2, pair=Pair(from_formula("1 - (2*v-1)^2"), Constant())
            ),
            ColumnPlan(
                WEIGHT,
                Interval(20, 150),
                2,
                pair=Pair(
                    from_points([(0, 0.2), (0.5, 1), (1, 0.2)], name="Roof", title="ünïcode"),
                    Quartic(0.8),
                ),
            ),
        )
    ),
}

INQUIRIES: dict[str, Query] = {
    "count": Query("count", 0, neighbours=ADD, max_rows=1000),
    "count with a condition": Query(
        "count", HEIGHT, where=Condition("class", "==", "7a"), missing="leave out"
    ),
    "sum": Query("sum", SCREEN, Interval(0, 1440), ADD, 1000, whole_numbers=True, unit="min"),
    "mean": Query("mean", HEIGHT, Interval(100, 220), unit="cm"),
    "mean of some": Query(
        Mean(at_least=50),
        SLEEP,
        Interval(0, 24),
        ADD,
        1000,
        AllOf((Condition("age (years)", ">=", 14), Condition("class", "!=", "9a"))),
        missing="leave out",
        unit="h",
    ),
    "variance": Query(Variance(ddof=1), WEIGHT, Interval(20, 150), unit="kg"),
    "minimum": Query("minimum", HEIGHT, Interval(100, 220)),
    "maximum": Query("maximum", HEIGHT, Interval(100, 220), ADD, 1000),
    "median": Query(Median("mid"), SLEEP, Interval(0, 24)),
    "mode": Query("mode", STEPS, Interval(0, 30000), whole_numbers=True),
    "groups": Query(
        Mean(at_least=20),
        HEIGHT,
        Interval(100, 220),
        grouping=Grouping("class", ("7a", "7b", "7c"), "leave out"),
    ),
    "groups of a private size": Query(
        "count",
        HEIGHT,
        neighbours=ADD,
        max_rows=2000,
        grouping=Grouping("class", ("7a", "7b"), "leave out"),
    ),
    "mean of persons": Query(
        "mean", HEIGHT, Interval(100, 220), unit="cm", person=Person("class", 9, "leave out")
    ),
    "sum of totals": Query(
        "sum",
        SCREEN,
        Interval(0, 50000),
        where=Condition("age (years)", ">=", 14),
        whole_numbers=True,
        person=Person("class", 5),
        per_person="total",
    ),
    "groups of persons": Query(
        "count",
        HEIGHT,
        neighbours=ADD,
        max_rows=1000,
        grouping=Grouping("class", ("7a", "7b", "8a"), "leave out"),
        missing="leave out",
        person=Person("age (years)", 4, groups=2),
    ),
    "means of persons in groups": Query(
        Mean(at_least=3),
        SLEEP,
        Interval(0, 24),
        grouping=Grouping("class", ("7a", "7b", "8a"), "leave out"),
        person=Person(("age (years)", "class"), 200, "refuse"),
        per_person="mean",
    ),
}


@cache
def drawn_table(name: str) -> TableRelease:
    return release(survey(), PLANS[name], source=SeededSource(1))


@dataclass(frozen=True)
class Asked:
    inquiry: Query
    table: Table
    answers: Answers

    @property
    def given(self) -> tuple[Answers, Query, Table]:
        return self.answers, self.inquiry, self.table

    @property
    def each(self) -> list[Answer]:
        return [self.answers] if isinstance(self.answers, Answer) else list(self.answers.values())


@cache
def asked(name: str, epsilon: str = "0.7") -> Asked:
    inquiry, table = INQUIRIES[name], survey()
    drawn = {
        group: answer(question, epsilon, source=SeededSource(1 + i))
        for i, (group, question) in enumerate(inquiry.questions(table).items())
    }
    groups = {group: each for group, each in drawn.items() if group is not None}
    return Asked(inquiry, table, groups or drawn[None])


def card_named(name: str) -> Card:
    if name in PLANS:
        return card_of_table(drawn_table(name))
    return card_of_answer(*asked(name).given, "by definition")


def texts_of(
    drawn: TableRelease, made: Callable[[TableRelease], Card] = card_of_table
) -> tuple[str, ...]:
    """All that leaves beside the table, as of one moment and under one name."""
    when = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    same = replace(drawn, identifier="0" * 32, when=when)
    card = made(same)
    written = to_json(TableSettings.of(same))
    return card.to_json(), card.to_html(), script_of_table(same), written


def of_numbers(card: Card) -> list[Any]:
    """Items of a card that has no categories: nothing of them is null."""
    return list(card.items)


def put(document: Any, way: Sequence[Any], value: Any) -> Any:
    """A copy with one value replaced, or removed where the value is ``...``."""
    copy = json.loads(json.dumps(document))
    place = copy
    for step in way[:-1]:
        place = place[step]
    if value is ...:
        del place[way[-1]]
    else:
        place[way[-1]] = value
    return copy
