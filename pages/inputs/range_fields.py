"""Exact entries for the inputs that a simulated mechanism takes, and for its sensitivity."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from compdp_core.parameters import INPUT_BOUND, SENSITIVITY
from pages.inputs.entry import within
from pages.inputs.links import Setting, field, value
from pages.session.framework import DeltaGenerator
from pages.session.state import renew
from pages.text.typed_numbers import plain


def range_fields(
    lower: Setting, upper: Setting, distance: Setting, within_them: Setting,
    *, places: Sequence[DeltaGenerator], faults_in: DeltaGenerator,
) -> None:  # fmt: skip
    """Both ends and Δ, in the first three of the places; the slider of what lies within follows."""

    def then(_: Decimal | None) -> None:
        renew(f"{within_them.name}.slider")

    def end(number: Decimal, in_order: bool, place: str) -> str | None:
        return within(INPUT_BOUND)(number) or (None if in_order else f"It must lie {place}.")

    def step(number: Decimal) -> str | None:
        width = value(upper) - value(lower)
        if not 0 < number <= width:
            return (
                f"Δ must be above 0 and at most the input width {plain(width)}, not "
                f"{plain(number)}. Leave it empty for the width itself."
            )
        return None

    ends = (
        (lower, "Smallest", lambda v: end(v, v < value(upper), "below the largest input")),
        (upper, "Largest", lambda v: end(v, v > value(lower), "above the smallest input")),
    )
    for place, (setting, which, check) in zip(places, ends, strict=False):
        with place:
            field(setting, f"{which} input", check=check, then=then, faults_in=faults_in)
    with places[2]:
        field(
            distance,
            "Sensitivity Δ",
            check=step,
            then=then,
            optional=True,
            placeholder="input width",
            help=SENSITIVITY.meaning,
            faults_in=faults_in,
        )
