"""Choices behind the noise: function pair, tail ratio, objective, output bounds."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd
import streamlit as st

from compdp_core.errors import CompdpError
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.numerics import not_above
from compdp_core.parameters import TAIL_RATIO
from compdp_core.release.accuracy import Meaning
from compdp_core.shapes import default_tail_ratio
from pages.inputs.custom_shapes import (
    chosen_pair,
    has_tail_ratio,
    pair_choices,
    pair_fingerprint,
    pair_title,
)
from pages.inputs.entry import exact, within
from pages.inputs.options import segments, select
from pages.inputs.written import written
from pages.sections.shared.figures import records
from pages.sections.shared.setup import ChosenColumn, Shape, chosen_shape
from pages.sections.shared.words import words_of
from pages.session.state import edits, memo
from pages.text.wording import number

OBJECTIVES = {
    "center": "in the middle of the bounds",
    "mean": "on average",
    "worst": "at the worst value",
}


def shape(column: ChosenColumn, epsilon: Fraction) -> None:
    """The function pair out of the registry, each with its error and range for this column."""
    box = st.expander(
        "Shape of the noise: function pair and objective",
        icon=":material/tune:",
        key="shape",
        on_change="rerun",
    )
    with box:
        titles = {name: pair_title(name) for name in pair_choices()}
        left, right = st.columns([2, 3])
        with left:
            pair = select(
                "Function pair",
                titles,
                "privatize.pair",
                "A1B1",
                help="The activation follows the true value, the base is the same for all. The "
                "Function lab adds shapes of your own.",
            )
        with right:
            segments("Make the error smallest", OBJECTIVES, "privatize.objective", "center")
        if has_tail_ratio(pair):
            exact(
                "privatize.tail_ratio",
                "Tail ratio τ (empty: the usual one)",
                check=within(TAIL_RATIO),
                optional=True,
                placeholder=number(default_tail_ratio(not_above(epsilon))),
                help="Left free, the optimiser makes base B2 flat, that is B1. So τ is chosen.",
            )
        chosen = chosen_shape()
        # Six mechanisms are made for this: only for those who look.
        if box.open:
            asked = (column, epsilon, chosen, pair_fingerprint())
            pairs = memo("privatize.pairs", asked, lambda: _pairs(column, epsilon, chosen))
            what = "The function pairs with their typical error and output range for this column"
            records(pairs, what)


def output_bounds(column: ChosenColumn) -> None:
    """Derived from the inputs, or hard; feasibility is answered where the mechanism is built."""
    with st.expander("Output bounds: where released values may lie", icon=":material/swap_horiz:"):
        hard = st.toggle(
            "Set hard output bounds myself",
            help="Left off, they are as wide as unbiased noise needs at this ε. They always reach "
            "beyond the inputs: a mean at the very edge leaves no room for noise.",
            **edits(column.setting("hard"), False),
        )
        if hard:
            places, below = st.columns(2), st.container()
            ends = (("out.lower", "Smallest"), ("out.upper", "Largest"))
            form, inputs = words_of(column).format, column.inputs
            assert inputs is not None
            for place, (name, which), end in zip(places, ends, inputs.as_tuple(), strict=True):
                with place:
                    label, name = f"{which} released value", column.setting(name)
                    if form is None:
                        exact(name, label, optional=True, faults_in=below)
                    else:
                        written(name, label, form, end, below)


def _pairs(column: ChosenColumn, epsilon: Fraction, chosen: Shape) -> pd.DataFrame:
    rows, words = [], words_of(column)
    assert column.inputs is not None
    for name in pair_choices():
        error = outputs = "not at this ε"
        tail = chosen.tail_ratio if has_tail_ratio(name) else None
        try:
            built = CompositeMechanism(
                not_above(epsilon),
                column.inputs,
                pair=chosen_pair(name),
                objective=chosen.objective,
                tail_ratio=tail,
            )
            typical = Meaning(built).typical_error
            error = number(typical) if words.format is None else words.amount(typical)
            outputs = words.span(*built.outputs, bare=True)
        except CompdpError:
            pass
        rows.append(
            {
                "function pair": pair_title(name),
                words.named("typical error"): error,
                words.named("output range"): outputs,
            }
        )
    return pd.DataFrame(rows)
