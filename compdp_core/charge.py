"""ε twice: as it is charged, exactly, and as a mechanism proves it, never above that."""

from __future__ import annotations

import math
from fractions import Fraction

from compdp_core.ledger import exact
from compdp_core.parameters import EPSILON


def charged(epsilon: object) -> Fraction:
    """The exact charge for what a caller asks: text, Decimal and Fraction as they are, a float as
    the decimal it prints as.

    >>> charged(0.1) == charged("0.1") == Fraction(1, 10)
    True

    Raises :class:`~compdp_core.errors.ParameterError` for what is no budget of
    :data:`~compdp_core.parameters.EPSILON`.
    """
    amount = exact(epsilon)
    EPSILON.check(proved(amount))
    return amount


def proved(epsilon: Fraction) -> float:
    """The largest float that is not above an exact ε: a proof for it covers what is charged.

    >>> Fraction(proved(Fraction(1, 10))) <= Fraction(1, 10) < Fraction(0.1)
    True
    """
    number = float(epsilon)
    return math.nextafter(number, 0.0) if Fraction(number) > epsilon else number
