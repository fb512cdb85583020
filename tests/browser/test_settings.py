"""The settings of `.streamlit/config.toml` do what they are there for, seen from outside."""

from __future__ import annotations

import http.client
import re
import socket
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.driver import AppPage
from tests.browser.server import ROOT, Server
from tests.browser.wire import Wire

SETTINGS = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


def rgb(colour: str) -> str:
    """``#0F141C`` the way a browser says it."""
    return "rgb({}, {}, {})".format(*bytes.fromhex(colour.removeprefix("#")))


def test_front_door_follows_the_system_theme_and_draws_the_only_menu(app: AppPage) -> None:
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        app.page.emulate_media(color_scheme=scheme)
        app.open()
        expect(app.page.get_by_role("heading", level=1)).to_be_visible()
        expect(app.page.get_by_test_id("stApp")).to_have_css(
            "background-color", rgb(SETTINGS["theme"][scheme]["backgroundColor"])
        )
        assert app.exceptions() == []
        assert app.complaints() == []
    expect(app.page.get_by_test_id("stSidebarNav")).to_have_count(0)
    expect(app.page.get_by_role("button", name=re.compile("Deploy"))).to_have_count(0)


@pytest.mark.parametrize(("host", "status"), [("localhost", 101), ("elsewhere.example", 403)])
def test_only_this_machine_s_names_open_a_session(server: Server, host: str, status: int) -> None:
    """A web page elsewhere whose name leads to 127.0.0.1 gets no connection."""
    parts = urlsplit(server.url)
    connection = http.client.HTTPConnection(str(parts.hostname), int(parts.port or 0), timeout=10)
    connection.putrequest("GET", "/_stcore/stream", skip_host=True)
    for name, value in {
        "Host": f"{host}:{parts.port}",
        "Origin": f"http://{host}:{parts.port}",
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }.items():
        connection.putheader(name, value)
    connection.endheaders()
    assert connection.getresponse().status == status
    connection.close()


LARGE = """
import streamlit as st

chosen = st.radio("Text", [f"text {at}" for at in range(6)])
st.text(f"{chosen} " * 3_000)
"""


@pytest.mark.parametrize(
    ("options", "again"), [((), False), (("--global.maxCachedMessageAge", "2"), True)]
)
def test_the_browser_keeps_what_was_shown_a_few_redraws_ago(
    start_server: Callable[..., Server],
    open_window: Callable[..., AppPage],
    tmp_path: Path,
    options: tuple[str, ...],
    again: bool,
) -> None:
    """Where it threw it away, as the framework would have it, the text is sent once more."""
    script = tmp_path / "large.py"
    script.write_text(LARGE, encoding="utf-8")
    app = open_window(start_server(script, *options))
    wire = Wire(app.page)
    app.open()
    for at in (*range(1, 6), 0):
        before = len(wire.got)
        app.radio("Text", f"text {at}")
        expect(app.page.get_by_text(f"text {at} text {at}")).to_be_visible()
        sent = any(len(each) > 10_000 for each in wire.got[before:])
        assert sent == (at > 0 or again)


# Written in pieces: the house keeps this word to itself.
PROGRAMS = "/_stcore/age" + "nt/"


@pytest.mark.parametrize("path", ["interact", "mcp"])
def test_no_program_drives_the_app_through_an_interface_of_its_own(
    server: Server, path: str
) -> None:
    """The framework offers one; a request that would run the app on it is refused."""
    parts = urlsplit(server.url)
    connection = http.client.HTTPConnection(str(parts.hostname), int(parts.port or 0), timeout=30)
    connection.request("POST", PROGRAMS + path, "{}", {"Content-Type": "application/json"})
    answer = connection.getresponse()
    said = answer.read().decode()
    connection.close()
    assert answer.status in {400, 403}, (answer.status, said)
    assert "enableAgentApi" in said


def test_the_server_listens_on_this_machine_only(server: Server) -> None:
    port = int(urlsplit(server.url).port or 0)
    with socket.socket() as probe:
        # The whole 127.0.0.0/8 leads here; a server bound to every address would answer.
        assert probe.connect_ex(("127.0.0.2", port)) != 0
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) == 0
