"""What a page says of a file that is too large for it: the same work on the command line."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from compdp_core.tables.file_types import MAX_BYTES
from pages.sections.shared.command_line import LEDGER, Command, command_line, first_rows
from pages.sections.shared.upload import LARGER, current
from pages.sections.shared.uploaded_file import Upload
from pages.session.downloads import download
from pages.session.state import edits
from pages.shell.panels import drawer

ICON = ":material/terminal:"
LARGE, HEAD = "large.csv", "head.csv"
"""Stand for files that are not here."""
LINES = 10_001
"""Of the file on which settings are made: names and ten thousand rows."""
IN_PARTS = "The command line takes CSV of any size, on your own machine and with little memory."
IN_MEMORY = (
    f"The command line takes files of up to {MAX_BYTES / 2**30:.0f} GiB for {{}}, on your own "
    "machine."
)
WHAT: dict[Command, str] = {
    "privatize": "its columns, bounds and ε",
    "answer": "the question, its bounds and ε",
}
LAST: dict[Command, int] = {"privatize": 6, "answer": 5}
"""Number of the step that releases."""
AS_TEXT = (".csv", ".tsv", ".txt")
"""Endings of files that are read in parts, also packed with gzip."""
SAVE = "Save these settings"
ABOUT = (
    f"`compdp` comes with `pip install .`; in the app's own folder `python -m compdp_core` is the "
    f"same. `--dry-run` says cost and error and draws nothing. `{LEDGER}` is the ledger as saved "
    f"on the page Budget, or a new one: `compdp ledger new {LEDGER} --limit 2`."
)


def offer_the_first_rows(command: Command) -> None:
    """Beside the field for a file, which refuses one that is too large before it is sent."""
    limit = f"{st.get_option('server.maxUploadSize'):,} MB"
    drawer(
        f"larger.{command}",
        f"A table of more than {limit}",
        ICON,
        lambda: _by_its_first_rows(command, LARGE),
    )


def instead_of(command: Command, upload: Upload) -> None:
    """The way on where the reader refused the file for its size."""
    name = upload.base_name
    with st.expander("How to go on with a file of this size", icon=ICON, expanded=True):
        if not name.lower().removesuffix(".gz").endswith(AS_TEXT):
            st.markdown("Save the table as CSV first, for that is read in parts.")
            name = LARGE
        _by_its_first_rows(command, name)


def _by_its_first_rows(command: Command, name: str) -> None:
    with st.container(key=f"code-larger-{command}"):
        st.markdown(
            f"{_ability(command)} Its settings are made here, on the first rows.\n\n"
            "1. Copy the first rows into a file of their own, so or in an editor:"
        )
        st.code(first_rows(name, HEAD, LINES), language=None, wrap_lines=True)
        st.markdown(
            f"2. Open `{HEAD}` here and set {WHAT[command]}. In step {LAST[command]} choose "
            f"“{OFFER}” and save the settings. Nothing need be released for that.\n"
            "3. Let the command line do the whole file:"
        )
        settings = Upload(HEAD, b"", None).file_stem + "_settings.json"
        st.code(command_line(command, name, settings), language=None, wrap_lines=True)
        st.caption(ABOUT)


OFFER = "Run it on a larger file"


def offer_a_larger_file(
    command: Command, settings: Callable[[], str], *, persons: bool = False
) -> None:
    """The same settings for another file, before a release or after it; none holds a value.

    ``persons``: whether the settings say whose rows are one person's.
    """
    able = _ability(command, persons=persons)
    drawer(f"larger.{command}.run", OFFER, ICON, lambda: _for_another(command, settings, able))


def _ability(command: Command, *, persons: bool = False) -> str:
    if command == "answer":
        return IN_MEMORY.format("a statistic")
    return (
        IN_MEMORY.format("a table in which several rows are one person's") if persons else IN_PARTS
    )


def _for_another(command: Command, settings: Callable[[], str], able: str) -> None:
    upload = current()
    named, stem = (upload.base_name, upload.file_stem) if upload else (LARGE, "table")
    file = f"{stem}_settings.json"
    with st.container(key=f"code-larger-{command}"):
        st.markdown(
            f"{able} It uses the settings above on a file with the same columns, and "
            "that is a release of its own: save them, name the file and copy the command."
        )
        download(SAVE, settings, file, f"larger-{command}-settings")
        source = st.text_input("Name of the larger file", **edits(LARGER, named)).strip()
        st.code(command_line(command, source or named, file), language=None, wrap_lines=True)
        st.caption(ABOUT)
