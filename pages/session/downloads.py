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

MIME = {
    "csv": "text/csv", "html": "text/html", "json": "application/json", "py": "text/plain",
    "ipynb": "application/x-ipynb+json",
    "svg": "image/svg+xml", "png": "image/png", "zip": "application/zip",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "ods": "application/vnd.oasis.opendocument.spreadsheet", "jsonl": "text/plain",
    "parquet": "application/octet-stream", "arrow": "application/octet-stream",
    "dta": "application/octet-stream", "sav": "application/octet-stream",
}  # fmt: skip
"""By the ending of a file's name."""


def download(
    label: str, content: Callable[[], str | bytes], name: str, key: str = "", **looks: Any
) -> None:
    """A download button. The content is made at every press, so it must never draw noise."""
    key, mime = key or f"file-{name}", MIME[name.rpartition(".")[2]]
    held = _held(content, name, mime, key)
    looks = {"icon": ":material/download:"} | looks
    st.download_button(label, held, name, mime, key, on_click="ignore", **looks)


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
