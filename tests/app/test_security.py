"""What no page shows and no log tells, tried without a browser; with one: tests/browser."""

from __future__ import annotations

import asyncio
import io
import logging
import time
from collections.abc import AsyncGenerator, Iterator
from importlib import import_module
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers
from starlette.formparsers import MultiPartParser
from streamlit.runtime.state.session_state import WStates

from compdp_core.errors import CompdpError
from pages.charts.export import as_csv
from pages.inputs import links
from pages.sections.shared.uploaded_file import LONGEST_STEM, Upload
from pages.session import faults, fragments
from pages.session.state import kept
from pages.shell.upkeep import never_on_disk
from tests.app.driving import Driven

PAGES_WITH_LINKS = (
    "statistic", "read_release", "function_lab", "optimizer", "compare_mechanisms", "paper",
    "audit",
)  # fmt: skip
SECRET = "Quokkavalue 4711"


def logged(problem: Exception) -> str:
    """What any logger of this process writes about it."""
    written = io.StringIO()
    logger = logging.Logger("another library's")
    logger.addHandler(logging.StreamHandler(written))
    logger.error("Uncaught app execution", exc_info=problem)
    return written.getvalue()


def raised() -> Exception:
    try:
        try:
            int(SECRET)
        except ValueError as first:
            raise KeyError(SECRET) from first
    except KeyError as second:
        return second
    raise AssertionError


def test_no_logger_quotes_an_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    told = logged(raised())
    assert SECRET not in told
    assert told.splitlines()[1:2] == ["KeyError"]
    assert "ValueError" in told
    assert "in raised" in told
    # The broken twin: records as the standard library makes them.
    monkeypatch.setattr(logging, "_logRecordFactory", logging.LogRecord)
    assert SECRET in logged(raised())
    monkeypatch.undo()
    assert logging.getLogRecordFactory() is faults.WordlessRecord


async def uploaded(size: int) -> bool:
    """Whether the server's own reader of uploads went to the disk for a file of that size."""

    async def body() -> AsyncGenerator[bytes, None]:
        yield b'--x\r\nContent-Disposition: form-data; name="f"; filename="t.csv"\r\n\r\n'
        yield b"7" * size
        yield b"\r\n--x--\r\n"

    headers = Headers({"content-type": "multipart/form-data; boundary=x"})
    form = await MultiPartParser(headers, body()).parse()
    spooled: Any = form["f"].file  # type: ignore[union-attr]
    on_disk: bool = spooled._rolled
    spooled.close()
    return on_disk


def test_an_upload_stays_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    never_on_disk()
    assert not asyncio.run(uploaded(3_000_000))
    # The broken twin: as the framework comes.
    monkeypatch.setattr(MultiPartParser, "spool_max_size", 1024 * 1024)
    assert asyncio.run(uploaded(3_000_000))
    # The frame sees to that.
    Driven()
    assert MultiPartParser.spool_max_size > 10**9


def test_a_table_of_the_page_runs_in_no_spreadsheet() -> None:
    table = pd.DataFrame(
        {
            "=HYPERLINK(1)": ["=1+1", "+x", "-x", "@x", "\tx", "\rx", "-5", "+1e3", "plain"],
            "n": [-1.5, 2, 3, 4, 5, 6, 7, 8, 9],
        }
    )
    # A quoted cell may hold a carriage return: read it as any program would.
    back = pd.read_csv(io.BytesIO(as_csv(table)), encoding="utf-8-sig", lineterminator="\n")
    assert list(back.columns) == ["'=HYPERLINK(1)", "n"]
    assert list(back.iloc[:, 0]) == [
        "'=1+1", "'+x", "'-x", "'@x", "'\tx", "'\rx", "-5", "+1e3", "plain",
    ]  # fmt: skip
    assert list(back.n) == list(table.n)


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("class.csv", "class"),
        ("../../etc/passwd.csv", "passwd"),
        ("..\\..\\boot.ini.csv", "boot.ini"),
        ("/.csv", "table"),
        ("...csv.gz", "table"),
        ('a"b;c\r\nd: e.csv', "a_b;cd_ e"),
        ("\u202egnp.exe.csv", "gnp.exe"),
        ("Größe 表.csv", "Größe 表"),
        ("x" * 10_000 + ".csv", "x" * LONGEST_STEM),
    ],
)
def test_a_download_is_named_as_any_file_system_takes_it(name: str, stem: str) -> None:
    assert Upload(name, b"", None).file_stem == stem


@given(st.text(max_size=200))
def test_no_name_leads_out_of_the_folder(name: str) -> None:
    stem = Upload(name, b"", None).file_stem
    assert stem
    assert not set(stem) & set('/\\<>:"|?*\0\r\n')
    assert stem.strip(".") == stem


NASTY = [
    "", "0", "-0", "1e300", "1e999999999", "1e-999999999", "0e-999999999", "9" * 5000,
    "1." + "3" * 100_000, "nan", "-inf", "0x10", "[1,2]", "{}", "null", "\x00", "\u202e", "<b>",
    "=" * 10, ",,,", "a" * 1_000_000, "F1=1", "F1=v**9**9**9", "F1=" + "(" * 400 + "v" + ")" * 400,
    "F1=exp(exp(exp(exp(9*v))))", "F1=sin(1e9*v)+2", "F1=tan(1000*v)^2", "F1=1/(v-0.5)^2",
    "F1=" + "*".join(["sin(100*v)"] * 40) + "+2", "F1=points (0,1e308)(1,1e-308)",
    "F1=points " + "(0.5,1)" * 5000, "F1~points (nan,1)(1,1)", "G1=exp(-1e6*v^2)",
    "F1=abs(v-0.5)^0.001", "F1=step(v-0.3)-step(v-0.7)",
]  # fmt: skip


@pytest.fixture
def nobodys_session() -> Iterator[None]:
    """What is kept while no page runs, put back afterwards."""
    before = dict(kept())
    yield
    kept().clear()
    kept().update(before)


@pytest.mark.usefixtures("nobodys_session")
@pytest.mark.parametrize("page", PAGES_WITH_LINKS)
def test_no_setting_of_a_link_raises_or_lasts(page: str) -> None:
    """Each is read or refused in words; the refusal is told, whatever its default is."""
    refusals: list[str] = []
    settings = import_module(f"pages.sections.{page}.settings").SETTINGS
    start = time.process_time()
    for setting in settings:
        for text in NASTY:
            try:
                value = setting.read(text)
            except ValueError as refusal:
                refusals.append(str(refusal))
            else:
                assert len(setting.write(value)) < 20_000
        links.take(page, [setting], {setting.key: "\x00 no such thing \u202e"})
    assert refusals
    assert all(0 < len(each) < 3000 for each in refusals)
    # It takes 3 s at most; a bomb among them would take for ever.
    assert time.process_time() - start < 60


def test_a_refusal_in_a_callback_is_told_in_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody foresaw is tried in a browser, on the page that fails everywhere."""
    app = Driven()
    inner: Any = WStates.call_callback

    def refused(states: Any, widget: str) -> None:
        inner(states, widget)
        raise CompdpError("the number is too large: type a smaller one")

    monkeypatch.setattr(WStates, "call_callback", fragments.net(refused))
    monkeypatch.setattr(fragments, "guard_callbacks", lambda _: None)
    app.at.slider[0].set_value(40)
    app.run()
    assert app.messages("error") == ["The number is too large: type a smaller one."]
    monkeypatch.undo()
    app.run()
    assert not app.messages("error")
