"""Many people at once on one server: errors, mixed results, response times, memory.

    python -m tests.benchmarks.load                         30 people for 5 minutes
    python -m tests.benchmarks.load --users 4 --seconds 20

Each person loads Privatize, uploads a table like no other under a name like all others, sets it
up with pauses to think, releases, downloads, checks that nothing of another was in any message or
file, and leaves; a new person takes the place. The scripts and styles of the page, the same for
all and kept by a browser, are not fetched.

Ends with an error where a visit failed or was mixed up with another, where the median of all
responses is above a second, or where, after the last session expired, the server needs over a
fifth more memory than before. Before means after a few warm-up visits: the first ones load
libraries that stay. Sessions expire after ten seconds here, in the app after the time that its
settings say.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

from tests.benchmarks.journey import MixedError, Person, journey
from tests.browser.server import ROOT, Server, serving

SLOWEST_MEDIAN = 1.0
MEMORY_SHARE = 0.2
WARM_UP = 6
EXPIRE_AFTER = 10
THINK = (2.0, 5.0)


@dataclass
class Account:
    """What happened."""

    times: dict[str, list[float]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    mixed: list[str] = field(default_factory=list)
    visits: int = 0
    received: int = 0
    seen: int = 0


async def people(url: str, users: int, until: float, think: tuple[float, float]) -> Account:
    """That many people at a time; whoever is there at the end finishes."""
    account = Account()
    numbers = iter(range(1, 1_000_000))
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(users + 4))

    async def place(position: int) -> None:
        pause = random.Random(position)

        async def pondering() -> None:
            await asyncio.sleep(pause.uniform(*think))

        # A class does not arrive within one millisecond.
        await asyncio.sleep(pause.uniform(0, think[1]))
        while True:
            person = Person(next(numbers))
            try:
                visitor = await journey(person, url, account.times, pondering)
                account.received += visitor.received
            except MixedError as problem:
                account.mixed.append(str(problem))
            except Exception as problem:
                account.errors.append(f"{type(problem).__name__}: {problem}")
            account.visits += 1
            account.seen += person.canary.seen
            if time.monotonic() >= until:
                return

    await asyncio.gather(*(place(i) for i in range(users)))
    return account


class Memory:
    """Resident memory of the server in MB, now and at its highest; Linux only."""

    def __init__(self, server: Server) -> None:
        self._status = Path(f"/proc/{server.process.pid}/status")

    def read(self, what: str = "VmRSS") -> float:
        if not self._status.exists():
            return float("nan")
        return int(re.findall(rf"{what}:\s+(\d+) kB", self._status.read_text())[0]) / 1e3


def processor_seconds(server: Server) -> float:
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def expired(url: str) -> None:
    """Wait until no session is left and the server had time to let go of them."""
    give_up = time.monotonic() + 60
    while b"active_sessions 0" not in _metrics(url) and time.monotonic() < give_up:
        time.sleep(1)
    time.sleep(EXPIRE_AFTER + 15)


def _metrics(url: str) -> bytes:
    with urlopen(f"{url}/_stcore/metrics?families=active_sessions", timeout=60) as answer:
        return bytes(answer.read())


def report(account: Account) -> float:
    """Print it; the median of all responses."""
    for what, times in account.times.items():
        print(f"{what:20} {len(times):6} times   {_spread(times)}")
    everything = [t for times in account.times.values() for t in times]
    print(f"{'all':20} {len(everything):6} times   {_spread(everything)}")
    visits = account.visits
    print(
        f"{visits} visits, {account.received / visits / 1e6:.2f} MB received a visit, "
        f"own marks seen {account.seen / visits:.0f} times a visit"
    )
    print(f"errors: {len(account.errors)}, mixed results: {len(account.mixed)}")
    for text in (account.errors + account.mixed)[:10]:
        print(f"  {text}")
    return statistics.median(everything)


def _spread(times: list[float]) -> str:
    times = sorted(times)
    late = times[min(len(times) - 1, int(0.95 * len(times)))]
    return (
        f"median {statistics.median(times):6.3f} s   95 % {late:6.3f} s   most {times[-1]:6.3f} s"
    )


def main() -> int:
    words = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    words.add_argument("--users", type=int, default=30)
    words.add_argument("--seconds", type=float, default=300)
    words.add_argument(
        "--think", type=float, nargs=2, default=THINK, help="pause, at least and most"
    )
    asked = words.parse_args()
    think = (asked.think[0], asked.think[1])
    with (
        tempfile.TemporaryDirectory() as home,
        serving(
            ROOT / "app.py", Path(home), "--server.disconnectedSessionTTL", str(EXPIRE_AFTER)
        ) as server,
    ):
        memory = Memory(server)
        fresh = memory.read()
        asyncio.run(people(server.url, WARM_UP, time.monotonic(), (0.1, 0.2)))
        expired(server.url)
        start, busy = memory.read(), processor_seconds(server)
        begun = time.monotonic()
        account = asyncio.run(people(server.url, asked.users, begun + asked.seconds, think))
        took, busy = time.monotonic() - begun, processor_seconds(server) - busy
        under_load = memory.read()
        expired(server.url)
        end, peak = memory.read(), memory.read("VmHWM")
        print(
            f"{asked.users} people at a time for {took:.0f} s, pauses {think[0]:g} to "
            f"{think[1]:g} s; load of the machine {os.getloadavg()[1]:.1f} on "
            f"{os.cpu_count()} cores; the server used {busy / took:.2f} of a core"
        )
        median = report(account)
        print(
            f"memory: just started {fresh:.0f} MB, after {WARM_UP} warm-up visits {start:.0f}, "
            f"peak {peak:.0f}, at the end of the load {under_load:.0f}, "
            f"after the sessions expired {end:.0f} ({end / start - 1:+.0%}); "
            f"{(peak - start) / asked.users:.1f} MB a person"
        )
        problems = re.findall(r"Traceback|ERROR|Exception", server.log())
        print(f"complaints in the log: {len(problems)}")
        if problems:
            print(server.log()[-3000:])
    good = not account.errors and not account.mixed and not problems and median < SLOWEST_MEDIAN
    # Where memory cannot be read it says nothing against the server.
    return 0 if good and not end > (1 + MEMORY_SHARE) * start else 1


if __name__ == "__main__":
    sys.exit(main())
