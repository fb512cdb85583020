"""What may go wrong in a lesson with a room, and what to do then."""

from __future__ import annotations

from compdp_core.survey.clamped import CLASS
from pages.rooms.codes import LENGTH
from pages.rooms.room import KEPT_MINUTES, LONGEST_MINUTES
from pages.sections.lesson_plan.figures import FEW
from pages.sections.lesson_plan.room_parts import MARKS
from pages.sections.lesson_plan.sheet import Trouble

FEWER = 12
"""Answers of a small group."""


def troubles() -> tuple[Trouble, ...]:
    return (*_of_the_network(), *_of_the_answers())


def _of_the_network() -> tuple[Trouble, ...]:
    return (
        Trouble(
            "No phone can open the page.",
            "The app answers only on your own computer unless it is told otherwise, or it was "
            "opened under another address than it allows. Start it with the command above.",
        ),
        Trouble(
            "The command is right, and still no phone gets through.",
            "The school’s Wi-Fi keeps devices apart, or the computer’s firewall does. Open a "
            "hotspot on your computer and let the phones into it: the app needs no internet. The "
            "address is another one then, in the command, too.",
        ),
        Trouble(
            "Some phones have no network, or are at home.",
            f"Go on without them: with {MARKS.needed} answers every second class sees all that "
            "this lesson shows. "
            "Let those without a phone guess the mean on paper, and compare at the end.",
        ),
        Trouble(
            "The code is refused.",
            f"It has {LENGTH} letters and no vowels. After some wrong tries the page asks to wait "
            "for a while; the QR code works all the same.",
        ),
        Trouble(
            "A phone loses its connection after “Add noise and send”.",
            "Leave the page open: what was drawn goes out by itself, once. Nobody draws again.",
        ),
    )


def _of_the_answers() -> tuple[Trouble, ...]:
    few, fewer = MARKS.reach(FEW), MARKS.reach(FEWER)
    return (
        Trouble(
            f"The mean looks wrong at {FEW} answers.",
            f"It is not: with {FEW} answers it is good to ± {few} only, and the wall says so. Ask "
            "what will become of it, and wait.",
        ),
        Trouble(
            f"Fewer than {MARKS.needed} answers come in.",
            "The mean is right, but what clamping does to it drowns in the noise: with "
            f"{FEWER} answers the interval is ± {fewer}. Leave the room open for another class: "
            f"it may stay open for {LONGEST_MINUTES} minutes, and its answers are kept for "
            f"{KEPT_MINUTES} more.",
        ),
        Trouble(
            "Somebody answers nonsense on purpose.",
            f"What lies beyond {MARKS.inputs} counts as the bound, on the phone already; and "
            f"whatever a changed page may send has to lie in {MARKS.outputs}. So one answer of "
            f"{CLASS} moves the mean by at most {MARKS.about(MARKS.moved)}. Several together move "
            "it by as much each: let the class work that out.",
        ),
        Trouble(
            "Somebody has read a neighbour’s answer before it was sent.",
            "Noise protects what leaves a phone, not what is seen on it. Say so, let all hold "
            "their phones close, and press “Forget my answer” at once. Whoever was seen need not "
            "send anything.",
        ),
        Trouble(
            "Somebody does not want to answer.",
            "Then nobody asks why. The wall knows how many answered, and not who.",
        ),
    )
