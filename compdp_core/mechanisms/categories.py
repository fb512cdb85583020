"""Categories: k-ary randomised response with whole-number weights and an exact certificate.

The true category is kept with probability ``a/W`` and each of the others drawn with ``b/W``, where
``W = a + (k - 1) b`` (for two categories Warner, J. Am. Stat. Assoc. 60, 1965; for k of them
Kairouz, Bonawitz and Ramage, ICML 2016, who show that shares cannot be estimated much better where
ε is large against ln k). For any two true categories and any output the ratio of probabilities is
``a/b``, ``b/a`` or 1.

From ``k = 3 e^ε + 2`` on optimised unary encoding (Wang, Blocki, Li and Jha, USENIX Security 2017)
would be more exact, as its error does not grow with k. It releases a set of categories, which fits
no cell: :func:`better_by_merging` says what fewer categories gain instead.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import ParameterError
from compdp_core.mechanisms.lattice.certificate import RatioCertificate, exponential_below
from compdp_core.mechanisms.measurement import MeasuredMechanism, measurement
from compdp_core.mechanisms.threads import drawn_in_parts
from compdp_core.parameters import EPSILON, count
from compdp_core.randomness import SeededSource, Source, SystemSource, largest_fair, remainders
from compdp_core.validation import Array, floats, whole

if TYPE_CHECKING:
    from opendp.mod import Measurement

MOST_CATEGORIES = 10_000
_CATEGORIES = count("categories", lower=2, upper=MOST_CATEGORIES)
_TOTAL = 2**53


@dataclass(frozen=True)
class ResponseCertificate(RatioCertificate):
    """What was proved about the weights before anything is drawn."""

    declared: float
    """The ε that was asked for."""
    kept: int
    """Weight ``a`` of the true category."""
    each_other: int
    """Weight ``b`` of each other one."""
    categories: int

    ratio: Fraction = field(init=False)
    """``a/b``, the largest ratio of probabilities of one output under two true values."""

    def __post_init__(self) -> None:
        some = sorted((self.kept, self.each_other))
        object.__setattr__(self, "ratio", Fraction(some[1], some[0]))


class RandomizedResponse:
    """ε-differential privacy for one of ``categories`` many values, numbered from 0.

    >>> mechanism = RandomizedResponse(1.0, 4)
    >>> mechanism.certificate.holds, round(mechanism.probability_kept, 3)
    (True, 0.475)
    """

    def __init__(self, epsilon: float, categories: int) -> None:
        self.epsilon = EPSILON.check(epsilon)
        self.categories = int(_CATEGORIES.check(categories))
        self.kept, self.each_other = weights(self.epsilon, self.categories)
        self.total = self.kept + (self.categories - 1) * self.each_other
        """``W``."""
        self.certificate = ResponseCertificate(
            self.epsilon, self.kept, self.each_other, self.categories
        )

    def __repr__(self) -> str:
        return f"RandomizedResponse(epsilon={self.epsilon:g}, categories={self.categories})"

    @property
    def probability_kept(self) -> float:
        """``a/W``: that the true category is released."""
        return self.kept / self.total

    @property
    def probability_other(self) -> float:
        """``b/W``: that one particular other category is released."""
        return self.each_other / self.total

    @property
    def noise_factor(self) -> float:
        """``W/(a - b)``: by how much the standard error of a share is above that of a count."""
        return self.total / (self.kept - self.each_other)

    @property
    def typical_error(self) -> float:
        """Standard error of the share of a category among rows, times the root of their number,
        where all categories are as frequent: the part of the noise alone.
        """
        return _share_error(self.kept, self.each_other, self.categories)

    def probability(self, output: int, true: int | None) -> Fraction:
        """Exact probability of an output; ``true=None`` stands for a missing cell that is filled.

        >>> RandomizedResponse(1.0, 4).probability(2, None)
        Fraction(1, 4)
        """
        at = whole("output", output, 0, self.categories - 1)
        if true is None:
            return Fraction(1, self.categories)
        same = at == whole("true", true, 0, self.categories - 1)
        return Fraction(self.kept if same else self.each_other, self.total)

    def draw(self, codes: Any, source: Source) -> Array:
        """A category for each true one, as whole floats; for NaN each is as likely.

        Of W equally likely numbers the first ``a - b`` keep the category, and the other ``k b``
        stand for one of all k each, ``b`` for the true one.

        Raises :class:`ParameterError` for what is none of the categories.
        """
        given = floats("codes", codes, missing="keep")
        true, k, b = given.reshape(-1), self.categories, self.each_other
        none = np.isnan(true)
        wrong = np.count_nonzero(~(none | ((true >= 0) & (true < k) & (np.floor(true) == true))))
        if wrong:
            what = f"must be whole numbers from 0 to {k - 1}, or NaN where there is none"
            raise ParameterError("codes", f"{wrong} others", what)
        drawn = np.empty(true.size)

        def draw(part: slice, own: Source) -> None:
            words = _below(self.total, true[part].size, own)
            words -= self.kept - b
            drawn[part] = np.where(words < 0, true[part], words // b)
            if gaps := int(np.count_nonzero(none[part])):
                drawn[part][none[part]] = _below(k, gaps, own)

        # In one part, the words that a seeded source gives for a column stay what they were.
        drawn_in_parts(draw, true.size, source, max(1, true.size))
        return drawn.reshape(given.shape)

    def release(self, codes: Any) -> Array:
        """A category for each true one, from the system's randomness."""
        return self.draw(codes, SystemSource())

    def as_measurement(self, input_domain: Any = None, input_metric: Any = None) -> Measurement:
        """The mechanism as a measurement of OpenDP, as that of the composite mechanism.

        On one whole number, the place of a category, and the discrete distance where both are left
        out. A number that is none of the places counts as missing: any category is as likely then.
        """
        self.certificate.require()
        places = np.arange(self.categories)
        given = MeasuredMechanism(
            lambda codes: self.release(np.where(np.isin(codes, places), codes, np.nan)),
            self.certificate.epsilon,
            math.inf,
            whole=True,
        )
        return measurement(given, input_domain, input_metric)

    def simulate(self, codes: Any, *, seed: int) -> Array:
        """The same distribution, reproducible. Never a release."""
        return self.draw(codes, SeededSource(seed))


def share_error(epsilon: float, categories: int) -> float:
    """:attr:`RandomizedResponse.typical_error` but for the rounding of the weights.

    >>> round(share_error(1.0, 4), 4)
    1.3744
    """
    return _share_error(math.exp(epsilon), 1.0, categories)


def _share_error(a: float, b: float, k: int) -> float:
    """Root of ``(s p (1 - p) + (1 - s) q (1 - q)) / (p - q)²`` for a share ``s = 1/k``."""
    total = a + (k - 1) * b
    # 1 - p as (k - 1) q, which is no difference of near numbers.
    return math.sqrt((k - 1) * b * (a + total - b) / k) / (a - b)


@dataclass(frozen=True)
class Merging:
    """What fewer categories gain where each is of the same share of all rows.

    Errors are standard errors of the share of one of the merged categories, for one row: divided by
    the root of the number of rows they are those of a table.
    """

    categories: int
    """How many are left."""
    before: float
    """Its parts released one by one, and their shares added up."""
    after: float
    """Released as one."""

    @property
    def gain(self) -> float:
        """How many times smaller the error is."""
        return self.before / self.after


def better_by_merging(epsilon: float, categories: int) -> Merging | None:
    """What merging to fewer than ``3 e^ε + 2`` categories gains; None where there are no more.

    >>> found = better_by_merging(1.0, 50)
    >>> found.categories, round(found.before, 2), round(found.after, 2)
    (10, 9.03, 2.05)
    """
    many = RandomizedResponse(epsilon, categories)
    most = 3.0 * math.exp(many.epsilon) + 2.0
    if not many.categories >= most:
        return None
    some = math.ceil(most) - 1
    of_counts = math.sqrt((1.0 - 1.0 / some) / some)
    few = RandomizedResponse(epsilon, some)
    return Merging(some, of_counts * many.noise_factor, of_counts * few.noise_factor)


def weights(epsilon: float, categories: int) -> tuple[int, int]:
    """``a`` and ``b`` with ``a/b`` at most ``e^ε`` and as near as a total below 2^53 allows."""
    limit = exponential_below(epsilon)
    other = max(1, int(_TOTAL / (limit + categories - 1)))
    return min(int(limit * other), _TOTAL - (categories - 1) * other), other


def _below(bound: int, size: int, source: Source) -> NDArray[np.int64]:
    words, fair = source.words(size), np.uint64(largest_fair(bound))
    if words.max(initial=0) <= fair:
        return np.remainder(words, np.uint64(bound)).view(np.int64)
    bounds = np.full(size, bound, dtype=np.uint64)
    return remainders(words, bounds, np.full_like(bounds, fair), source)
