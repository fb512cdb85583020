"""Join a room: a student's page, where the noise is added on the student's own device."""

from __future__ import annotations

from pages.sections.room.live import live
from pages.shell.frame import framed

with framed("room", heading=False) as row:
    live(row)
