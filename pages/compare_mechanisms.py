"""Compare mechanisms: errors, bias, ranges and draws side by side, without data."""

from __future__ import annotations

from pages.sections.compare_mechanisms.live import live
from pages.shell.frame import framed

with framed("compare_mechanisms"):
    live()
