"""A mechanism as a measurement of OpenDP: chained after its transformations, counted by its
contexts (Hay, Gaboardi and Vadhan, "A Programming Framework for OpenDP", 2020).

A measurement has a map: whatever two inputs are ``d_in`` apart, no output is more than ``e^d_out``
times as likely under one as under the other. Here it is the certificate's:

- of one number ``d_out = ε`` for ``0 < d_in <= Δ``, and infinite beyond, where nothing was proved.
  With Δ as wide as the inputs there is no beyond: what lies outside them is clamped first.
- of a column in which ``r`` rows change, ``d_out = r ε``: each row has noise of its own. Only a
  mechanism for any two inputs does that.

After a transformation ``t`` of OpenDP, Δ is its own: ``sensitivity=t.map(d_in)``. Worked out by
hand it can be a last digit too small, and the map is infinite then: that of a clamped mean of 50
rows from 0 to 100 is 2.000000000000265 and not 2.

ε is rounded up. What comes out of the map is never less than what was proved.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from compdp_core.errors import CompdpError, ParameterError
from compdp_core.numerics import not_below
from compdp_core.validation import Array

if TYPE_CHECKING:
    from opendp.mod import Measurement

FEATURES = ("contrib", "honest-but-curious")
"""What OpenDP asks for before it trusts code that is not its own."""

_ORDERED, _UNORDERED = "HammingDistance", ("ChangeOneDistance", "SymmetricDistance")
_OF_A_NUMBER = ("AbsoluteDistance", "DiscreteDistance")


class OpenDPError(CompdpError):
    """OpenDP is not told to take this, or would take it in a way that is not private."""


@dataclass(frozen=True)
class MeasuredMechanism:
    """What a mechanism draws, and what is proved of it, as OpenDP is told."""

    draw: Callable[[Array], Array]
    """One value for each, drawn anew; takes any numbers."""
    epsilon: float
    """Proved for values that are at most ``sensitivity`` apart."""
    sensitivity: float
    """Infinite where any two values are meant."""
    whole: bool
    """Whether values are whole numbers, the places of categories."""

    def loss(self, distance: float) -> float:
        """The map of one value; NaN is beyond anything that was proved."""
        if distance == 0:
            return 0.0
        return self.epsilon if 0 < distance <= self.sensitivity else math.inf

    def loss_of_rows(self, rows: int) -> float:
        """The map of a column in which so many rows change."""
        return not_below(Fraction(self.epsilon) * rows) if rows >= 0 else math.inf


def measurement(
    given: MeasuredMechanism, input_domain: Any = None, input_metric: Any = None
) -> Measurement:
    """The measurement of OpenDP on a domain and a metric, those of one number where left out.

    Raises :class:`OpenDPError` where its features are not enabled, or where the domain allows NaN
    or lists without a size; :class:`ParameterError` for a domain or a metric that it is not for.
    """
    import opendp.prelude as dp
    from opendp.mod import GLOBAL_FEATURES, Domain, Metric

    missing = [each for each in FEATURES if each not in GLOBAL_FEATURES]
    if missing:
        asked = ", ".join(f'"{each}"' for each in FEATURES)
        raise OpenDPError(
            "OpenDP takes a mechanism of another library only where it is told to: call "
            f"opendp.prelude.enable_features({asked}) first"
        )
    if (input_domain is None) != (input_metric is None):
        raise OpenDPError("a domain goes with a metric: give both, or neither for one number")
    if input_domain is None:
        input_domain = dp.atom_domain(T=int) if given.whole else dp.atom_domain(T=float, nan=False)
        input_metric = dp.discrete_distance() if given.whole else dp.absolute_distance(T=float)
    if not isinstance(input_domain, Domain):
        raise ParameterError("input_domain", input_domain, "must be a domain of OpenDP")
    if not isinstance(input_metric, Metric):
        raise ParameterError("input_metric", input_metric, "must be a metric of OpenDP")
    function, privacy_map, kind = (
        _of_a_column if str(input_domain.type).startswith("VectorDomain") else _of_a_number
    )(given, input_domain, str(input_metric.type).partition("<")[0])
    made: Measurement = dp.m.make_user_measurement(
        input_domain, input_metric, dp.max_divergence(), function, privacy_map, TO=kind
    )
    return made


def _of_a_number(given: MeasuredMechanism, domain: Any, metric: str) -> tuple[Any, Any, Any]:
    """Function, map and type of the output for one value."""
    _check_atom(domain)
    if metric not in _OF_A_NUMBER:
        raise _no_metric(metric, "one number", _OF_A_NUMBER)

    def function(value: float) -> float | int:
        drawn = given.draw(_numbers([value]))[0]
        return int(drawn) if given.whole else float(drawn)

    def loss(distance: float) -> float:
        # That two values differ says nothing of how far apart they are.
        return given.loss(math.inf if metric == "DiscreteDistance" and distance else distance)

    return function, loss, int if given.whole else float


def _of_a_column(given: MeasuredMechanism, domain: Any, metric: str) -> tuple[Any, Any, Any]:
    """Function, map and type of the output for a list of values, one a row."""
    if not str(domain.carrier_type).startswith("Vec<"):
        raise ParameterError("input_domain", str(domain.type), "must be of numbers, or lists of")
    _check_atom(domain.element_domain)
    if metric not in (_ORDERED, *_UNORDERED):
        raise _no_metric(metric, "a column", (_ORDERED, *_UNORDERED))
    if not math.isinf(given.sensitivity):
        raise OpenDPError(
            "a row can change from any value to any other, and this mechanism is for values at "
            "most its sensitivity apart: leave sensitivity out"
        )
    size = domain.size
    if metric == "SymmetricDistance" and size is None:
        raise OpenDPError(
            "as many values come out as go in, so where rows may be added the size must be public: "
            "resize first, or name the size of the domain"
        )

    def function(values: list[float]) -> list[float] | list[int]:
        drawn = given.draw(_numbers(values))
        if metric != _ORDERED:
            # Two lists of equal values in another order are the same to this metric: the order
            # of what comes out must not tell that of what went in.
            drawn = np.sort(drawn)
        made: list[float] | list[int] = (drawn.astype(np.int64) if given.whole else drawn).tolist()
        return made

    def loss(distance: int) -> float:
        # With the size public, for each row that comes another one goes.
        return given.loss_of_rows(distance // 2 if metric == "SymmetricDistance" else distance)

    return function, loss, "Vec<i32>" if given.whole else "Vec<f64>"


def _check_atom(domain: Any) -> None:
    """Refuse what are no numbers, and NaN, for which no noise is right."""
    kind = str(domain.carrier_type)
    if kind not in ("f32", "f64") and kind.strip("iu") not in (
        "8",
        "16",
        "32",
        "64",
        "128",
        "size",
    ):
        raise ParameterError("input_domain", str(domain.type), "must be of numbers, or lists of")
    if kind.startswith("f") and domain.member(math.nan):
        raise OpenDPError(
            "the domain allows NaN, and a mechanism cannot guess what a missing value should be: "
            "take atom_domain(T=float, nan=False), or impute first"
        )


def _numbers(values: list[Any]) -> Array:
    """The values as floats. What is outside the domain stops without a word about where."""
    found = np.array(values, dtype=np.float64)
    if np.isnan(found).any():
        raise OpenDPError("there is NaN among the values, which the domain does not allow")
    return found


def _no_metric(metric: str, what: str, allowed: tuple[str, ...]) -> ParameterError:
    return ParameterError("input_metric", metric, f"must be for {what}, one of {list(allowed)}")
