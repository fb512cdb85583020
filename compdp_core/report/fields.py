"""The fields of settings as plain data, there and back, by the types that their classes declare.

A field's metadata says what its type does not: its ``name`` in the file, how it is ``read`` where
that takes more than its type, and what is done ``instead`` where its value makes no sense.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from types import NoneType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from compdp_core.accounting import exact_text
from compdp_core.accounting.charge import charged
from compdp_core.adjacency import Neighbours, Person
from compdp_core.errors import CompdpError, ParameterError, shown
from compdp_core.intervals import Interval
from compdp_core.mechanisms.categories import MOST_CATEGORIES
from compdp_core.report.shapes_as_data import pair_data, pair_from
from compdp_core.report.statement import LONGEST
from compdp_core.shapes import Pair
from compdp_core.statistics import Grouping
from compdp_core.tables import Affix
from compdp_core.tables.categories import Categories
from compdp_core.tables.errors import short
from compdp_core.tables.value_formats import FORMATS, ValueFormat

T = TypeVar("T")
Parse = Callable[[Any], Any]

MOST_COLUMNS = 16_384
MOST_PARTS = 1000
"""Conditions and groups."""
LONGEST_NAME = 10_000
LONGEST_AFFIX = 20
LONGEST_SHOWN = 300


@dataclass(frozen=True)
class SettingsNotice:
    """What of a document makes no sense, and what those who go on do instead."""

    fault: str
    instead: str = ""
    joint: str = ": "

    @property
    def text(self) -> str:
        """Both, as a sentence.

        >>> SettingsNotice("epsilon -1 makes no sense", "1 is used instead").text
        'epsilon -1 makes no sense: 1 is used instead.'
        """
        return f"{self.fault}{self.joint}{self.instead}." if self.instead else f"{self.fault}."


class NamedValues:
    """Named values of a document that may hold anything, each read once and with patience."""

    def __init__(self, data: dict[str, Any], where: str, notices: list[SettingsNotice]) -> None:
        self.data = data
        self.where = where
        self.notices = notices

    def get(self, name: str, default: T, parse: Callable[[Any], T], instead: str = "") -> T:
        """The parsed value; the default where it is absent, or, with a notice, where it fails."""
        value = self.data.get(name)
        if value is None:
            return default
        try:
            return parse(value)
        except CompdpError:
            self.say(name, value, instead or f"{_told(default)} is used instead")
            return default

    def say(self, name: str, value: object, instead: str, *, why: str = "") -> None:
        """Note that a value makes no sense, and what was done instead."""
        offending = short(shown(value), LONGEST_SHOWN)
        fault = f"{name} {offending} makes no sense"
        self.notices.append(
            SettingsNotice(f"{self.where}{fault}: {why}", instead, " and ")
            if why
            else SettingsNotice(f"{self.where}{fault}", instead)
        )

    def fault(self, fault: str, instead: str = "it is left out") -> None:
        """Note anything else of this part of the document."""
        self.notices.append(SettingsNotice(f"{self.where}{fault}", instead))

    def fields_of(
        self,
        kind: type,
        *,
        without: Collection[str] = (),
        read: Mapping[str, Parse] | None = None,
        default: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The values of a class's fields, by name; None for one that has no default either.

        ``read``, ``default``: of some fields by name, where the class says something else.
        """
        hints, parsers, defaults = _hints(kind), read or {}, default or {}
        return {
            each.name: self.get(
                _name(each),
                defaults.get(each.name, None if each.default is MISSING else each.default),
                parsers.get(each.name) or each.metadata.get("read") or _parser(hints[each.name]),
                each.metadata.get("instead", ""),
            )
            for each in fields(kind)
            if each.name not in without
        }


def fields_as_data(settings: Any, without: Collection[str] = ()) -> dict[str, Any]:
    """What :meth:`NamedValues.fields_of` reads back."""
    return {
        _name(each): as_data(getattr(settings, each.name))
        for each in fields(settings)
        if each.name not in without
    }


def as_data(value: Any) -> Any:
    """A value of settings as JSON has it."""
    if isinstance(value, Interval):
        return list(value.as_tuple())
    if isinstance(value, Fraction):
        return exact_text(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Pair):
        return pair_data(value)
    if isinstance(value, tuple | frozenset):
        return [as_data(each) for each in value]
    if isinstance(value, Categories):
        return value.as_mapping
    if isinstance(value, ValueFormat):
        return {"name": value.name, **fields_as_data(value)}
    return fields_as_data(value) if is_dataclass(value) else value


def _name(each: Field[Any]) -> str:
    return str(each.metadata.get("name", each.name))


def _hints(kind: type) -> dict[str, Any]:
    names = {"Affix": Affix, "Categories": Categories, "ValueFormat": ValueFormat}
    return get_type_hints(kind, localns=names)


def _told(default: object) -> str:
    plain = as_data(default)
    return exact_text(default) if isinstance(default, Fraction) else shown(plain)


def _parser(hint: Any) -> Parse:
    """What reads a value of this type, which may be None."""
    inner = [each for each in get_args(hint) if each is not NoneType]
    if Pair in inner:
        return pair_from
    if get_origin(hint) is Literal:
        return one_of(get_args(hint))
    return _PARSERS[hint] if hint in _PARSERS else _parser(inner[0])


def refusal(value: object) -> ParameterError:
    """What a value is refused with; the entry's notice says more."""
    return ParameterError("value", value, "must make sense")


def where(fits: Callable[[Any], bool]) -> Parse:
    """A value that fits."""

    def parse(value: Any) -> Any:
        if not fits(value):
            raise refusal(value)
        return value

    return parse


def one_of(choices: tuple[Any, ...]) -> Parse:
    """A text that is one of these."""
    return where(lambda value: isinstance(value, str) and value in choices)


def text(longest: int) -> Parse:
    """A text of so many characters at most."""
    return where(lambda value: isinstance(value, str) and len(value) <= longest)


def texts(most: int, longest: int) -> Parse:
    """A list of so many texts at most, as a tuple."""
    several = where(lambda value: isinstance(value, list) and len(value) <= most)
    return lambda value: tuple(map(text(longest), several(value)))


def whole(least: int, most: float = 10**15) -> Parse:
    """A whole number of this range."""
    return where(lambda value: type(value) is int and least <= value <= most)


flag = where(lambda value: isinstance(value, bool))
named = where(lambda value: isinstance(value, dict))
_listed = where(lambda value: isinstance(value, list))


def interval(value: Any) -> Interval:
    """A list of two ends."""
    return Interval.checked("interval", _listed(value))


def affix(value: Any) -> Affix:
    """A symbol or unit around numbers."""
    said, short = named(value), text(LONGEST_AFFIX)
    words = {name: short(said.get(name, "")) for name in ("prefix", "suffix", "thousands")}
    flags = {name: flag(said.get(name, False)) for name in ("parentheses", "minus_behind")}
    return Affix(**words, **flags)


def grouping(value: Any) -> Grouping:
    """A column and its categories."""
    said = named(value)
    categories = texts(MOST_PARTS, LONGEST_NAME)(said.get("categories"))
    unlisted = one_of(("refuse", "leave out"))(said.get("unlisted", "leave out"))
    edges, form = tuple(_listed(said.get("edges", [])))[:MOST_PARTS], said.get("format")
    return Grouping(
        text(LONGEST_NAME)(said.get("by")),
        categories,
        unlisted,
        edges,
        None if form is None else value_format(form),
    )


def person(value: Any) -> Person:
    """Whose rows are one person's."""
    said = named(value)
    by = texts(MOST_PARTS, LONGEST_NAME)(said.get("by"))
    beyond = one_of(("leave out", "refuse"))(said.get("beyond", "leave out"))
    return Person(by, whole(1)(said.get("at_most")), beyond, whole(1)(said.get("groups", 1)))


def categories(value: Any) -> Categories:
    """The names of categories, or each with the texts that mean it."""
    several = texts(MOST_CATEGORIES, LONGEST_NAME)
    if isinstance(value, list):
        return Categories.of(several(value))
    return Categories.of(
        {text(LONGEST_NAME)(name): several(each) for name, each in named(value).items()}
    )


def value_format(value: Any) -> ValueFormat:
    """A format of values by its name, with its settings."""
    said = named(value)
    name = said.get("name")
    kind = FORMATS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise refusal(value)
    notices: list[SettingsNotice] = []
    found = NamedValues(said, "", notices).fields_of(kind)
    if notices:
        raise refusal(value)
    try:
        return kind(**found)
    except (TypeError, ValueError):
        raise refusal(value) from None


_PARSERS: dict[Any, Parse] = {
    Categories: categories,
    ValueFormat: value_format,
    str: text(LONGEST),
    bool: flag,
    int: whole(1),
    Fraction: charged,
    Interval: interval,
    Affix: affix,
    Grouping: grouping,
    Person: person,
    Neighbours: lambda value: Neighbours(one_of(tuple(each.value for each in Neighbours))(value)),
}
