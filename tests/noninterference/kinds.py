"""Plans of other kinds than numbers: categories, scales, dates and times, limits and classes."""

from __future__ import annotations

from math import isnan
from random import Random
from typing import Any

from compdp_core.release import ColumnPlan, Missing
from compdp_core.tables.value_formats import FORMATS, ValueFormat
from tests.noninterference.cells import UNFIT, Words

LISTS: tuple[dict[str, list[str]], ...] = (
    {"yes": ["yes", "Yes", "y"], "no": ["no", "No", "n"]},
    {"low": ["low"], "mid": ["mid", "middle"], "high": ["high", "very high"]},
    {"a": ["a"], "b": ["b", "B"], "other": []},
    {"1": ["1"], "2": ["2", "2.0"], "3": ["3"]},
    {"red": ["red"], "blue, or so": ["blue", "navy"], 'the "rest"': []},
    {"one": ["one", "eins"], "not one; more": ["two", "three"]},
    {"said": ["x", "y"], "": [""]},
)
OTHERS = ("purple", "007", "Ada", "12.5", "yes and no", "=2+3")
"""Texts on none of these lists."""
STEPS = (0, 900)
"""Between which bounds of a format lie, in its steps."""
RULED = ("<5", ">100", "10-19", "65+", "12", "7.5")
"""Under limits or classes."""


def of_kind(
    rng: Random, position: int, missing: Missing, *, quoted: bool
) -> tuple[ColumnPlan, Words]:
    """``quoted``: cells may be in quotes, so that names may hold what separates cells."""
    rest: dict[str, Any] = {"missing": missing, "missing_as": rng.choice(("", "NA", "(none)"))}
    if rng.random() < 0.6:
        kind: Any = rng.choice(("category", "category", "scale"))
        # Cells that a row lacks are blank, and would be of the category that blanks are.
        many = len(LISTS) - (missing != "fill")
        listed = rng.choice(LISTS[: many if quoted else 4])
        if "" in listed:
            rest["missing_as"] = "(none)"
        return (
            ColumnPlan(position, epsilon=rng.choice((1, "0.5", 3)), kind=kind, categories=listed,
                       **rest),
            _of_a_list(listed),
        )  # fmt: skip
    form = FORMATS[rng.choice(sorted(FORMATS))]()
    kind = rng.choice(("number", "whole")) if form.kind == "number" else form.kind
    plan = ColumnPlan(position, STEPS, rng.choice((1, 4)), kind=kind, format=form, **rest)
    return plan, _of_a_format(form)


def _of_a_list(listed: dict[str, list[str]]) -> Words:
    texts = tuple(text for each in listed.values() for text in each if text)
    if [] in listed.values():
        return Words((*texts, *OTHERS), ())
    return Words(texts, OTHERS)


def _of_a_format(form: ValueFormat) -> Words:
    steps = (form.text(step) for step in (*STEPS, 1, 59, 60, 365, 899, 1440))
    texts = tuple(steps) if form.kind != "number" else RULED
    fitting = tuple(dict.fromkeys(text for text in texts if not isnan(form.value(text))))
    return Words(fitting, tuple(text for text in UNFIT if isnan(form.value(text))))
