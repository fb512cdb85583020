"""Own shapes in links and files: the name and what the shape is made of, as one text.

``F1=exp(-20*(v-0.5)^2)``, or ``F1~…`` for the mean of both sides. What arrives is made again and
certified again before it is offered anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from compdp_core.shapes import ACTIVATIONS
from compdp_core.shapes.custom import from_formula, from_points
from compdp_core.shapes.custom.folding import Kind
from pages.inputs import links
from pages.inputs.custom_shapes import (
    OwnShape,
    free_name,
    keep_shape,
    own_activations,
    own_bases,
    own_shapes,
)
from pages.sections.function_lab.certify import certified, enough

STAIRCASE = "A4"
LETTER: dict[Kind, str] = {"activation": "F", "base": "G"}
_SHAPE = re.compile(r"([A-Za-z][A-Za-z0-9_]*)([=~])(.+)", re.DOTALL)
_POINTS = "points "
_POINT = re.compile(r"\(([^,()]+),([^,()]+)\)")


def activation_choice(name: str) -> links.Setting:
    usual = (*ACTIVATIONS, STAIRCASE)
    return links.Setting(
        name, "activation", "A1", lambda text: _heard(text, "activation", usual), _said
    )


def base_choice(name: str) -> links.Setting:
    return links.Setting(name, "base", "B1", lambda text: _heard(text, "base", ("B1", "B2")), _said)


def make(text: str, kind: Kind, *, symmetrise: bool, name: str) -> OwnShape:
    """The shape of a formula, or of points written as a shape of points says them.

    Raises :class:`~compdp_core.errors.CompdpError`.
    """
    if not text.startswith(_POINTS):
        return from_formula(text, kind, symmetrise=symmetrise, name=name)
    points = [(float(v), float(height)) for v, height in _POINT.findall(text)]
    return from_points(points, kind, symmetrise=symmetrise, name=name)


def _said(name: str) -> str:
    shape = own_shapes().get(name)
    if shape is None:
        return name
    return f"{name}{'~' if shape.symmetrise else '='}{shape.formula}"


def _heard(text: str, kind: Kind, usual: Iterable[str]) -> str:
    """The name of the shape that a link means; a new one is made and certified first."""
    mine = own_activations() if kind == "activation" else own_bases()
    if text in usual or text in mine:
        return text
    parts = _SHAPE.fullmatch(text)
    if parts is None:
        known = ", ".join([*usual, *mine])
        raise ValueError(f"it must be one of {known}, or NAME=FORMULA for a shape of your own.")
    name, mirrored, source = parts[1], parts[2] == "~", parts[3]
    shape = make(source, kind, symmetrise=mirrored, name=name)
    taken = own_shapes().get(name)
    if taken is not None and taken != shape:
        shape = make(source, kind, symmetrise=mirrored, name=free_name(LETTER[kind]))
    certified(shape, enough(shape))
    keep_shape(shape)
    return shape.name
