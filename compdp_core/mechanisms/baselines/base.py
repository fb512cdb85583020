"""What every baseline checks and does in the same way; subclasses add only their distribution."""

from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from compdp_core.errors import BoundsError, ParameterError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.protocol import one_or_all
from compdp_core.parameters import EPSILON, Parameter
from compdp_core.randomness import ANY_SEED
from compdp_core.validation import Array, floats, real

DELTA = Parameter(
    name="delta",
    symbol="δ",
    meaning="Chance with which the bound on the privacy loss may be broken.",
    lower=1e-100,
    upper=1.0,
    upper_open=True,
    usual=(1e-9, 1e-3),
    default=1e-6,
)

# Squares of a noise scale stay finite and nonzero between these, at every ε and δ in range.
LARGEST_BOUND = 1e140
SMALLEST_SENSITIVITY = 1e-140
# Below the resolution of the bounds a sensitivity means nothing.
LARGEST_WIDTH_IN_SENSITIVITIES = 1e15
# No noise reaches this many widths of the inputs: e^-10⁶ at the least ε.
VICINITY = 1e9


@dataclass(frozen=True, init=False)
class Baseline(ABC):
    """A mechanism for values in a public interval ``inputs``, checked at birth and then fixed.

    Errors: :class:`ParameterError` for ε, δ or Δ outside their domains, :class:`BoundsError` for
    inputs that are not an interval of finite width below 1e140.
    """

    name: ClassVar[str]
    reference: ClassVar[str]
    is_discrete: ClassVar[bool] = False

    epsilon: float
    """Declared privacy budget ε."""
    delta: float
    """Declared δ; 0 for pure differential privacy."""
    interval: Interval
    """``[a, b]``, in data units."""
    sensitivity: float
    """``Δ``, in data units; the width of the inputs unless said otherwise."""

    def __init__(self, epsilon: float, inputs: Any, *, sensitivity: float | None = None) -> None:
        interval = Interval.checked("inputs", inputs)
        if not max(abs(interval.lower), abs(interval.upper)) <= LARGEST_BOUND:
            raise BoundsError(
                "inputs", interval.lower, interval.upper, f"must lie within ±{LARGEST_BOUND:g}"
            )
        self._set("epsilon", EPSILON.check(epsilon))
        self._set("delta", 0.0)
        self._set("interval", interval)
        self._set("sensitivity", check_sensitivity(sensitivity, interval))

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def moved(self, shift: float) -> Self:
        """The same mechanism for values that are larger by ``shift`` (data units).

        About 0 floats lie closest: noise far narrower than the bounds are large is seen there only.
        A grid stays where it is, so a mechanism on one is the same only for whole steps.
        """
        other = copy.copy(self)
        lower, upper = self.inputs
        other._set("interval", Interval(lower + shift, upper + shift))
        return other

    @property
    def inputs(self) -> tuple[float, float]:
        """``(a, b)``."""
        return self.interval.as_tuple()

    @property
    def outputs(self) -> tuple[float, float]:
        """The smallest closed interval that holds every output."""
        return (-math.inf, math.inf)

    def bias(self, value: Any) -> Any:
        """``E[M(x)] - x``, data units; includes what clamping ``x`` into the inputs moved it."""
        values = floats("value", value)
        clamped = self.interval.clamp(values)
        return one_or_all(self._bias(clamped) + (clamped - values))

    def variance(self, value: Any) -> Any:
        """``Var[M(x)]``, squared data units."""
        return one_or_all(self._variance(self._clamped("value", value)))

    def probability_outside(self, interval: Any, value: Any = None) -> Any:
        """``Pr[M(x) not in interval]``; without a value the largest over all inputs.

        The chance of landing inside an interval first rises and then falls in ``x``, for
        symmetric unimodal noise, clamped or not, as for the other kernels here; so the largest
        chance of missing it is at an end of the inputs.
        """
        target = Interval.checked("interval", interval)
        if value is None:
            return float(np.max(self._missed(target, np.array(self.inputs))))
        return one_or_all(self._missed(target, self._clamped("value", value)))

    def simulate(self, values: Any, *, seed: int | np.random.Generator) -> Array:
        """One draw for each value, reproducible from the seed. Never a release."""
        if not isinstance(seed, np.random.Generator):
            seed = np.random.default_rng(int(ANY_SEED.check(seed)))
        return np.asarray(self._draw(self._clamped("values", values), seed))

    def pdf(self, x: Any, *, value: Any) -> Array:
        """Density at outputs ``x``, 1/data unit, without point masses; broadcasts over both."""
        outputs, clamped = self._outputs_and_values(x, value)
        return self._pdf(outputs, clamped)

    def pmf(self, x: Any, *, value: Any) -> Array:
        """Probability of the single output ``x``; broadcasts over both."""
        outputs, clamped = self._outputs_and_values(x, value)
        return self._pmf(outputs, clamped)

    def _outputs_and_values(self, x: Any, value: Any) -> tuple[Array, Array]:
        near = np.clip(floats("x", x), *self._vicinity)
        outputs, clamped = np.broadcast_arrays(near, self._clamped("value", value))
        return outputs, clamped

    def _missed(self, target: Interval, x: Array) -> Array:
        nearest, farthest = self._vicinity
        low, high = max(target.lower, nearest), min(target.upper, farthest)
        if not low < high:
            return np.ones(x.shape)
        near = target if (low, high) == target.as_tuple() else Interval(low, high)
        # Two tails that make up everything can add up to a last bit more than 1.
        return np.minimum(self._outside(near, x), 1.0)

    @property
    def _vicinity(self) -> tuple[float, float]:
        """Beyond these no output has a probability that a float can hold; squares stay finite."""
        lower, upper = self.inputs
        reach = VICINITY * self.interval.width
        return lower - reach, upper + reach

    def _clamped(self, name: str, value: Any) -> Array:
        return self.interval.clamp(floats(name, value))

    @abstractmethod
    def _bias(self, x: Array) -> Array: ...

    @abstractmethod
    def _variance(self, x: Array) -> Array: ...

    @abstractmethod
    def _outside(self, target: Interval, x: Array) -> Array: ...

    @abstractmethod
    def _draw(self, x: Array, rng: np.random.Generator) -> Array: ...

    def _pdf(self, x: Array, value: Array) -> Array:
        return np.zeros(x.shape)

    def _pmf(self, x: Array, value: Array) -> Array:
        return np.zeros(x.shape)


def check_sensitivity(sensitivity: object, interval: Interval) -> float:
    """``Δ`` as a float: above 0 and at most the width of the inputs, which is the default."""
    number = interval.width if sensitivity is None else real(sensitivity)
    smallest = max(SMALLEST_SENSITIVITY, interval.width / LARGEST_WIDTH_IN_SENSITIVITIES)
    if number is None or not smallest <= number <= interval.width:
        raise ParameterError(
            "sensitivity",
            interval.width if sensitivity is None else sensitivity,
            f"must be a number from {smallest:g} to the width of the inputs, {interval.width:g}",
        )
    return number
