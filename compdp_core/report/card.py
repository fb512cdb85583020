"""The privacy card: its contents, as JSON and as a page."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from compdp_core.report.card_parts import CardContents

FORMAT = "composite-dp privacy card"
VERSION = 2
"""Of cards that may hold categories, for which what has to do with numbers is null."""
EARLIER = (1,)
"""Versions whose cards are cards still."""


class Card(CardContents):
    """Everything public about one release: settings and what was proved about them."""

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        plain: dict[str, Any] = json.loads(self.to_json())
        return plain

    def to_json(self) -> str:
        """JSON text that :func:`~compdp_core.report.schema` describes."""
        said = {"format": FORMAT, "version": VERSION, **asdict(self)}
        return json.dumps(said, indent=2, ensure_ascii=True, allow_nan=False) + "\n"

    def to_html(self, *parts: str) -> str:
        """A page that needs nothing else: no script, no outside request, fit for printing.

        ``parts``: only these below the heading, of ``summary``, ``released``, ``protected``,
        ``open``, ``items`` and ``about``; the whole card where none is named.

        Raises :class:`~compdp_core.errors.ParameterError` for a part that no card has.
        """
        from compdp_core.report.card_html import card_html

        return card_html(self, *parts)
