"""Step 6: one button draws once, charges the ledger and keeps the release for good."""

from __future__ import annotations

import streamlit as st

from compdp_core.errors import CompdpError
from compdp_core.release import Plan, release
from compdp_core.report.settings import TableSettings, to_json
from compdp_core.tables import Table
from pages.sections.privatize.omitted import ask_what_to_omit, warn_of_derived_columns
from pages.sections.privatize.outcome import outcome
from pages.sections.shared.kept_release import KeptRelease, omitted
from pages.sections.shared.larger_file import offer_a_larger_file
from pages.sections.shared.left_out import rows_left_out
from pages.sections.shared.ready import ReadyRelease
from pages.sections.shared.release_panel import (
    AGAIN,
    HINT,
    TITLE,
    confirmed,
    offer_once_more,
    outdated,
)
from pages.session import faults, jobs
from pages.session.ledger import charge, ledger
from pages.session.state import recall
from pages.shell.panels import step
from pages.text.wording import budget, count

JOB = "privatize.job"


STOPPED = "stopped before the end: nothing was released and nothing was charged"


def release_step(table: Table, ready: ReadyRelease | None) -> bool:
    with step(6, TITLE, HINT):
        if jobs.collect(JOB, _finish):
            st.rerun()  # for what is above and in the menu
        kept: KeptRelease | None = recall(_name(table))
        if kept is not None:
            other = kept.release.table.identity != table.identity
            if other or (ready is not None and kept.release.plan != ready.plan):
                outdated("settings above have", "release as it was drawn")
            outcome(kept.release, kept.statements, kept.number)
        if jobs.progress(JOB):
            return kept is not None
        if ready is None:
            st.info("Finish the steps above to release.", icon=":material/arrow_upward:")
        elif kept is None:
            _offer(table, ready, None)
            offer_a_larger_file(
                "privatize", lambda: _settings(table, ready), persons=ready.person is not None
            )
        else:
            offer_once_more(lambda: _offer(table, ready, kept))
        return kept is not None


def released_at(table: Table) -> float:
    """When the release of this table that the session holds was drawn; 0 without one."""
    kept: KeptRelease | None = recall(_name(table))
    return 0.0 if kept is None else kept.release.when.timestamp()


def _name(table: Table) -> str:
    return f"release.{table.fingerprint}"


def _offer(table: Table, ready: ReadyRelease, kept: KeptRelease | None) -> None:
    plan = ready.plan
    repeated = "Whoever holds both can average noise away."
    if kept is not None:
        repeated += " To get the same file again, download it above: that costs nothing."

    def more() -> None:
        if kept is None:  # Else the files that are offered above ask it.
            ask_what_to_omit(table, [column.position for column in plan.columns])
        warn_of_derived_columns(table, plan)

    spends = faults.attempt(lambda: plan.spends(table))
    if spends is None:  # somebody has more rows than may be
        return
    if plan.person is not None:
        rows_left_out(table, plan.person)
    if confirmed(
        spends,
        _cost(plan),
        repeated,
        AGAIN if kept else "Release",
        f"release-after-{kept.number}" if kept else "release",
        more,
    ):
        _begin(table, ready)


def _cost(plan: Plan) -> str:
    over = count(len(plan.columns), "column")
    if plan.answered is not None:
        over = f"{plan.answered} of {over}"
    if plan.person is None:
        return f"**{budget(plan.epsilon)}** for every row, over {over}"
    rows = count(plan.rows, "row")
    return (
        f"**{budget(plan.epsilon)}** for every person: {rows} at most, "
        f"{budget(plan.row_epsilon)} each, over {over}"
    )


def _settings(table: Table, ready: ReadyRelease) -> str:
    """What is set above, before anything is released."""
    omit = omitted(table, [column.position for column in ready.columns])
    said = {column.position: column.statement for column in ready.columns}
    return to_json(TableSettings.planned(table, ready.plan, said, omit))


def _begin(table: Table, ready: ReadyRelease) -> None:
    """Draw beside the page; a refusal by the ledger comes before the first draw."""
    costs = ready.plan.spends(table)
    ledger().check(*costs)
    statements = {column.position: column.statement for column in ready.columns}
    earlier: KeptRelease | None = recall(_name(table))
    number = 1 if earlier is None else earlier.number + 1

    def work(job: jobs.Job[KeptRelease]) -> KeptRelease:
        def show(share: float) -> None:
            if job.cancelled():
                raise CompdpError(STOPPED)
            job.tell(share, "drawing the noise")

        return KeptRelease(release(table, ready.plan, progress=show), statements, costs, number)

    jobs.start(JOB, work)
    st.rerun()


def _finish(kept: KeptRelease) -> None:
    """Charge and keep: both or, where the ledger refuses by now, neither."""
    job: jobs.Job[KeptRelease] = recall(JOB)
    if job.cancelled():  # after the last value was drawn, before anyone saw one
        raise CompdpError(STOPPED)
    charge(*kept.charges, keeping={_name(kept.release.table): kept})
