"""Work that takes its time: in a thread of its own, watched from the page, stopped on request.

The page stays usable meanwhile, and the work goes on while another page is open. The thread never
touches the session: it reports to the job, and the page looks at the job.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

import streamlit as st

from compdp_core.errors import CompdpError
from pages.session import faults
from pages.session.fragments import every
from pages.session.state import entered, keep, kept, recall

T = TypeVar("T")
SOON = 0.25
"""Seconds that a page waits before it shows progress at all."""
LOOK_EVERY = 0.5
"""Seconds between looks: each takes time from the work itself."""


class Job(Generic[T]):
    """One piece of work.

    The work is called with the job; it calls `tell` as it goes, asks `cancelled` often, and
    returns early with what it has when that turns true.
    """

    def __init__(self, work: Callable[[Job[T]], T]) -> None:
        self.share = 0.0
        self.text = ""
        self.part: T | None = None
        """What there is so far, where the work says so: for a picture while it goes on."""
        self.result: T | None = None
        self.fault: str | None = None
        self._work = work
        self._cancel = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.result = self._work(self)
        except CompdpError as refusal:
            self.fault = faults.sentence(str(refusal))
        except Exception as problem:
            faults.record("a job failed", problem)
            self.fault = "Something went wrong that this page did not expect. Try again."

    def tell(self, share: float, text: str) -> None:
        """How far the work is, from 0 to 1, and what it is doing."""
        self.share, self.text = share, text

    def cancel(self) -> None:
        self._cancel.set()

    def cancelled(self) -> bool:
        return self._cancel.is_set()

    def wait(self) -> T | None:
        self._thread.join()
        return self.result

    def done(self, wait: float = 0.0) -> bool:
        """Whether it is over, after waiting that many seconds for it at most."""
        self._thread.join(wait)
        return not self._thread.is_alive()


def start(name: str, work: Callable[[Job[T]], T]) -> None:
    """Begin a job under that name; one that still runs is cancelled."""
    running: Job[T] | None = recall(name)
    if running is not None:
        running.cancel()
    keep(f"{name}.fault", None)
    keep(name, Job(work))


def collect(name: str, then: Callable[[T], None]) -> bool:
    """Hand over the result of a job that is over, or is so in a moment; whether one was. For the
    top of a page.

    A refusal of `then` is told like one of the work. A click elsewhere may end the run within
    `then`, which so gets the same result once more in the next.
    """
    everything = kept()
    if entered():
        everything[f"{name}.fault"] = None  # said on the visit before
    job: Job[T] | None = everything.get(name)
    if job is None or not job.done(wait=SOON):
        return False
    fault = job.fault
    try:
        if job.result is not None:
            then(job.result)
    except CompdpError as refusal:
        fault = faults.sentence(str(refusal))
    except Exception:
        # Tried again at every run, it would fail at every run.
        everything[name] = None
        raise
    everything.update({name: None, f"{name}.fault": fault})
    return True


def progress(name: str, meanwhile: Callable[[Job[T]], None] = lambda job: None) -> bool:
    """Show how far the job is, with a way to stop it. Returns whether one runs.

    `meanwhile` draws what there is so far, below. When it is over the page is drawn anew, so that
    `collect` finds it.
    """
    if recall(f"{name}.fault"):
        faults.tell(recall(f"{name}.fault"))
    if recall(name) is None:
        return False
    _progress(name, meanwhile)
    return True


@every(LOOK_EVERY)
def _progress(name: str, meanwhile: Callable[[Job[T]], None]) -> None:
    job: Job[T] | None = recall(name)
    if job is None or job.done():
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", key=f"job-{name}"):
        st.progress(min(max(job.share, 0.0), 1.0), f"{100 * job.share:.0f} % · {job.text}")
        st.button(
            "Cancelling …" if job.cancelled() else "Cancel",
            icon=":material/stop_circle:",
            key=f"cancel-{name}",
            disabled=job.cancelled(),
            on_click=job.cancel,
        )
    meanwhile(job)
