"""The two sources of words: unpredictable and never shared, or reproducible and never released.

Every verdict that depends on chance fails without a fault with a probability below 1e-10: false
alarms of the whole module stay below 1e-9.
"""

from __future__ import annotations

import ast
import copy
import math
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import compdp_core
from compdp_core import CompositeMechanism, randomness
from compdp_core.errors import ParameterError
from compdp_core.randomness import (
    SeededSource,
    Source,
    SystemSource,
    Words,
    below,
    largest_fair,
)

FALSE_ALARM = 1e-10

SOURCES: list[Source] = [SystemSource(), SeededSource(20240501)]
BOTH = pytest.mark.parametrize("source", SOURCES, ids=lambda s: type(s).__name__)


# --- Whole numbers below a bound ---------------------------------------------------------------


class Written:
    """Words that were written before."""

    def __init__(self, *words: int) -> None:
        self.left = list(words)

    def words(self, count: int) -> Words:
        taken, self.left = self.left[:count], self.left[count:]
        return np.array(taken, dtype=np.uint64)


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 10, 2**32, 2**63 + 1, 2**64 - 1])
def test_every_number_below_a_bound_has_as_many_words(bound: int) -> None:
    fair = largest_fair(bound)
    assert (fair + 1) % bound == 0
    assert 2**64 - bound <= fair < 2**64
    bounds, most = np.full(3, bound, dtype=np.uint64), np.full(3, fair, dtype=np.uint64)
    # A word above is drawn again; the largest that is fair is the last number.
    above = min(fair + 1, 2**64 - 1)
    again = (fair,) if above > fair else ()
    found = below(bounds, most, Written(0, above, fair, *again))
    assert found.astype(np.uint64).tolist() == [0, bound - 1, bound - 1]


# --- Shape --------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("count", [0, 1, 2, 7, 1000, 2**16 + 1])
def test_as_many_words_as_asked_for(source: Source, count: int) -> None:
    words = source.words(count)
    assert words.shape == (count,)
    assert words.dtype == np.uint64


# --- Balance -------------------------------------------------------------------------------------


def worst_imbalance(words: Words) -> float:
    """Largest distance of any bit's share of ones from a half, in standard deviations.

    Of the 64 places, of the exclusive or of each word with the next (repeats, alternation), and
    of neighbouring bits of a word.
    """
    shifted = words[1:] ^ words[:-1]
    neighbours = words ^ (words >> np.uint64(1))
    worst = 0.0
    for sample, places in ((words, 64), (shifted, 64), (neighbours, 63)):
        bits = np.unpackbits(sample.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
        ones = bits.sum(axis=0)[:places]
        worst = max(worst, float(np.max(np.abs(2.0 * ones - sample.size)) / math.sqrt(sample.size)))
    return worst


LIMIT = math.sqrt(2.0 * math.log(2 * 191 / FALSE_ALARM))
"""Hoeffding: a share of ones misses a half by z deviations with probability below 2 exp(-z²/2),
191 shares together. Of 2^18 words a bit is seen to be off by 1.5 %."""

COUNT = 2**18


@BOTH
def test_bits_are_balanced(source: Source) -> None:
    assert worst_imbalance(source.words(COUNT)) < LIMIT


EVEN = np.uint64(0x5555555555555555)
SPOILED: dict[str, Callable[[Words], Words]] = {
    "one bit always set": lambda good: good | np.uint64(2**17),
    "one bit 2 % too often": lambda good: np.where(
        SystemSource().words(good.size) < np.uint64(int(0.04 * 2**64)),
        good | np.uint64(2**40),
        good,
    ),
    "63 bits": lambda good: good >> np.uint64(1),
    "every word twice": lambda good: np.repeat(good[: (good.size + 1) // 2], 2)[: good.size],
    "pairs of equal bits": lambda good: good & EVEN | ((good & EVEN) << np.uint64(1)),
    "counting": lambda good: np.arange(good.size, dtype=np.uint64),
}


@pytest.mark.parametrize("fault", SPOILED)
def test_unbalanced_words_are_found(fault: str) -> None:
    assert worst_imbalance(SPOILED[fault](SystemSource().words(COUNT))) > LIMIT


# --- The system's words are nobody else's ---------------------------------------------------------


def test_sources_share_nothing() -> None:
    """Two words of 64 random bits agree with probability 2^-64: no false alarm in 10^4 runs."""
    words = [w for _ in range(50) for w in SystemSource().words(4).tolist()]
    assert len(set(words)) == len(words)
    one = SystemSource()
    assert set(one.words(100).tolist()).isdisjoint(one.words(100).tolist())


def together(number: int, draw: Callable[[], list[int]]) -> list[list[int]]:
    """What so many threads draw, all at once."""
    start = threading.Barrier(number)

    def collect(_: int) -> list[int]:
        start.wait()
        return draw()

    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(collect, range(number)))


def test_threads_share_nothing() -> None:
    found = together(8, lambda: SystemSource().words(50).tolist())
    assert len({word for words in found for word in words}) == 8 * 50


# --- Shared by forks, threads and copies ---------------------------------------------------------
#
# Words are told apart by their values: n words of 64 random bits hold an equal pair with a
# probability below n² 2^-65. With at most 2^16 words in a test that is below 2^-33, once in 8.6e9
# runs.


class OfOneProcess:
    """A broken twin: the keystream alone, without a look at the process."""

    def __init__(self) -> None:
        self._stream = randomness._Keystream()

    def words(self, count: int) -> Words:
        return self._stream.words(count)


class ByNumberAlone(SystemSource):
    """A broken twin: looks at the number of the process, which systems use again."""

    def words(self, count: int) -> Words:
        if self._stream._owner[0] != os.getpid():
            self._stream = randomness._Keystream()
        return self._stream.words(count)


class Buffered:
    """A broken twin: words kept for later, handed out without a lock."""

    def __init__(self) -> None:
        self._kept, self._used = SystemSource().words(2**16), 0

    def words(self, count: int) -> Words:
        start = self._used
        time.sleep(0)  # as if another thread's turn came
        self._used = start + count
        return self._kept[start : start + count]


FORKED = """
import os, signal, sys, threading
from compdp_core import randomness
from tests.unit.test_randomness import ByNumberAlone, OfOneProcess, SystemSource
kind, shared, same_number = sys.argv[1], None, len(sys.argv) > 2
source = {"SystemSource": SystemSource, "OfOneProcess": OfOneProcess,
          "ByNumberAlone": ByNumberAlone}[kind]()
source.words(3)  # a key is there before the fork
if same_number:
    number = os.getpid()
    os.getpid = lambda: number  # what a system may do: the number is in use again
# A draw of another thread, never ended: its lock stays closed in the child.
stream = source._stream
held, done = threading.Event(), threading.Event()
def hold():
    with stream._lock:
        held.set()
        done.wait()
def child(depth):
    read, write = os.pipe()
    if os.fork() == 0:
        signal.alarm(20)  # a child that waits for the lock ends
        if depth:
            child(depth - 1)
        words = source.words(1000).tolist()
        with os.fdopen(write, "w") as out:
            out.write(repr(words))
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as found:
        print(found.read(), flush=True)
    os.wait()
if kind == "SystemSource":
    threading.Thread(target=hold, daemon=True).start()
    held.wait()
for depth in (0, 0, 1):
    child(depth)
done.set()
print(source.words(1000).tolist())
"""


def printed(*command: str) -> list[Any]:
    """What a script prints, line by line: in a process of its own, so that no test is forked."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=Path(compdp_core.__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return [ast.literal_eval(line) for line in done.stdout.splitlines()]


def forked_words(*arguments: str) -> list[list[int]]:
    """What three children, a grandchild and the process itself draw from one source."""
    return printed("-c", FORKED, *arguments)


def repeated(lists: list[list[int]]) -> int:
    """How many words were given out before."""
    words = [word for each in lists for word in each]
    return len(words) - len(set(words))


FORKS = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork processes")


@FORKS
@pytest.mark.parametrize("how", [(), ("same number",)], ids=["", "number used again"])
def test_a_forked_source_repeats_no_word(how: tuple[str, ...]) -> None:
    """Also while another thread is in the midst of a draw, and with a process number used again."""
    lists = forked_words("SystemSource", *how)
    assert [len(each) for each in lists] == [1000] * 5
    assert repeated(lists) == 0


@FORKS
@pytest.mark.parametrize("twin", [("OfOneProcess",), ("ByNumberAlone", "same number")])
def test_sources_that_a_fork_copies_are_found(twin: tuple[str, ...]) -> None:
    assert repeated(forked_words(*twin)) >= 3000


def test_looking_at_the_number_alone_is_not_enough_by_itself() -> None:
    """The twin is faulty by the number's second use and nothing else."""
    source = ByNumberAlone()
    assert repeated([source.words(100).tolist(), source.words(100).tolist()]) == 0


def test_a_fork_in_the_midst_of_a_draw_repeats_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a signal sets off may fork between the first look at the process and the words."""
    source = SystemSource()
    before = source._stream
    drawn: list[int] = []

    def forks(count: int) -> Words:
        words = type(before).words(before, count)
        drawn.extend(words.tolist())
        monkeypatch.setattr(randomness, "_forks", randomness._forks + 1)
        return words

    monkeypatch.setattr(before, "words", forks)
    mine = source.words(50).tolist()
    assert len(drawn) == 50
    assert repeated([drawn, mine]) == 0


def in_threads(source: Source) -> list[list[int]]:
    """What eight threads draw from one source, in turns as short as they get."""

    def draw() -> list[int]:
        counts = (1, 2, 3, 5, 8) * 40
        return [word for count in counts for word in source.words(count).tolist()]

    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        return together(8, draw)
    finally:
        sys.setswitchinterval(usual)


def test_threads_that_share_a_source_get_no_word_twice() -> None:
    lists = in_threads(SystemSource())
    assert [len(words) for words in lists] == [19 * 40] * 8
    assert repeated(lists) == 0


def test_threads_may_share_a_source_for_large_draws() -> None:
    """The cipher lets other threads run meanwhile, and refuses them: turns are taken around it."""
    source = SystemSource()
    found = together(4, lambda: source.words(2**20)[:100].tolist())
    assert [len(words) for words in found] == [100] * 4
    assert repeated(found) == 0


def test_a_source_without_turns_is_found() -> None:
    assert repeated(in_threads(Buffered())) > 0


def test_threads_take_turns() -> None:
    """A draw waits for the one that is under way, and gets words all the same."""
    source = SystemSource()
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.extend(source.words(4).tolist()))
    with source._stream._lock:
        thread.start()
        thread.join(0.1)
        assert thread.is_alive()
        assert not found
        assert source.words(4).size == 4  # the same thread again: a signal in the midst of a draw
    thread.join()
    assert len(found) == 4


COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{
        f"pickle {protocol}": lambda source, protocol=protocol: pickle.loads(  # type: ignore[misc]  # noqa: S301
            pickle.dumps(source, protocol)
        )
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
    },
}


@pytest.mark.parametrize("how", COPIES)
def test_a_copy_has_a_key_of_its_own(how: str) -> None:
    source = SystemSource()
    source.words(3)
    other = COPIES[how](source)
    assert isinstance(other, SystemSource)
    assert repeated([source.words(1000).tolist(), other.words(1000).tolist()]) == 0


def test_copied_keys_are_found() -> None:
    """A seeded source is made to be copied with its place: that is what a shared key looks like."""
    source = SeededSource(3)
    other = copy.deepcopy(source)
    assert repeated([source.words(1000).tolist(), other.words(1000).tolist()]) == 1000


def test_a_pickle_holds_no_secret() -> None:
    source = SystemSource()
    first = pickle.dumps(source)
    source.words(10)
    assert pickle.dumps(source) == pickle.dumps(SystemSource()) == first


FORKED_RELEASES = """
import os
from compdp_core import CompositeMechanism
from compdp_core.mechanisms.baselines import Laplace
mechanism, laplace = CompositeMechanism(1.0, (0, 1e6)), Laplace(1.0, (0, 1e6))
def released():
    return [mechanism.release([5.0] * 8).tolist(), laplace.release([5.0] * 8).tolist()]
released()  # whatever is made at first use is made before the fork
for _ in range(3):
    read, write = os.pipe()
    if os.fork() == 0:
        os.write(write, repr(released()).encode())
        os._exit(0)
    os.wait()
    print(os.read(read, 10_000).decode())
print(released())
"""


@FORKS
def test_releases_of_forked_processes_share_nothing() -> None:
    """Also of the mechanisms whose noise another library draws. Eight releases agree pairwise with
    probability below (1e-5)^8: no false alarm."""
    lists = printed("-W", "error", "-c", FORKED_RELEASES)
    assert len(lists) == 4
    for kind in (0, 1):
        assert len({tuple(each[kind]) for each in lists}) == 4


# --- The seeded words are always the same ---------------------------------------------------------


def test_a_seed_fixes_everything() -> None:
    assert np.array_equal(SeededSource(7).words(1000), SeededSource(7).words(1000))
    split = SeededSource(7)
    assert np.array_equal(np.r_[split.words(300), split.words(700)], SeededSource(7).words(1000))
    assert not np.array_equal(SeededSource(7).words(10), SeededSource(8).words(10))


def test_seeded_words_are_those_of_a_published_generator() -> None:
    """Philox 4x64 as numpy seeds it, which keeps its bit streams from version to version."""
    assert SeededSource(0).words(3).tolist() == np.random.Philox(0).random_raw(3).tolist()
    generator = np.random.Generator(np.random.Philox(5))
    expected = generator.integers(0, 2**64, 4, dtype=np.uint64, endpoint=False)
    assert SeededSource(5).words(4).tolist() == expected.tolist()


@pytest.mark.parametrize(
    "seed", [-1, 1.5, -0.5, "1", "a", None, True, math.nan, math.inf, [1], 1j, 10**400]
)
def test_seeds_are_whole_numbers(seed: object) -> None:
    with pytest.raises(ParameterError, match=r"^seed must be a whole number of at least 0"):
        SeededSource(seed)  # type: ignore[arg-type]


# --- Nobody draws from anywhere else --------------------------------------------------------------

LIBRARY = Path(compdp_core.__file__).parent
PROCESS_WIDE = {
    "seed", "rand", "randn", "randint", "random", "random_sample", "choice", "shuffle", "normal",
    "uniform", "laplace", "exponential", "permutation", "get_state", "set_state", "geometric",
}  # fmt: skip


def shared_generators(source: str) -> list[str]:
    """Uses of generators that the whole process shares, or seeded by nobody."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names]
            module = node.module if isinstance(node, ast.ImportFrom) else None
            if ("random" in names and module is None) or module in ("random", "numpy.random"):
                found.append(f"import {module or 'random'}")
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute):
            if node.value.attr == "random" and node.attr in PROCESS_WIDE:
                found.append(ast.unparse(node))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("default_rng"):
            if not node.args and not node.keywords:
                found.append(ast.unparse(node))
        if isinstance(node, ast.keyword) and node.arg == "random_state":
            found.append("random_state")
    return found


def test_no_generator_is_shared_by_the_process() -> None:
    modules = list(LIBRARY.rglob("*.py"))
    assert len(modules) > 20
    assert {
        str(path): uses
        for path in modules
        if (uses := shared_generators(path.read_text(encoding="utf-8")))
    } == {}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import random", True),
        ("from random import gauss", True),
        ("from numpy.random import laplace", True),
        ("import numpy as np\nnp.random.laplace(0, 1)", True),
        ("import numpy as np\nnp.random.seed(0)", True),
        ("import numpy as np\nnp.random.default_rng()", True),
        ("scipy.stats.norm.rvs(random_state=None)", True),
        ("import numpy as np\nnp.random.default_rng(7)", False),
        ("import numpy as np\nnp.random.Philox(7)", False),
        ("from compdp_core.randomness import SystemSource", False),
    ],
)
def test_the_search_finds_what_it_should(source: str, found: bool) -> None:
    assert bool(shared_generators(source)) is found


def test_the_process_wide_generator_is_left_alone() -> None:
    """Neither release nor simulation moves numpy's shared state, and it makes no release again.

    Two draws of 100 values out of 40,000 points agree with probability below 10^-400.
    """
    mechanism = CompositeMechanism(1.0, (0, 1))
    values = np.linspace(0, 1, 100)
    state: Any = np.random.get_state()  # noqa: NPY002
    one = mechanism.release(values)
    mechanism.simulate(values, seed=1)
    after: Any = np.random.get_state()  # noqa: NPY002
    assert state[1].tolist() == after[1].tolist()
    np.random.set_state(state)  # noqa: NPY002
    assert not np.array_equal(one, mechanism.release(values))
