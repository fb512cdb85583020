"""What merging answers gains where there are so many that fewer would be far more exact."""

from __future__ import annotations

import math
from fractions import Fraction

import streamlit as st

from compdp_core.mechanisms.categories import Merging, better_by_merging
from compdp_core.numerics import not_above
from pages.sections.privatize.scales import HOPELESS, off_by
from pages.session import faults
from pages.text.wording import budget, count, number


def tell_what_merging_gains(answers: int, epsilon: Fraction, rows: int) -> None:
    """Where there are so many answers that fewer would be far more exact."""
    gain = faults.attempted(lambda: better_by_merging(not_above(epsilon), answers))
    if not isinstance(gain, Merging):
        return
    before, after = (error / math.sqrt(rows) for error in (gain.before, gain.after))
    still = (
        f"of {count(rows, 'row')} it is still {off_by(after)}. A larger ε or fewer columns do more."
        if after >= HOPELESS
        else f"off by {off_by(after)} of {count(rows, 'row')}, in place of {off_by(before)}."
    )
    st.info(
        f"{count(answers, 'answer')} are many for {budget(epsilon)} in this column. Merged to "
        f"{gain.categories} of the same size, the share of one of these has an error "
        f"{number(gain.gain, 2)} times smaller: {still}",
        icon=":material/merge:",
    )
