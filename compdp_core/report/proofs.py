"""A mechanism in plain values: its design and its certificate, to show and to compare."""

from __future__ import annotations

import math
import re
from dataclasses import asdict
from fractions import Fraction
from operator import eq
from typing import Any

from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.lattice import Lattice
from compdp_core.release.released import ColumnMechanism
from compdp_core.report.card_parts import LatticePart, Parameters, Proof, RunsPart
from compdp_core.shapes import Staircase

_OF_A_DESIGN = (
    "epsilon", "k", "m", "y", "t", "L", "C", "mu", "kappa", "tau", "input_fraction",
)  # fmt: skip
SAME = Fraction(1, 10**6)
"""By how much of themselves numbers that a search found may differ from machine to machine."""

_BY_DEFAULT = "spacing_by_default"
_OF_A_SPACING = ("epsilon", "ratio", "lower", "upper", "spacing", "points", "worst_bias")
"""What a certificate says that another spacing changes."""

_ASKED = ("inputs_lower", "inputs_upper", "sensitivity", "epsilon")
"""What no search found: the very same, or it is another mechanism."""

_ABOUT = Fraction(1, 50)
"""Share of the outputs by which a default spacing may move their ends: they are whole points."""

_FEWEST_BY_DEFAULT = 4096
"""Points of any lattice that version 0.1, which does not say so, made by default. Of a spacing that
was chosen, as for whole numbers, there are mostly fewer."""

_RATIO = re.compile(r"-?[0-9]+/[1-9][0-9]*")
_OF_A_CERTIFICATE = ("holds", "epsilon", "spacing", "points", "worst_bias")


def parameters(mechanism: CompositeMechanism) -> Parameters:
    """The design of a mechanism."""
    design = mechanism.design
    activation, base = design.pair.activation, design.pair.base
    stairs = activation if isinstance(activation, Staircase) else None
    return Parameters(
        pair=design.pair.name,
        activation=f"{activation.title}, h(v) = {activation.formula}",
        base=f"{base.title}, g(v) = {base.formula}",
        objective=mechanism.objective,
        **{name: getattr(design, name) for name in _OF_A_DESIGN},
        steps=None if stairs is None else stairs.steps,
        gamma=None if stairs is None else stairs.gamma,
    )


def proof(mechanism: ColumnMechanism) -> Proof:
    """The certificate of a mechanism."""
    if isinstance(mechanism, RandomizedResponse):
        proved = mechanism.certificate
        ratio = ratio_text(proved.ratio)
        points = mechanism.categories
        return Proof(proved.holds, proved.epsilon, ratio, None, None, None, points, None)
    certificate = mechanism.certificate
    return Proof(
        ratio=ratio_text(certificate.ratio),
        lower=mechanism.outputs[0],
        upper=mechanism.outputs[1],
        **{name: getattr(certificate, name) for name in _OF_A_CERTIFICATE},
    )


def ratio_text(ratio: Fraction) -> str:
    """Numerator over denominator, both in full.

    >>> ratio_text(Fraction(2))
    '2/1'
    """
    return f"{ratio.numerator}/{ratio.denominator}"


def variance_facts(mechanism: CompositeMechanism) -> dict[str, Any]:
    """``c``, ``p`` and ``c0`` of ``Var(Y | x) = c0 + (1 - p)/p (x - c)^2``.

    Rounding an input's shift to the lattice, by a fraction f, adds ``p f (1 - f)`` squared
    spacings.

    >>> variance_facts(CompositeMechanism(1.0, (0, 100)))["c"]
    50.0
    """
    lattice = mechanism.lattice
    at_centre = float(lattice.variance_at_centre)
    return {"c": float(lattice.centre), "p": float(lattice.share), "c0": at_centre}


def lattice_part(lattice: Lattice) -> LatticePart:
    """All weights and where they lie."""
    base, activation = (
        RunsPart(runs.half.lengths, tuple(map(str, runs.half.weights)))
        for runs in (lattice.base, lattice.activation)
    )
    return LatticePart(lattice.first, lattice.exponent, base, activation)


def weights(mechanism: RandomizedResponse) -> dict[str, str]:
    """``a``, ``b`` and ``W`` in full.

    >>> weights(RandomizedResponse(1.0, 2))["total"]
    '9007199254740991'
    """
    return {name: str(getattr(mechanism, name)) for name in ("kept", "each_other", "total")}


def facts(mechanism: ColumnMechanism) -> dict[str, Any]:
    """Inputs, design and certificate by name, or the weights of categories, as the reproducing
    script compares them.

    >>> from compdp_core import CompositeMechanism
    >>> facts(CompositeMechanism(1.0, (0, 100)))["pair"]
    'A1B1'
    """
    proved = {f"certificate_{name}": value for name, value in asdict(proof(mechanism)).items()}
    if isinstance(mechanism, RandomizedResponse):
        return {"epsilon": mechanism.epsilon, **weights(mechanism), **proved}
    lower, upper = mechanism.inputs
    asked = {
        "inputs_lower": lower,
        "inputs_upper": upper,
        "sensitivity": mechanism.sensitivity,
        _BY_DEFAULT: mechanism.default_spacing,
    }
    return {**asked, **asdict(parameters(mechanism)), **proved}


def differences(expected: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """What of two sets of facts is not the same, in words; empty where they agree.

    Numbers agree within :data:`SAME`: what a search finds ends in other digits on another
    processor, whose exponentials round otherwise. What is drawn is proved here either way.

    The default spacing is another one in another version: the design has to be the same, and the
    certificate of what is drawn here to hold for the ε of the card.

    >>> differences({"k": 0.5}, {"k": 0.25}), differences({"k": 0.5}, {"k": 0.5 + 1e-9})
    (['k: 0.5 on the card, 0.25 here'], [])
    """
    names = dict.fromkeys((*expected, *found))
    # Earlier versions did not say whose choice the spacing was.
    if _BY_DEFAULT not in expected:
        names.pop(_BY_DEFAULT, None)
    other = [
        name
        for name in names
        if not (_same if name not in _ASKED else eq)(expected.get(name), found.get(name))
    ]
    of_spacing = {f"certificate_{name}" for name in _OF_A_SPACING}
    if of_spacing.issuperset(other) and _other_default(expected, found):
        return []
    return [
        f"{name}: {expected.get(name)!r} on the card, {found.get(name)!r} here" for name in other
    ]


def _other_default(expected: dict[str, Any], found: dict[str, Any]) -> bool:
    """Whether two lattices differ as the defaults of two versions do: a proof of no more than the
    declared ε on outputs that are about the same.
    """
    points = expected.get("certificate_points")
    unsaid = isinstance(points, int) and points >= _FEWEST_BY_DEFAULT
    if not (found.get(_BY_DEFAULT) is True and expected.get(_BY_DEFAULT, unsaid) is True):
        return False
    lattices = [
        (facts.get("certificate_spacing"), facts.get("certificate_points"))
        for facts in (expected, found)
    ]
    if lattices[0] == lattices[1]:
        return False
    ends = ("certificate_lower", "certificate_upper")
    one, other = ([_number(facts.get(end)) for end in ends] for facts in (expected, found))
    declared, proved = (_number(found.get(name)) for name in ("epsilon", "certificate_epsilon"))
    (a, b), (c, d) = one, other
    if a is None or b is None or c is None or d is None or declared is None or proved is None:
        return False
    near = _ABOUT * (b - a)
    return proved <= declared and abs(a - c) <= near and abs(b - d) <= near


def _same(one: object, other: object) -> bool:
    if one == other:
        return True
    first, second = _number(one), _number(other)
    if first is None or second is None:
        return False
    return abs(first - second) <= SAME * max(abs(first), abs(second))


def _number(value: object) -> Fraction | None:
    """A finite float, or the exact ratio of a certificate; what counts has to be the same."""
    if isinstance(value, float) and math.isfinite(value):
        return Fraction(value)
    if isinstance(value, str) and _RATIO.fullmatch(value):
        return Fraction(value)
    return None
