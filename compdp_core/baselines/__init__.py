"""The mechanisms that the composite one is compared with, all behind one protocol."""

from __future__ import annotations

from compdp_core.baselines.base import DELTA, Baseline
from compdp_core.baselines.bounded_laplace import BoundedLaplace
from compdp_core.baselines.clamped_gaussian import ClampedGaussian
from compdp_core.baselines.clamped_laplace import ClampedLaplace
from compdp_core.baselines.discrete_gaussian import DiscreteGaussian
from compdp_core.baselines.discrete_laplace import DiscreteLaplace
from compdp_core.baselines.duchi import Duchi
from compdp_core.baselines.gaussian import AnalyticGaussian, ClassicGaussian, gaussian_delta
from compdp_core.baselines.laplace import Laplace
from compdp_core.baselines.piecewise import Piecewise
from compdp_core.baselines.protocol import Mechanism
from compdp_core.baselines.registry import BASELINES, BaselineEntry
from compdp_core.baselines.staircase import Staircase
from compdp_core.baselines.truncated_discrete_laplace import TruncatedDiscreteLaplace

__all__ = [
    "BASELINES",
    "DELTA",
    "AnalyticGaussian",
    "Baseline",
    "BaselineEntry",
    "BoundedLaplace",
    "ClampedGaussian",
    "ClampedLaplace",
    "ClassicGaussian",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "Duchi",
    "Laplace",
    "Mechanism",
    "Piecewise",
    "Staircase",
    "TruncatedDiscreteLaplace",
    "gaussian_delta",
]
