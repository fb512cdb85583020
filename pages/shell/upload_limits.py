"""An upload stays in memory: by itself the server would write larger ones to disk for a moment."""

from __future__ import annotations

from starlette.formparsers import MultiPartParser

MOST = 2**31
"""Bytes, beyond what `server.maxUploadSize` lets pass."""


def never_on_disk() -> None:
    """Called by the frame: nobody can upload before a page was drawn."""
    MultiPartParser.spool_max_size = MOST
