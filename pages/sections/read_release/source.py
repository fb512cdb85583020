"""Where file and card come from. The table at hand on Privatize is another matter."""

from __future__ import annotations

import streamlit as st

from compdp_core.estimates.estimates import Estimates
from pages.sections.read_release.example import ask, ask_no_more, example
from pages.sections.read_release.settings import LEVEL, value
from pages.sections.read_release.subject import OpenRelease, words_of_column
from pages.sections.read_release.worked_out import JOB, REST
from pages.sections.shared.kept_release import READ, KeptRelease, as_received, kept_releases
from pages.sections.shared.upload import Upload
from pages.session.jobs import Job
from pages.session.state import forget, keep, memo, recall, widget_key

FILE, CARD = "received.file", "received.card"
EXAMPLE = "received.example"


def part(name: str) -> Upload | None:
    """The file, or the card, that is at hand."""
    found: Upload | None = recall(name)
    return found


def uploader(name: str) -> str:
    return widget_key(f"{name}.uploader")


def take_upload(name: str) -> None:
    file = st.session_state.get(uploader(name))
    if file is not None:
        keep(name, Upload(file.name, file.getvalue(), None))


def take_last() -> None:
    """Open the last release of this session, the way that its receiver would."""
    found = kept_releases()
    if found:
        take(*as_received(found[0]))


def take_example() -> None:
    made: tuple[Upload, Upload] = memo("read_release.example", None, example)
    take(*made)
    keep(EXAMPLE, made[1])
    ask()


def take(file: Upload, card: Upload) -> None:
    let_go()
    keep(FILE, file)
    keep(CARD, card)


def let_go() -> None:
    if recall(EXAMPLE) is not None:
        ask_no_more()
    for name in (JOB, REST):  # else what was begun goes on beside the next file
        job: Job[object] | None = recall(name)
        if job is not None:
            job.cancel()
    forget("received.")


def last_was_asked() -> None:
    """The way from a release to this page: open it."""
    if recall(READ):
        take_last()
        # At last: a run that is stopped before it opens the release in the next one.
        keep(READ, False)


def at_hand() -> OpenRelease | None:
    """The release; None while file or card is missing. Raises what the library refuses."""
    file, card = part(FILE), part(CARD)
    if file is None or card is None:
        return None
    read_once: Estimates = memo(
        "received.read", (file, card), lambda: Estimates(file.data, card.data)
    )
    level = int(value(LEVEL)) / 100
    made: OpenRelease = memo(
        "received.open", (read_once, level), lambda: _opened(read_once.at(level), file, card)
    )
    return made


def _opened(estimates: Estimates, file: Upload, card: Upload) -> OpenRelease:
    received = estimates.received
    words = {each.position: words_of_column(each) for each in received.columns}
    name = received.card.identifier
    return OpenRelease(estimates, file.file_stem, words, recall(EXAMPLE) is card, _own(name))


def _own(identifier: str) -> KeptRelease | None:
    return next((e for e in kept_releases() if e.release.identifier == identifier), None)
