"""Class: a teacher's room, its wall, and the course in class."""

from __future__ import annotations

from pages.sections.classroom.live import live
from pages.shell.frame import framed

with framed("classroom", heading=False) as row:
    live(row)
