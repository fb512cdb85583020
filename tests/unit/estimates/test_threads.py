"""Small matrices are worked on by one thread, and what was set before is set again."""

from __future__ import annotations

import threading

import numpy as np
import pytest
import scipy.linalg  # noqa: F401 - brings a BLAS of its own
from threadpoolctl import threadpool_info, threadpool_limits

from compdp_core.estimates.likelihood import distribution, solver
from compdp_core.estimates.likelihood.threads import on_one_thread


def threads() -> set[int]:
    return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}


def test_one_thread_and_then_as_many_as_before() -> None:
    with threadpool_limits(2, user_api="blas"):
        before = threads()
        assert on_one_thread(on_one_thread(threads))() == {1}
        assert threads() == before


def test_an_error_gives_the_threads_back() -> None:
    with threadpool_limits(2, user_api="blas"):
        before = threads()
        with pytest.raises(ZeroDivisionError):
            on_one_thread(lambda: 1 // 0)()
        assert threads() == before


def test_each_thread_can_have_it() -> None:
    found, before = list[set[int]](), threads()
    on_one_thread(threads)()
    other = threading.Thread(target=lambda: found.append(on_one_thread(threads)()))
    other.start()
    other.join()
    assert found == [{1}]
    assert threads() == before


def test_of_two_at_once_the_last_gives_the_threads_back() -> None:
    """As sessions do: where each put back what it had found, one thread would be left for good."""
    found, begun, left = list[set[int]](), threading.Event(), threading.Event()

    def second() -> None:
        begun.set()
        left.wait(60)
        found.append(threads())

    def first() -> None:
        other.start()
        begun.wait(60)

    with threadpool_limits(2, user_api="blas"):
        before = threads()
        other = threading.Thread(target=on_one_thread(second))
        on_one_thread(first)()
        left.set()
        other.join()
        assert found == [{1}]
        assert threads() == before


def test_the_solver_is_on_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[set[int]]()
    solve = np.linalg.solve

    def spied(*args: object) -> object:
        seen.append(threads())
        return solve(*args)  # type: ignore[call-overload]

    monkeypatch.setattr(np.linalg, "solve", spied)
    kernel = np.full((3, 2), 1 / 3)
    ones = np.ones((1, 2))
    with threadpool_limits(2, user_api="blas"):
        solver.most_likely(kernel, np.ones((1, 3)), ones, np.ones((1, 1)))
    assert seen
    assert all(each == {1} for each in seen)
    for function in (distribution._parameters, solver.log_likelihood):
        assert function.__code__ is on_one_thread(abs).__code__
