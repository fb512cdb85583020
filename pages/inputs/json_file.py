"""A JSON file that someone opens: its bytes are taken once, and the next one can come at once."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.session.state import keep, recall


def json_file(
    name: str, label: str, take: Callable[[bytes], None], megabytes: int, help: str | None = None
) -> None:
    opened = f"{name}.files"
    key = f"{name}.file.{recall(opened, 0)}"

    def taken() -> None:
        file = st.session_state.get(key)
        if file is not None:
            keep(opened, recall(opened, 0) + 1)
            take(file.getvalue())

    st.file_uploader(
        label, type="json", key=key, max_upload_size=megabytes, help=help, on_change=taken
    )
