"""ε as it is charged, exactly. A mechanism gets :func:`~compdp_core.rounding.not_above` of it."""

from __future__ import annotations

from fractions import Fraction

from compdp_core.ledger import exact
from compdp_core.parameters import EPSILON
from compdp_core.rounding import not_above


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
