"""Attacks to try, and mechanisms broken on purpose: for study, on simulated draws only."""

from __future__ import annotations

from compdp_core.auditing.attacks.averaging import Averaging as Averaging
from compdp_core.auditing.attacks.averaging import Splitting as Splitting
from compdp_core.auditing.attacks.averaging import average_repeats as average_repeats
from compdp_core.auditing.attacks.averaging import split_budget as split_budget
from compdp_core.auditing.attacks.extremes import guess_inputs as guess_inputs
from compdp_core.auditing.attacks.faulty import FAULTY as FAULTY
from compdp_core.auditing.attacks.faulty import Faulty as Faulty
from compdp_core.auditing.attacks.fingerprints import Fingerprints as Fingerprints
from compdp_core.auditing.attacks.fingerprints import lattice_fingerprints as lattice_fingerprints
from compdp_core.auditing.attacks.fingerprints import textbook_fingerprints as textbook_fingerprints
