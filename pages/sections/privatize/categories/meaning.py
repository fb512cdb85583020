"""What an ε means for answers: how often they are kept, and how surely shares are learned."""

from __future__ import annotations

import math

import streamlit as st

from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.release.accuracy import ResponseMeaning, best_guess
from pages.sections.shared.figures import figure_row, figures
from pages.sections.shared.setup import ReadyRelease
from pages.text.values import points
from pages.text.wording import beyond_half, count, percent

STEP_2 = "[Merge answers in step 2](#step-2)"


def answer_figures(
    ready: ReadyRelease, mechanism: RandomizedResponse, which: str, valued: int
) -> None:
    """Four figures, all from ε and the length of the list; and what merging would gain."""
    means, others = ResponseMeaning(mechanism), mechanism.categories - 1
    epsilon = ready.entries[ready.at].plan.epsilon
    figures(
        figure_row(4),
        (
            "A true answer is kept with a probability of",
            percent(mechanism.probability_kept),
            "Else another answer of the list is released in its place, each as likely.",
        ),
        (
            "One particular other answer is given with",
            percent(mechanism.probability_other),
            f"There {'is' if others == 1 else 'are'} {count(others, 'other answer')} in the list.",
        ),
        (
            "An attacker's best guess is right at most",
            beyond_half(best_guess(epsilon)),
            "Two answers are equally likely at first, 50 %. After seeing the release of this "
            "column, the attacker can be right at most this often. Other columns of the same row "
            "add to it: all together count with the ε of the row.",
        ),
        (
            f"A share among {which} is off by about",
            points(means.error_of_share(valued)),
            "Standard error of the share of one answer, estimated from the released column, where "
            "all answers are as frequent, rows taken as drawn from a larger population. Shares "
            "counted in the released column as it stands lie nearer to each other than the true "
            "ones: the estimate takes that back.",
        ),
    )
    _merging(means, valued)


def _merging(means: ResponseMeaning, valued: int) -> None:
    """What a shorter list would gain, where there are very many answers for this ε."""
    many, most = means.mechanism.categories, means.merge_at - 1
    if many <= most:
        return
    fewer = max(2, math.ceil(most / 2))
    now, then, least = (means.merged(each, valued) for each in (many, most, fewer))
    st.info(
        f"**{many:,} answers are very many for this ε.** Merged into {most:,}, the share of an "
        f"answer that you leave as it is would be off by {points(then)} instead of {points(now)}; "
        f"merged into {fewer:,}, by {points(least)}. {STEP_2}.",
        icon=":material/merge:",
    )
