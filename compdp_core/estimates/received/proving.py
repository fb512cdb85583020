"""The noise of a released column, proved once more from its card.

Nothing on a card is believed that can be worked out: lattice and certificate are made again from
its weights, and every figure beside them must be theirs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import Any

from compdp_core.accounting import exact_text
from compdp_core.errors import CompdpError
from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.received.opening import may_miss
from compdp_core.intervals import Interval
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.lattice import Certificate, Lattice, Runs
from compdp_core.mechanisms.planning import ALL_PAIRS, blueprint
from compdp_core.numerics import not_above
from compdp_core.report.card import Card
from compdp_core.report.card_parts import Item, LatticePart, RunsPart
from compdp_core.report.card_reading import CardError
from compdp_core.report.proofs import ratio_text
from compdp_core.tables.errors import short

Channel = NumberChannel | RandomizedResponse
"""What draws a column."""

NOT_AGAIN = "it was changed after the release, so ask for the card as it was"


def check_budget(card: Card) -> None:
    """Raise :class:`CardError` unless the budgets of the columns make up that of the release."""
    sampled, person = card.items[0].sampled, card.privacy.person
    _check_sampled(card)
    try:
        parts = sorted((Fraction(item.epsilon) for item in card.items), reverse=True)
        spent = sum(parts[: sampled.columns] if sampled else parts)
        is_whole = spent * (person.at_most if person else 1) == Fraction(card.privacy.epsilon)
    except (ValueError, ZeroDivisionError):  # thousands of digits, 1/0
        is_whole = False
    if not is_whole:
        raise CardError(
            f"the budgets of the columns do not make up the ε = {short(card.privacy.epsilon)} of "
            f"the card: {NOT_AGAIN}"
        )


def _check_sampled(card: Card) -> None:
    """How many columns each row answers, and so how many rows each column."""
    said, columns = card.items[0].sampled, len(card.items)
    try:
        right = said is None or (
            said.columns <= columns == said.of
            and Fraction(said.share) == Fraction(said.columns, columns)
        )
    except (ValueError, ZeroDivisionError):
        right = False
    if not right or any(item.sampled != said for item in card.items):
        raise CardError(
            f"the card does not agree with itself on how many columns each row answers: {NOT_AGAIN}"
        )


def channel_of(item: Item) -> Channel:
    """The noise of a column by its card.

    Raises :class:`CardError` where the card does not agree with itself, or says too little.
    """
    _check_kind(item)
    try:
        return _response(item) if item.response is not None else _numbers(item)
    except CardError:
        raise
    except (CompdpError, ValueError, ArithmeticError, MemoryError):
        raise _edited(item, "weights") from None


def _check_kind(item: Item) -> None:
    """What a column holds, and the parts that only such a one has."""
    is_number = item.kind in ("number", "whole")
    is_listed = item.kind in ("category", "scale")
    gaps = item.cells is not None and may_miss(item)
    whole = item.whole
    if item.kind != "number" or item.lattice is not None:  # the first cards call all numbers so
        whole = item.kind not in ("number", "category")
    _check(
        item,
        {
            "response": (item.response is not None, item.kind == "category"),
            "listed": (item.listed is not None, is_listed),
            "written": (item.written is not None, not (is_number or is_listed)),
            "whole": (item.whole, whole),
            "missing": (item.cells is not None and item.cells.missing is not None, gaps),
        },
    )


def _response(item: Item) -> RandomizedResponse:
    listed, said = item.listed, item.response
    assert listed is not None
    assert said is not None
    made = RandomizedResponse(not_above(Fraction(item.epsilon)), len(listed.categories))
    _check(
        item,
        {
            "kept": (said.kept, str(made.kept)),
            "each_other": (said.each_other, str(made.each_other)),
            "total": (said.total, str(made.total)),
            "probability_kept": (said.probability_kept, made.probability_kept),
            "probability_other": (said.probability_other, made.probability_other),
            "ratio": (item.certificate.ratio, ratio_text(made.certificate.ratio)),
            "epsilon": (item.certificate.epsilon, made.certificate.epsilon),
            "points": (item.certificate.points, made.categories),
        },
    )
    return made


def _numbers(item: Item) -> NumberChannel:
    if item.inputs is None or item.outputs is None or item.certificate.spacing is None:
        raise CardError(f"the card of {item.name} says nothing of its bounds: {NOT_AGAIN}")
    inputs = Interval(item.inputs.lower, item.inputs.upper)
    outputs = Interval(item.outputs.lower, item.outputs.upper)
    if item.lattice is not None:
        lattice = _lattice(item.lattice, inputs)
    else:
        found = _rebuilt(item, inputs, outputs)
        if found is None:
            return _without_lattice(item, inputs, outputs)
        lattice = found
    proved = Certificate.of(lattice, not_above(Fraction(item.epsilon)))
    if not proved.holds:
        raise _edited(item, "ratio")
    _check(item, dict(_facts(item, lattice, proved)))
    return NumberChannel.of(lattice, outputs, whole=item.whole)


def _lattice(part: LatticePart, inputs: Interval) -> Lattice:
    return Lattice(_runs(part.base), _runs(part.activation), part.first, part.exponent, inputs)


def _runs(part: RunsPart) -> Runs:
    return Runs.mirrored(part.lengths, [int(each) for each in part.weights])


def _facts(
    item: Item, lattice: Lattice, proved: Certificate
) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """What the card says of a column of numbers, each with what it must be."""
    said, ends = item.certificate, item.outputs
    assert ends is not None
    yield "ratio", (said.ratio, ratio_text(proved.ratio))
    yield "epsilon", (said.epsilon, proved.epsilon)
    yield "points", (said.points, lattice.points)
    yield "spacing", (said.spacing, lattice.spacing)
    yield "worst_bias", (said.worst_bias, lattice.worst_bias)
    yield "lower", (said.lower, ends.lower)
    yield "upper", (said.upper, ends.upper)
    if item.outputs_are == "derived from the inputs":
        yield "outputs", ((ends.lower, ends.upper), (lattice.lower, lattice.upper))
    else:
        yield "outputs", (ends.lower <= lattice.lower and lattice.upper <= ends.upper, True)
    if item.c is not None:  # earlier versions did not say them
        yield "c", (item.c, float(lattice.centre))
        yield "p", (item.p, float(lattice.share))
        yield "c0", (item.c0, float(lattice.variance_at_centre))
    if item.whole:
        yield "whole", (lattice.spacing, 1.0)
    if item.sensitivity is not None:
        yield "sensitivity", (item.sensitivity.value, lattice.inputs.width)
    if item.parameters is not None:
        yield "parameters", (item.parameters.epsilon, proved.declared)
    if item.bounds is not None:
        bounds = (item.bounds.lower, item.bounds.upper)
        yield "bounds", (bounds, lattice.inputs.as_tuple())


def _rebuilt(item: Item, inputs: Interval, outputs: Interval) -> Lattice | None:
    """The lattice of a card that does not carry it, where its settings make the same one again."""
    said, spacing = item.parameters, item.certificate.spacing
    if said is None or spacing is None or said.pair not in ALL_PAIRS or said.objective == "given":
        return None
    objective: Any = said.objective
    epsilon, said_ends = not_above(Fraction(item.epsilon)), outputs.as_tuple()
    try:
        plan = blueprint(
            epsilon,
            inputs,
            pair=said.pair,
            objective=objective,
            tail_ratio=said.tau if said.pair.endswith("B2") else None,
            steps=said.steps,
            outputs=outputs if item.outputs_are == "set by the owner" else None,
        )
    except CompdpError:
        return None
    # A card without a lattice is of a version whose default spacing was another.
    earlier = partial(plan.earlier_lattice, spacing)
    for make in (partial(plan.lattice, 1),) if item.whole else (earlier, plan.lattice):
        with suppress(CompdpError):
            lattice = make()
            proved = Certificate.of(lattice, epsilon, plan.sensitivity)
            ends = said_ends if plan.hard else proved.outputs
            found = ratio_text(proved.ratio), proved.points, ends
            if found == (item.certificate.ratio, item.certificate.points, said_ends):
                return lattice
    return None


def _without_lattice(item: Item, inputs: Interval, outputs: Interval) -> NumberChannel:
    spacing = item.certificate.spacing
    if item.c is None or item.p is None or item.c0 is None or spacing is None:
        raise CardError(
            f"the card of {item.name} is of an earlier version and says neither c, p nor c0, "
            "without which nothing can be estimated: ask for a release with a card of today"
        )
    if not (inputs.contains(item.c) or outputs.contains(item.c)) or not item.c0 > 0:
        raise _edited(item, "c")
    return NumberChannel(inputs, outputs, item.c, item.p, item.c0, spacing, item.whole, None)


def _check(item: Item, facts: dict[str, tuple[Any, Any]]) -> None:
    for name, (said, found) in facts.items():
        if not (said == found or _near(said, found)):
            raise _edited(item, name)


def _near(said: Any, found: Any) -> bool:
    """Whether two floats are the same but for how another machine rounds."""
    both = isinstance(said, float) and isinstance(found, float)
    return both and math.isclose(said, found, rel_tol=1e-12, abs_tol=0.0)


def _edited(item: Item, what: str) -> CardError:
    return CardError(
        f"the card of {item.name} does not agree with itself at ε = "
        f"{exact_text(Fraction(item.epsilon))}, see {what}: {NOT_AGAIN}"
    )
