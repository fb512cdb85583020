"""Function pairs as plain data: the known ones by name, own ones by formula or points."""

from __future__ import annotations

from typing import Any

from compdp_core.errors import UnknownPairError
from compdp_core.mechanisms.planning import ALL_PAIRS
from compdp_core.parameters import EPSILON, TAIL_RATIO
from compdp_core.shapes import ACTIVATIONS, Activation, Base, Constant, Pair, Quartic, Staircase
from compdp_core.shapes.custom import OwnActivation, OwnBase, from_formula, from_points
from compdp_core.shapes.formula import Formula
from compdp_core.validation import real


def pair_data(pair: str | Pair | None) -> str | dict[str, Any] | None:
    """What :func:`pair_from` makes an equal pair of."""
    if pair is None or isinstance(pair, str):
        return pair
    return {"activation": _part_data(pair.activation), "base": _part_data(pair.base)}


def pair_from(data: object) -> str | Pair | None:
    """The pair; raises :class:`~compdp_core.errors.CompdpError` for what is none."""
    if data is None or (isinstance(data, str) and data in ALL_PAIRS):
        return data
    if not isinstance(data, dict):
        raise UnknownPairError(data, ALL_PAIRS)
    activation, base = _part(data.get("activation")), _part(data.get("base"))
    if isinstance(activation, Activation) and isinstance(base, Base):
        return Pair(activation, base)
    raise UnknownPairError(data, ALL_PAIRS)


def _part_data(part: Activation | Base) -> dict[str, Any]:
    if isinstance(part, OwnActivation | OwnBase):
        kind = "activation" if isinstance(part, OwnActivation) else "base"
        words = {"kind": kind, **_values(part, "symmetrise", "name", "title")}
        if isinstance(part.source, Formula):
            return {"formula": part.source.text, **words}
        points = zip(part.source.places, part.source.heights, strict=True)
        return {"points": [list(point) for point in points], **words}
    if isinstance(part, Staircase):
        return _values(part, "name", "steps", "gamma", "epsilon")
    if isinstance(part, Quartic):
        return _values(part, "name", "tail_ratio")
    return {"name": part.name}


def _values(part: object, *names: str) -> dict[str, Any]:
    return {name: getattr(part, name) for name in names}


def _part(data: object) -> Activation | Base | None:
    """One shape; None for what is none, an error of this library for what was nearly one."""
    if not isinstance(data, dict):
        return None
    if "formula" in data or "points" in data:
        return _own(data)
    name = data.get("name")
    if name == Staircase.name:
        steps, gamma, epsilon = data.get("steps"), real(data.get("gamma")), data.get("epsilon")
        if not isinstance(steps, int) or gamma is None:
            return None
        return Staircase(steps, gamma, EPSILON.check(epsilon))
    if name == Quartic.name:
        return Quartic(TAIL_RATIO.check(data.get("tail_ratio")))
    return Constant() if name == Constant.name else ACTIVATIONS.get(str(name))


def _own(data: dict[str, Any]) -> OwnActivation | OwnBase | None:
    words: dict[str, Any] = {
        "symmetrise": data.get("symmetrise") is True,
        "name": data.get("name"),
        "title": data.get("title"),
    }
    kind = data.get("kind", "activation")
    formula, points = data.get("formula"), data.get("points")
    if isinstance(formula, str):
        made: OwnActivation | OwnBase = from_formula(formula, kind, **words)
        return made
    # Points that were joined with their mirror image already cover the whole domain.
    return from_points(points, kind, **words) if isinstance(points, list) else None
