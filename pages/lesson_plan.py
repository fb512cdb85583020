"""Lesson plan: a lesson with a room, of 45 or 90 minutes, on the screen and on paper."""

from __future__ import annotations

from pages.inputs.links import arrive
from pages.sections.lesson_plan.live import live
from pages.sections.lesson_plan.settings import PAGE, SETTINGS
from pages.shell.frame import framed

with framed("lesson_plan"):
    arrive(PAGE, SETTINGS)
    live()
