"""Shapes that the user made and had certified, offered wherever a function pair is chosen.

They live in the session. A pair goes by its name: `chosen_pair` turns a name from `pair_choices`
into what the library takes, `pair_title` into words.
"""

from __future__ import annotations

from compdp_core.errors import UnknownPairError
from compdp_core.shapes import ACTIVATIONS, PAIR_NAMES, Activation, Base, Constant, Pair, pair_named
from compdp_core.shapes.custom import OwnActivation, OwnBase
from pages.session.state import keep, recall

OwnShape = OwnActivation | OwnBase

_NAME = "own_shapes"


def own_shapes() -> dict[str, OwnShape]:
    """All of them by name, in the order in which they were made."""
    return dict(recall(_NAME, {}))


def keep_shape(shape: OwnShape) -> None:
    """Offer a certified shape; one of the same name is replaced."""
    keep(_NAME, {**own_shapes(), shape.name: shape})


def drop_shape(name: str) -> None:
    keep(_NAME, {key: shape for key, shape in own_shapes().items() if key != name})


def own_activations() -> dict[str, OwnActivation]:
    return {n: shape for n, shape in own_shapes().items() if isinstance(shape, OwnActivation)}


def own_bases() -> dict[str, OwnBase]:
    return {n: shape for n, shape in own_shapes().items() if isinstance(shape, OwnBase)}


def free_name(letter: str) -> str:
    """A name that no shape has yet, such as F1, F2, …"""
    taken = own_shapes()
    return next(name for i in range(1, len(taken) + 2) if (name := f"{letter}{i}") not in taken)


def own_pairs() -> dict[str, Pair]:
    """Every pair with a shape of the user's in it. Base B2 needs a tail ratio: it is left out."""
    activations: list[Activation] = [*ACTIVATIONS.values(), *own_activations().values()]
    bases: list[Base] = [Constant(), *own_bases().values()]
    pairs = (Pair(activation, base) for base in bases for activation in activations)
    return {pair.name: pair for pair in pairs if pair.name not in PAIR_NAMES}


def pair_choices() -> tuple[str, ...]:
    """Names of all pairs: the paper's six, then the user's."""
    return (*PAIR_NAMES, *own_pairs())


def chosen_pair(name: str) -> str | Pair:
    """What the library takes: the name of one of its own pairs, or the pair itself.

    Raises :class:`UnknownPairError` where the shape was taken away since.
    """
    if name in PAIR_NAMES:
        return name
    pair = own_pairs().get(name)
    if pair is None:
        raise UnknownPairError(name, pair_choices())
    return pair


def has_tail_ratio(name: str) -> bool:
    """Whether it is a pair on base B2, whose tail ratio is chosen."""
    return name in PAIR_NAMES and name.endswith("B2")


def pair_title(name: str) -> str:
    """Such as "A1B1: rectangle on a constant base"."""
    chosen = chosen_pair(name)
    pair = pair_named(chosen, 1.0) if isinstance(chosen, str) else chosen
    return f"{name}: {pair.activation.title} on a {pair.base.title} base"


def pair_fingerprint() -> tuple[str, ...]:
    """Changes whenever a shape of the user's does: for results that depend on all pairs."""
    return tuple(shape.recipe for shape in own_shapes().values())
