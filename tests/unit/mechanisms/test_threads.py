"""Many values on several threads: words of its own for each part, errors told, all drawn."""

from __future__ import annotations

import math
import os
import signal
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from compdp_core.mechanisms import threads
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.threads import MANY, PART, drawn_in_parts
from compdp_core.randomness import KeyedSource, SeededSource, Source, SystemSource, Words

FALSE_ALARM = 1e-10
SIZE = 4 * PART + 5


@pytest.fixture
def four_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "cores", lambda: 4)


def words_of(source: Source, size: int = SIZE) -> Words:
    """The word that each value gets, as a draw deals them out."""
    found = np.zeros(size, dtype=np.uint64)

    def draw(part: slice, own: Source) -> None:
        found[part] = own.words(part.stop - part.start)

    drawn_in_parts(draw, size, source, 2**15)
    return found


def repeated(words: Words) -> int:
    """How many words came before: of 2^18 fresh ones a single one with probability 2^-29."""
    return words.size - np.unique(words).size


# --- Words of their own ------------------------------------------------------------------------


@pytest.mark.usefixtures("four_cores")
def test_every_part_has_words_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """False alarm: two of 262,149 fresh words are equal with probability 2e-9. A broken twin, in
    which threads get copies of one source, repeats nearly all of them.
    """
    assert repeated(words_of(SystemSource())) == 0
    once = SystemSource().words(SIZE)

    class Copied(SystemSource):
        def __init__(self) -> None:
            self.at = 0

        def words(self, count: int) -> Words:
            self.at += count
            return once[self.at - count : self.at]

    waiting = threading.Barrier(4)

    def together(self: Any, source: Source) -> None:
        waiting.wait(20)  # Every thread takes at least one part.
        part = self._left.popleft()
        self._draw(part, source)
        self._done.append(part)
        waiting.wait(20)
        take(self, source)

    take = threads._Shared._take
    monkeypatch.setattr(threads._Shared, "_take", together)
    monkeypatch.setattr(threads, "SystemSource", Copied)
    shared = Copied()
    assert repeated(words_of(shared)) >= 3 * PART


@pytest.mark.usefixtures("four_cores")
@pytest.mark.parametrize(
    "made",
    [lambda: SeededSource(3), lambda: KeyedSource(bytes(32), b"here")],
    ids=["seeded", "keyed"],
)
def test_words_that_are_to_come_again_are_asked_for_in_order(made: Callable[[], Source]) -> None:
    assert np.array_equal(words_of(made()), made().words(SIZE))


def test_what_is_drawn_by_a_seed_does_not_depend_on_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism, values = CompositeMechanism(1.0, (0, 9), pair="A2B2"), np.linspace(0, 9, SIZE)
    response, codes = RandomizedResponse(1.0, 4), np.arange(SIZE) % 4
    found = []
    for count in (1, 3):
        monkeypatch.setattr(threads, "cores", lambda count=count: count)
        found.append((mechanism.simulate(values, seed=1), response.simulate(codes, seed=1)))
    assert all(np.array_equal(*each) for each in zip(*found, strict=True))


def test_few_values_start_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: object, draw: object, size: int) -> None:
        raise AssertionError

    monkeypatch.setattr(threads._Shared, "__init__", refuse)
    for cores, size in ((4, MANY - 1), (1, SIZE)):
        monkeypatch.setattr(threads, "cores", lambda cores=cores: cores)
        assert repeated(words_of(SystemSource(), size)) == 0
    monkeypatch.setattr(threads, "cores", lambda: 4)
    with pytest.raises(AssertionError):
        words_of(SystemSource())


def test_one_thread_where_the_system_grants_one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    for count in (1, 2, 7):
        monkeypatch.setattr(os, "process_cpu_count", lambda count=count: count, raising=False)
        assert threads.cores() == count
    monkeypatch.setattr(os, "process_cpu_count", lambda: None, raising=False)
    assert threads.cores() == 1
    monkeypatch.delattr(os, "process_cpu_count", raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {5}, raising=False)
    assert threads.cores() == 1
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert threads.cores() == 1
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert threads.cores() == 3
    monkeypatch.setattr("multiprocessing.parent_process", lambda: "a parent")
    assert threads.cores() == 1


# --- The same distribution ----------------------------------------------------------------------


def shares(mechanism: CompositeMechanism, size: int) -> np.ndarray[Any, Any]:
    cuts = np.linspace(*mechanism.outputs, 9)[1:-1]
    released = mechanism.release(np.full(size, 2.5))
    return np.bincount(np.searchsorted(cuts, released), minlength=8) / size


@pytest.mark.parametrize("pair", ["A1B1", "A2B2"])
def test_threads_change_no_share_of_the_outputs(pair: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hoeffding: each of eight shares of n draws misses by t with probability below 2 exp(-2nt²).
    Two releases differ by more than 2t with a false-alarm rate below 32 exp(-2nt²) = 1e-10; a
    difference of 1.5 % is seen, as of the broken twin, whose first part was never drawn.
    """
    size = 2**18
    t = math.sqrt(math.log(32 / FALSE_ALARM) / (2 * size))
    assert 2 * t < 0.015
    mechanism = CompositeMechanism(1.0, (0, 10), pair=pair)
    found = []
    for count in (1, 3):
        monkeypatch.setattr(threads, "cores", lambda count=count: count)
        found.append(shares(mechanism, size))
    assert np.abs(found[0] - found[1]).max() < 2 * t
    found[1][0] += PART / size
    assert np.abs(found[0] - found[1]).max() > 2 * t


@pytest.mark.usefixtures("four_cores")
def test_each_value_goes_to_its_own_place() -> None:
    values = np.linspace(0.0, 1.0, SIZE)
    mechanism = CompositeMechanism(50.0, (0, 1), pair="A4B1", sensitivity=0.01)
    assert np.abs(mechanism.release(values) - values).max() < 0.2
    codes = np.arange(SIZE) % 9.0
    assert np.count_nonzero(RandomizedResponse(50.0, 9).release(codes) != codes) == 0


# --- Errors, interrupts, forks -------------------------------------------------------------------


class BrokenDrawError(Exception):
    pass


@pytest.mark.usefixtures("four_cores")
@pytest.mark.parametrize("here", [True, False], ids=["in the caller", "in another thread"])
def test_errors_reach_the_caller_and_stop_the_others(*, here: bool) -> None:
    main, drawn, broken = threading.current_thread(), [], threading.Event()

    def draw(part: slice, source: Source) -> None:
        if (threading.current_thread() is main) is here:
            broken.set()
            raise BrokenDrawError
        broken.wait(20)
        drawn.append(part)

    with pytest.raises(BrokenDrawError):
        drawn_in_parts(draw, 100 * MANY, SystemSource(), PART)
    assert len(drawn) < 100 * MANY // PART
    assert not [each for each in threading.enumerate() if each.name == "compdp draw"]


@pytest.mark.usefixtures("four_cores")
def test_an_interrupt_ends_a_draw(request: pytest.FixtureRequest) -> None:
    # In the background of a shell the tests would ignore it.
    request.addfinalizer(partial(signal.signal, signal.SIGINT, signal.getsignal(signal.SIGINT)))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main, interrupted = threading.current_thread(), threading.Event()

    def draw(part: slice, source: Source) -> None:
        if threading.current_thread() is main:
            interrupted.set()
            signal.raise_signal(signal.SIGINT)
        interrupted.wait(20)

    with pytest.raises(KeyboardInterrupt):
        drawn_in_parts(draw, 100 * MANY, SystemSource(), PART)
    assert not [each for each in threading.enumerate() if each.name == "compdp draw"]


@pytest.mark.usefixtures("four_cores")
def test_where_no_thread_can_be_started_the_caller_draws_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert repeated(words_of(SystemSource())) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks are what is tested")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
@pytest.mark.usefixtures("four_cores")
def test_a_fork_in_the_midst_draws_all_in_both_with_other_words() -> None:
    """The child has none of the other threads, and does what they had taken itself."""
    main = threading.current_thread()
    read, write = os.pipe()
    taken, forked = threading.Event(), threading.Event()
    child: list[int] = []
    found = np.zeros(SIZE, dtype=np.uint64)

    def draw(part: slice, source: Source) -> None:
        if threading.current_thread() is not main:
            taken.set()
            forked.wait(20)
        elif not child:
            taken.wait(20)  # Another thread is in the midst of its part.
            child.append(os.fork())
            if child[0]:
                forked.set()
        found[part] = source.words(part.stop - part.start)

    def finish() -> None:
        drawn_in_parts(draw, SIZE, SystemSource(), PART)
        if not child[0]:
            with os.fdopen(write, "wb") as out:
                out.write(found.tobytes())

    try:
        finish()
    finally:
        if child and not child[0]:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as told:
        other = np.frombuffer(told.read(), dtype=np.uint64)
    os.waitpid(child[0], 0)
    assert other.size == SIZE
    assert np.all(other != 0)
    assert np.all(found != 0)
    assert repeated(np.concatenate([found, other])) == 0
