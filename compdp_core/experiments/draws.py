"""Draws one by one with their running mean, and quantiles for quantile dot plots."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.experiments.comparison import by_name
from compdp_core.experiments.frames import stacked
from compdp_core.experiments.quantiles import Inverse
from compdp_core.experiments.seeds import derived_seed
from compdp_core.intervals import Interval
from compdp_core.mechanisms.baselines import Mechanism
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.parameters import PROBABILITY
from compdp_core.validation import floats, one_number, whole

if TYPE_CHECKING:
    import pandas as pd

Array = NDArray[np.float64]


def running_mean(
    mechanisms: Mapping[str, Mechanism] | Sequence[Mechanism],
    value: float,
    *,
    draws: int,
    seed: int,
) -> pd.DataFrame:
    """One true value released again and again, as in averaging repeated releases.

    One row a mechanism and draw: ``released``, the ``mean`` of the draws so far, its
    ``standard_error`` (estimated from these draws; NaN for the first), the ``theory_error`` that
    the closed-form variance gives, and whether the draw is ``outside`` the inputs. What the mean
    closes in on is ``value`` plus the mechanism's bias.
    """
    named, count = by_name(mechanisms), whole("draws", draws, 1, 10**6)
    truth, parts = one_number("value", value), []
    for name, mechanism in named.items():
        inputs = Interval.checked("inputs", mechanism.inputs)
        seen = mechanism.simulate(np.full(count, truth), seed=derived_seed(seed, name, "running"))
        number = np.arange(1, count + 1)
        # From the true value, so that the squares do not cancel.
        errors = seen - truth
        mean = np.cumsum(errors) / number
        squares = np.maximum(np.cumsum(errors**2) - number * mean**2, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            error = np.sqrt(squares / (number - 1.0) / number)
        error[0] = math.nan
        theory = math.sqrt(float(mechanism.variance(truth))) / np.sqrt(number)
        found = {"mechanism": name, "draw": number, "released": seen, "mean": truth + mean}
        errors_of_mean = {"standard_error": error, "theory_error": theory}
        parts.append(found | errors_of_mean | {"outside": seen != inputs.clamp(seen)})
    return stacked(parts)


def quantiles(mechanism: Mechanism, value: float, levels: Any, *, precision: float = 1e-9) -> Array:
    """``inf {t : Pr[M(x) <= t] >= p}`` for each level ``p``, from the closed-form tails.

    The composite's are the very points of its lattice. The others come from a bracketed search on
    :meth:`Mechanism.probability_outside`, to ``precision`` of the width of the inputs, and so
    serve every mechanism, with point masses or without.

    >>> from compdp_core.mechanisms.baselines import Laplace
    >>> quantiles(Laplace(1.0, (0, 10)), 5.0, [0.5]).round(6).tolist()
    [5.0]

    Raises :class:`ParameterError` for levels outside (0, 1).
    """
    wanted = floats("levels", levels).reshape(-1)
    checked = [PROBABILITY.check(p) for p in wanted.tolist()]
    if isinstance(mechanism, CompositeMechanism):
        return np.array([mechanism.quantile(p, value) for p in checked])
    return np.array([*map(Inverse(mechanism, value, precision), checked)])


def quantile_dots(
    mechanisms: Mapping[str, Mechanism] | Sequence[Mechanism],
    value: float,
    *,
    dots: int = 50,
    precision: float = 1e-9,
) -> pd.DataFrame:
    """Quantiles at ``(i - ½)/dots``: each dot stands for an equally likely outcome.

    Kay, Kola, Hullman, Munson, *When (ish) is My Bus?*, CHI 2016. One row a mechanism and dot:
    ``level``, ``quantile`` and whether it is ``outside`` the inputs. ``precision`` in widths of the
    inputs: a picture needs less than a table, and comes sooner.
    """
    named, count = by_name(mechanisms), whole("dots", dots, 1, 1000)
    levels = (np.arange(count) + 0.5) / count
    parts = []
    for name, mechanism in named.items():
        inputs = Interval.checked("inputs", mechanism.inputs)
        found = quantiles(mechanism, one_number("value", value), levels, precision=precision)
        outside = [not inputs.contains(each) for each in found.tolist()]
        dot = {"mechanism": name, "dot": np.arange(1, count + 1), "level": levels}
        parts.append(dot | {"quantile": found, "outside": outside})
    return stacked(parts)
