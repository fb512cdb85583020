"""The error to expect of the answer, from public settings alone, and of other ways to answer."""

from __future__ import annotations

import streamlit as st

from pages.sections.shared.figures import figure_row, figures, records
from pages.sections.statistic.query import ReadyQuery
from pages.session.state import memo
from pages.text.wording import literal, number


def expect(ready: ReadyQuery) -> None:
    words = ready.asked.words
    typical, worst, half = _errors(ready)
    st.markdown("**What to expect of the released answer**")
    figures(
        figure_row(4),
        (
            "It is typically off by",
            literal(words.amount(typical)),
            "Standard deviation of the noise in the middle of the range. Its mean is 0.",
        ),
        (
            "95 % of answers lie within",
            literal(f"± {words.amount(half)}"),
            "The distance from the true answer that 95 of 100 releases keep, in the middle of "
            "the range. For whole numbers 0 means: the answer itself is released that often.",
        ),
        (
            "At worst it is typically off by",
            literal(words.amount(worst)),
            "The same standard deviation where it is largest, at an end of the range.",
        ),
        (
            "Released answers lie in",
            literal(words.span(*ready.mechanism.outputs)),
            "Never outside. They reach beyond the range: noise that is right on average needs "
            f"room on both sides, the more the smaller ε and the more one {ready.asked.one} can "
            "change.",
        ),
    )


def rivals(ready: ReadyQuery) -> None:
    """The same question through Laplace noise and through the paper's design for Δ = R."""
    typical, _, _ = _errors(ready)
    laplace, paper = memo(
        "statistic.rivals",
        (ready.asked.plan, ready.mechanism),
        lambda: (ready.forecast.laplace_error, ready.forecast.any_two_error),
    )
    words = ready.asked.words
    rows = [
        ("This release", typical, f"always in {words.span(*ready.mechanism.outputs, bare=True)}"),
        ("Laplace noise, scale Δ/ε", laplace, "anywhere: no bounds"),
        ("The paper's design, Δ = R", paper, "bounded, far beyond the range"),
    ]
    st.markdown("**Other ways to answer, at the same ε**")
    ways = [
        {
            "way": name,
            words.named("typical error"): number(error)
            if words.format is None
            else words.amount(error),
            "times this release's": number(error / typical) if typical > 0 else "–",
            "where answers may lie": where,
        }
        for name, error, where in rows
    ]
    records(ways, "Typical error of this release, of Laplace noise and of the paper's design")


def _errors(ready: ReadyQuery) -> tuple[float, float, float]:
    forecast = ready.forecast
    return memo(
        "statistic.errors",
        (ready.asked.plan, ready.mechanism),
        lambda: (forecast.typical_error, forecast.worst_error, forecast.half_width),
    )
