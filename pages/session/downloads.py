"""A file to download, made when it is asked for, and there until it was fetched.

Left alone, the framework makes the file and forgets to whom it belongs. What two other people's
pages finish drawing in the moment before the browser fetches it takes it away, and the download
ends as "file not found". So the file is entered under the session that asked, until its next run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.session.framework import hold_file


def download(
    label: str, content: Callable[[], str | bytes], *, file_name: str, mime: str, key: str,
    icon: str = ":material/download:", **looks: Any,
) -> None:  # fmt: skip
    """A download button. The content is made at every press, so it must never draw noise."""
    st.download_button(
        label,
        _held(content, file_name, mime, key),
        file_name=file_name,
        mime=mime,
        key=key,
        on_click="ignore",
        icon=icon,
        **looks,
    )


def _held(
    content: Callable[[], str | bytes], file_name: str, mime: str, key: str
) -> Callable[[], bytes]:
    hold = hold_file(f"held.{key}")

    def made() -> bytes:
        text = content()
        data = text.encode() if isinstance(text, str) else text
        hold(data, mime, file_name)
        return data

    return made
