"""ε as it is charged, exactly. A mechanism gets :func:`~compdp_core.numerics.not_above` of it."""

from __future__ import annotations

from fractions import Fraction

from compdp_core.accounting import exact
from compdp_core.numerics import not_above
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
    EPSILON.check(not_above(amount))
    return amount
