"""A released statistic: answer, certificate and files, and, apart from them, the true answer."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from compdp_core.accounting import decimal_text
from compdp_core.release.statistic import Answer
from compdp_core.text import plain
from pages.sections.shared.figures import records
from pages.sections.shared.release_panel import certified, released
from pages.sections.statistic.answers_chart import answers_chart
from pages.sections.statistic.files import files
from pages.sections.statistic.query import KeptAnswers
from pages.shell.panels import private, publishable
from pages.text.wording import count, literal, percent, quantity, span


def outcome(kept: KeptAnswers) -> None:
    first = next(iter(kept.answers.values()))
    released(
        first.when,
        count(len(kept.answers), "answer"),
        kept.ready.cost,
        "statistic",
        kept.number,
        kept.ready.asked.inquiry.person,
    )
    with publishable("answer", "the released answer and its certificate"):
        if len(kept.answers) == 1 and None in kept.answers:
            _single(first)
        else:
            _groups(kept)
        st.caption(
            f"The interval holds the exact answer on clamped values with a confidence of "
            f"{percent(first.level)} in each case. It follows from the released number alone."
        )
        _certificate(kept)
        files(kept)
    _true_answers(kept)


def earlier(kept: Sequence[KeptAnswers]) -> None:
    if not kept:
        return
    with st.expander(f"{count(len(kept), 'earlier release')} about this table"):
        rows = [
            {
                "released": f"{each.when:%H:%M:%S} UTC",
                "question": each.plan.text,
                "answer": shown(each),
                "95 % interval": _interval(each),
                "ε": decimal_text(each.epsilon),
            }
            for release in kept
            for each in release.answers.values()
        ]
        records(rows, "Earlier releases")


def shown(answer: Answer) -> str:
    """The released number with all of its decimals, and its unit."""
    return f"{plain(answer.value)} {answer.plan.unit}".rstrip()


def _interval(answer: Answer) -> str:
    # With the decimals of the answer: more of them say nothing.
    low, high = (round(end, answer.mechanism.decimals) for end in answer.interval)
    return f"{plain(low)} … {plain(high)} {answer.plan.unit}".rstrip()


def _single(answer: Answer) -> None:
    st.markdown(f"**{literal(answer.plan.text)}**")
    with st.container(key="tiles-answer"):
        left, right = st.columns(2)
    left.metric("Released answer", literal(shown(answer)), border=True)
    right.metric("95 % interval for the exact answer", literal(_interval(answer)), border=True)
    low, high = answer.plan.range.as_tuple()
    if not low <= answer.value <= high:
        st.caption(
            f"The released number lies outside {span(low, high, answer.plan.unit)}, where every "
            "exact answer lies. That is as it should be: moving it to the nearest end would make "
            "it wrong on average. To show it within the range is free, to compute with it is not."
        )


def _groups(kept: KeptAnswers) -> None:
    answers_chart(kept.answers).draw()
    rows = [
        {"group": name, "answer": shown(each), "95 % interval": _interval(each)}
        | _share(kept, each)
        for name, each in kept.answers.items()
    ]
    records(rows, "Released answer of each group")


def _share(kept: KeptAnswers, answer: Answer) -> dict[str, str | None]:
    """A count as a share of all rows, where their number is public: this reads no value."""
    asked = kept.ready.asked
    public = asked.inquiry.neighbours.n_is_public and asked.inquiry.person is None
    if not public or answer.plan.statistic != "count":
        return {}
    rows = asked.table.row_count
    low, high = (max(0.0, min(1.0, end / rows)) for end in answer.interval)
    return {
        "share of all rows": percent(answer.value / rows),
        "95 % interval of the share": f"{percent(low)} to {percent(high)}",
    }


def _certificate(kept: KeptAnswers) -> None:
    answer = next(iter(kept.answers.values()))
    row = certified(answer.mechanism, answer.epsilon, answer.plan.unit)
    records([row | {"shape": answer.mechanism.pair}], "Certificate of the released answer")


def _true_answers(kept: KeptAnswers) -> None:
    """For the owner alone, and only on demand: a screen may be seen by others."""
    with private("answer", "the exact answer"):
        if not st.toggle("Show the exact answer", key="show-exact-answer"):
            return
        exact = {name: each.value for name, each in kept.exact.items()}
        rows = [
            {
                "group": "all rows" if name is None else name,
                "exact": quantity(exact[name], each.plan.unit, 6),
                "released": shown(each),
                "off by": quantity(each.value - exact[name], each.plan.unit),
                "in the interval": "yes"
                if each.interval[0] <= exact[name] <= each.interval[1]
                else "no",
            }
            for name, each in kept.answers.items()
        ]
        records(rows, "Exact and released answers")
        st.caption("On values moved to your bounds, with missing values as you set them.")
        if kept.ready.asked.inquiry.person is not None:
            st.caption("Of the rows of each person that were drawn for this very release.")
