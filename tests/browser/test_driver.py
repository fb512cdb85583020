"""The driver sets what it says it sets, on a script with one widget of each kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser import server as server_module
from tests.browser.driver import AppPage
from tests.browser.server import Server

SCRIPT = """
import streamlit as st
st.title("One of each")
chosen = {
    "number": st.number_input("Number", value=1.0, format="%g"),
    "text": st.text_input("Text"),
    "slider": st.slider("Slider", 0.0, 5.0, 1.0, 0.5),
    "ends": st.slider("Ends", 0, 10, (2, 8)),
    "stop": st.select_slider("Stop", ["low", "middle", "high"]),
    "select": st.selectbox("Select", ["A1B1", "A1B2", "A2B1"]),
    "many": st.multiselect("Many", ["age", "age (years)", "height"]),
    "check": st.checkbox("Check"),
    "toggle": st.toggle("Toggle"),
    "radio": st.radio("Radio", ["keep", "drop"]),
    "presses": st.session_state.get("presses", 0),
}
file = st.file_uploader("Table")
chosen["file"] = (file.name, file.getvalue().decode()) if file else None
if st.button("Press"):
    st.session_state.presses = chosen["presses"] + 1
    st.rerun()
st.download_button("Take", b"a,b\\n1,2\\n", file_name="t.csv", on_click="ignore")
st.text(repr(chosen))
if chosen["text"] == "fall":
    raise RuntimeError("as asked")
if chosen["text"] == "ask outside":
    st.image("http://outside.invalid/picture.png")
    st.set_page_config(page_icon=":material/home:")
"""


@pytest.fixture(scope="module")
def each(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("script")
    script = folder / "one_of_each.py"
    script.write_text(SCRIPT, encoding="utf-8")
    with server_module.serving(script, folder) as server:
        yield server


def test_every_widget_takes_its_value(each: Server, open_window: Callable[..., AppPage]) -> None:
    app = open_window(each).open()
    app.number("Number", "2.5")
    app.text("Text", "hello")
    app.slider("Slider", 4.5)
    app.slider("Slider", 0.5)
    app.slider("Ends", 6, thumb=1)
    app.slider("Ends", 3)
    app.slider("Stop", "middle")
    app.select("Select", "A1B2")
    app.select_many("Many", ["age", "height"])
    app.check("Check")
    app.check("Toggle")
    app.check("Check", False)
    app.radio("Radio", "drop")
    app.press("Press")
    app.press("Press")
    app.upload("Table", "scores.csv", b"a\n1\n")
    expected = {
        "number": 2.5,
        "text": "hello",
        "slider": 0.5,
        "ends": (3, 6),
        "stop": "middle",
        "select": "A1B2",
        "many": ["age", "height"],
        "check": False,
        "toggle": True,
        "radio": "drop",
        "presses": 2,
        "file": ("scores.csv", "a\n1\n"),
    }
    expect(app.page.get_by_text(repr(expected), exact=True)).to_be_visible()
    assert app.download("Take") == ("t.csv", b"a,b\n1,2\n")
    assert app.exceptions() == []
    with pytest.raises(AssertionError, match=r"no stop at 0\.7"):
        app.slider("Slider", 0.7)
    with pytest.raises(AssertionError, match="no stop 'lower'"):
        app.slider("Stop", "lower")


def test_what_goes_wrong_is_seen(each: Server, open_window: Callable[..., AppPage]) -> None:
    app = open_window(each).open()
    assert app.complaints() == []
    app.text("Text", "fall")
    assert len(app.exceptions()) == 1
    assert "as asked" in each.log()
    # The settings keep an error's words, which may hold a private value, off the page.
    assert "as asked" not in app.page.content()

    app.text("Text", "ask outside")
    expect(app.page.get_by_test_id("stImage")).to_be_attached()
    app.page.wait_for_timeout(500)
    assert any("outside.invalid/picture.png" in text for text in app.complaints())
    # A named icon in the page's tab comes from a font service.
    assert any("home" in text and "gstatic" in text for text in app.complaints())
    app.page.evaluate("document.querySelector('h1').innerHTML = '<img src=x>'")
    rules = {violation["rule"] for violation in app.accessibility_violations()}
    assert "image-alt" in rules
    # All of this was asked for.
    app.outside_requests.clear()
    app.console_errors.clear()


def test_a_script_that_cannot_start_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "START_SECONDS", 0)
    with (
        pytest.raises(RuntimeError, match="did not start"),
        server_module.serving(tmp_path / "missing.py", tmp_path),
    ):
        raise AssertionError("never reached")


def test_the_server_sees_no_setting_of_the_test_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STREAMLIT_SERVER_MAX_UPLOAD_SIZE", "1")
    environment = server_module._clean_environment(tmp_path)
    assert not any(name.startswith("STREAMLIT") for name in environment)
    assert environment["HOME"] == str(tmp_path)
