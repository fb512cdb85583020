"""The composite mechanism: a design, its lattice, its certificate, and releases from it."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike

from compdp_core.design.affine import Mapping
from compdp_core.design.density import Density
from compdp_core.design.design import Design
from compdp_core.design.optimize import Objective
from compdp_core.intervals import Bounds, Interval
from compdp_core.mechanisms.lattice import CHUNK, FINE, Certificate, Lattice, Sampler
from compdp_core.mechanisms.measurement import MeasuredMechanism, measurement
from compdp_core.mechanisms.planning import Blueprint, blueprint, check_sensitivity, derived_outputs
from compdp_core.mechanisms.protocol import Values, one_or_all
from compdp_core.mechanisms.threads import drawn_in_parts
from compdp_core.numerics import bracket, first_above
from compdp_core.parameters import PROBABILITY
from compdp_core.randomness import SeededSource, Source, SystemSource
from compdp_core.shapes import Pair
from compdp_core.validation import Array, floats, numbers, of, one_number

if TYPE_CHECKING:
    import pandas as pd
    from opendp.mod import Measurement


class CompositeMechanism:
    """Bounded and unbiased ε-differential privacy for values of a public interval.

    Parameters
    ----------
    epsilon:
        Privacy budget ε, from 0.001 to 50.
    inputs:
        ``(a, b)``, where true values can lie (data units). Public: chosen without the data.
    pair:
        Activation and base, ``"A1B1"`` … ``"A3B2"`` or a :class:`~compdp_core.shapes.Pair`, or the
        staircase ``"A4B1"``. Where left out: A1B1 at ``Δ = b - a``, the staircase below.
    sensitivity:
        Δ, the most a value can change between neighbouring datasets; ``b - a`` where left out,
        which makes any two inputs indistinguishable (local privacy of each value).
    outputs:
        Hard bounds ``(l, u)`` for released values; derived from the inputs where left out.
    objective:
        What to minimise: variance at the ``"center"`` input, its ``"mean"`` over the inputs, or
        at the ``"worst"`` input.
    tail_ratio:
        τ of base B2, within ``(e^-ε, 1)``; 0.95 or more where left out.
    steps, margin:
        Of the staircase only: its number of levels, or how many Δ the outputs may reach beyond
        the inputs; the fewest levels within 0.5 % of the least variance where left out.
    spacing:
        Distance of neighbouring outputs, a power of ten; 1 releases whole numbers. Where left out,
        the coarsest that costs at most a ten-thousandth of the least variance, or the finest that
        floats can tell apart.

    Every error is a :class:`ValueError` that names the argument.

    >>> mechanism = CompositeMechanism(epsilon=1.0, inputs=(0, 100))
    >>> mechanism.certificate.holds, mechanism.certificate.epsilon <= 1.0
    (True, True)
    >>> released = mechanism.release([20, 50, 80])
    >>> bool(((released >= mechanism.outputs[0]) & (released <= mechanism.outputs[1])).all())
    True
    """

    def __init__(
        self,
        epsilon: float,
        inputs: Bounds,
        *,
        pair: str | Pair | None = None,
        sensitivity: float | None = None,
        outputs: Bounds | None = None,
        objective: Objective = "center",
        tail_ratio: float | None = None,
        steps: int | None = None,
        margin: float | None = None,
        spacing: float | None = None,
    ) -> None:
        plan = blueprint(
            epsilon,
            inputs,
            pair=pair,
            sensitivity=sensitivity,
            outputs=outputs,
            objective=objective,
            tail_ratio=tail_ratio,
            steps=steps,
            margin=margin,
        )
        self._build(plan, spacing)
        self.objective: str = objective

    @classmethod
    def from_design(
        cls,
        design: Design,
        inputs: Bounds,
        *,
        sensitivity: float | None = None,
        spacing: float | None = None,
    ) -> CompositeMechanism:
        """The mechanism of a given design, such as one set by hand; outputs follow from it.

        Nothing is optimised, everything is certified: where the design spends more than its ε,
        its activation is lowered until the certificate holds, and :attr:`design` is the lowered
        one.
        """
        of("design", design, Design, "must be a Design, as optimize finds one")
        mechanism = cls.__new__(cls)
        interval = Interval.checked("inputs", inputs)
        outputs = derived_outputs(interval, design)
        distance = check_sensitivity(sensitivity, interval)
        plan = Blueprint(design, interval, outputs, distance, hard=False)
        mechanism._build(plan.affordable(), spacing)
        mechanism.objective = "given"
        return mechanism

    def _build(self, plan: Blueprint, spacing: object) -> None:
        self.epsilon: float = plan.design.epsilon
        self.sensitivity: float = plan.sensitivity
        """Δ (data units)."""
        self.design: Design = plan.design
        self.lattice: Lattice = plan.lattice(spacing)
        """The integer weights that are drawn from."""
        self.certificate = Certificate.of(self.lattice, self.epsilon, self.sensitivity)
        """What is proved about them."""
        self.default_spacing: bool = spacing is None
        """Whether the spacing is the library's choice."""
        self._least = plan.least_variance
        self.mapping = Mapping(plan.outputs, plan.design.L)
        """Between data units and the domain of :attr:`design`."""
        self._inputs = plan.inputs
        self._outputs = plan.outputs if plan.hard else Interval(*self.certificate.outputs)
        self._sampler = Sampler(self.lattice)

    def __repr__(self) -> str:
        return (
            f"CompositeMechanism(epsilon={self.epsilon:g}, inputs={self.inputs}, "
            f"outputs={self.outputs}, pair={self.pair!r})"
        )

    delta = 0.0
    """Pure differential privacy."""
    reference = "Zhang et al., IEEE S&P 2024"

    @property
    def name(self) -> str:
        """What to call it in a table or legend."""
        return f"Composite {self.pair}"

    @property
    def is_discrete(self) -> bool:
        """Whether a chart should draw points, as for whole numbers.

        All releases lie on a lattice; the default one is so fine that noise cannot feel it.
        """
        return not self.default_spacing and self.lattice.points < FINE

    @property
    def lattice_cost(self) -> float:
        """Share by which the lattice's variance exceeds that of the continuous :attr:`design`.

        Of the :attr:`objective`, at the worst rounding of an input to the lattice. The default
        spacing keeps it at 1e-4 or below, with as few decimals as that takes; it is more where the
        inputs lie so far from zero that floats allow no finer spacing.

        >>> CompositeMechanism(1.0, (0, 100)).lattice_cost <= 1e-4
        True
        >>> far = CompositeMechanism(16.0, (999_999_999_999, 10**12))
        >>> far.lattice.spacing, round(far.lattice_cost, 2)
        (0.001, 0.05)
        """
        return self._least.cost(self.lattice)

    @property
    def pair(self) -> str:
        """Name of the function pair."""
        return self.design.pair.name

    @property
    def inputs(self) -> tuple[float, float]:
        """``(a, b)``."""
        return self._inputs.as_tuple()

    @property
    def outputs(self) -> tuple[float, float]:
        """``(l, u)``: every released value lies in it."""
        return self._outputs.as_tuple()

    @property
    def decimals(self) -> int:
        """Decimal places that write every released value exactly."""
        return self.lattice.decimals

    @overload
    def release(self, values: pd.Series[Any]) -> pd.Series[float]: ...
    @overload
    def release(self, values: ArrayLike) -> Array: ...
    def release(self, values: ArrayLike | pd.Series[Any]) -> Array | pd.Series[float]:
        """Privatised values, drawn with the system's randomness; each call spends ε again.

        Many values are drawn on as many threads as the process has cores.

        Takes numbers of any shape, clamps them into the inputs (the released value is then
        unbiased for the clamped one) and returns floats of the same shape: for a pandas Series one
        with its index and name.

        Raises :class:`MissingValueError` for NaN, :class:`ParameterError` for what is not a
        number, :class:`CertificateError` where the guarantee is not proved.
        """
        drawn = self.draw(values, SystemSource())
        pandas = sys.modules.get("pandas")  # where it was never loaded, nothing is its series
        if pandas is None or not isinstance(values, pandas.Series):
            return drawn
        series: pd.Series[float] = pandas.Series(drawn, index=values.index, name=values.name)
        return series

    def simulate(self, values: ArrayLike, *, seed: int) -> Array:
        """The distribution of :meth:`release`, reproducible. Not private: never publish it."""
        return self.draw(values, SeededSource(seed))

    def draw(self, values: ArrayLike | pd.Series[Any], source: Source) -> Array:
        """What :meth:`release` and :meth:`simulate` share; the words decide which it is."""
        self.certificate.require()
        array = numbers("values", values)
        result = np.empty(array.size)
        flat = array.reshape(-1)
        self._sampler.prepare()  # once, before threads would do it at the same time

        def draw(part: slice, own: Source) -> None:
            result[part] = self._sampler.draw(self._inputs.clamp(flat[part]), own)

        drawn_in_parts(draw, flat.size, source, CHUNK)
        return result.reshape(array.shape)

    def as_measurement(self, input_domain: Any = None, input_metric: Any = None) -> Measurement:
        """The mechanism as a measurement of OpenDP, whose map is the certificate's.

        On one number and its absolute distance where both are left out, as they are after
        ``then_mean``; else on that space, such as a column under ``hamming_distance()``. Its map
        is ε up to Δ and infinite beyond. :mod:`compdp_core.mechanisms.measurement` says what it
        takes. In OpenDP's context: ``dp.register(mechanism.as_measurement, "composite")``, then
        ``context.query().clamp(...).mean().composite().release()``. After a transformation ``t``
        take Δ from it, ``sensitivity=t.map(d_in)``: rounded up, it is above what one works out.

        Raises :class:`~compdp_core.mechanisms.measurement.OpenDPError` where OpenDP's features
        "contrib" and "honest-but-curious" are not enabled, :class:`ParameterError`,
        :class:`CertificateError`.
        """
        self.certificate.require()
        low, high = self.inputs
        given = MeasuredMechanism(
            lambda values: self.draw(np.clip(values, low, high), SystemSource()),
            self.certificate.epsilon,
            # Clamped values are no further apart than the inputs are wide.
            self.sensitivity if self.sensitivity < high - low else math.inf,
            whole=False,
        )
        return measurement(given, input_domain, input_metric)

    def density(self) -> Density:
        """The continuous density that the lattice follows, in domain units."""
        return Density(self.design)

    def pdf(self, x: ArrayLike, *, value: float) -> Array:
        """Density at the outputs ``x`` for one true value (per data unit).

        The continuous density that the lattice follows; it differs by less than a spacing.
        """
        return (
            self.density().pdf(self.mapping.to_domain(floats("x", x)), self.mapped(value))
            * self.mapping.scale
        )

    def mapped(self, value: float) -> float:
        """``C_p``: the clamped value in the domain."""
        position = float(self.mapping.to_domain(self._inputs.clamp(one_number("value", value))))
        limit = self.design.C
        return min(max(position, -limit), limit)

    @overload
    def mean(self, value: float) -> float: ...
    @overload
    def mean(self, value: Values) -> Array: ...
    def mean(self, value: float | Values) -> float | Array:
        """Mean of the released value for each true value."""
        return one_or_all(self.lattice.mean(self._inputs.clamp(numbers("value", value))))

    @overload
    def variance(self, value: float) -> float: ...
    @overload
    def variance(self, value: Values) -> Array: ...
    def variance(self, value: float | Values) -> float | Array:
        """Variance of the released value for each true value (data units squared)."""
        return one_or_all(self.lattice.variance(self._inputs.clamp(numbers("value", value))))

    @overload
    def bias(self, value: float) -> float: ...
    @overload
    def bias(self, value: Values) -> Array: ...
    def bias(self, value: float | Values) -> float | Array:
        """``E[released] - value``: rounding only within the inputs, the clamping outside."""
        array = numbers("value", value)
        return one_or_all(self.lattice.mean(self._inputs.clamp(array)) - array)

    def quantile(self, p: float, value: float) -> float:
        """The lowest output that a released value does not exceed with probability ``p``.

        Of the very lattice that is drawn from: exact for whole numbers too.
        """
        level = PROBABILITY.check(p)
        at = self._inputs.clamp(one_number("value", value))

        def reached(index: int) -> bool:
            return float(self.lattice.below(index + 1, at)) >= level

        return float(self.lattice.value(first_above(-1, self.lattice.points - 1, reached)))

    def inputs_within(self, released: float, level: float = 0.95) -> tuple[float, float]:
        """Confidence interval for the true value behind a released one.

        All inputs under which the released value lies between its quantiles at ``(1 ± level)/2``
        (Neyman's construction); both fall or stay as the input falls, so bisection finds the ends,
        and the interval is rounded outward. Where no input qualifies, the nearer end of the inputs
        stands for both.
        """
        tail = 0.5 * (1.0 - PROBABILITY.check(level))
        x = one_number("released", released)
        lattice = self.lattice
        first, behind = (
            lattice.index_at_least(x),
            lattice.index_at_least(math.nextafter(x, math.inf)),
        )
        # quantile(p, v) >= x exactly where fewer than p of the outputs lie below x.
        lowest, _ = self._first_input(lambda v: float(lattice.below(first, v)) < 1.0 - tail)
        _, highest = self._first_input(lambda v: float(lattice.below(behind, v)) < tail)
        return min(lowest, highest), max(lowest, highest)

    def _first_input(self, reached: Callable[[float], bool]) -> tuple[float, float]:
        """Where something begins to hold: between these, a thousandth of a spacing apart."""
        low, high = self.inputs
        if reached(low):
            return low, low
        if not reached(high):
            return high, high

        def close(low: float, high: float) -> float:
            return max(1e-3 * self.lattice.spacing, 4.0 * math.ulp(max(-low, high, 0.0)))

        return bracket(low, high, reached, close)

    @overload
    def probability_outside(self, interval: Bounds, value: float | None = None) -> float: ...
    @overload
    def probability_outside(self, interval: Bounds, value: Values) -> Array: ...
    def probability_outside(
        self, interval: Bounds, value: float | Values | None = None
    ) -> float | Array:
        """Probability that a released value lies outside ``interval``.

        For each true value, or, where none is given, at the input where it is largest.
        """
        bounds = Interval.checked("interval", interval)
        lattice = self.lattice
        low = lattice.index_at_least(bounds.lower)
        high = lattice.index_at_least(math.nextafter(bounds.upper, math.inf))
        if value is not None:
            clamped = self._inputs.clamp(numbers("value", value))
            return one_or_all(1.0 - (lattice.below(high, clamped) - lattice.below(low, clamped)))
        shifts = lattice.critical_shifts((low, high))
        ends = lattice.shift(np.array(self.inputs))
        shifts = np.unique(np.r_[ends, shifts[(shifts > ends[0]) & (shifts < ends[1])]])
        within = lattice.below_at(high, shifts) - lattice.below_at(low, shifts)
        return float(np.max(np.clip(1.0 - within, 0.0, 1.0)))
