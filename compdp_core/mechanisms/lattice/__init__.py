"""What is really drawn: integer weights on a decimal grid, and the proof of their privacy."""

from __future__ import annotations

from compdp_core.mechanisms.lattice.certificate import Certificate as Certificate
from compdp_core.mechanisms.lattice.certificate import exact_ratio as exact_ratio
from compdp_core.mechanisms.lattice.cost import COST as COST
from compdp_core.mechanisms.lattice.cost import LeastVariance as LeastVariance
from compdp_core.mechanisms.lattice.default_fit import fit as fit
from compdp_core.mechanisms.lattice.default_fit import lowered as lowered
from compdp_core.mechanisms.lattice.fit import FINE as FINE
from compdp_core.mechanisms.lattice.fit import fit_as_designed as fit_as_designed
from compdp_core.mechanisms.lattice.fit import spacing_exponent as spacing_exponent
from compdp_core.mechanisms.lattice.lattice import Lattice as Lattice
from compdp_core.mechanisms.lattice.level_search import AS_DESIGNED as AS_DESIGNED
from compdp_core.mechanisms.lattice.level_search import LatticeTarget as LatticeTarget
from compdp_core.mechanisms.lattice.runs import Runs as Runs
from compdp_core.mechanisms.lattice.sampler import CHUNK as CHUNK
from compdp_core.mechanisms.lattice.sampler import Sampler as Sampler
from compdp_core.mechanisms.lattice.staircase_fit import fit_staircase as fit_staircase
