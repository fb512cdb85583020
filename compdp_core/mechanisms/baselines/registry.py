"""All baselines by key, with what a caller has to hand to each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from inspect import Parameter, signature
from typing import Any

from compdp_core.errors import ParameterError
from compdp_core.mechanisms.baselines.base import Baseline
from compdp_core.mechanisms.baselines.bounded_laplace import BoundedLaplace
from compdp_core.mechanisms.baselines.clamped_gaussian import ClampedGaussian
from compdp_core.mechanisms.baselines.clamped_laplace import ClampedLaplace
from compdp_core.mechanisms.baselines.discrete_gaussian import DiscreteGaussian
from compdp_core.mechanisms.baselines.discrete_laplace import DiscreteLaplace
from compdp_core.mechanisms.baselines.duchi import Duchi
from compdp_core.mechanisms.baselines.gaussian import AnalyticGaussian, ClassicGaussian
from compdp_core.mechanisms.baselines.laplace import Laplace
from compdp_core.mechanisms.baselines.piecewise import Piecewise
from compdp_core.mechanisms.baselines.staircase import StaircaseMechanism
from compdp_core.mechanisms.baselines.truncated_discrete_laplace import TruncatedDiscreteLaplace


@dataclass(frozen=True)
class BaselineEntry:
    """One baseline: how to build it and how to describe it."""

    key: str
    """Name in code and in saved settings."""
    factory: Callable[..., Baseline]
    description: str
    """One line for a table or help text."""
    is_bounded: bool = False
    """Whether all outputs lie in a finite interval."""
    is_unbiased: bool = True
    """Whether the mean output is the true value at every input (on the grid, if discrete)."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Arguments it cannot do without, besides epsilon and inputs."""
        return tuple(p.name for p in self._arguments if p.default is p.empty)

    @property
    def options(self) -> tuple[str, ...]:
        """Arguments it also takes, besides the sensitivity."""
        return tuple(p.name for p in self._arguments if p.default is not p.empty)

    @cached_property
    def _arguments(self) -> list[Parameter]:
        known = signature(self.factory).parameters.values()
        return [p for p in known if p.name not in ("epsilon", "inputs", "sensitivity")]

    @property
    def has_release(self) -> bool:
        """Whether it offers a private release, besides simulation."""
        return hasattr(self.factory, "release")

    @property
    def name(self) -> str:
        """Name for people."""
        return str(getattr(self.factory, "name", self.key))

    @property
    def reference(self) -> str:
        """Where it was published."""
        return str(getattr(self.factory, "reference", ""))

    def build(
        self,
        epsilon: float,
        inputs: Any,
        *,
        sensitivity: float | None = None,
        delta: float | None = None,
        **options: Any,
    ) -> Baseline:
        """The mechanism; ``delta`` is passed on only where it is needed.

        Raises :class:`ParameterError` for a missing ``delta`` or an unknown option.

        >>> BASELINES["laplace"].build(1.0, (0, 10), delta=1e-6).delta
        0.0
        """
        for option in options:
            if option not in self.options:
                known = ", ".join(self.options) or "none"
                raise ParameterError(option, options[option], f"is not an option here ({known})")
        if "delta" in self.needs:
            options["delta"] = delta
        return self.factory(epsilon, inputs, sensitivity=sensitivity, **options)


_ENTRIES = (
    BaselineEntry("laplace", Laplace, "Adds Laplace noise of scale Δ/ε; unbiased, unbounded."),
    BaselineEntry(
        "classic_gaussian",
        ClassicGaussian,
        "Adds Gaussian noise by the textbook formula, proven for ε < 1 only.",
    ),
    BaselineEntry(
        "analytic_gaussian",
        AnalyticGaussian,
        "Adds the least Gaussian noise that is (ε, δ)-DP, at every ε.",
    ),
    BaselineEntry(
        "discrete_laplace",
        DiscreteLaplace,
        "Adds two-sided geometric noise on a grid; unbiased for values on it, unbounded.",
    ),
    BaselineEntry(
        "discrete_gaussian",
        DiscreteGaussian,
        "Adds Gaussian noise on a grid, the least that is (ε, δ)-DP.",
    ),
    BaselineEntry(
        "clamped_laplace",
        ClampedLaplace,
        "Laplace, then outputs moved into the inputs; bounded, biased.",
        is_bounded=True,
        is_unbiased=False,
    ),
    BaselineEntry(
        "clamped_gaussian",
        ClampedGaussian,
        "Analytic Gaussian, then outputs moved into the inputs; bounded, biased.",
        is_bounded=True,
        is_unbiased=False,
    ),
    BaselineEntry(
        "truncated_discrete_laplace",
        TruncatedDiscreteLaplace,
        "Discrete Laplace, then outputs moved into the inputs; bounded, biased.",
        is_bounded=True,
        is_unbiased=False,
    ),
    BaselineEntry(
        "bounded_laplace",
        BoundedLaplace,
        "Laplace conditioned on outputs inside the inputs, rescaled to stay ε-DP; biased.",
        is_bounded=True,
        is_unbiased=False,
    ),
    BaselineEntry(
        "staircase",
        StaircaseMechanism,
        "The additive ε-DP noise of least variance; unbiased, unbounded.",
    ),
    BaselineEntry(
        "duchi", Duchi, "Local DP: one of two fixed outputs; bounded, unbiased.", is_bounded=True
    ),
    BaselineEntry(
        "piecewise",
        Piecewise,
        "Local DP: a plateau on a constant base; bounded, unbiased.",
        is_bounded=True,
    ),
)

BASELINES: dict[str, BaselineEntry] = {entry.key: entry for entry in _ENTRIES}
