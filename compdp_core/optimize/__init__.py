"""Search for the parameters with the least variance."""

from __future__ import annotations

from compdp_core.optimize.exact import Objective, largest_fraction, optimize, smallest_epsilon

__all__ = ["Objective", "largest_fraction", "optimize", "smallest_epsilon"]
