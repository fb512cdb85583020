"""Several people at once on one server: nothing mixed, nothing lost, nothing kept.

Short forms of `python -m tests.benchmarks.load`, without bounds on time. The visitors speak the
framework's protocol; no browser is needed.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.benchmarks.journey import Canary, MixedError, Person, check, visit
from tests.benchmarks.load import people
from tests.benchmarks.visitor import VisitError, Visitor
from tests.browser.server import ROOT, Server, serving

TWIN = """
import streamlit as st

@st.cache_resource
def shared():
    return {}

file = st.file_uploader("Table")
if file is not None:
    shared()["last"] = file.getvalue().decode()
st.text(shared().get("last", ""))
st.download_button("File", lambda: "made when asked for", file_name="f.txt", on_click="ignore")
st.button("Again")
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("server")
    with serving(ROOT / "app.py", home, "--server.disconnectedSessionTTL", "1") as running:
        yield running
        assert "Traceback" not in running.log(), running.log()


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """An app with two faults: one result for all, and downloads left to the framework."""
    home = tmp_path_factory.mktemp("twin")
    (home / "twin.py").write_text(TWIN, encoding="utf-8")
    with serving(home / "twin.py", home) as running:
        yield running


def uploaded_bytes(server: Server) -> int:
    with urlopen(f"{server.url}/_stcore/metrics?families=cache_memory_bytes", timeout=30) as answer:
        lines = answer.read().decode().splitlines()
    return sum(int(line.split()[-1]) for line in lines if "UploadedFileManager" in line)


def test_four_people_at_once_get_their_own_and_nothing_of_it_stays(server: Server) -> None:
    account = asyncio.run(people(server.url, 4, time.monotonic(), (0.0, 0.1)))
    assert not account.errors
    assert not account.mixed
    assert account.visits == 4
    assert account.seen > 4 * 20
    # Nobody comes any more, and still the sessions that are over give their uploads back.
    give_up = time.monotonic() + 60
    while uploaded_bytes(server) and time.monotonic() < give_up:
        time.sleep(0.2)
    assert not uploaded_bytes(server)


async def fetched_late(visitor: Visitor, other: Visitor, label: str) -> bytes:
    """A download whose browser is slow, while somebody else's page is drawn twice."""
    address = await visitor.ask_for(label)
    for _ in range(2):
        await other.redraw()
    return await visitor.fetch(address)


def test_a_download_is_there_until_it_was_fetched_whoever_else_is_at_work(server: Server) -> None:
    async def both() -> bytes:
        person, other = Person(1), Visitor(server.url)
        await other.arrive()
        async with visit(person, server.url) as visitor:
            data = await fetched_late(visitor, other, "Download the table")
        await other.leave()
        return data

    assert Person(1).canary.own in asyncio.run(both())


def test_left_to_the_framework_it_is_not(twin: Server) -> None:
    """Once this fails, pages/session/downloads.py is needed no longer."""

    async def both() -> bytes:
        visitor, other = Visitor(twin.url), Visitor(twin.url)
        await visitor.arrive()
        await other.arrive()
        try:
            return await fetched_late(visitor, other, "File")
        finally:
            await visitor.leave()
            await other.leave()

    with pytest.raises(HTTPError, match="404"):
        asyncio.run(both())


def test_a_result_of_another_is_noticed(twin: Server) -> None:
    async def both() -> None:
        first, second = Person(1), Person(2)
        one = Visitor(twin.url, first.canary.watch)
        await one.arrive()
        await one.upload("Table", "t.csv", first.table())
        assert first.canary.seen
        two = Visitor(twin.url, second.canary.watch)
        try:
            await two.arrive()
        finally:
            await one.leave()
            await two.leave()

    with pytest.raises(MixedError, match="was shown canary"):
        asyncio.run(both())


def noisy(person: Person) -> list[list[str]]:
    """The person's table as if released with noise of ±20."""
    rows = [line.split(",") for line in person.table().decode().splitlines()]
    return [rows[0]] + [
        [who, str(round(float(point) + 20 * (-1) ** i, 1)), note]
        for i, (who, point, note) in enumerate(rows[1:])
    ]


def written(rows: list[list[str]]) -> bytes:
    return "\r\n".join(",".join(row) for row in rows).encode() + b"\r\n"


def card(person: Person, **other: Any) -> bytes:
    item = {"name": person.column, "epsilon": person.epsilon,
            "outputs": {"lower": -60, "upper": 160}, **other}  # fmt: skip
    return json.dumps({"items": [item]}).encode()


def test_the_check_of_a_download_takes_the_right_one_and_no_wrong_one() -> None:
    person, other = Person(1), Person(2)
    rows = noisy(person)
    check(person, written(rows), card(person))
    with pytest.raises(MixedError):
        check(person, written(noisy(other)), card(person))
    with pytest.raises(VisitError, match="card tells"):
        check(person, written(rows), card(person, name=other.column))
    wrong = {
        "came back changed": [*rows[:-1], [*rows[-1][:2], "n"]],
        "came back changed ": [rows[0], rows[2], rows[1], *rows[3:]],
        "lies outside": [*rows[:-1], [rows[-1][0], "161", rows[-1][2]]],
        "without noise": [rows[0]]
        + [[r[0], str(p), r[2]] for r, p in zip(rows[1:], person.points, strict=True)],
        "is off by": [rows[0]] + [[who, "159", note] for who, _, note in rows[1:]],
    }
    for words, table in wrong.items():
        with pytest.raises(VisitError, match=words.strip()):
            check(person, written(table), card(person))
    canary = Canary(person.canary.own)
    canary.watch(b"..." + person.canary.own)
    with pytest.raises(MixedError):
        canary.watch(person.canary.own + b" " + other.canary.own)
