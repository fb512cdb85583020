"""The files of a release. Each is written out from the stored values: pressing draws nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection

import streamlit as st

from compdp_core.release import TableRelease
from compdp_core.report import Statement, card_of_table, script_of_table
from compdp_core.report.settings import TableSettings, to_json
from compdp_core.tables.escaping import guarded
from pages.sections.privatize.omitted import ask_what_to_omit, omitted
from pages.sections.shared.upload import current
from pages.session.downloads import download
from pages.session.state import edits, memo


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

    def card(form: str) -> str:
        made = card_of_table(release, statements, title=title, omit=omit)
        return made.to_html() if form == "html" else made.to_json()

    with st.container(horizontal=True):
        _button(
            "Download the table",
            lambda: release.csv(guard_formulas=guard, omit=omit),
            f"{stem}_privatized.csv",
            "In the format of the upload: encoding, separator, decimal mark, line ends.",
            first=True,
        )
        _button(
            "Download for Excel",
            lambda: release.csv(excel=True, guard_formulas=guard, omit=omit),
            f"{stem}_privatized_excel.csv",
            "UTF-8 with a byte order mark, so that letters come out right in Excel.",
        )
    st.caption("To go with it; none of these holds a value of the table:")
    with st.container(horizontal=True):
        _button(
            "Privacy card",
            lambda: card("html"),
            f"{stem}_card.html",
            "What was released and what is guaranteed, on one page to read or print.",
        )
        _button(
            "Card as data", lambda: card("json"), f"{stem}_card.json", "The same, for programs."
        )
        _button(
            "Python script",
            lambda: script_of_table(release, guard_formulas=guard, omit=omit),
            f"{stem}_release.py",
            "Repeats this release with the same settings. New noise: a second spend.",
        )
        _button(
            "Settings",
            lambda: settings_json(release, statements, omit),
            f"{stem}_settings.json",
            "Bounds, ε and shapes, to be read again.",
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


def _button(
    label: str, content: Callable[[], str | bytes], name: str, help: str, *, first: bool = False
) -> None:
    ending = name.rpartition(".")[2]
    download(
        label,
        content,
        file_name=name,
        mime={"csv": "text/csv", "html": "text/html", "json": "application/json"}.get(
            ending, "text/plain"
        ),
        key=f"download-{label}",
        type="primary" if first else "secondary",
        help=help,
    )


def settings_json(
    release: TableRelease, statements: dict[int, Statement], omit: Collection[int] = ()
) -> str:
    """The plan of a release and how the table is read; no value of the table."""
    return to_json(TableSettings.of(release, statements, omit))
