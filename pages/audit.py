"""Audit: what a mechanism claims against what can be measured, and attacks to try."""

from __future__ import annotations

from pages.auditing.live import live
from pages.furniture.frame import framed

with framed("audit"):
    live()
