"""Audit: what a mechanism claims against what can be measured, and attacks to try."""

from __future__ import annotations

from pages.sections.audit.live import live
from pages.shell.frame import framed

with framed("audit"):
    live()
