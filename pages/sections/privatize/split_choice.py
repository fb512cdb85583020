"""The choice among the ways to split a row's budget, beside what each of them costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt

import streamlit as st

from compdp_core.accounting import decimal_text
from compdp_core.errors import CompdpError
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.numerics import not_above
from compdp_core.parameters import count as counted
from compdp_core.parameters import positive
from compdp_core.release.splitting import Split, Way
from pages.inputs.entry import exact, within
from pages.inputs.options import radio
from pages.sections.privatize.split import ANSWERED, EQUAL, WAYS, offered, splits_of, way_of
from pages.sections.shared.figures import records
from pages.sections.shared.setup import SPLIT, ChosenColumn
from pages.sections.shared.words import words_of
from pages.session import faults
from pages.text.values import points
from pages.text.wording import count, in_label, literal, number, percent

QUESTION = "How the budget of a row is split over its columns"
SHORT: dict[Way, str] = {
    "equal parts": "equal parts",
    "equal errors": "equal errors",
    "wished errors": "as wished",
    "sampled": "some columns",
}
"""The ways in a table that is to fit on a phone."""
WHY = (
    "Errors by wish are not offered where a column holds answers: an answer is kept or replaced, "
    "it is not off by an amount. Equal errors are those of means in relation to the ranges, and "
    "of shares as they are."
)
_WISH = positive("wish", "The error")


def choose_split(columns: Sequence[ChosenColumn], row: Fraction, rows: int) -> None:
    """What each way costs, then the choice, then what else the chosen one needs."""
    found = faults.attempt(lambda: splits_of(columns, row))
    some = sum(column.is_category for column in columns)
    if found is not None:
        made = {way: each for way, each in found.items() if isinstance(each, Split)}
        refused = {way: each for way, each in found.items() if isinstance(each, CompdpError)}
        lines = [
            line for way, each in made.items() for line in _costs(SHORT[way], each, columns, rows)
        ]
        if lines:
            what = "mean" if not some else "share" if some == len(columns) else "mean or share"
            st.markdown(f"**What each way costs**, for a {what} of {count(rows, 'row')}")
            records(lines, "Errors of one value and of a mean, by column and way to split the ε")
        for way, refusal in refused.items():
            st.caption(f"{WAYS[way]}: {literal(faults.sentence(str(refusal)))}")
    radio(QUESTION, offered(columns), SPLIT, EQUAL)
    if some:
        st.caption(WHY)
    chosen_way = way_of(columns)
    if chosen_way == "wished errors":
        _wishes(columns)
    elif chosen_way == "sampled":
        _answers(len(columns))
    chosen = next((each for way, each in (found or {}).items() if way == chosen_way), None)
    if isinstance(chosen, Split):
        _say(chosen, len(columns))


def _costs(
    name: str, split: Split, columns: Sequence[ChosenColumn], rows: int
) -> Iterator[dict[str, str]]:
    mixed = any(column.is_category for column in columns)
    for column, cost in zip(columns, split.costs, strict=True):
        words = words_of(column)
        if column.categories is not None and column.is_category:
            made = RandomizedResponse(not_above(cost.epsilon), len(column.categories))
            many = points(cost.mean_error / sqrt(rows))
            one = f"kept with {percent(made.probability_kept)}"
        else:
            many = words.amount(cost.mean_error / sqrt(rows))
            one = words.amount(cost.value_error)
        yield {
            "column": column.label,
            "way": name,
            "a mean is off by" if not mixed else "a mean or share is off by": many,
            "one value is off by" if not mixed else "one value is off by, or kept": one,
            "rows with a value": percent(float(cost.share)),
            "ε of a value": decimal_text(cost.epsilon),
        }


def _wishes(columns: Sequence[ChosenColumn]) -> None:
    for column in columns:
        name, entry = st.columns([3, 1], vertical_alignment="bottom")
        below = st.container()
        form = words_of(column).format
        name.text(f"{column.label} ({column.unit if form is None else form.unit})")
        with entry:
            called = in_label(column.label, f"column {column.position + 1}")
            exact(
                column.setting("wish"),
                f"Error of one value, {called}",
                check=within(_WISH),
                optional=True,
                placeholder="such as 10",
                faults_in=below,
            )


def _answers(columns: int) -> None:
    exact(
        ANSWERED,
        "Columns that each row answers (empty: the best number)",
        check=within(counted("answered", "The number", lower=1, upper=columns)),
        optional=True,
        help="With the best number the means are most exact, taken together. Each row has a value "
        "in so many columns, drawn at random whatever stands in it; its other cells stay blank.",
    )


def _say(split: Split, columns: int) -> None:
    if split.factor is not None:
        met = split.factor <= 1
        st.caption(
            f"The errors are {number(split.factor)} times those wished, or less: "
            + ("they are met." if met else "for these, it takes a larger ε.")
        )
    elif split.way == "sampled" and split.answered is None:
        st.caption("Here it is best that each row answers all columns: no cell stays blank.")
    elif split.answered is not None:
        st.caption(
            f"Each row answers {split.answered} of {columns} columns, drawn by the system whatever "
            "stands in it, and leaves the others blank. A blank says nothing of the row."
        )
