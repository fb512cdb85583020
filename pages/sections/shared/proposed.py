"""What each column may hold, as its cells suggest: private, for the owner to confirm or change."""

from __future__ import annotations

from typing import Literal

from compdp_core.tables import Table
from compdp_core.tables.column_kinds import Proposal, proposals
from compdp_core.tables.value_formats import ValueFormat
from pages.sections.shared.setup import setting
from pages.session.state import memo

Holds = Literal[
    "number", "whole", "limits", "category", "yes_no", "scale",
    "date", "time", "datetime", "duration",
]  # fmt: skip
"""What the owner can say that a column holds."""

WRITTEN = ("date", "time", "datetime", "duration")
"""What is written in a format of its own."""


def proposed(table: Table, position: int) -> tuple[Proposal, ...]:
    """What the column may hold, the likeliest first; may be empty."""
    return tuple(each for each in _all(table, position) if each.kind != "none")


def better_left(table: Table, position: int) -> str:
    """Why a column is not offered, as free text and names are not; empty where it is."""
    first = _all(table, position)[0]
    return first.why if first.kind == "none" else ""


def _all(table: Table, position: int) -> tuple[Proposal, ...]:
    name = setting(table.fingerprint, position, "proposals")
    return memo(name, table, lambda: proposals(table, position))


def held(proposal: Proposal) -> Holds:
    """What a proposal says, in the words of the page."""
    if proposal.kind in ("number", "whole") and proposal.format is not None:
        return "limits"
    if proposal.kind == "category" and len(proposal.usual) == 2:
        return "yes_no"
    assert proposal.kind != "none"
    return proposal.kind


def likeliest(found: tuple[Proposal, ...]) -> Proposal | None:
    """The one that is filled in: of a scale in numbers these, whose bounds are easier to say."""
    if found and found[0].kind == "scale":
        return next((p for p in found if p.kind == "whole" and p.format is None), found[0])
    return found[0] if found else None


def readings(found: tuple[Proposal, ...]) -> tuple[Proposal, ...]:
    """The ways to read cells that show more than one, so that the owner must say which."""
    written = tuple(each for each in found if each.kind in WRITTEN)
    return written if len(written) > 1 and found[0].kind in WRITTEN else ()


def formats_for(found: tuple[Proposal, ...], kind: str) -> tuple[ValueFormat, ...]:
    """The formats of that kind that fit the cells."""
    return tuple(
        dict.fromkeys(p.format for p in found if p.format is not None and p.format.kind == kind)
    )
