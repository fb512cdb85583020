"""The files of a release. Each is written out from the stored values: pressing draws nothing."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import streamlit as st

from compdp_core.release import TableRelease
from compdp_core.report import Statement, card_of_table, notebook_of_table, script_of_table
from compdp_core.report.settings import TableSettings, to_json
from compdp_core.tables.containers.writing import NOT_KEPT, file_kind
from compdp_core.tables.escaping import guarded
from pages.sections.privatize.omitted import ask_what_to_omit
from pages.sections.shared.kept_release import omitted
from pages.sections.shared.larger_file import offer_a_larger_file
from pages.sections.shared.release_panel import file_button
from pages.sections.shared.upload import current
from pages.session.state import edits, memo

_SAME = "In the format of the upload: encoding, separator, decimal mark, line ends."
_MOST_ROWS = 1_000_000
"""Of a sheet, with room for names and titles."""


def files(release: TableRelease, statements: dict[int, Statement]) -> None:
    upload = current()
    title, stem = (upload.stem, upload.file_stem) if upload else ("", "table")
    table, planned = release.table, [column.plan.position for column in release.columns]
    ask_what_to_omit(table, planned)
    omit = omitted(table, planned)
    guard = st.toggle(
        "Make cells harmless that a spreadsheet would run as a formula",
        help="Text cells and names that start with = + - @ get an apostrophe in front. "
        "Numbers are never touched.",
        **edits("release.guard", True),
    )
    found = memo(
        "release.guarded",
        (release.identifier, omit),
        lambda: guarded(table, planned, rows=release.kept, omit=release.omitted(omit)),
    )
    st.caption(_guarded(found, guard=guard))

    button = partial(file_button, "download")

    def card(form: str) -> str:
        made = card_of_table(release, statements, title=title, omit=omit)
        return made.to_html() if form == "html" else made.to_json()

    kind = file_kind("same", table.container)
    with st.container(horizontal=True):
        button(
            "Download the table",
            lambda: release.file(kind, guard_formulas=guard, omit=omit),
            f"{stem}_privatized.{kind}",
            _SAME if kind == "csv" else "A file of the kind that was uploaded.",
            first=True,
        )
        if kind != "csv":
            button(
                "Download as CSV",
                lambda: release.csv(guard_formulas=guard, omit=omit),
                f"{stem}_privatized.csv",
                "A text that any program reads.",
            )
        button(
            "Download for Excel",
            lambda: release.csv(excel=True, guard_formulas=guard, omit=omit),
            f"{stem}_privatized_excel.csv",
            "UTF-8 with a byte order mark, so that letters come out right in Excel.",
        )
        if kind != "xlsx" and release.row_count <= _MOST_ROWS:
            button(
                "Download as .xlsx",
                lambda: release.file("xlsx", omit=omit),
                f"{stem}_privatized.xlsx",
                "A workbook of Excel with numbers, dates and texts. No text of it runs.",
            )
    if kind in NOT_KEPT:
        st.caption(f"The .{kind} file: {NOT_KEPT[kind]}")
    st.caption("To go with it; none of these holds a value of the table:")
    with st.container(horizontal=True):
        button(
            "Privacy card",
            lambda: card("html"),
            f"{stem}_card.html",
            "What was released and what is guaranteed, on one page to read or print.",
        )
        button("Card as data", lambda: card("json"), f"{stem}_card.json", "The same, for programs.")
        button(
            "Python script",
            lambda: script_of_table(release, guard_formulas=guard, omit=omit),
            f"{stem}_release.py",
            "Repeats this release with the same settings. New noise: a second spend.",
        )
        button(
            "Notebook",
            lambda: notebook_of_table(release, guard_formulas=guard, omit=omit),
            f"{stem}_release.ipynb",
            "The script step by step, to read and run in Jupyter.",
        )
        button(
            "Settings",
            lambda: settings_json(release, statements, omit),
            f"{stem}_settings.json",
            "Bounds, ε and shapes, to be read again.",
        )
    offer_a_larger_file(
        "privatize",
        lambda: settings_json(release, statements, omit),
        persons=release.plan.person is not None,
    )


def _guarded(found: int, *, guard: bool) -> str:
    """What the guard changes, counted in the file that is downloaded.

    >>> _guarded(0, guard=True), _guarded(1, guard=False)
    ('No cell of the file needs it.',
     '1 cell or name of the file starts so and stays as it came: a spreadsheet may run it.')
    """
    if not found:
        return "No cell of the file needs it."
    one = found == 1
    cells = "1 cell or name" if one else f"{found:,} cells or names"
    if guard:
        return (
            f"{cells} of the file {'gets' if one else 'get'} an apostrophe in front; all else in "
            "the columns without noise stays as it came."
        )
    return (
        f"{cells} of the file {'starts' if one else 'start'} so and "
        f"{'stays as it' if one else 'stay as they'} came: a spreadsheet may run "
        f"{'it' if one else 'them'}."
    )


def settings_json(
    release: TableRelease, statements: dict[int, Statement], omit: Collection[int] = ()
) -> str:
    """The plan of a release and how the table is read; no value of the table."""
    return to_json(TableSettings.of(release, statements, omit))
