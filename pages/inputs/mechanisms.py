"""Every mechanism that can be compared: how it is offered, drawn and made, on every page alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from compdp_core.errors import CompdpError
from compdp_core.experiments import KEYS, factories, label
from compdp_core.experiments.mechanism_list import Factory
from compdp_core.mechanisms.baselines import BASELINES, DELTA, ClassicGaussian, Mechanism
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.planning import ALL_PAIRS
from compdp_core.shapes import Pair
from pages.charts.theme import GAUSSIAN, GREY, LAPLACE, RELEASED, Role
from pages.inputs.custom_shapes import own_pairs
from pages.session import faults
from pages.text.wording import number

_VIOLET, _OCHRE, _TEAL, _BROWN = "#7B61D1", "#A67C00", "#00838F", "#8D6E63"
_ROLES = {
    "A1B1": RELEASED,
    "A2B1": Role(_VIOLET, "solid", "diamond", "/"),
    "A3B1": Role(_OCHRE, "solid", "square", "-"),
    "A1B2": Role(RELEASED.colour, "dash", "circle-open", "."),
    "A2B2": Role(_VIOLET, "dash", "diamond-open", "|"),
    "A3B2": Role(_OCHRE, "dash", "square-open", "+"),
    "A4B1": Role(_TEAL, "solid", "star", "/"),
    "laplace": LAPLACE,
    "clamped_laplace": Role(LAPLACE.colour, "dot", "triangle-up-open", "."),
    "bounded_laplace": Role(LAPLACE.colour, "longdash", "triangle-down", "/"),
    "discrete_laplace": Role(LAPLACE.colour, "dash", "triangle-left", "|"),
    "truncated_discrete_laplace": Role(LAPLACE.colour, "solid", "triangle-left-open", "-"),
    "analytic_gaussian": GAUSSIAN,
    "classic_gaussian": Role(GAUSSIAN.colour, "dashdot", "cross", "+"),
    "clamped_gaussian": Role(GAUSSIAN.colour, "dot", "square-open", "."),
    "discrete_gaussian": Role(GAUSSIAN.colour, "dash", "x", "|"),
    "staircase": Role(GREY, "longdashdot", "hexagon", "-"),
    "duchi": Role(_BROWN, "dash", "star-triangle-up", "x"),
    "piecewise": Role(_BROWN, "solid", "pentagon", "\\"),
}
_OWN = ("bowtie", "hourglass", "hexagram", "star-square")
_OWN_DASHES = ("longdash", "dot", "dashdot", "dash")


def mechanism_choices() -> tuple[str, ...]:
    """Keys of all: composite pairs, pairs with the user's certified shapes, baselines."""
    return (*ALL_PAIRS, *own_pairs(), *(key for key in KEYS if key not in ALL_PAIRS))


def mechanism_label(key: str) -> str:
    return label(key) if key in KEYS else f"Composite {key}"


def mechanism_note(key: str) -> str:
    if key in BASELINES:
        return BASELINES[key].description
    return "Bounded and unbiased by construction, certified on its lattice."


def mechanism_role(key: str) -> Role:
    """Hue, dash and symbol of the mechanism; own shapes take turns."""
    if key in _ROLES:
        return _ROLES[key]
    place = list(own_pairs()).index(key) if key in own_pairs() else 0
    turn = place % len(_OWN)
    return Role(_TEAL, _OWN_DASHES[turn], _OWN[turn], "x")


def mechanism_factories(
    keys: Iterable[str],
    inputs: tuple[float, float],
    *,
    sensitivity: float | None = None,
    delta: float = DELTA.default or 1e-6,
    whole: bool = False,
) -> dict[str, Factory]:
    """For each name how to build it at an ε. What was built before is not built again.

    With ``whole`` those that can round do release whole numbers.
    """
    shapes = own_pairs()

    def factory(shape: str | Pair) -> Factory:
        return lambda epsilon: _built(shape, epsilon, inputs, sensitivity, delta, whole)

    return {mechanism_label(key): factory(shapes.get(key, key)) for key in keys}


def rectangle(epsilon: float, inputs: tuple[float, float]) -> CompositeMechanism:
    made = _built("A1B1", epsilon, inputs, None, 0.0, False)
    assert isinstance(made, CompositeMechanism)
    return made


def built(makers: Mapping[str, Factory], epsilon: float) -> tuple[dict[str, Mechanism], list[str]]:
    """The mechanisms at that ε by name, and for each that cannot be had a sentence why."""
    made: dict[str, Mechanism] = {}
    refused = []
    for name, make in makers.items():
        try:
            made[name] = make(epsilon)
        except CompdpError as refusal:
            refused.append(f"{name} is left out: {faults.sentence(str(refusal))}")
    return made, refused


# Of public settings alone: no data reaches these.
@lru_cache(maxsize=600)
def _built(
    shape: str | Pair,
    epsilon: float,
    inputs: tuple[float, float],
    sensitivity: float | None,
    delta: float,
    whole: bool,
) -> Mechanism:
    spacing = 1.0 if whole else None
    if isinstance(shape, Pair) or shape in ALL_PAIRS:
        return CompositeMechanism(
            epsilon, inputs, pair=shape, sensitivity=sensitivity, spacing=spacing
        )
    if whole and "spacing" in BASELINES[shape].options:
        return BASELINES[shape].build(
            epsilon, inputs, sensitivity=sensitivity, delta=delta, spacing=spacing
        )
    made = factories(inputs, sensitivity=sensitivity, delta=delta, keys=[shape])
    return next(iter(made.values()))(epsilon)


def unproved(mechanism: Mechanism) -> str:
    """A warning where a mechanism's formula is used beyond its proof; empty otherwise."""
    if not isinstance(mechanism, ClassicGaussian) or mechanism.proof_holds:
        return ""
    kept = mechanism.true_delta <= mechanism.delta
    return (
        f"{mechanism.name}: its proof needs ε < 1, and ε = {number(mechanism.epsilon)} here. The "
        f"true δ is {number(mechanism.true_delta, 2)}, "
        + ("within" if kept else "above")
        + f" the declared {number(mechanism.delta, 2)}"
        + (
            ", so its noise is more than needed. "
            if kept
            else ": it does not keep what it promises. "
        )
        + "The analytic Gaussian is exact at every ε."
    )
