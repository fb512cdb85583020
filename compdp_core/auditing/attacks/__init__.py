"""Attacks to try, and mechanisms broken on purpose: for study, on simulated draws only."""

from __future__ import annotations

from compdp_core.auditing.attacks.averaging import (
    Averaging,
    Splitting,
    average_repeats,
    split_budget,
)
from compdp_core.auditing.attacks.extremes import guess_inputs
from compdp_core.auditing.attacks.faulty import FAULTY, Faulty
from compdp_core.auditing.attacks.fingerprints import (
    Fingerprints,
    lattice_fingerprints,
    textbook_fingerprints,
)

__all__ = [
    "FAULTY",
    "Averaging",
    "Faulty",
    "Fingerprints",
    "Splitting",
    "average_repeats",
    "guess_inputs",
    "lattice_fingerprints",
    "split_budget",
    "textbook_fingerprints",
]
