"""A class in one room: is every answer there once, how soon is it on the wall, what does it cost?

    python -m tests.benchmarks.rooms                 60 phones, each a window of a browser
    python -m tests.benchmarks.rooms --phones 200    200 phones without a browser
    python -m tests.benchmarks.rooms --browsers 5 --seconds 10

Phones arrive spread over a minute, read for a few seconds, add the noise, send, and stay; a
teacher's window, 1920 pixels wide, shows the wall alone. A phone in a browser has a window of 390
pixels and an empty cache, as one that never saw the program. One without a browser speaks the
framework's protocol: it draws from the lattice that the page got, and looks for the next question
as often as the page does, but fetches no scripts or styles.

Prints how many answers arrived, against the file that the teacher downloads; in how many of the
messages and addresses of all windows, or in the server's log, a true answer was found (only
browsers: the others have no page that it could leave); how long after a phone said "Received."
the wall showed as many answers, by the clock of both pages; response times; and what the server
used, with the phones' looks for another question apart from all else.

Ends with an error where an answer was lost or came twice, where a true answer was found, or where
the wall was more than two seconds late for more than 5 % of the answers. Browsers work on the same
machine, and to open one takes a core for seconds: no more of them come in at a time than there are
cores, so that sixty may take longer than they were asked to. On a busy machine it is they who make
times long, not the server.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import random
import re
import secrets
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from playwright.async_api import Browser, async_playwright, expect
from playwright.sync_api import sync_playwright

from compdp_core.intervals import Interval
from compdp_core.mechanisms.lattice import Lattice, Sampler
from compdp_core.mechanisms.lattice.runs import Runs
from compdp_core.randomness import SystemSource
from pages.rooms.room import MOST_ANSWERS
from tests.benchmarks.load import Memory, processor_seconds
from tests.benchmarks.visitor import PATIENCE, VisitError, Visitor
from tests.browser.driver import AppPage
from tests.browser.rooms import invited
from tests.browser.server import CHROMIUM_FLAGS, ROOT, Server, chromium, serving
from tests.browser.wire import Wire

PHONE, WALL = {"width": 390, "height": 844}, {"width": 1920, "height": 1080}
LATE, LATE_SHARE = 2.0, 0.05
THINK = (3.0, 8.0)
"""Seconds from the question to the answer, at least and most."""
IDLE, ALONE = 30.0, 20.0
"""Seconds for which the room rests with its phones, and the wall without them."""
AGAIN, TRIES = 5.0, 24
"""Seconds until a phone without a browser sends once more, as the page does; and how often."""
MINUS = "\N{MINUS SIGN}"

# Milliseconds since 1970, as all clocks here have them, at each number of answers on the wall.
_WATCH_WALL = """
() => {
  const seen = window.wallSeen = [];
  const look = () => {
    const shown = document.querySelector('.st-key-wall-figures [data-testid="stMetricValue"]');
    const count = Number(shown?.textContent ?? 0);
    if (count > (seen.at(-1)?.[1] ?? 0)) seen.push([Date.now(), count]);
  };
  new MutationObserver(look).observe(
    document.body, {subtree: true, childList: true, characterData: true});
}
"""
# When the button was pressed, and when the page said that the room has the answer.
_WATCH_PHONE = """
(button) => {
  const root = button.getRootNode(), moments = window.moments = {};
  button.addEventListener("click", () => { moments.left ??= Date.now(); }, {capture: true});
  new MutationObserver(() => {
    const said = root.querySelector(".state").textContent;
    if (said.startsWith("Received.")) moments.received ??= Date.now();
  }).observe(root, {subtree: true, childList: true, characterData: true});
}
"""


@dataclass
class Answer:
    """What left a phone, and when, in seconds since 1970."""

    value: Decimal
    left: float
    received: float


@dataclass
class Account:
    """What happened."""

    joining: list[float] = field(default_factory=list)
    there: list[float] = field(default_factory=list)
    """Moments from which each phone was there."""
    answers: list[Answer] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    sent_again: int = 0
    wires: list[Wire] = field(default_factory=list)
    true_answers: list[str] = field(default_factory=list)
    all_in: threading.Event = field(default_factory=threading.Event)
    """Every phone that could has answered."""
    over: threading.Event = field(default_factory=threading.Event)
    """They may leave."""


class Phone(Protocol):
    """A student's phone."""

    async def join(self) -> None: ...

    async def answer(self) -> Answer: ...


def true_answer() -> str:
    """With so many decimals that nothing else has them by chance."""
    decimals = secrets.randbelow(9 * 10**10) + 10**10
    return f"{random.uniform(10, 19):.0f}.{decimals}{random.choice('13579')}"


class BrowserPhone:
    """A window of a browser, with a cache of its own."""

    def __init__(self, browser: Browser, link: str, account: Account) -> None:
        self._browser, self._link, self._account = browser, link, account

    async def join(self) -> None:
        context = await self._browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE * 1000)
        self._page = await context.new_page()
        # The record is of both kinds of pages: they have these events in common.
        page: Any = self._page
        self._account.wires.append(Wire(page))
        await self._page.goto(self._link)
        self._button = self._page.get_by_role("button", name="Add noise and send")
        await self._button.wait_for()

    async def answer(self) -> Answer:
        truth = true_answer()
        self._account.true_answers.append(truth)
        await self._button.evaluate(_WATCH_PHONE)
        await self._page.get_by_label("Your answer", exact=True).fill(truth)
        await self._button.click()
        state = self._page.locator(".state")
        await expect(state).to_contain_text("Received.", timeout=PATIENCE * 1000)
        said = await self._page.locator(".released strong").inner_text()
        (value,) = re.findall(r"^-?[0-9.]+", said.replace(MINUS, "-"))
        moments = await self._page.evaluate("window.moments")
        return Answer(Decimal(value), moments["left"] / 1000, moments["received"] / 1000)


class PlainPhone:
    """A phone without a browser."""

    def __init__(self, url: str, link: str, account: Account) -> None:
        self._visitor, self._link, self._account = Visitor(url), link, account

    async def join(self) -> None:
        page, _, query = self._link.partition("?")
        await self._visitor.arrive(page.strip("/"), query)
        if not self._visitor.data("phone"):
            raise VisitError("the page asks no question")

    async def answer(self) -> Answer:
        question = self._visitor.data("phone")["question"]
        given = float(true_answer())
        value, ticket = draw(question, given), secrets.token_hex(16)
        sent = {"question": question["id"], "ticket": ticket, "value": str(value)}
        left = time.time()
        for attempt in range(TRIES):
            self._account.sent_again += attempt > 0
            await self._visitor.trigger("phone", "answer", sent)
            if await self._visitor.sees(partial(self._has_word, ticket), AGAIN):
                break
        received = time.time()
        word = self._visitor.data("phone")["receipt"]
        if not word or word["state"] != "received":
            raise VisitError(f"an answer was not taken: {word}")
        return Answer(value, left, received)

    def _has_word(self, ticket: str) -> bool:
        word = self._visitor.data("phone").get("receipt")
        return word is not None and word["ticket"] == ticket

    async def leave(self) -> None:
        await self._visitor.leave()


def draw(question: dict[str, Any], value: float) -> Decimal:
    """The noisy answer, from what the page was handed and nothing else."""
    given = question["lattice"]
    base, activation = (
        Runs.mirrored(half["lengths"], [int(each) for each in half["weights"]])
        for half in (given["base"], given["activation"])
    )
    inputs = Interval(float(question["low"]), float(question["high"]))
    lattice = Lattice(base, activation, given["first"], given["exponent"], inputs)
    (drawn,) = Sampler(lattice).draw(np.array([value]), SystemSource()).tolist()
    return Decimal(f"{drawn:.{question['decimals']}f}") + 0


@asynccontextmanager
async def browser_phones(link: str, account: Account, count: int) -> AsyncIterator[Sequence[Phone]]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium(), args=list(CHROMIUM_FLAGS)
        )
        yield [BrowserPhone(browser, link, account) for _ in range(count)]
        await browser.close()


@asynccontextmanager
async def plain_phones(
    url: str, link: str, account: Account, count: int
) -> AsyncIterator[Sequence[Phone]]:
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(32))
    phones = [PlainPhone(url, link, account) for _ in range(count)]
    yield phones
    await asyncio.gather(*(phone.leave() for phone in phones))


async def attend(account: Account, phones: Sequence[Phone], seconds: float, at_once: int) -> None:
    """All come, so many of them at a time, answer, and stay until it is over."""
    door = asyncio.Semaphore(at_once)

    async def one(phone: Phone, after: float) -> None:
        await asyncio.sleep(after)
        try:
            async with door:
                begun = time.time()
                await phone.join()
                account.there.append(time.time())
                account.joining.append(account.there[-1] - begun)
            await asyncio.sleep(random.uniform(*THINK))
            account.answers.append(await phone.answer())
        except Exception as problem:
            account.errors.append(f"{type(problem).__name__}: {problem}")

    await asyncio.gather(
        *(one(phone, seconds * place / len(phones)) for place, phone in enumerate(phones))
    )
    account.all_in.set()
    await asyncio.to_thread(account.over.wait)


@contextmanager
def teaching(server: Server, home: Path) -> Iterator[tuple[AppPage, Wire]]:
    """A teacher's window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=list(CHROMIUM_FLAGS), downloads_path=home
        )
        context = browser.new_context(viewport=WALL)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE * 1000)
        teacher = AppPage(context, server.url)
        yield teacher, Wire(teacher.page)
        browser.close()


@dataclass
class Measured:
    """Of the server: processor seconds and seconds by the clock of each part, memory in MB."""

    busy: dict[str, float] = field(default_factory=dict)
    took: dict[str, float] = field(default_factory=dict)
    memory: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def part(self, server: Server, name: str) -> Iterator[None]:
        begun, busy = time.monotonic(), processor_seconds(server)
        yield
        self.busy[name] = processor_seconds(server) - busy
        self.took[name] = time.monotonic() - begun

    def share(self, name: str) -> float:
        """Of a core."""
        return self.busy[name] / self.took[name]


def run(server: Server, home: Path, asked: argparse.Namespace) -> bool:
    """The whole lesson; whether all is well."""
    memory, measured, account = Memory(server), Measured(), Account()
    measured.memory["just started"] = memory.read()
    with teaching(server, home) as (teacher, wire), ThreadPoolExecutor(1) as beside:
        account.wires.append(wire)
        link = opened(teacher)
        measured.memory["with the wall"] = memory.read()
        running = beside.submit(asyncio.run, lesson(server.url, link, account, asked))
        try:
            with measured.part(server, "in class"):
                rest_until(teacher, account.all_in, running)
            ended = time.time()
            with measured.part(server, "idle"):
                teacher.page.wait_for_timeout(IDLE * 1000)
            measured.memory["all there"] = memory.read()
        finally:
            account.over.set()
        while not running.done():
            teacher.page.wait_for_timeout(100)
        running.result()
        with measured.part(server, "the wall alone"):
            teacher.page.wait_for_timeout(ALONE * 1000)
        measured.memory["peak"] = memory.read("VmHWM")
        seen = [(at / 1000, count) for at, count in teacher.page.evaluate("window.wallSeen")]
        arrived = downloaded(teacher)
    print_use(measured, account, ended)
    good = [
        all_arrived(account, arrived, asked.browsers or asked.phones),
        none_true(account, server, asked.browsers),
        soon_on_the_wall(account, seen),
        no_complaints(account, server),
    ]
    return all(good)


async def lesson(url: str, link: str, account: Account, asked: argparse.Namespace) -> None:
    """The phones' side of it."""
    if asked.phones:
        phones = plain_phones(url, link, account, asked.phones)
    else:
        phones = browser_phones(url + link, account, asked.browsers)
    at_once = asked.phones or os.cpu_count() or 1
    async with phones as there:
        await attend(account, there, asked.seconds, at_once)


def opened(teacher: AppPage) -> str:
    """Open a room and let the window show its wall alone; the students' link."""
    teacher.open(f"/classroom?most={MOST_ANSWERS}")
    teacher.press("Open the room")
    link = invited(teacher)
    teacher.check("For the projector: the wall alone")
    teacher.page.evaluate(_WATCH_WALL)
    return link


def rest_until(teacher: AppPage, event: threading.Event, running: Future[None]) -> None:
    """Let the teacher's window go on meanwhile."""
    while not event.is_set():
        if running.done():
            running.result()
        teacher.page.wait_for_timeout(100)


def downloaded(teacher: AppPage) -> Counter[Decimal]:
    """The file of the answers."""
    teacher.check("For the projector: the wall alone", on=False)
    _, data = teacher.download("Answers (CSV)")
    return Counter(map(Decimal, data.decode().split()[1:]))


# What is said about it


def all_arrived(account: Account, arrived: Counter[Decimal], phones: int) -> bool:
    left = Counter(answer.value for answer in account.answers)
    lost, more = left - arrived, arrived - left
    print(
        f"answers: {phones} phones, {left.total()} left with a receipt, {arrived.total()} in the "
        f"file; lost {lost.total()}, twice or from nowhere {more.total()}"
        + (f"; sent again {account.sent_again} times" if account.sent_again else "")
    )
    return not lost and not more and left.total() == phones


def none_true(account: Account, server: Server, browsers: int) -> bool:
    if not browsers:
        print("true answers: not looked for without browsers")
        return True
    log = server.log()
    found = [
        truth
        for truth in account.true_answers
        if truth in log or any(wire.held(truth) for wire in account.wires)
    ]
    size = sum(len(each) for wire in account.wires for each in (*wire.sent, *wire.got))
    drawn = sum(
        any(wire.said(str(answer.value)) for wire in account.wires) for answer in account.answers
    )
    print(
        f"true answers found: {len(found)} of {len(account.true_answers)}, in {size / 1e6:.0f} MB; "
        f"noisy ones found: {drawn}"
    )
    return not found and drawn == len(account.answers)


def soon_on_the_wall(account: Account, seen: list[tuple[float, int]]) -> bool:
    """How long after so many answers were received, or had left, the wall showed as many."""

    def waits(moments: list[float]) -> list[float]:
        shown = [
            next((at for at, count in seen if count >= number), math.inf)
            for number in range(1, len(moments) + 1)
        ]
        return [max(0.0, at - moment) for at, moment in zip(shown, sorted(moments), strict=True)]

    answers = account.answers
    if not answers:
        return False
    late = waits([answer.received for answer in answers])
    share = sum(wait > LATE for wait in late) / len(late)
    line("joining", account.joining)
    line("from sent to received", [answer.received - answer.left for answer in answers])
    line("from sent to the wall", waits([answer.left for answer in answers]))
    line("from received to wall", late)
    print(f"the wall more than {LATE:g} s late: {share:.1%} of the answers")
    return share <= LATE_SHARE


def line(what: str, times: list[float]) -> None:
    times = sorted(times)
    late = times[min(len(times) - 1, int(0.95 * len(times)))]
    print(
        f"{what:22} {len(times):4} times   median {statistics.median(times):6.3f} s   "
        f"95 % {late:6.3f} s   most {times[-1]:6.3f} s"
    )


def print_use(measured: Measured, account: Account, ended: float) -> None:
    """What the server used. A phone's looks for another question cost what the idle phones cost."""
    phones = max(1, len(account.there))
    wall = measured.share("the wall alone")
    each = (measured.share("idle") - wall) / phones
    looks = each * sum(ended - moment for moment in account.there)
    busy, took = measured.busy["in class"], measured.took["in class"]
    print(
        f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n"
        f"processor of the server: {busy:.1f} s in {took:.0f} s of class ({busy / took:.2f} of a "
        f"core), {busy / phones:.3f} s a phone; without looks and the idle wall "
        f"{(busy - looks - wall * took) / phones:.3f} s a phone\n"
        f"idle: {measured.share('idle'):.3f} of a core with {phones} phones and the wall, "
        f"{wall:.3f} with the wall alone; {1000 * each:.2f} ms a phone and second\n"
        f"memory: {', '.join(f'{name} {mb:.0f} MB' for name, mb in measured.memory.items())}; "
        f"{(measured.memory['all there'] - measured.memory['with the wall']) / phones:.2f} MB a "
        "phone"
    )


def no_complaints(account: Account, server: Server) -> bool:
    problems = re.findall(r"Traceback|ERROR|Exception", server.log())
    print(f"errors of phones: {len(account.errors)}; complaints in the log: {len(problems)}")
    for text in account.errors[:10]:
        print(f"  {text}")
    if problems:
        print(server.log()[-3000:])
    return not account.errors and not problems


def main() -> int:
    words = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    kinds = words.add_mutually_exclusive_group()
    kinds.add_argument("--browsers", type=int, default=0, help="60, unless there are --phones")
    kinds.add_argument("--phones", type=int, default=0, help="without a browser")
    words.add_argument("--seconds", type=float, default=60, help="over which they arrive")
    asked = words.parse_args()
    if not asked.phones:
        asked.browsers = asked.browsers or 60
    if not 0 < asked.browsers + asked.phones <= MOST_ANSWERS:
        words.error(f"1 to {MOST_ANSWERS} of them")
    with (
        tempfile.TemporaryDirectory() as home,
        serving(ROOT / "app.py", Path(home)) as server,
    ):
        return 0 if run(server, Path(home), asked) else 1


if __name__ == "__main__":
    sys.exit(main())
