"""One person's way through Privatize, and whether what came back is theirs alone and right."""

from __future__ import annotations

import csv
import io
import json
import math
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

from tests.benchmarks.visitor import VisitError, Visitor, timed

UPLOAD = "Your table: CSV, Excel, OpenDocument, Parquet, JSON lines, Stata or SPSS, also zipped"
EPSILON = ("0.5", "1", "2.5", "4")
FILE = "grades.csv"
LEAST_SEEN = 20
"""A whole visit shows its own mark more often than this; fewer, and nothing was looked at."""
FALSE_ALARM = 1e-12
"""Chance that a right download is called wrong, by Hoeffding's inequality."""
MARK = re.compile(rb"canary[0-9a-f]{12}")


class MixedError(VisitError):
    """Something of another visitor was shown."""


@dataclass
class Canary:
    """Looks for the marks of all visitors in everything that one of them receives."""

    own: bytes
    seen: int = 0

    def watch(self, data: bytes) -> None:
        for mark in MARK.findall(data):
            if mark != self.own:
                raise MixedError(f"{self.own.decode()} was shown {mark.decode()}")
            self.seen += 1


@dataclass
class Person:
    """A table like no other, under a name like all others: its points lie about ``level``."""

    number: int
    rows: int = 400
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.number)
        self.canary = Canary(b"canary%012x" % (0x5EED_0000 + self.number))
        self.level = 5.0 + 10.0 * (self.number % 10)
        self.epsilon = self.chance.choice(EPSILON)
        self.points = [
            min(100.0, max(0.0, round(self.chance.gauss(self.level, 4), 1)))
            for _ in range(self.rows)
        ]

    @property
    def mark(self) -> str:
        return self.canary.own.decode()

    @property
    def column(self) -> str:
        return f"points {self.mark}"

    def table(self) -> bytes:
        lines = [f"who,{self.column},note"]
        lines += [f"{self.mark}-{i:04d},{p},n{i}" for i, p in enumerate(self.points)]
        return ("\r\n".join(lines) + "\r\n").encode()


def check(person: Person, downloaded: bytes, card: bytes) -> None:
    """The file is this person's, whole, with noise in one column and within its bounds."""
    if not downloaded.count(person.canary.own) == person.rows + 1:
        raise MixedError("the file does not hold the own mark once a row")
    (said,) = json.loads(card)["items"]
    if (said["name"], said["epsilon"]) != (person.column, person.epsilon):
        raise VisitError(f"the card tells of {said['name']} and ε = {said['epsilon']}")
    low, high = (said["outputs"][end] for end in ("lower", "upper"))
    rows = list(csv.reader(io.StringIO(downloaded.decode(), newline="")))
    was = list(csv.reader(io.StringIO(person.table().decode(), newline="")))
    if [(row[0], row[2]) for row in rows] != [(row[0], row[2]) for row in was]:
        raise VisitError("columns that were not privatized came back changed")
    released = [float(row[1]) for row in rows[1:]]
    if not all(low <= value <= high for value in released):
        raise VisitError(f"a released value lies outside {low} … {high}")
    if sum(a == b for a, b in zip(released, person.points, strict=True)) > person.rows / 4:
        raise VisitError("the column came back without noise")
    reach = (high - low) * math.sqrt(math.log(2 / FALSE_ALARM) / (2 * person.rows))
    off = sum(released) / person.rows - sum(person.points) / person.rows
    if not abs(off) <= reach:
        raise VisitError(f"the mean of the released column is off by {off:.1f}")


async def _release(visitor: Visitor) -> None:
    await visitor.press("Release")
    await visitor.until(
        lambda: any(text.startswith("Released at") for text in visitor.texts("alert")),
        "the release",
    )


async def no_pause() -> None:
    """For who needs no time to think."""


@asynccontextmanager
async def visit(
    person: Person,
    url: str,
    times: dict[str, list[float]] | None = None,
    think: Callable[[], Awaitable[None]] = no_pause,
) -> AsyncIterator[Visitor]:
    """Load, upload, choose, set, move sliders, release; leave when the block is left."""
    times = {} if times is None else times
    visitor = Visitor(url, person.canary.watch)
    try:
        with timed(times, "load the page"):
            await visitor.arrive("privatize")
        true_value = "True value, between your bounds"
        steps: list[tuple[str, Callable[[], Awaitable[None]]]] = [
            ("upload", lambda: visitor.upload(UPLOAD, FILE, person.table())),
            ("choose a column", partial(visitor.choose, "Columns to privatize", [person.column])),
            *(
                ("set a bound", partial(visitor.type, f"{end} bound, {person.column}", value))
                for end, value in (("Lower", "0"), ("Upper", "100"))
            ),
            ("set ε", partial(visitor.type, "ε, exactly", person.epsilon)),
            *(
                ("move the true value", partial(visitor.slide, true_value, at))
                for at in [person.chance.randrange(0, 101, 2) for _ in range(3)]
            ),
            ("move ε", partial(visitor.slide, "Privacy budget ε for one row", person.epsilon)),
            ("release", partial(_release, visitor)),
        ]
        for what, act in steps:
            await think()
            with timed(times, what):
                await act()
        await think()
        yield visitor
    finally:
        # What was seen and must not be comes out here, in place of what followed from it.
        await visitor.leave()


async def journey(
    person: Person, url: str, times: dict[str, list[float]], think: Callable[[], Awaitable[None]]
) -> Visitor:
    """A whole visit, with its downloads and all checks."""
    async with visit(person, url, times, think) as visitor:
        with timed(times, "download"):
            downloaded = await visitor.download("Download the table")
        again = await visitor.download("Download the table")
        card = await visitor.download("Card as data")
        await think()
    if again != downloaded:
        raise VisitError("a second download of the same release differs")
    check(person, downloaded, card)
    if person.canary.seen - 2 * (person.rows + 1) < LEAST_SEEN:
        raise VisitError(f"the own mark was seen only {person.canary.seen} times")
    return visitor
