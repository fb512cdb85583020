"""A card as data, read back: by its schema, and what its certificate proves proved again."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from compdp_core.errors import CompdpError, shown
from compdp_core.report.card import EARLIER, FORMAT, VERSION, Card
from compdp_core.report.card_schema import schema

_NONE = "this is no privacy card as data: take the file whose name ends in _card.json"

_NATURAL = re.compile(r"0|[1-9][0-9]*")
_LONG = 64

LARGEST = 64 * 2**20
"""Bytes of the largest card that is read."""


class CardError(CompdpError):
    """What was handed in is no card, or one that does not agree with itself."""


def card_of(data: Mapping[str, Any] | str | bytes) -> Card:
    """The card of its JSON text, or of what :meth:`~compdp_core.report.card.Card.as_dict` gives.

    Raises :class:`CardError` for what is none, with what to do.
    """
    said = _document(_text(data) if isinstance(data, Mapping) else data)
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise CardError(_NONE)
    import jsonschema

    checker = jsonschema.Draft202012Validator(schema())
    wrong = next(iter(checker.iter_errors(_cut(said))), None)
    if wrong is not None:
        if said.get("version") not in (*EARLIER, VERSION):
            raise CardError(
                f"the card is of version {shown(said.get('version'))}, and this program reads up "
                f"to {VERSION}: use a later version of it"
            )
        while wrong.context:  # of what may be null, what is wrong in it
            wrong = max(wrong.context, key=lambda each: len(each.absolute_path))
        place = " → ".join(map(str, wrong.absolute_path)) or "card"
        # Of what has parts only the place: the fault is what is there too much, or is not there.
        said_there = "" if isinstance(wrong.instance, dict | list) else f": {shown(wrong.instance)}"
        raise CardError(f"the card was changed or is damaged at {place}{said_there}")
    card: Card = _made(Card, said)
    return card


def is_card(data: bytes) -> bool:
    """Whether this begins as a card as data does, right or damaged."""
    start = "".join(data[:_LONG].decode("utf-8-sig", "ignore").split())
    return start.startswith(f'{{"format":"{FORMAT}"'.replace(" ", ""))


def _cut(value: Any) -> Any:
    """A document in which long lists of right weights are short: a validator takes a second for
    those of ten columns.
    """
    if isinstance(value, dict):
        return {name: _cut(each) for name, each in value.items()}
    if isinstance(value, list):
        if len(value) > _LONG and (_all(value, int) or _all(value, str)):
            return value[:1]
        return [_cut(each) for each in value]
    return value


def _all(value: list[Any], kind: type) -> bool:
    """Whether all look as the first, which the schema looks at: whole from 1, or digits alone."""
    if kind is int:
        return all(type(each) is int and each > 0 for each in value)
    natural = _NATURAL.fullmatch
    return all(type(each) is str and natural(each) is not None for each in value)


def _text(card: Mapping[str, Any]) -> str:
    """A card as text, so that all of it is plain."""
    try:
        return json.dumps(dict(card), allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise CardError(_NONE) from None


def _document(data: str | bytes) -> Any:
    given: Any = data  # by its type it can be nothing else, in a notebook it can
    if not isinstance(given, str | bytes) or len(given) > LARGEST:
        raise CardError("a card must be a mapping, or JSON text of at most 64 MiB")
    start = (
        given[:200].lstrip() if isinstance(given, str) else given[:200].decode("utf-8", "ignore")
    )
    if "<!doctype html" in start.lower():
        raise CardError(
            "this is a page, as the card for reading is one: take the one as data, "
            "whose name ends in _card.json"
        )
    try:
        text = given.removeprefix("\ufeff") if isinstance(given, str) else given
        return json.loads(
            text, parse_constant=_refused, parse_float=_finite, object_pairs_hook=_once_each
        )
    except (ValueError, RecursionError):
        raise CardError(_NONE) from None


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of which no field stands twice: programs differ in which of them they read."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


def _refused(_: str) -> float:
    raise ValueError


def _finite(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _refused(text)


def _made(hint: Any, value: Any) -> Any:
    """A value of that type, of plain values that the schema allows."""
    inner = get_args(hint)
    if get_origin(hint) is Annotated:
        return _made(inner[0], value)
    if NoneType in inner:
        some = next(each for each in inner if each is not NoneType)
        return None if value is None else _made(some, value)
    if get_origin(hint) is tuple:
        plain = get_args(inner[0])[0] if get_origin(inner[0]) is Annotated else inner[0]
        if plain in (str, int):
            return tuple(map(plain, value))
        return tuple(_made(inner[0], each) for each in value)
    if isinstance(hint, type) and is_dataclass(hint):
        hints = get_type_hints(hint, include_extras=True)
        given = {each.name: value[each.name] for each in fields(hint) if each.name in value}
        return hint(**{name: _made(hints[name], each) for name, each in given.items()})
    return hint(value) if hint in (float, int) else value  # 2.0 is whole in JSON, too
