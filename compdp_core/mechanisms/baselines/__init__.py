"""The mechanisms that the composite one is compared with, all behind one protocol."""

from __future__ import annotations

from compdp_core.mechanisms.baselines.base import DELTA, Baseline
from compdp_core.mechanisms.baselines.bounded_laplace import BoundedLaplace
from compdp_core.mechanisms.baselines.clamped_gaussian import ClampedGaussian
from compdp_core.mechanisms.baselines.clamped_laplace import ClampedLaplace
from compdp_core.mechanisms.baselines.discrete_gaussian import DiscreteGaussian
from compdp_core.mechanisms.baselines.discrete_laplace import DiscreteLaplace
from compdp_core.mechanisms.baselines.duchi import Duchi
from compdp_core.mechanisms.baselines.gaussian import (
    AnalyticGaussian,
    ClassicGaussian,
    gaussian_delta,
)
from compdp_core.mechanisms.baselines.laplace import Laplace
from compdp_core.mechanisms.baselines.piecewise import Piecewise
from compdp_core.mechanisms.baselines.registry import BASELINES, BaselineEntry
from compdp_core.mechanisms.baselines.staircase import StaircaseMechanism
from compdp_core.mechanisms.baselines.truncated_discrete_laplace import TruncatedDiscreteLaplace
from compdp_core.mechanisms.protocol import Mechanism

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
    "StaircaseMechanism",
    "TruncatedDiscreteLaplace",
    "gaussian_delta",
]
