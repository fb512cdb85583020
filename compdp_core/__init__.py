"""Bounded and unbiased composite differential privacy.

Noise with hard bounds that is right on average, with a privacy guarantee that is checked before
anything is released (mechanism: Zhang et al., IEEE S&P 2024).
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

from compdp_core.mechanisms.composite import CompositeMechanism

__all__ = ["CompositeMechanism"]

_EARLIER = {
    "answer": "release.statistic",
    "inquiry": "statistics.query",
    "neighbours": "adjacency",
    "staircase": "shapes.staircase",
    "table": "tables",
}
"""What scripts written by version 0.1 import, and where it is now. To go in 0.3."""


class _Earlier(ModuleType):
    """A module under its name of version 0.1, loaded when a name of it is asked for."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        _, _, module = self.__name__.rpartition(".")
        return getattr(import_module(f"{__name__}.{_EARLIER[module]}"), name)


sys.modules.update({f"{__name__}.{each}": _Earlier(f"{__name__}.{each}") for each in _EARLIER})
