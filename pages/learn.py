"""Learn: twelve short steps, each with one thing to try and one question that is scored."""

from __future__ import annotations

from pages.inputs.links import arrive
from pages.sections.learn import settings
from pages.sections.learn.live import live
from pages.shell.frame import framed

with framed("learn"):
    arrive(settings.PAGE, settings.SETTINGS)
    live()
