"""Work in a thread: results, refusals, faults, and stopping."""

from __future__ import annotations

import threading

import pytest

from compdp_core.errors import ParameterError
from pages.session.jobs import Job


def test_a_job_reports_and_hands_over_its_result() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def work(job: Job[int]) -> int:
        job.tell(0.5, "half way")
        begun.set()
        go_on.wait(10)
        return 7

    job = Job(work)
    assert begun.wait(10)
    assert (job.share, job.text, job.done(), job.result) == (0.5, "half way", False, None)
    go_on.set()
    assert job.done(wait=10)
    assert (job.result, job.fault) == (7, None)


def test_cancelling_reaches_the_work_and_keeps_what_it_returns() -> None:
    looked = threading.Event()

    def work(job: Job[str]) -> str:
        while not job.cancelled():
            looked.set()
        return "as far as it got"

    job = Job(work)
    assert looked.wait(10)
    assert not job.done()
    job.cancel()
    assert job.done(wait=10)
    assert job.result == "as far as it got"


def test_a_refusal_becomes_words_and_a_fault_does_not_show_its_values(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def refuse(job: Job[None]) -> None:
        raise ParameterError("epsilon", -1, "must be above 0")

    def fail(job: Job[None]) -> None:
        raise RuntimeError("secret value 42")

    refused, failed = Job(refuse), Job(fail)
    assert refused.done(wait=10)
    assert failed.done(wait=10)
    assert refused.fault is not None
    assert refused.fault.startswith("Epsilon must be above 0")
    assert failed.fault is not None
    assert "42" not in failed.fault
    assert "a job failed" in caplog.text
