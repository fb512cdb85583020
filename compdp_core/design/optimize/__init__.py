"""Search for the parameters with the least variance."""

from __future__ import annotations

from compdp_core.design.optimize.algorithms import ALGORITHMS as ALGORITHMS
from compdp_core.design.optimize.algorithms import Algorithm as Algorithm
from compdp_core.design.optimize.algorithms import Search as Search
from compdp_core.design.optimize.exact import Objective as Objective
from compdp_core.design.optimize.exact import largest_fraction as largest_fraction
from compdp_core.design.optimize.exact import optimize as optimize
from compdp_core.design.optimize.exact import smallest_epsilon as smallest_epsilon
from compdp_core.design.optimize.problem import Problem as Problem
from compdp_core.design.optimize.trace import Batch as Batch
from compdp_core.design.optimize.trace import Step as Step
from compdp_core.design.optimize.trace import Trace as Trace
