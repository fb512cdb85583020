"""What an ε means for answers: how often they are kept, and how surely shares are learned."""

from __future__ import annotations

from math import sqrt

import streamlit as st

from compdp_core.mechanisms.categories import RandomizedResponse, better_by_merging
from compdp_core.release.accuracy import best_guess
from pages.sections.shared.figures import figure_row, figures
from pages.sections.shared.ready import ReadyRelease
from pages.text.values import points
from pages.text.wording import beyond_half, count, percent

STEP_2 = "[Merge answers in step 2](#step-2)"


def answer_figures(
    ready: ReadyRelease, mechanism: RandomizedResponse, which: str, valued: int
) -> None:
    """Four figures, all from ε and the length of the list; and what merging would gain."""
    others, even = mechanism.categories - 1, 1 / mechanism.categories
    sampled = sqrt(even * (1 - even) / valued) * mechanism.noise_factor
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
            f"A share among {which} is off by about",
            points(mechanism.typical_error / sqrt(valued)).replace("percentage ", ""),
            "In percentage points: standard error of the share of one answer among these rows, "
            "estimated from the released column, where all answers are as frequent. For the "
            f"population that the rows are drawn from it is {points(sampled)}. Shares counted in "
            "the released column as it stands lie nearer to each other than the true ones: the "
            "estimate takes that back.",
        ),
        (
            "An attacker's best guess is right at most",
            beyond_half(best_guess(epsilon)),
            "Two answers are equally likely at first, 50 %. After seeing the release of this "
            "column, the attacker can be right at most this often. Other columns of the same row "
            "add to it: all together count with the ε of the row.",
        ),
    )
    _merging(mechanism, valued)


def _merging(mechanism: RandomizedResponse, valued: int) -> None:
    """What a shorter list would gain, where there are very many answers for this ε."""
    gain = better_by_merging(mechanism.epsilon, mechanism.categories)
    if gain is None:
        return
    before, after = (points(each / sqrt(valued)) for each in (gain.before, gain.after))
    st.info(
        f"**{mechanism.categories:,} answers are very many for this ε.** Merged into "
        f"{gain.categories:,} of equal size, the share of each would be off by {after}; added up "
        f"from its parts as the list is now, by {before}. {STEP_2}.",
        icon=":material/merge:",
    )
