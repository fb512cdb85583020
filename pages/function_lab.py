"""Function lab: every parameter by hand, and what it does, at once."""

from __future__ import annotations

from pages.furniture.frame import framed
from pages.furniture.links import arrive
from pages.labbing import settings
from pages.labbing.live import live

with framed("function_lab"):
    arrive(settings.PAGE, settings.SETTINGS)
    live()
