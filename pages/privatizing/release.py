"""Step 6: one button draws once, charges the ledger and keeps the release for good."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from compdp_core.ledger import Ledger, Spend, decimal_text
from compdp_core.release import Release, release
from compdp_core.table import Table
from pages.furniture.panels import step
from pages.furniture.spending import ledger, spend
from pages.furniture.state import keep, recall
from pages.furniture.wording import count
from pages.privatizing.outcome import outcome
from pages.privatizing.setup import Ready


@dataclass(frozen=True, eq=False)
class Kept:
    """A release and the table it came from, as the session remembers them."""

    release: Release
    unit: dict[int, str]
    number: int
    """First, second, … release of this file."""


def release_step(table: Table, ready: Ready | None) -> bool:
    """Whether there is a release of this table."""
    name = f"release.{table.fingerprint}"
    with step(6, "Release and download", "Noise is drawn once, by the system, and kept."):
        kept: Kept | None = recall(name)
        if kept is not None:
            if ready is not None and kept.release.plan != ready.plan:
                st.info(
                    "The settings above have changed since. What follows is the release as it was "
                    "drawn.",
                    icon=":material/history:",
                )
            outcome(kept.release, kept.unit, kept.number)
        if ready is None:
            st.info("Finish the steps above to release.", icon=":material/arrow_upward:")
        elif kept is None:
            _offer(table, ready, name)
        else:
            with st.expander("Release once more: a second spend", icon=":material/replay:"):
                _offer(table, ready, name)
        return kept is not None


def _offer(table: Table, ready: Ready, name: str) -> None:
    plan, before = ready.plan, ledger().total_by_dataset(table.fingerprint)
    after = before + plan.epsilon
    st.markdown(
        f"This spends **ε = {decimal_text(plan.epsilon)}** for every row, over "
        f"{count(len(plan.columns), 'column')}."
    )
    if before:
        st.warning(
            f"ε = {decimal_text(before)} was already spent on this table. Another release is "
            f"another spend: together ε = {decimal_text(after)}. Whoever holds both can average "
            "noise away. To get the same file again, download it above: that costs nothing.",
            icon=":material/warning:",
        )
    label = "Release once more" if before else "Release"
    if st.button(label, type="primary", icon=":material/lock_open:", key="release"):
        _draw(table, ready, name)


def _draw(table: Table, ready: Ready, name: str) -> None:
    charge = Spend(
        what=f"table with {count(len(ready.columns), 'privatized column')}",
        kind="column",
        dataset=table.fingerprint,
        columns=[column.label for column in ready.columns],
        epsilon=ready.plan.epsilon,
    )
    after: Ledger = ledger().charge(charge)
    bar = st.progress(0.0, "Drawing the noise …")

    def show(share: float) -> None:
        bar.progress(share, "Drawing the noise …")

    drawn = release(table, ready.plan, progress=show)
    # Both or neither: nothing above has any effect yet.
    spend(after)
    units = {column.position: column.unit for column in ready.columns}
    earlier: Kept | None = recall(name)
    keep(name, Kept(drawn, units, 1 if earlier is None else earlier.number + 1))
    st.rerun()
