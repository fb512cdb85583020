"""Whether a released column can have the noise that its card says, whatever the true values are.

Each test holds for all true values between the bounds, and for any number of rows, as it uses
exact tails or Bernstein's inequality (Boucheron, Lugosi and Massart, Concentration Inequalities,
2013, theorem 2.10). All tests of a column together refuse a file that belongs to its card with a
probability below :data:`FALSE_ALARM`.

The base is drawn with ``1 - p`` whatever the true value is, so a set of outputs is hit at least
that often that the base alone hits it; the mean of ``y`` is one of true values, and that of
``(y - c)²`` lies between ``c0`` and what the farthest true value gives.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from compdp_core.estimates.channel import NumberChannel
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.lattice import Lattice
from compdp_core.report.card_reading import CardError
from compdp_core.validation import Array

FALSE_ALARM = 1e-10
"""Of a column."""

_BINS = 32
_TESTS = 200
"""Twice as many as are made of one column of numbers, but for the two below."""
_ENDS = 0.25 * FALSE_ALARM
"""Of each of the two tests that tell the cards of two releases apart best."""


def check_noise(name: str, values: Array, channel: NumberChannel | RandomizedResponse) -> None:
    """Raise :class:`CardError` for a column that cannot be that of its card; NaN counts for none.

    Few rows tell little, and are seldom refused, and so is a large ε, where there is little noise:
    at 2,000 rows the card of another budget is seen where it is a tenth off ε = 1, half off
    ε = 4, and by the outputs where it is the larger one.
    """
    known = values[~np.isnan(values)]
    if not known.size:
        return
    if isinstance(channel, RandomizedResponse):
        wrong = _of_categories(known, channel)
    else:
        wrong = _of_numbers(known, channel)
    if wrong:
        raise CardError(
            f"column {name} does not have the noise that the card says, as {wrong}: is this the "
            "card of another release?"
        )


def _of_categories(codes: Array, mechanism: RandomizedResponse) -> str:
    from scipy.special import bdtr, bdtrc  # scipy.stats takes a second to load

    n, k = codes.size, mechanism.categories
    counts = np.bincount(codes.astype(np.int64), minlength=k)
    least = FALSE_ALARM / (2 * k)
    few = bdtr(counts, n, mechanism.probability_other) < least
    many = bdtrc(counts - 1, n, mechanism.probability_kept) < least
    which = "rarer" if few.any() else "more frequent" if many.any() else ""
    return f"a category is {which} than the noise alone allows" if which else ""


def _of_numbers(values: Array, channel: NumberChannel) -> str:
    n, c, inputs, outputs = values.size, channel.c, channel.inputs, channel.outputs
    mean, square = float(values.mean()), float(((values - c) ** 2).mean())
    near = 0.0 if inputs.contains(c) else min(abs(end - c) for end in inputs.as_tuple())
    far = max(abs(end - c) for end in inputs.as_tuple())
    rounding = 0.25 * channel.p * channel.spacing**2
    spread = channel.c0 + channel.c2 * far**2 + rounding
    slack = _bernstein(n, spread, max(outputs.upper - inputs.lower, inputs.upper - outputs.lower))
    if not inputs.lower - slack <= mean <= inputs.upper + slack:
        return "its mean lies too far beyond the bounds of true values"
    least = channel.c0 + (1.0 + channel.c2) * near**2
    most = channel.c0 + (1.0 + channel.c2) * far**2 + rounding
    largest = max((end - c) ** 2 for end in outputs.as_tuple())
    middle = min(max(0.5 * largest, least), most)
    slack = _bernstein(n, middle * max(largest - middle, 0.0), largest)
    if not square >= least - slack:
        return "its values lie too close together"
    if not square <= most + slack:
        return "its values lie too far apart"
    if channel.lattice is not None and any(_missed(values, channel.lattice)):
        return "there is a range in which too few of its values lie"
    if channel.lattice is not None and _rounded(values, channel.lattice):
        return "its numbers have fewer digits"
    return ""


def _bernstein(n: int, variance: float, largest: float) -> float:
    """How far the mean of n terms can be from its expectation."""
    log = math.log(_TESTS / FALSE_ALARM)
    third = largest * log / 3.0
    return (third + math.sqrt(third**2 + 2.0 * n * variance * log)) / n


def _missed(values: Array, lattice: Lattice) -> Iterator[bool]:
    """Whether sets of outputs are hit less often than by the base alone."""
    from scipy.special import bdtr

    n, level = values.size, FALSE_ALARM / _TESTS
    places = np.rint(values / lattice.spacing).astype(np.int64) - lattice.first
    base, total = lattice.base, lattice.total
    edges = np.unique(np.linspace(0, lattice.points, _BINS + 1).astype(np.int64))
    below = np.array([base.below(int(edge)) / total for edge in edges])
    hits = np.searchsorted(np.sort(places), edges)
    for counts, chances in (
        (np.diff(hits), np.diff(below)),
        (hits[1:-1], below[1:-1]),
        (n - hits[1:-1], below[-1] - below[1:-1]),
    ):
        yield bool(np.any(bdtr(counts, n, np.clip(chances, 0.0, 1.0)) < level))
    # Beyond the farthest values of both sides none of n lies: of base draws spread evenly that
    # share of all is Beta(2, n - 1), of others it is smaller.
    ends = (int(places.min()), lattice.points - 1 - int(places.max()))
    beyond = sum(base.below(end) for end in ends) / total
    yield bool(bdtr(1, n, beyond) < _ENDS)


def _rounded(values: Array, lattice: Lattice) -> bool:
    """Whether all are multiples of ten spacings, as those of a coarser lattice are."""
    places = np.rint(values / lattice.spacing).astype(np.int64)
    if (places % 10 != 0).any():
        return False
    most = sum(
        -(-length // 10) * weight
        for runs in (lattice.base, lattice.activation)
        for length, weight in zip(runs.lengths, runs.weights, strict=True)
    )
    chance = most / lattice.total
    return chance < 1.0 and values.size * math.log(chance) < math.log(_ENDS)
