"""Questions to talk about, with answers, and homework."""

from __future__ import annotations

from compdp_core.text import number
from pages.sections.lesson_plan.course_steps import steps
from pages.sections.lesson_plan.longer_parts import COPIED
from pages.sections.lesson_plan.room_parts import FINE, KEY, MARKS, SMALL
from pages.sections.lesson_plan.share_figures import spent
from pages.sections.lesson_plan.sheet import TalkingPoint
from pages.text.wording import percent

TIMES = 10
"""How often one question is asked again in a question to talk about."""
HOMEWORK = ("bounds", "shape", "place")
"""Keys of steps of the course."""


def points() -> tuple[TalkingPoint, ...]:
    again, clamped = number(TIMES * spent(KEY).total), MARKS.clamped_mean
    return (
        TalkingPoint(
            "A number below 0 is on the wall. Has somebody fewer points than none?",
            f"No. What phones send lies in {MARKS.outputs}. Noise that never leaves {MARKS.inputs} "
            "could be right on average at the bounds only by adding nothing there, and that would "
            "tell.",
        ),
        TalkingPoint(
            "Why not cut the noise off at the bounds?",
            f"Then a mean of {MARKS.mean} would come out at about {clamped}, and "
            "more answers would not help: what is wrong on average does not average out.",
        ),
        TalkingPoint(
            f"The same question {TIMES} times: what would that tell about you?",
            f"The mean of {TIMES} noisy answers is about {number(TIMES**0.5, 2)} times as exact as "
            f"one, and ε is {again} then instead of {spent(KEY).epsilon}: hardly a promise any "
            "more.",
        ),
        TalkingPoint(
            "Whom did you have to trust?",
            "Your phone, and the page that it loaded: that page draws the noise. Whoever runs the "
            "app could have sent another page, which is why its code is open to look at. The wall, "
            "the network and the teacher need not be trusted with true answers: none arrive.",
        ),
        TalkingPoint(
            "Does it help to answer wrongly, to be on the safe side?",
            "It hides nothing better than ε already does, and the mean is wrong for it. Noise is "
            "a lie whose size everybody knows, so it can be reckoned with; yours cannot.",
        ),
        TalkingPoint(
            "A phone sent yes to the embarrassing question. Is that a proof?",
            f"No: {COPIED.changed} of the phones say the other answer by chance. But where it is "
            f"true of {percent(COPIED.share, 2)}, {COPIED.meant} of those who send yes mean it. "
            "Less than that takes a smaller ε, and more people.",
        ),
    )


def homework() -> tuple[str, ...]:
    return (
        f"Do the steps {steps(*HOMEWORK)} of the course (page Learn). For each, write down one "
        "sentence that you would not have said this morning.",
        f"How many answers would it take to know the mean to ± {MARKS.about(FINE)}? Work it out "
        f"from ± {MARKS.reach(MARKS.needed)} at {MARKS.needed} answers, knowing that "
        f"four times as many are twice as exact. (The library says {MARKS.answers_for(FINE):,}; "
        "with few answers intervals are a little longer than that rule has it.)",
        "Find a survey in the news. Who knew the true answers? Which question in it would you "
        f"answer only with noise, and would ε = {number(SMALL)} be small enough for you?",
    )
