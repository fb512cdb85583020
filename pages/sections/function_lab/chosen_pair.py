"""The function pair that the controls name."""

from __future__ import annotations

from compdp_core.shapes import ACTIVATIONS, Activation, Base, Pair, Quartic, base_named
from pages.inputs.custom_shapes import own_activations, own_bases
from pages.sections.function_lab import settings as lab


def is_staircase() -> bool:
    return bool(lab.value(lab.ACTIVATION) == lab.STAIRCASE)


def activation() -> Activation:
    """The activation as set, but for the staircase."""
    name = lab.value(lab.ACTIVATION)
    return own_activations().get(name) or ACTIVATIONS.get(name) or ACTIVATIONS["A1"]


def base_name() -> str:
    """B1, B2, or the name of a base of the user's."""
    name = str(lab.value(lab.BASE))
    return name if name in ("B2", *own_bases()) and not is_staircase() else "B1"


def base() -> str | Base:
    """What the library takes: by name where the edge of B2 follows from k, y and ε."""
    name = base_name()
    if name == "B2" and not lab.value(lab.SPENDS_ALL):
        return Quartic(float(lab.TAIL.value))
    return own_bases().get(name, name)


def pair(epsilon: float) -> Pair:
    """The pair to optimise; where the tail ratio follows, at the usual one."""
    chosen = base()
    shape = base_named(chosen, epsilon) if isinstance(chosen, str) else chosen
    return Pair(activation(), shape)
