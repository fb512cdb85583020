"""The JSON Schema of a card, made of the fields of its dataclasses and what stands beside them."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from compdp_core.report.card import EARLIER, FORMAT, VERSION, Card

_NAMES = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    NoneType: "null",
    dict: "object",
}
_COUNTED_WHERE_PUBLIC = {
    "if": {"properties": {"public": {"const": True}}},
    "then": {"properties": {"count": {"type": "integer"}, "at_most": {"type": "null"}}},
    "else": {"properties": {"count": {"type": "null"}}},
}


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of :meth:`Card.to_json`.

    A field with a default came later, and is asked of no card.
    """
    parts: dict[str, Any] = {}
    card = _object(Card, parts)
    head = {"format": {"const": FORMAT}, "version": {"enum": [*EARLIER, VERSION]}}
    parts["Rows"] |= _COUNTED_WHERE_PUBLIC
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": FORMAT,
        **card,
        "required": [*head, *card["required"]],
        "properties": head | card["properties"],
        "$defs": parts,
    }


def _object(kind: type, parts: dict[str, Any]) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    return {
        "type": "object",
        "description": kind.__doc__ or "",
        "additionalProperties": False,
        "required": [each.name for each in fields(kind) if each.default is MISSING],
        "properties": {name: _described(hint, parts) for name, hint in hints.items()},
    }


def _described(hint: Any, parts: dict[str, Any]) -> dict[str, Any]:
    """What a value of this type may be; ``parts`` takes up the classes on the way."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        said = _described(inner[0], parts)
        for note in hint.__metadata__:
            said |= {"description": note} if isinstance(note, str) else note
        return said
    if origin is Literal:
        return {"enum": list(inner)}
    if origin is tuple:
        return {"type": "array", "items": _described(inner[0], parts)}
    if NoneType in inner:
        some = next(_described(each, parts) for each in inner if each is not NoneType)
        if "$ref" in some:
            return {"oneOf": [{"type": "null"}, some]}
        if "enum" in some:
            return {"enum": [*some["enum"], None]}
        return some | {"type": [some["type"], "null"]}
    if isinstance(hint, type) and is_dataclass(hint):
        name = hint.__name__
        if name not in parts:
            parts[name] = {}
            parts[name] |= _object(hint, parts)
        return {"$ref": f"#/$defs/{name}"}
    return {"type": _NAMES[origin or hint]}
