"""Learn: ten short steps, each with one thing to try and one question that is scored."""

from __future__ import annotations

from pages.furniture.frame import framed
from pages.furniture.links import arrive
from pages.learning import settings
from pages.learning.live import live

with framed("learn"):
    arrive(settings.PAGE, settings.SETTINGS)
    live()
