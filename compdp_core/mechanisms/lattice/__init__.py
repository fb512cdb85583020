"""What is really drawn: integer weights on a decimal grid, and the proof of their privacy."""

from __future__ import annotations

from compdp_core.mechanisms.lattice.certificate import Certificate, exact_ratio
from compdp_core.mechanisms.lattice.fit import FINE, fit, spacing_exponent
from compdp_core.mechanisms.lattice.lattice import Lattice
from compdp_core.mechanisms.lattice.level_search import AS_DESIGNED, LatticeTarget
from compdp_core.mechanisms.lattice.runs import Runs
from compdp_core.mechanisms.lattice.sampler import CHUNK, Sampler
from compdp_core.mechanisms.lattice.staircase_fit import fit_staircase

__all__ = [
    "AS_DESIGNED",
    "CHUNK",
    "FINE",
    "Certificate",
    "Lattice",
    "LatticeTarget",
    "Runs",
    "Sampler",
    "exact_ratio",
    "fit",
    "fit_staircase",
    "spacing_exponent",
]
