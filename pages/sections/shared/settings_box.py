"""Open the settings of an earlier release, on the page that can ask for it once more."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from compdp_core.report.settings import StatisticSettings, TableSettings
from compdp_core.report.settings_reading import from_json
from compdp_core.tables import Table
from pages.session.state import keep, recall
from pages.shell.panels import drawer
from pages.text.wording import literal

MOST_NOTICES = 20
Kind = TypeVar("Kind", bound=TableSettings | StatisticSettings)
Take = Callable[[Table, bytes], list[str]]
"""Sets what a file says, and tells what had to be left out."""


def settings_box(name: str, table: Table, take: Take) -> None:
    drawer(
        name,
        "Open the settings of an earlier release",
        ":material/upload_file:",
        lambda: _uploader(table, name, take),
    )
    notices = recall(f"{name}.notices", [])
    # What one table lacks says nothing about the next.
    if notices and recall(f"{name}.table") == table.fingerprint:
        with st.container(horizontal=True, vertical_alignment="center"):
            shown = list(map(literal, notices))
            if len(shown) > MOST_NOTICES:
                left_out = f"And {len(shown) - MOST_NOTICES} more."
                shown = [*shown[: MOST_NOTICES - 1], left_out, shown[-1]]
            st.warning("  \n".join(shown), icon=":material/rule:")
            st.button("Dismiss", key=f"{name}.dismiss", on_click=keep, args=(f"{name}.notices", []))


def _uploader(table: Table, name: str, take: Take) -> None:
    key = f"{name}.file.{recall(f'{name}.files', 0)}"
    st.file_uploader(
        "Settings file",
        type="json",
        key=key,
        max_upload_size=2,
        help="The file “Settings” beside a release. It holds no value of a table.",
        on_change=_take,
        args=(table, key, name, take),
    )


def _take(table: Table, key: str, name: str, take: Take) -> None:
    file = st.session_state.get(key)
    if file is not None:
        keep(f"{name}.files", recall(f"{name}.files", 0) + 1)
        keep(f"{name}.notices", take(table, file.getvalue()))
        keep(f"{name}.table", table.fingerprint)


def opened(
    document: bytes, kind: type[Kind], elsewhere: str, advice: str
) -> tuple[Kind | None, list[str]]:
    """The settings if the file holds that kind of them, and what is to be said of it.

    Where nothing can be taken, that comes first and the way out last. `elsewhere` says what the
    file holds if it is for the other page.
    """
    reading = from_json(document)
    if isinstance(reading.settings, kind):
        return reading.settings, list(reading.notices)
    others = [] if reading.settings is None else [elsewhere]
    return None, [*others, *reading.notices, advice]
