"""The parts of a lesson up to the first answer: why at all, into the room, one noisy number."""

from __future__ import annotations

from pages.sections.lesson_plan.room_parts import KEY, MARKS
from pages.sections.lesson_plan.sheet import LessonPart, WayIn


def opening(minutes: int) -> LessonPart:
    return LessonPart(
        minutes,
        "Would you call it out?",
        (
            "Nothing is on the wall yet. Ask, wait for hands, and ask why there are so few.",
            "Write on the board what the class would like to know: of everybody together, and of "
            "nobody alone.",
        ),
        (
            "Who would call out how many points the last test gave?",
            "What could we find out about all of us without finding it out about anybody?",
        ),
        ("Few hands, and the wish for a mean that does not need them.",),
    )


def joining(minutes: int) -> LessonPart:
    return LessonPart(
        minutes,
        "Into the room",
        (
            f"Open the page Class with the template “{MARKS.template.title}”, open the room, and "
            "put its wall on the projector.",
            "Everybody scans the QR code, or types the code on the page Join a room.",
        ),
        ("Do not answer yet. What does your phone say: what leaves it, and what never does?",),
        ("The question on every phone, and no answer on the wall.",),
        (WayIn(f"Class: {MARKS.template.title}", "classroom", ("template", KEY)),),
    )


def answering(minutes: int) -> LessonPart:
    return LessonPart(
        minutes,
        "One answer, with noise",
        (
            "Everybody types a result, looks at the picture, and then presses “Add noise and "
            "send”. Phones are held so that no neighbour reads along.",
            "Then everybody may draw again as a rehearsal, of which nothing is sent, and press "
            "“Forget my answer”.",
        ),
        (
            "Is what your phone sent your result? How far off is it?",
            "One phone sent 3. Which results may be behind it?",
        ),
        (
            f"What leaves a phone lies in {MARKS.outputs}, whatever was typed. That is wider than "
            f"{MARKS.inputs}, and has to be: see the questions below.",
            f"A single answer is typically {MARKS.single_error} off. Any result may be behind any "
            "number.",
        ),
    )
