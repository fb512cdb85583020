"""Categories: k-ary randomised response with whole-number weights and an exact certificate.

The true category is kept with probability ``a/W`` and each of the others drawn with ``b/W``, where
``W = a + (k - 1) b`` (Warner 1965; Kairouz, Bonawitz and Ramage 2016). For any two true values and
any output the ratio of probabilities is at most ``a/b``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import CertificateError
from compdp_core.mechanisms.lattice.certificate import exponential_below, logarithm_above
from compdp_core.parameters import EPSILON, count
from compdp_core.randomness import SeededSource, Source, SystemSource, below, largest_fair
from compdp_core.validation import Array, floats

MOST_CATEGORIES = 10_000
_CATEGORIES = count("categories", lower=2, upper=MOST_CATEGORIES)
_TOTAL = 2**53


@dataclass(frozen=True)
class ResponseCertificate:
    """What was proved about the weights before anything is drawn."""

    declared: float
    """The ε that was asked for."""
    kept: int
    """Weight ``a`` of the true category."""
    each_other: int
    """Weight ``b`` of each other one."""
    categories: int

    @property
    def ratio(self) -> Fraction:
        """Largest ratio of probabilities of one output under two true values, exact."""
        return Fraction(max(self.kept, self.each_other), min(self.kept, self.each_other))

    @property
    def holds(self) -> bool:
        """Whether the ratio is at most ``e^ε``, compared as fractions."""
        return self.ratio <= exponential_below(self.declared)

    @property
    def epsilon(self) -> float:
        """A proven upper bound on the privacy loss: ``ln(ratio)``, rounded up."""
        above = logarithm_above(self.ratio)
        return min(above, self.declared) if self.holds else above

    def require(self) -> None:
        """Raise :class:`CertificateError` unless the certificate holds."""
        if not self.holds:
            raise CertificateError(
                f"the weights prove epsilon = {self.epsilon!r}, above the declared "
                f"{self.declared!r}: nothing is released"
            )


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

    def draw(self, codes: Any, source: Source) -> Array:
        """A category for each true one, as whole floats; for NaN each is as likely."""
        given = floats("codes", codes, missing="keep")
        none = np.isnan(given)
        k, b = self.categories, self.each_other
        words = _below(self.total, given.size, source)
        lead = self.kept - b
        keep = words < lead
        rest = (words - lead) // b
        drawn = np.where(keep, np.where(none, 0.0, given), rest)
        if none.any():
            drawn[none] = _below(k, int(none.sum()), source)
        return drawn

    def release(self, codes: Any) -> Array:
        """A category for each true one, from the system's randomness."""
        return self.draw(codes, SystemSource())

    def simulate(self, codes: Any, *, seed: int) -> Array:
        """The same distribution, reproducible. Never a release."""
        return self.draw(codes, SeededSource(seed))


def weights(epsilon: float, categories: int) -> tuple[int, int]:
    """``a`` and ``b`` with ``a/b`` at most ``e^ε`` and as near as a total below 2^53 allows."""
    limit = exponential_below(epsilon)
    other = max(1, int(_TOTAL / (limit + categories - 1)))
    return min(int(limit * other), _TOTAL - (categories - 1) * other), other


def _below(bound: int, size: int, source: Source) -> NDArray[np.int64]:
    bounds = np.full(size, bound, dtype=np.uint64)
    return below(bounds, np.full_like(bounds, largest_fair(bound)), source)
