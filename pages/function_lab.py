"""Function lab: every parameter by hand, and what it does, at once."""

from __future__ import annotations

from pages.inputs.links import arrive
from pages.sections.function_lab import settings
from pages.sections.function_lab.live import live
from pages.shell.frame import framed

with framed("function_lab"):
    arrive(settings.PAGE, settings.SETTINGS)
    live()
