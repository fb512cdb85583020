"""Step 1: a table, and what was understood of it."""

from __future__ import annotations

import streamlit as st

from compdp_core.errors import CompdpError
from compdp_core.tables import FileTooLargeError, SeveralTablesError, Table
from compdp_core.tables.summary_rows import NOTE, TOTAL
from pages.sections.shared.alignment import ask_about_uneven
from pages.sections.shared.alignment_questions import joined_nowhere
from pages.sections.shared.command_line import Command
from pages.sections.shared.format import reading_options
from pages.sections.shared.larger_file import instead_of, offer_the_first_rows
from pages.sections.shared.names_line import ask_about_names
from pages.sections.shared.person import ask_whose_privacy
from pages.sections.shared.preview import preview
from pages.sections.shared.refusals import offer
from pages.sections.shared.samples import SAMPLES
from pages.sections.shared.summary_rows import NAMES_IN_DOUBT, ask_about, said, undecided
from pages.sections.shared.table_choice import ask_which, came_as, offer_another
from pages.sections.shared.upload import (
    UPLOADER,
    current,
    let_go,
    table,
    take_sample,
    take_upload,
    whole_table,
)
from pages.sections.shared.ways_out import buttons, of_notice
from pages.session import faults
from pages.session.state import keep, recall, widget_key
from pages.shell.panels import private, step
from pages.text.wording import STAYS, WHO_SEES, count, literal

FIRST_NOTICES = 3
ASKED = (
    TOTAL, NOTE, "short_rows", "extra_cells", "extra_empty_cells", "comment_rows", *NAMES_IN_DOUBT,
)  # fmt: skip
"""Notices that a question stands for."""


def data_step(command: Command) -> Table | None:
    """``command``: what the page's work is called on the command line, for a larger file."""
    with step(1, "Data", f"{STAYS} {WHO_SEES}"):
        if current() is None:
            _choose(command)
            return None
        _at_hand()
        found = _read(command)
        if found is None:
            return None
        whole = whole_table()
        assert whole is not None
        _notices(whole)
        with private("table", "your table"):
            ask_about_names(whole)
            ask_about_uneven(whole)
            ask_about(whole)
            said(found)
            preview(found)
        return None if undecided(whole) or not ask_whose_privacy(found) else found


def _choose(command: Command) -> None:
    own, samples = st.columns([3, 2], gap="large")
    with own:
        st.file_uploader(
            "Your table: CSV, Excel, OpenDocument, Parquet, JSON lines, Stata or SPSS, also zipped",
            key=widget_key(UPLOADER),
            on_change=take_upload,
        )
        offer_the_first_rows(command)
    with samples:
        st.markdown("**Or an invented sample**")
        for sample in SAMPLES:
            st.button(
                sample.title,
                key=f"sample-{sample.file}",
                help=sample.about,
                icon=":material/table_view:",
                on_click=take_sample,
                args=(sample.file,),
                width="stretch",
            )


def _at_hand() -> None:
    upload = current()
    if upload is None:
        return
    name, other = st.columns([4, 1], vertical_alignment="center")
    sample = " · an invented sample" if upload.sample else ""
    size = len(upload.data)
    amount = f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{size:,} bytes"
    name.markdown(f":material/description: **{literal(upload.name)}** · {amount}{sample}")
    other.button("Another table", icon=":material/swap_horiz:", on_click=let_go, width="stretch")


def _read(command: Command) -> Table | None:
    """The table; where it is refused, the options stay, since another choice may read it."""
    try:
        with st.spinner("Reading the table …", show_time=True):
            found = table()
    except SeveralTablesError as several:
        ask_which(several)
        return None
    except CompdpError as refusal:
        # Above the options, which on a phone fill the screen.
        faults.tell(joined_nowhere(refusal) or faults.sentence(str(refusal)))
        offer(refusal)
        upload = current()
        if isinstance(refusal, FileTooLargeError) and upload is not None:
            instead_of(command, upload)
        reading_options(None)
        ask_about_uneven(None)
        return None
    if found is not None:
        st.markdown(
            f"{count(found.row_count, 'row')} and {count(len(found.columns), 'column')} · "
            + came_as(found)
        )
        offer_another(found)
        reading_options(found)
    return found


def _notices(found: Table) -> None:
    notices = [notice for notice in found.notices if notice.code not in ASKED]
    for notice in notices[:FIRST_NOTICES]:
        st.info(literal(notice.text), icon=":material/info:")
        buttons(of_notice(notice, found.format), notice.code)
    rest = notices[FIRST_NOTICES:]
    if rest:
        with st.expander(f"{count(len(rest), 'more notice')} about this file"):
            for notice in rest:
                st.markdown(f"- {literal(notice.text)}")
                buttons(of_notice(notice, found.format), notice.code)


def sample_was_asked() -> None:
    """Home's door to the sample: open it unless a table is at hand already."""
    if recall("privatize.open_sample"):
        if current() is None:
            take_sample(SAMPLES[0].file)
        # At last: a run that is stopped before it opens the sample in the next one.
        keep("privatize.open_sample", False)
