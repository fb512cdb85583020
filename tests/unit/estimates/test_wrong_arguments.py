"""Arguments that mean nothing are refused by name, whatever they are."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import compdp_core as cdp
from compdp_core.errors import ParameterError
from compdp_core.estimates.summary import requests

ROWS = 60
WRONG_SUBJECTS: tuple[Any, ...] = (
    None, "none", 99, 1.5, np.array([1, 2]), ["bmi"], {"bmi"}, pd.NA, pd.NaT, np.float64("nan"),
    (), ("bmi",), ("bmi", "x"), ("bmi", None), ("mood", 1), ("mood", ["bad"]), ("mood", "x"),
    ("mood", np.array([1])), ("mood", "bad", "x"), (["mood"], "bad"), (None, "bad"),
)  # fmt: skip
"""Of either kind: no column at all, or a column and what is no category of it."""

OF_CATEGORIES = ("mean", "total", "variance", "std")
CALLS: dict[str, Callable[[cdp.Estimates, Any], object]] = {
    "column mean": lambda e, given: e.mean(given),
    "column total": lambda e, given: e.total(given),
    "column variance": lambda e, given: e.variance(given),
    "column std": lambda e, given: e.std(given),
    "column quantile": lambda e, given: e.quantile(given, 0.5),
    "column share": lambda e, given: e.share(given, above=20),
    "column shares": lambda e, given: e.shares(given),
    "column distribution": lambda e, given: e.distribution(given),
    "column means": lambda e, given: e.means(given, by="ward"),
    "by means": lambda e, given: e.means("bmi", by=given),
    "column difference": lambda e, given: e.difference(given, by="ward"),
    "by difference": lambda e, given: e.difference("bmi", by=given),
    "first correlation": lambda e, given: e.correlation(given, "age"),
    "second correlation": lambda e, given: e.correlation("age", given),
    "outcome regression": lambda e, given: e.regression(given, "age"),
    "on regression": lambda e, given: e.regression("bmi", ["age", given]),
}


@cache
def found() -> cdp.Estimates:
    rows = np.arange(ROWS)
    frame = pd.DataFrame(
        {
            "bmi": 20.0 + rows % 20,
            "mood": np.array(["bad", "good"])[rows % 2],
            "ward": np.array(["A", "B"])[rows % 2],
            "age": 30.0 + rows % 7,
        }
    )
    plans = {
        "bmi": cdp.ColumnPlan(inputs=(10, 60), epsilon=8),
        "mood": cdp.ColumnPlan(epsilon=8, kind="category", categories=["bad", "good"]),
    }
    release = cdp.privatize(frame, plans)
    return cdp.Estimates(release.csv(), release.card)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("given", WRONG_SUBJECTS, ids=repr)
def test_what_is_no_subject_is_refused_by_name(call: str, given: Any) -> None:
    argument, method = call.split()
    with pytest.raises(ParameterError) as refused:
        CALLS[call](found(), given)
    named = (argument, "category") if method in OF_CATEGORIES else (argument,)
    assert refused.value.name.partition("[")[0] in named


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        ("AB", "groups must be two of A, B"),
        (["A"], "groups must be two of A, B"),
        (["A", "x"], r"groups\[1\] must be two of A, B, got 'x'"),
        ([None, "A"], r"groups\[0\] must be two of A, B, got None"),
        (["A", "A"], "and not one twice, got 'A'"),
    ],
)
def test_what_are_no_two_groups_is_refused(groups: Any, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        found().difference("bmi", by="ward", groups=groups)


def test_a_column_of_texts_asks_for_one_of_them() -> None:
    with pytest.raises(ParameterError, match=r"first must name one of its texts, as in \('ward', "):
        found().correlation("ward", "bmi")


def test_a_refusal_lists_a_few_of_many_categories() -> None:
    with pytest.raises(ParameterError, match=r"…, got 'x'$"):
        found().share("age", "x")


@pytest.mark.parametrize("asked", [None, 1.5, "bmi", ["bmi"], [None], b"bmi", np.array(1)])
@pytest.mark.parametrize("method", ["summary", "report_html", "script"])
def test_what_are_no_requests_is_refused(method: str, asked: Any) -> None:
    with pytest.raises(ParameterError, match=r"^asked"):
        getattr(found(), method)(asked)


@pytest.mark.parametrize("subject", WRONG_SUBJECTS, ids=repr)
def test_a_request_of_no_subject_is_refused_or_says_why(subject: Any) -> None:
    try:
        last = [*found().summary([requests.correlation("bmi", subject)])][-1]
    except ParameterError:
        return
    assert last.refusal.startswith("second must")
