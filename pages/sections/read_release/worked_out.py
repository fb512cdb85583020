"""What takes its time with many rows: distribution, quartiles and shares.

One part after the other is worked out beside the page, and each is shown once it is there. A part
that takes no time is there in the same run. Then follows what the files say of other columns, so
that a file is there at once when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import streamlit as st

from pages.sections.read_release.wanted import DISTRIBUTION, Done, Key, Part, Parts, Wanted
from pages.session import jobs
from pages.session.state import keep, recall

JOB, DONE, STOPPED = "received.job", "received.done", "received.stopped"
REST = "received.rest"
"""What is worked out for the files alone."""


def worked_out(wanted: Wanted) -> Done:
    """What there is by now; the next part is begun."""
    keys = wanted.keys()
    jobs.collect(JOB, partial(_take, STOPPED, JOB))
    while (part := _next(keys)) is not None and not recall(STOPPED) and recall(JOB) is None:
        _put_off()
        share, text = list(keys).index(part) / len(keys), wanted.said(part)
        jobs.start(JOB, partial(_one, wanted, part, share, text))
        jobs.collect(JOB, partial(_take, STOPPED, JOB))
    done = _done()
    found = {part: done[key] for part, key in keys.items() if key in done}
    distribution = found.pop(DISTRIBUTION, None)
    return Done(distribution, {part: row for part, row in found.items() if part in wanted.requests})


def show_progress(wanted: Wanted) -> None:
    """How far it is, with a way to stop it and to go on."""
    if jobs.progress(JOB) or _next(wanted.keys()) is None:
        return
    if recall(STOPPED):
        _go_on(STOPPED)


def for_files(every: Iterable[Wanted]) -> None:
    """Work out what the files say of all columns, once the one that is looked at is there; show how
    far that is.
    """
    stopped = f"{REST}.stopped"
    jobs.collect(REST, partial(_take, stopped, REST))
    done = _done()
    todo = [
        (key, each, part) for each in every for part, key in each.keys().items() if key not in done
    ]
    if not todo or recall(JOB) is not None or recall(STOPPED):
        return
    if recall(stopped):
        st.caption("What is not worked out yet is when a file is asked for, which takes longer.")
        _go_on(stopped)
        return
    if recall(REST) is None:
        jobs.start(REST, partial(_all, todo))
        jobs.collect(REST, partial(_take, stopped, REST))
    jobs.progress(REST)


def _go_on(stopped: str) -> None:
    st.button(
        "Work out the rest",
        icon=":material/play_arrow:",
        key=f"{stopped}.go_on",
        on_click=partial(keep, stopped, False),
    )


def _done() -> Parts:
    found: Parts = recall(DONE, {})
    return found


def _next(keys: dict[Part, Key]) -> Part | None:
    done = _done()
    return next((part for part, key in keys.items() if key not in done), None)


def _put_off() -> None:
    """What is looked at comes first. What was worked out the estimates remember."""
    rest: jobs.Job[Parts] | None = recall(REST)
    if rest is not None:
        rest.cancel()
        keep(REST, None)


def _one(wanted: Wanted, part: Part, share: float, text: str, job: jobs.Job[Parts]) -> Parts:
    job.tell(share, text)
    return {wanted.keys()[part]: wanted.work(part)}


def _all(todo: list[tuple[Key, Wanted, Part]], job: jobs.Job[Parts]) -> Parts:
    found: Parts = {}
    for at, (key, wanted, part) in enumerate(todo):
        if job.cancelled():
            break
        job.tell(at / len(todo), f"for the files: {wanted.said(part)}")
        found[key] = wanted.work(part)
    return found


def _take(stopped: str, name: str, found: Parts) -> None:
    """Keep it; who cancelled wants no further one."""
    job: jobs.Job[Parts] = recall(name)
    keep(DONE, _done() | found)
    keep(stopped, job.cancelled())
