"""A finished run of the paper, and the panel that it is shown in."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from compdp_core.experiments import Reproduction
from pages.sections.paper.source import is_private
from pages.shell.panels import private


@dataclass(frozen=True, eq=False)
class FinishedRun:
    """One finished run and what it was about."""

    reproduction: Reproduction
    source: str
    name: str | None
    """Column beside the paper's own queries, if any."""
    setting: tuple[object, ...] | None = None
    """Everything that the numbers depend on."""

    @property
    def private(self) -> bool:
        return is_private(self.source)


def panel(found: FinishedRun, key: str) -> AbstractContextManager[None]:
    """Around what a run shows: marked as private where it holds answers about someone's data."""
    return private(key, "from the true values of your column") if found.private else nullcontext()
