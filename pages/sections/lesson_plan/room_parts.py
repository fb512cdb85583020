"""The parts of a lesson around the wall: the mean, clamping, the promise, the end."""

from __future__ import annotations

from compdp_core.survey.clamped import CLASS
from compdp_core.survey.means import LEVEL
from compdp_core.text import number, percent
from pages.sections.lesson_plan.course_steps import step
from pages.sections.lesson_plan.figures import FEW, figures, needed_at
from pages.sections.lesson_plan.share_figures import Spent, spent
from pages.sections.lesson_plan.sheet import LessonPart

KEY = "marks"
"""Of the template that the lesson is built on."""
MARKS = figures(KEY)
SMALL = 1.0
"""The ε that the lesson compares with."""
END_ROOM = "Press “End: no more answers” on the page Class."
FINE = 0.5
"""Half of an interval that would please everybody (points)."""


def mean(minutes: int) -> LessonPart:
    few, all_of_them = MARKS.reach(FEW), MARKS.reach(CLASS)
    return LessonPart(
        minutes,
        "The mean comes out right",
        (
            f"Press “Freeze the wall” at {FEW} answers, and “Go on” after you have talked about "
            "them. Look again when all have answered. Let the class guess before each look.",
            "Ask what the class itself thinks its mean is. The wall cannot know: nobody has sent "
            "a true result.",
        ),
        (
            f"These are {FEW} answers. How far off may their mean be?",
            "Every single number is wrong. Why does their mean come out right?",
            "How many answers does it take to be twice as exact?",
        ),
        (
            f"At {FEW} answers the mean is good to ± {few} only, at {CLASS} to ± {all_of_them} "
            f"({percent(LEVEL)} confidence).",
            "Twice as exact takes four times as many answers: noise that is right on average "
            "averages out.",
            f"For ± {MARKS.about(FINE)} it would take {MARKS.answers_for(FINE):,} answers.",
        ),
    )


def clamping(minutes: int) -> LessonPart:
    return LessonPart(
        minutes,
        "What clamping would have done",
        (
            "Turn on “What would clamped Laplace noise have said?” on the wall. It is about an "
            "invented class: true answers are not there to be used.",
            "Draw the scale on the board: 19 points, noise to both sides, and scissors at 20.",
        ),
        (
            "Why not simply move everything beyond the bounds back to the bounds?",
            "At 19 points: on which side is more cut off? So where does the mean go?",
        ),
        (
            f"In a class whose mean is {MARKS.mean} clamped noise is "
            f"{MARKS.bias} too low on average, however many answer.",
            f"From about {MARKS.needed} answers on, in every second class the interval no longer "
            "holds what clamped noise says.",
        ),
        (step("clamping"),),
    )


def promise(minutes: int) -> LessonPart:
    one, small = spent(KEY), needed_at(KEY, SMALL)
    return LessonPart(
        minutes,
        "What was promised",
        ("Say what ε is: how far one answer may move the odds of two results, at most.",),
        (
            "Your phone sent 17. What does whoever reads it know about you?",
            "Would you answer with a smaller ε more freely? What would the class pay for it?",
        ),
        (
            f"At ε = {one.epsilon} an answer moves the odds of any two results by at most "
            f"{one.odds} times: a guess between two that were equally likely is right in at most "
            f"{one.guess} of cases.",
            f"That is weak, and chosen so that a class of {CLASS} sees something. At "
            f"ε = {number(SMALL)} the odds move by {Spent(SMALL).odds} times at most, and it would "
            f"take {small:,} answers to see what clamping does.",
        ),
        (step("promise"),),
    )


def closing(minutes: int) -> LessonPart:
    return LessonPart(
        minutes,
        "Close",
        (
            f"{END_ROOM} Save what arrived if you want to go on with it: there is no true answer "
            "in it, and no name.",
            "Hand out the homework.",
        ),
        ("What has anybody learned today about you?",),
        ("The wall says that the room takes no more answers.",),
    )
