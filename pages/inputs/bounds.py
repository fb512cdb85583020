"""Two typed bounds become an interval, or a refusal that quotes them as they were typed."""

from __future__ import annotations

from decimal import Decimal

from compdp_core.intervals import Interval
from pages.session import faults
from pages.text.typed_numbers import plain


def between(lower: Decimal | None, upper: Decimal | None) -> Interval | None:
    """The interval, or None while a bound is missing or after saying what is wrong with both."""
    if lower is None or upper is None:
        return None
    if lower >= upper:
        faults.tell(
            f"Bounds must have lower below upper: {plain(lower)} does not lie below "
            f"{plain(upper)}. Change one of them."
        )
        return None
    return faults.attempt(lambda: Interval.checked("bounds", (float(lower), float(upper))))
