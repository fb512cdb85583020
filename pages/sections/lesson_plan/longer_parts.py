"""What a lesson of 90 minutes has besides: a yes or no, the budget, the course in class, a talk."""

from __future__ import annotations

from compdp_core.survey.clamped import CLASS
from compdp_core.text import number
from pages.sections.lesson_plan.course_steps import step, steps
from pages.sections.lesson_plan.room_parts import END_ROOM, KEY
from pages.sections.lesson_plan.share_figures import share_figures, spent
from pages.sections.lesson_plan.sheet import LessonPart, WayIn
from pages.text.wording import percent

YES_NO = "yes_no"
COPIED = share_figures(YES_NO)
IN_CLASS = ("epsilon", "clamping", "composite")
"""Keys of steps of the course."""


def yes_or_no(minutes: int) -> LessonPart:
    asked = COPIED.template
    return LessonPart(
        minutes,
        "A question one would rather not answer",
        (
            f"Ask the next question in the same room, with the template “{asked.title}”.",
            "Before anybody answers: nobody will be asked about it, whatever the wall shows.",
        ),
        (
            f"{asked.question.text} What could I do with your answer if it came as you gave it?",
            "A yes has arrived. Has whoever sent it copied homework?",
        ),
        (
            f"By chance, {COPIED.changed} of the phones send the other answer. Were it true of "
            f"{percent(COPIED.share, 2)} of the class, {COPIED.sent} of the answers would say "
            f"{asked.question.categories[0]}; the wall works back from these to the share.",
            f"Then {COPIED.meant} of those who send {asked.question.categories[0]} mean it. It "
            "proves nothing about anybody, and yet it tells something: that is what ε allows.",
            f"With {CLASS} answers the share is known to about "
            f"± {number(100 * COPIED.reach(CLASS), 2)} percentage points.",
        ),
        (WayIn(f"Class: {asked.title}", "classroom", ("template", YES_NO)),),
    )


def budget(minutes: int) -> LessonPart:
    first, both = spent(KEY), spent(KEY, YES_NO)
    return LessonPart(
        minutes,
        "Two questions, one person",
        (
            "Add it up on the board: what each question has cost whoever answered both.",
            f"{END_ROOM} Save what arrived if you want to go on with it, and remove the room: then "
            "the page Class is free for the course.",
        ),
        (
            "What if I asked you the same question ten times?",
            "Who should keep count of what has been spent on you?",
        ),
        (
            f"ε adds up: {first.epsilon} + {spent(YES_NO).epsilon} = {both.epsilon}. A guess about "
            f"both together is right in at most {both.guess} of cases, after one in at most "
            f"{first.guess}.",
            "A phone draws once for each question. Several noisy versions of one answer have a "
            "mean, and that would give it away.",
        ),
        (step("repetition"),),
    )


def course(minutes: int) -> LessonPart:
    return LessonPart(
        minutes,
        "The course in class",
        (
            "Choose “Take the course together” on the page Class, and let everybody scan the new "
            f"code. In pairs the class works through the steps {steps(*IN_CLASS)}: read, try, "
            "answer.",
            "Put one question after the other on the wall, let those who chose differently "
            "convince each other, and only then press “Show which is right”.",
        ),
        (
            "Who chose another option than most? What speaks for it?",
            "Which number on the page would have to change for another option to be right?",
        ),
        (
            "How many have answered each question, and how. The first answer counts, and every "
            "phone explains its own.",
            "These answers are counted without a name and without noise: what a quiz may know.",
        ),
        (step("epsilon"),),
    )


def talk(minutes: int) -> LessonPart:
    return LessonPart(
        minutes,
        "Talk",
        (
            "Take three of the questions below. First in pairs, then together.",
            "Leave one open: whether one would take part in such a survey at school, and who would "
            "have to run it.",
        ),
        ("Whom did you have to trust today?",),
        ("Reasons, not numbers. The answers below are for you.",),
    )


def closing(minutes: int) -> LessonPart:
    return LessonPart(
        minutes,
        "Close",
        ("Press “End the session” on the page Class.", "Hand out the homework."),
        ("What has anybody learned today about you?",),
        ("Nothing is left on the wall, nor in the computer.",),
    )
