"""Privatize: from a table to its privatized copy, top to bottom."""

from __future__ import annotations

from pages.furniture.frame import framed

with framed("privatize"):
    pass
