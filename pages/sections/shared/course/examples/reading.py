"""One released column of an invented class, read as it stands and by what its card says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from compdp_core.accounting import exact
from compdp_core.estimates import moments, relations
from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.estimate import Estimate, EstimateError
from compdp_core.estimates.likelihood.distribution import smoothed
from compdp_core.estimates.likelihood.quantiles import split
from compdp_core.estimates.likelihood.support import ReleasedValues
from compdp_core.estimates.reading import Reading, Sampling, of_clean, of_numbers
from compdp_core.intervals import Interval
from compdp_core.numerics import not_above
from compdp_core.text import number
from pages.sections.shared.course.examples.noise import EPSILONS, INPUTS, UNIT, composite
from pages.sections.shared.course.examples.pupils import SEED, SIZES, hours_studied, results

Array = NDArray[np.float64]

LIMIT = 60.0
"""Of the share above it (points)."""
ADA = 0.8
"""Share of the pupils whose result is at most Ada's."""
LEVEL = 0.95
SPREAD = f"standard deviation ({UNIT})"
BARS = 20
"""Of the pictures, between the bounds."""

Told = tuple[float, float, float]
"""An estimate and its interval."""


@dataclass(frozen=True)
class FigureBothWays:
    """One figure in both ways, beside the true one, which is known here alone."""

    name: str
    """With its unit."""
    naive: float
    right: Told | None
    """None where these rows at this ε tell nothing of it."""
    true: float


@dataclass(frozen=True, eq=False)
class ReadRelease:
    """What there is, and what can be read from it."""

    true: Array
    released: Array
    noise: float
    """Standard deviation of the noise, as the card has it (points)."""
    figures: tuple[FigureBothWays, ...]
    shares: Array
    """Estimated shares of the bars between the bounds."""
    ada: tuple[float, float, Interval]
    """Her result, the released one, and between what it then lies as far as anyone can tell."""


# Of an invented class alone: nothing of the user's reaches it.
@lru_cache(maxsize=len(EPSILONS) * len(SIZES))
def read(epsilon: str, rows: int) -> ReadRelease:
    noisy, true = composite(not_above(exact(epsilon))), results(rows)
    released = noisy.simulate(true, seed=SEED)
    channel = NumberChannel.of(noisy.lattice, Interval(*noisy.outputs), whole=False)
    given = of_numbers(released, channel)
    fit = smoothed(_values(channel, released))
    place = int(ADA * rows)
    hers = noisy.inputs_within(float(released[place]), LEVEL)
    return ReadRelease(
        true,
        released,
        float(np.sqrt(given.noise.mean())),
        _figures(true, released, given),
        np.diff(np.interp(edges(), fit.edges, np.append(0.0, np.cumsum(fit.shares)))),
        (float(true[place]), float(released[place]), Interval(*hers)),
    )


def _values(channel: NumberChannel, released: Array) -> ReleasedValues:
    assert channel.lattice is not None
    return ReleasedValues(channel.lattice, channel, None, np.sort(released), 1.0, "")


def edges() -> Array:
    """Of the bars."""
    return np.linspace(*INPUTS, BARS + 1)


def _figures(true: Array, released: Array, given: Reading) -> tuple[FigureBothWays, ...]:
    every, hours = Sampling(true.size), hours_studied(true)
    studied = ("hours", of_clean(hours))
    asked: dict[str, tuple[Callable[[Array], float], Callable[[], Told]]] = {
        f"mean ({UNIT})": (
            lambda values: float(values.mean()),
            lambda: _ends(moments.mean(given, every, "rows", LEVEL)),
        ),
        SPREAD: (
            lambda values: float(values.std(ddof=1)),
            lambda: _ends(moments.std(given, every, "rows", LEVEL)),
        ),
        f"share above {number(LIMIT)} (%)": (
            lambda values: 100 * float(np.mean(values > LIMIT)),
            lambda: _share_above(given),
        ),
        "correlation with hours": (
            lambda values: float(np.corrcoef(hours, values)[0, 1]),
            lambda: _ends(relations.correlation(studied, ("result", given), every, LEVEL)),
        ),
    }
    return tuple(
        FigureBothWays(name, plain(released), _told(read_rightly), plain(true))
        for name, (plain, read_rightly) in asked.items()
    )


def _ends(found: Estimate) -> Told:
    return found.value, found.low, found.high


def _share_above(given: Reading) -> Told:
    channel = given.channel
    assert isinstance(channel, NumberChannel)
    column = _values(channel, given.values)
    fit = smoothed(column)
    low, high = split(column, LIMIT, LIMIT).interval(LEVEL)
    if high - low >= 1.0:
        raise EstimateError("any share is as likely")
    share = 1.0 - float(np.interp(LIMIT, fit.edges, np.append(0.0, np.cumsum(fit.shares))))
    return 100 * min(max(share, low), high), 100 * low, 100 * high


def _told(ask: Callable[[], Told]) -> Told | None:
    try:
        return ask()
    except EstimateError:
        return None
