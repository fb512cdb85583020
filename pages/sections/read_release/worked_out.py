"""What takes its time with many rows: distribution, quartiles and shares beyond a limit.

One part after the other is worked out beside the page, and each is shown once it is there. A part
that takes no time is there in the same run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from compdp_core.errors import CompdpError
from compdp_core.estimates.estimate import About
from pages.sections.read_release.subject import OpenRelease
from pages.session import jobs
from pages.session.faults import attempted
from pages.session.state import keep, recall

JOB, DONE, STOPPED = "received.job", "received.done", "received.stopped"
QUARTILES = {"lower quartile": 0.25, "median": 0.5, "upper quartile": 0.75}
DISTRIBUTION, SHARE = "distribution", "share"
Key = tuple[Any, ...]


@dataclass(frozen=True)
class Wanted:
    """What is asked of a column."""

    opened: OpenRelease
    place: int
    about: About
    limit: float | None

    def keys(self) -> dict[str, Key]:
        """What each part depends on, by its name, in the order in which they are worked out."""
        of = (self.opened.estimates.received, self.opened.estimates.level, self.place)
        found: dict[str, Key] = {DISTRIBUTION: (*of, DISTRIBUTION)}
        if self.limit is not None:
            found[SHARE] = (*of, SHARE, self.about, self.limit)
        return found | {name: (*of, name) for name in QUARTILES}

    def work(self, name: str) -> Callable[[], Any]:
        estimates, place = self.opened.estimates, self.place
        if name == DISTRIBUTION:
            return partial(estimates.distribution, place)
        if name == SHARE:
            return partial(estimates.share, place, above=self.limit, about=self.about)
        return partial(estimates.quantile, place, QUARTILES[name])


Part = tuple[Key, Any]
"""With what came of it: a result, or the refusal of the library."""


def worked_out(wanted: Wanted) -> dict[str, Any]:
    """What there is by now, by its name; the next part is begun."""
    keys = wanted.keys()
    jobs.collect(JOB, _take)
    while (name := _next(keys)) is not None and not recall(STOPPED) and recall(JOB) is None:
        _begin(wanted, name, keys)
        jobs.collect(JOB, _take)
    done: dict[Key, Any] = recall(DONE, {})
    return {name: done[key] for name, key in keys.items() if key in done}


def show_progress(wanted: Wanted) -> None:
    """How far it is, with a way to stop it and to go on."""
    if jobs.progress(JOB) or _next(wanted.keys()) is None:
        return
    if recall(STOPPED):
        st.button(
            "Work out the rest",
            icon=":material/play_arrow:",
            on_click=partial(keep, STOPPED, False),
        )


def _next(keys: dict[str, Key]) -> str | None:
    done = recall(DONE, {})
    return next((name for name, key in keys.items() if key not in done), None)


def _begin(wanted: Wanted, name: str, keys: dict[str, Key]) -> None:
    compute, at, label = wanted.work(name), list(keys).index(name), wanted.opened.columns
    text = f"{name} of {label[wanted.place].label}"

    def work(job: jobs.Job[Part | None]) -> Part | None:
        job.tell(at / len(keys), text)
        found: Any | CompdpError = attempted(compute)
        return keys[name], found

    jobs.start(JOB, work)


def _take(found: Part) -> None:
    """Keep it; who cancelled wants no further one."""
    job: jobs.Job[Part] = recall(JOB)
    keep(DONE, recall(DONE, {}) | dict([found]))
    keep(STOPPED, job.cancelled())
