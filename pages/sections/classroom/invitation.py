"""How to come into a room: address, code and QR code."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from urllib.parse import urlencode, urlsplit, urlunsplit

import segno
import streamlit as st

from pages.rooms.codes import spoken
from pages.rooms.registry import Course
from pages.rooms.room import Room
from pages.session import faults
from pages.session.state import edits, recall
from pages.shell.page_list import page
from pages.text.wording import literal

ADDRESS = "classroom.address"
"""Under which devices reach the program, where that is another than the teacher's own."""
_LOOK = Path(__file__).with_name("invitation.css")
EXAMPLE = "http://192.168.1.23:8501"
_ADDRESS = re.compile(r"https?://([\w.-]+|\[[0-9a-fA-F:]+\])(:[0-9]{1,5})?(/[\w./~-]*)?")
_HERE_ALONE = {"localhost", "127.0.0.1", "::1", "0.0.0.0"}


def base() -> str:
    """The address of the program, as devices open it, without a slash at its end."""
    return (_typed() or _own()).rstrip("/")


def _own() -> str:
    here = urlsplit(st.context.url or "http://localhost:8501/")
    return urlunsplit((here.scheme, here.netloc, here.path.rpartition("/")[0], "", ""))


def only_here() -> bool:
    """Whether no other device can open that address."""
    return (urlsplit(base()).hostname or "localhost") in _HERE_ALONE


def link(key: str, more: str) -> str:
    """The address of a page of the program, with what follows its path."""
    return f"{base()}{page(key).link}{more}"


def said(name: str, place: Room | Course) -> str:
    """What a link says so that it leads into a room or a session of the course."""
    return "?" + urlencode({name: f"{place.code}.{place.key}"})


def invitation(key: str, name: str, place: Room | Course) -> None:
    """The QR code with the whole link, and beside it what to type: `key` is the page to open."""
    whole = link(key, said(name, place))
    where = urlsplit(base())
    shown = f"{where.scheme}://{where.netloc}{where.path}{page(key).link}"
    picture = segno.make(whole, error="m").svg_data_uri(border=3, omitsize=True, light="#ffffff")
    st.html(_LOOK)
    st.html(
        # As a picture: the framework takes drawings out of HTML.
        f'<div class="invitation"><img alt="QR code of the link to the room" src="{picture}">'
        f"<div><p>Scan, or open</p><p class='where'>{escape(shown)}</p>"
        f"<p>and type</p><p class='code'>{escape(spoken(place.code))}</p></div></div>"
    )


def reachable() -> None:
    """Say where no device can open the address, and take another one."""
    if only_here():
        st.warning(
            f"Phones cannot open **{literal(base())}**: it means the device itself. Start the "
            "program so that your network reaches it (the lesson plan has the command), open this "
            "page under that address, or enter it here.",
            icon=":material/wifi_off:",
        )
    st.text_input(
        "Address that phones use",
        placeholder=_own(),
        autocomplete="off",
        help=f"Such as {EXAMPLE}. Left empty: the address of this page.",
        **edits(ADDRESS, ""),
    )
    if recall(ADDRESS, "").strip() and _typed() is None:
        faults.tell(f"That is no address: type one such as {EXAMPLE}, or leave it empty.")


def _typed() -> str | None:
    """The address that was typed, with its scheme; None where there is none, or none it is."""
    text = str(recall(ADDRESS, "")).strip()
    whole = text if "://" in text else f"http://{text}"
    return whole if _ADDRESS.fullmatch(whole) else None
