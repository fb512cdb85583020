"""The mechanisms that the composite one is compared with, all behind one protocol."""

from __future__ import annotations

from compdp_core.mechanisms.baselines.base import DELTA as DELTA
from compdp_core.mechanisms.baselines.base import Baseline as Baseline
from compdp_core.mechanisms.baselines.bounded_laplace import BoundedLaplace as BoundedLaplace
from compdp_core.mechanisms.baselines.clamped_gaussian import ClampedGaussian as ClampedGaussian
from compdp_core.mechanisms.baselines.clamped_laplace import ClampedLaplace as ClampedLaplace
from compdp_core.mechanisms.baselines.discrete_gaussian import DiscreteGaussian as DiscreteGaussian
from compdp_core.mechanisms.baselines.discrete_laplace import DiscreteLaplace as DiscreteLaplace
from compdp_core.mechanisms.baselines.duchi import Duchi as Duchi
from compdp_core.mechanisms.baselines.gaussian import AnalyticGaussian as AnalyticGaussian
from compdp_core.mechanisms.baselines.gaussian import ClassicGaussian as ClassicGaussian
from compdp_core.mechanisms.baselines.gaussian import gaussian_delta as gaussian_delta
from compdp_core.mechanisms.baselines.laplace import Laplace as Laplace
from compdp_core.mechanisms.baselines.piecewise import Piecewise as Piecewise
from compdp_core.mechanisms.baselines.registry import BASELINES as BASELINES
from compdp_core.mechanisms.baselines.registry import BaselineEntry as BaselineEntry
from compdp_core.mechanisms.baselines.staircase import StaircaseMechanism as StaircaseMechanism
from compdp_core.mechanisms.baselines.truncated_discrete_laplace import (
    TruncatedDiscreteLaplace as TruncatedDiscreteLaplace,
)
from compdp_core.mechanisms.protocol import Mechanism as Mechanism
