"""Every taker of a choice, a flag, a text or a part of a question refuses what is none, at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import compdp_core as cdp
from compdp_core.accounting import Keys, Spend, split
from compdp_core.design.optimize import Problem, Search
from compdp_core.experiments import rank, roster
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.randomness import SeededSource
from compdp_core.release.statistic import answer
from compdp_core.shapes import from_formula, pair_named
from compdp_core.statistics import AllOf, Condition, Count, Grouping, Mean, Median, Neighbours
from compdp_core.statistics.question import PublicFacts
from compdp_core.statistics.sums import Variance
from compdp_core.tables import Affix
from compdp_core.validation import flag
from tests.naming import shown

Take = Callable[[Any], Any]

UNDECIDED: list[Any] = [pd.NA, np.array(["fill"]), np.array([1, 2]), pd.Series(["fill", "drop"])]
"""What says neither yes nor no when it is compared."""
NO_CHOICE = [*UNDECIDED, "neither", b"fill", ["fill"], {}, 7.5, float("nan"), object]
NO_FLAG = [*NO_CHOICE, "no", "", 0, 1, None]
NO_TEXT = [*UNDECIDED, 7, b"kg", ["kg"], None, pd.DataFrame({"kg": [1]})]
NO_PART = [*UNDECIDED, "age > 3", 7, True, {}, object, Condition, pd.DataFrame({"kg": [1]})]

TRUE: Any = np.True_
TABLE = cdp.read_csv(b"klass,age\n9a,12\n9b,\n")
COLUMN: dict[str, Any] = {"inputs": (0, 20), "epsilon": 1}
RELEASE = cdp.privatize(TABLE, {"age": cdp.ColumnPlan(**COLUMN)})
FIELD = roster(1, (0, 1), keys=["laplace"])
MEAN = cdp.Query("mean", "age", bounds=(0, 20))


def _query(name: str) -> Take:
    return lambda v: cdp.Query(**{"statistic": "mean", "column": "age", "bounds": (0, 20), name: v})


def _plan(name: str) -> Take:
    return lambda v: cdp.ColumnPlan(**{**COLUMN, name: v})


def _read(name: str) -> Take:
    return lambda v: cdp.read_csv(b"a\n1\n", **{name: v})


def _drawn(source: Any) -> Any:
    cdp.privatize(TABLE, {"age": cdp.ColumnPlan(**COLUMN)}, source=source)


def _spend(neighbours: Any) -> Spend:
    return Spend("mean", "statistic", "grades", ["age"], 1, neighbours=neighbours)


_MORE = [*NO_CHOICE, "no", "", True, -1]
_NO_NUMBER = [*UNDECIDED, "a", 1.5, -1, True, float("nan")]
UNREAD: dict[str, list[Any]] = {
    "encoding": _MORE,
    "separator": [*_MORE, "||", "1"],
    "decimal": _MORE,
    "quote": [*NO_CHOICE, "*", None],
    "header": [*(each for each in NO_FLAG if each is not None), "x"],
    "name": NO_TEXT,
    "skip_lines": _NO_NUMBER,
    "columns": [*_NO_NUMBER, 0, 10**6],
    "limit": [*_NO_NUMBER, 0, None],
    "missing": [pd.NA, None, "n/a", 1, np.array(1), [1], [None], [b"x"]],
    "short_rows": _MORE,
    "long_rows": _MORE,
    "trailing_cells": _MORE,
    "comment_rows": _MORE,
    "blank_lines": _MORE,
}
LEDGER = cdp.Ledger([_spend("replace one")], limit=2)
NO_SPEND = [*UNDECIDED, -1, {"x": 1}, object(), TABLE]

TAKERS: list[tuple[str, str, Take, list[Any]]] = [
    *(("Query", name, _query(name), NO_CHOICE) for name in ("kind", "missing", "decimal")),
    *(("Query", name, _query(name), NO_PART) for name in ("where", "grouping", "strip")),
    ("Query", "statistic", _query("statistic"), [*NO_CHOICE, None, Mean]),
    ("Query", "neighbours", _query("neighbours"), [*NO_CHOICE, None, "add one"]),
    ("Query", "whole_numbers", _query("whole_numbers"), NO_FLAG),
    ("Query", "unit", _query("unit"), NO_TEXT),
    ("Query", "max_rows", _query("max_rows"), [*UNDECIDED, "many", -1, 0, 2.5, True, float("nan")]),
    ("Query", "column", _query("column"), [np.array(["age"]), pd.Series(["age"]), ["age"], {}]),
    *(
        ("ColumnPlan", name, _plan(name), NO_CHOICE)
        for name in ("kind", "missing", "decimal", "objective", "pair")
    ),
    ("ColumnPlan", "strip", _plan("strip"), NO_PART),
    ("ColumnPlan", "whole", _plan("whole"), NO_FLAG),
    ("ColumnPlan", "tail_ratio", _plan("tail_ratio"), [*UNDECIDED, "high", 1, True]),
    ("ColumnPlan", "position", _plan("position"), [*UNDECIDED, "age", -2, 0.5, True, None]),
    ("ColumnPlan", "missing_as", _plan("missing_as"), NO_TEXT),
    ("Condition", "column", lambda v: Condition(v, "==", 1), NO_TEXT),
    ("Condition", "condition", lambda v: Condition("age", v, 1), NO_CHOICE),
    ("Condition", "kind", lambda v: Condition("age", "==", 1, v), NO_CHOICE),
    ("AllOf", "conditions", AllOf, [*NO_PART, None, Condition("age", ">", 1), ["age > 3"]]),
    ("Grouping", "by", lambda v: Grouping(v, ("9a",)), NO_TEXT),
    ("Grouping", "unlisted", lambda v: Grouping("klass", ("9a",), v), NO_CHOICE),
    ("Affix", "suffix", lambda v: Affix(suffix=v), NO_TEXT),
    ("Affix", "parentheses", lambda v: Affix(parentheses=v), NO_FLAG),
    ("Median", "kind", Median, NO_CHOICE),
    ("Variance", "ddof", Variance, [*UNDECIDED, 2, True, "0"]),
    ("ask", "neighbours", lambda v: Count().ask([1.0], neighbours=v), [*NO_CHOICE, None]),
    ("ask", "whole_numbers", lambda v: PublicFacts(whole_numbers=v), NO_FLAG),
    ("Spend", "neighbours", _spend, [*NO_CHOICE, None]),
    ("Spend", "person", lambda v: replace(_spend("replace one"), person=v), NO_PART),
    ("Spend", "columns", lambda v: Spend("mean", "statistic", "grades", v, 1), [None, 1, pd.NA]),
    ("split", "parts", lambda v: split(1, v), [None, 1.5, pd.NA, "2"]),
    ("Ledger", "entries", cdp.Ledger, [1, 0.5, *NO_SPEND, "x", ["x"], np.array(1)]),
    ("Ledger", "keys", lambda v: cdp.Ledger(keys=v), [None, *NO_SPEND, b"key", (b"key",)]),
    ("Ledger", "limit", lambda v: cdp.Ledger(limit=v), NO_SPEND),
    ("charge", "spends", LEDGER.charge, [None, *NO_SPEND, "x", Spend]),
    ("check", "spends", LEDGER.check, [None, *NO_SPEND, "x", [_spend("replace one")]]),
    ("foresee", "spends", LEDGER.foresee, [None, *NO_SPEND, "x"]),
    ("merge", "other", LEDGER.merge, [None, *NO_SPEND, "x", cdp.Ledger, LEDGER.to_json()]),
    ("room", "spend", LEDGER.room, [None, *NO_SPEND, "x"]),
    ("room", "spend", cdp.Ledger().room, [None, "x"]),
    ("recognise", "hashes", LEDGER.recognise, [None, *NO_SPEND, b"x"]),
    *(
        (take.__name__, "dataset", take, [None, *NO_SPEND, b"x"])
        for take in (LEDGER.total_by_dataset, LEDGER.total_by_column, LEDGER.remaining)
    ),
    ("remaining", "dataset", cdp.Ledger().remaining, [None]),
    ("protects", "dataset", LEDGER.protects, [None, *NO_SPEND]),
    ("persons", "dataset", LEDGER.persons, [None, *NO_SPEND]),
    ("from_json", "not a budget file", cdp.Ledger.from_json, [None, *NO_SPEND, "x", b"\xff", "[]"]),
    ("answer", "query", lambda v: cdp.answer(v, TABLE, epsilon=1), [*NO_PART, "mean", None]),
    ("answer_each", "query", lambda v: cdp.answer_each(v, TABLE, epsilon=1), [*NO_PART, None]),
    ("answer", "pair", lambda v: cdp.answer(MEAN, TABLE, epsilon=1, pair=v), NO_CHOICE),
    ("answer", "source", lambda v: cdp.answer(MEAN, TABLE, epsilon=1, source=v), NO_PART),
    ("answer", "source", lambda v: answer(Mean().ask([1.0], (0, 2)), 1, source=v), [SeededSource]),
    ("privatize", "source", _drawn, [*NO_PART, SeededSource]),
    ("privatize", "column", lambda v: cdp.privatize(TABLE, {v: RELEASE.plan.columns[0]}), [pd.NA]),
    ("csv", "excel", lambda v: RELEASE.csv(excel=v), NO_FLAG),
    ("csv", "guard_formulas", lambda v: RELEASE.csv(guard_formulas=v), NO_FLAG),
    *(("read_csv", name, _read(name), values) for name, values in UNREAD.items()),
    ("read_csv", "source", cdp.read_csv, [*UNDECIDED, None, 1, "", "a\0b", "a,b\n1,2", ["x"]]),
    ("texts", "column", TABLE.texts, [*NO_TEXT[:-2], "age", 1.5, 2, -1]),
    ("csv", "omit", lambda v: RELEASE.csv(omit=v), [pd.NA, None, 1, True]),
    ("csv", "left out", lambda v: RELEASE.csv(omit=[v]), [*UNDECIDED, "klass", 1, 2, -1, {}]),
    ("mechanism", "design", lambda v: CompositeMechanism.from_design(v, (0, 1)), NO_PART),
    ("Keys", "secrets", Keys, [*NO_PART, None, "x", b"x", ("x",), (1,)]),
    ("mechanism", "pair", lambda v: CompositeMechanism(1, (0, 1), pair=v), NO_CHOICE),
    ("mechanism", "objective", lambda v: CompositeMechanism(1, (0, 1), objective=v), NO_CHOICE),
    ("Problem", "free_tail", lambda v: Problem(1, pair_named("A1B2", 1), free_tail=v), NO_FLAG),
    ("Search", "algorithm", lambda v: Search(v, Problem(1, pair_named("A1B1", 1))), NO_CHOICE),
    ("rank", "goal", lambda v: rank(FIELD, v), NO_CHOICE),
    ("roster", "keys", lambda v: roster(1, (0, 1), keys=[v]), [pd.NA, np.array(["laplace"]), {}]),
    ("shape", "symmetrise", lambda v: from_formula("1", "base", symmetrise=v), ["no", 1]),
]


@pytest.mark.parametrize(
    ("name", "take", "value"),
    [
        pytest.param(name, take, value, id=f"{of}-{name}-{shown(value)}")
        for of, name, take, values in TAKERS
        for value in values
    ],
)
def test_what_is_no_such_setting_is_refused_by_name(name: str, take: Take, value: Any) -> None:
    with pytest.raises(cdp.errors.CompdpError, match=name):
        take(value)


def test_what_is_one_is_kept_as_what_it_is() -> None:
    query = cdp.Query(
        Mean(), np.int64(1), (0, 20), "add or remove one", np.int64(9),  # type: ignore[arg-type]
        AllOf([Condition("age", ">", 1), Condition("klass", "==", "9a")]),  # type: ignore[arg-type]
        whole_numbers=TRUE,
    )  # fmt: skip
    assert query.neighbours is Neighbours.ADD_OR_REMOVE_ONE
    assert (type(query.max_rows), query.whole_numbers) == (int, True)
    assert len(query.conditions) == 2
    hash(query)
    assert cdp.ColumnPlan(**COLUMN, whole=TRUE).whole is True
    assert (flag("x", np.False_), flag("x", True)) == (False, True)


def test_a_label_is_found_beside_one_that_cannot_be_compared() -> None:
    frame = pd.DataFrame([[1.0, 2.0]], columns=pd.Index([pd.NA, "age"], dtype=object))
    assert cdp.privatize(frame, {"age": cdp.ColumnPlan(**COLUMN)}).columns[0].plan.position == 1
