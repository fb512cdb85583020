"""Compare mechanisms: errors, bias, ranges and draws side by side, without data."""

from __future__ import annotations

from pages.comparing.live import live
from pages.furniture.frame import framed

with framed("compare_mechanisms"):
    live()
