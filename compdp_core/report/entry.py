"""Named values out of a document that may hold anything, read one by one with patience."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from compdp_core.errors import CompdpError, ParameterError, shown
from compdp_core.intervals import Interval
from compdp_core.tables import Affix
from compdp_core.tables.errors import short

T = TypeVar("T")

LONGEST_AFFIX = 20
LONGEST_SHOWN = 300


class Entry:
    """Named values, each read once and with patience."""

    def __init__(self, data: dict[str, Any], where: str, notices: list[str]) -> None:
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
            self.say(name, value, instead or f"{shown(default)} is used instead")
            return default

    def say(self, name: str, value: object, instead: str) -> None:
        """Note that a value makes no sense, and what was done instead."""
        offending = short(shown(value), LONGEST_SHOWN)
        self.notices.append(f"{self.where}{name} {offending} makes no sense: {instead}.")


def refusal(value: object) -> ParameterError:
    """What a value is refused with; the entry's notice says more."""
    return ParameterError("value", value, "must make sense")


def one_of(choices: tuple[Any, ...]) -> Callable[[Any], Any]:
    """A text that is one of these."""

    def parse(value: Any) -> Any:
        if not isinstance(value, str) or value not in choices:
            raise refusal(value)
        return value

    return parse


def text(longest: int) -> Callable[[Any], str]:
    """A text of so many characters at most."""

    def parse(value: Any) -> str:
        if not isinstance(value, str) or len(value) > longest:
            raise refusal(value)
        return value

    return parse


def flag(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise refusal(value)
    return value


def whole(least: int, most: float = 10**15) -> Callable[[Any], int]:
    """A whole number of this range."""

    def parse(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise refusal(value)
        return value

    return parse


def interval(value: Any) -> Interval:
    """A list of two ends."""
    if not isinstance(value, list):
        raise refusal(value)
    return Interval.checked("interval", value)


def affix(value: Any) -> Affix:
    """A symbol or unit around numbers."""
    if not isinstance(value, dict):
        raise refusal(value)
    short = text(LONGEST_AFFIX)
    words = {name: short(value.get(name, "")) for name in ("prefix", "suffix", "thousands")}
    return Affix(**words, parentheses=flag(value.get("parentheses", False)))
