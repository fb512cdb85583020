"""The two lessons, put together."""

from __future__ import annotations

from functools import cache

from pages.rooms.room import KEPT_MINUTES
from pages.sections.lesson_plan import first_parts, longer_parts, room_parts
from pages.sections.lesson_plan.points import homework, points
from pages.sections.lesson_plan.room_parts import MARKS
from pages.sections.lesson_plan.sheet import LessonPart, LessonSheet
from pages.sections.lesson_plan.troubles import troubles

LENGTHS = (45, 90)
"""Minutes of a lesson."""
ADDRESS = "192.168.1.23"
COMMAND = (
    ".venv/bin/streamlit run app.py --server.headless true --server.address 0.0.0.0 "
    f"--server.allowedHosts {ADDRESS}"
)


# Of public settings alone: no data reaches these.
@cache
def lesson_sheet(minutes: int) -> LessonSheet:
    return LessonSheet(
        minutes,
        "The class learns that a number can be wrong on purpose for each and right for all, why "
        "noise must not simply be cut off, and what ε promises to whom.",
        _before(),
        COMMAND,
        f"Instead of {ADDRESS} write the address of your computer in the network of the phones "
        "(“ipconfig” on Windows, “hostname -I” or “ifconfig” elsewhere), and open the app on your "
        f"own computer under it, too: http://{ADDRESS}:8501. The QR code leads to where you opened "
        "the app, and under another name a page gets no connection. On Windows the command begins "
        "with .venv\\Scripts\\streamlit. Everybody in the network can open the app now, so stop it "
        "after the lesson. For a server with a name and TLS see “Serving it to others” in the "
        "README.",
        _short() if minutes == LENGTHS[0] else _long(),
        troubles(),
        points(),
        homework(),
    )


def _short() -> tuple[LessonPart, ...]:
    return (
        first_parts.opening(5),
        first_parts.joining(5),
        first_parts.answering(8),
        room_parts.mean(12),
        room_parts.clamping(8),
        room_parts.promise(5),
        room_parts.closing(2),
    )


def _long() -> tuple[LessonPart, ...]:
    return (
        first_parts.opening(5),
        first_parts.joining(5),
        first_parts.answering(8),
        room_parts.mean(12),
        room_parts.clamping(8),
        room_parts.promise(5),
        longer_parts.yes_or_no(12),
        longer_parts.budget(7),
        longer_parts.course(18),
        longer_parts.talk(8),
        longer_parts.closing(2),
    )


def _before() -> tuple[str, ...]:
    return (
        "Start the app for a classroom, as said below, and try it with two phones in the very "
        "network of the lesson, on the day before.",
        f"Ask what has bounds that everybody knows beforehand, such as {MARKS.inputs}. Bounds that "
        "are read off the class would tell on whoever is at the end.",
        f"Count: what clamping does shows in every second class of {MARKS.needed}, in four of five "
        f"of {MARKS.surely}; the switch on the wall shows it to any. With fewer, open the room for "
        "two classes.",
        "Tell the class what is held, and where: noisy answers without names, in the memory of "
        f"your computer, until {KEPT_MINUTES} minutes after the room has ended.",
        "A projector, this sheet on paper, and a board for two drawings.",
    )
