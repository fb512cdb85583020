"""Formats that texts may be written in, made from how they look; whoever asks tries them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, cast, get_args

from compdp_core.errors import CompdpError
from compdp_core.tables.value_formats.base import ValueFormat
from compdp_core.tables.value_formats.clock import DurationFormat, TimeFormat
from compdp_core.tables.value_formats.counted import DayNumberFormat, UnixTimeFormat
from compdp_core.tables.value_formats.dates import DateFormat, DateTimeFormat
from compdp_core.tables.value_formats.months import Language, names_of
from compdp_core.tables.value_formats.worded import (
    PARTS,
    IsoDurationFormat,
    UnitDurationFormat,
    unit_of,
)

_RUN = re.compile(r"\d+|[^\W\d_]+|.")
_AMOUNT = re.compile(r"(\d{1,15})(\s?)([^\W\d_]+\.?|[′’'″”\"]+)([\s,]*)")
_MOST_SHAPES = 3
_NUMBERS = _SHORT, _YEAR, _WHOLE = "one or two", "four", "eight"
_NAME = "a name"
_BASIC = "Y%m%d"
_LAST_DAY_NUMBER = 2_958_465

_HALF = r"(?P<gap>\s?)(?P<half>[AaPp]\.?[Mm]\.?)"
_SECONDS = r":(?P<second>\d\d)(?:(?P<mark>[.,])(?P<fraction>\d{1,9}))?"
_TIME = re.compile(rf"(?P<hour>\d{{1,2}})(?P<sep>[:h])(?P<minute>\d\d)(?:{_SECONDS})?(?:{_HALF})?")
_HOUR = re.compile(rf"(?P<hour>\d{{1,2}}){_HALF}")
_CLOCK = re.compile(
    r"-?(?P<lead>\d+)(?P<sep>[:h'′])(?P<next>\d\d)(?::(?P<last>\d\d))?"
    r"(?:(?P<mark>[.,])(?P<fraction>\d{1,9}))?(?P<end>[\"″]?)"
)
_DAYS = re.compile(
    r"-?(?P<lead>\d+)(?P<sep>[^\d:.,+]+)\+?(?P<hour>\d{1,2}):\d\d:\d\d"
    r"(?:(?P<mark>[.,])(?P<fraction>\d{1,9}))?"
)
_ISO_BASIC = re.compile(r"\d{8}T\d{6}")
_BETWEEN = re.compile(r"(?:T|,?\s+|,?\s+[^\W\d]{1,3}\s+)$")
_AFTER = re.compile(r"\s?(?:Z|UTC|GMT|Uhr|[+-]\d\d(?::?\d\d)?)?")
_ISO_LETTERS = re.compile(r"-?P([\d.,]+D)?(?:T([\d.,]+H)?([\d.,]+M)?([\d.,]+S)?)?")

Found = list[re.Match[str]]
Calls = Iterator[tuple[Any, ...]]
"""Classes of formats, each with what it is called with."""


def guesses(kind: str, texts: Sequence[str]) -> Iterator[ValueFormat]:
    """Formats of that kind that some of the texts, none of them blank, look like."""
    for form, *said in _GUESSES[kind](texts):
        try:
            yield form(*said)
        except CompdpError:  # the texts between the numbers are those of no format
            continue


def _usual(values: Iterable[Any]) -> Any:
    """The most frequent one."""
    return Counter(values).most_common(1)[0][0]


def _all_between(texts: Sequence[str], least: int, most: int) -> bool:
    plain = [re.fullmatch(r"([1-9]\d{0,14})(\.0+)?", text, re.ASCII) for text in texts]
    numbers = [int(match[1]) for match in plain if match]
    return len(numbers) >= 0.9 * len(texts) and all(least <= each <= most for each in numbers)


def _dates(texts: Sequence[str]) -> Calls:
    yield from ((DateFormat, *said) for said in _date_patterns(texts))
    if _all_between(texts, 1, _LAST_DAY_NUMBER):
        yield (DayNumberFormat,)


def _date_patterns(texts: Sequence[str]) -> Iterator[tuple[str, Language]]:
    split = [_RUN.findall(text) for text in texts]
    words = {run.casefold() for runs in split for run in runs if run.isalpha()}
    yield from (("".join(pattern), "en") for pattern in _patterns(split, set(), ""))
    for language in cast("tuple[Language, ...]", get_args(Language)):
        for letter in "Bb":
            names = {name.casefold() for name in names_of(letter, language)}
            if names & words:
                for pattern in _patterns(split, names, letter):
                    yield "".join(pattern), language


def _patterns(split: list[list[str]], names: set[str], letter: str) -> Iterator[list[str]]:
    """Patterns of the most frequent shapes: numbers and names of months, in all else alike."""
    shaped: dict[tuple[str, ...], list[list[str]]] = {}
    for runs in split:
        shaped.setdefault(tuple(_shape(run, names) for run in runs), []).append(runs)
    usual = sorted(shaped.items(), key=lambda each: -len(each[1]))[:_MOST_SHAPES]
    for shape, alike in usual:
        if shape.count(_NAME) != bool(letter) or ":" in shape:
            continue
        months = [each[shape.index(_NAME)] for each in alike] if letter else []
        capitals = "^" * _usual([len(name) > 1 and name.isupper() for name in months] or [False])
        places = [i for i, run in enumerate(shape) if run in _NUMBERS]
        for order in _orders([shape[i] for i in places], letter, shape):
            pattern = [f"%{capitals}{letter}" if run == _NAME else run for run in shape]
            for place, part in zip(places, [order] if order == _BASIC else order, strict=True):
                flag = _padding([each[place] for each in alike]) if part in "dm" else ""
                pattern[place] = f"%{flag}{part}"
            yield pattern


def _shape(run: str, names: set[str]) -> str:
    if run.isdecimal():
        return {1: _SHORT, 2: _SHORT, 4: _YEAR, 8: _WHOLE}.get(len(run), run)
    return _NAME if run.casefold() in names else run.replace("%", "%%")


def _padding(numbers: Iterable[str]) -> str:
    """The flag of a part whose numbers below 10 are mostly without a zero in front."""
    short = [len(number) == 1 for number in numbers if len(number) == 1 or number[0] == "0"]
    return "-" if 2 * sum(short) > len(short) else ""


def _orders(numbers: list[str], letter: str, shape: Sequence[str]) -> list[str]:
    """What each number may be: letters of parts."""
    if numbers == [_WHOLE] and not letter:
        return [_BASIC]
    rest = "d" if letter else "dm"
    short = [_SHORT] * len(rest)
    if numbers == [_YEAR, *short]:
        return ["Y" + rest[::-1]]
    if numbers == [*short, _YEAR]:
        orders = [rest + "Y", rest[::-1] + "Y"]
    elif numbers == [*short, _SHORT]:
        orders = [rest + "y", rest[::-1] + "y"] + ["ymd"] * (not letter and "." not in shape)
    else:
        return []
    # Nobody puts the month first between dots.
    return orders[:1] if letter or "." in shape else orders


def _datetimes(texts: Sequence[str]) -> Calls:
    parted = []
    for text in texts:
        found = re.search(rf"(?<!\d){_TIME.pattern}", text) or re.search(_HOUR.pattern, text)
        between = _BETWEEN.search(text[: found.start()]) if found else None
        if found and between and _AFTER.fullmatch(text[found.end() :]):
            parted.append((text[: between.start()], between[0], found[0], text[found.end() :]))
    if parted:
        between, after = _usual((each[1], each[3]) for each in parted)
        dates = list(dict.fromkeys(each[0] for each in parted))
        times = [each[2] for each in parted]
        for date, language in _date_patterns(dates):
            for time in _time_patterns(times):
                yield DateTimeFormat, f"{date}{between}{time}{after}", language
    basic = [text for text in texts if _ISO_BASIC.match(text) and _AFTER.fullmatch(text[15:])]
    if basic:
        yield DateTimeFormat, "%Y%m%dT%H%M%S" + _usual(text[15:] for text in basic)
    if _all_between(texts, 10**8, 10**10):
        yield (UnixTimeFormat,)
    if _all_between(texts, 10**11, 10**13):
        yield UnixTimeFormat, "milliseconds"


def _matches(pattern: re.Pattern[str], texts: Sequence[str]) -> Found:
    return [match for match in map(pattern.fullmatch, texts) if match]


def _lead(letter: str, found: Found, group: str) -> str:
    return f"%{_padding(match[group] for match in found)}{letter}"


def _fraction(found: Found) -> str:
    with_one = [match for match in found if match["fraction"]]
    if not with_one:
        return ""
    return f"{_usual(m['mark'] for m in with_one)}%{_usual(len(m['fraction']) for m in with_one)}f"


def _times(texts: Sequence[str]) -> Calls:
    yield from ((TimeFormat, pattern) for pattern in _time_patterns(texts))


def _durations(texts: Sequence[str]) -> Calls:
    yield from ((DurationFormat, pattern) for pattern in _clock_patterns(texts))
    yield from _worded(texts)


def _time_patterns(texts: Sequence[str]) -> Iterator[str]:
    found = _matches(_TIME, texts)
    if found:
        sep = _usual(match["sep"] for match in found)
        seconds = _usual(match["second"] is not None for match in found)
        half = _half(found)
        hour = _lead("I" if half else "H", found, "hour")
        more = f":%S{_fraction(found)}" if seconds else ""
        yield f"{hour}{sep}%M{more}{half}"
    found = _matches(_HOUR, texts)
    if found:
        yield _lead("I", found, "hour") + _half(found)


def _half(found: Found) -> str:
    gap, half = _usual((match["gap"], match["half"]) for match in found)
    if not half:
        return ""
    return f"{gap}%{'.P' if '.' in half else 'p' if half.isupper() else 'P'}"


def _clock_patterns(texts: Sequence[str]) -> Iterator[str]:
    found = _matches(_CLOCK, texts)
    if found:
        sep, three, small = _usual((m["sep"], bool(m["last"]), bool(m["mark"])) for m in found)
        if three:
            yield f"{_lead('H', found, 'lead')}{sep}%M:%S{_fraction(found)}"
        elif sep != "h":
            end = _usual(match["end"] for match in found)
            yield f"{_lead('M', found, 'lead')}{sep}%S{_fraction(found)}{end}"
        if not three and not small and sep in ":h":
            yield f"{_lead('H', found, 'lead')}{sep}%M"
    found = _matches(_DAYS, texts)
    if found:
        sep = _usual(match["sep"] for match in found)
        yield f"%-d{sep}{_lead('H', found, 'hour')}:%M:%S{_fraction(found)}"


def _worded(texts: Sequence[str]) -> Calls:
    isos = _matches(_ISO_LETTERS, texts)
    if isos:
        shown = [i for i in range(4) if any(match[i + 1] for match in isos)]
        if shown:
            small = any(match[4] and not match[4][:-1].isdecimal() for match in isos)
            parts = "DHMS"[shown[0] : shown[-1] + 1]
            yield IsoDurationFormat, parts + "f" * small
    split = [found for text in texts if (found := _amounts(text.removeprefix("-")))]
    if not split:
        return
    units = dict[str, list[str]]()
    for amounts in split:
        for match in amounts:
            units.setdefault(unit_of(match[3]) or "", []).append(match[2] + match[3])
    places = [PARTS.index(letter) for letter in units]
    letters = PARTS[min(places) : max(places) + 1]
    if set(letters) <= units.keys():
        joins = [match[4] for amounts in split for match in amounts[:-1]]
        join = _usual(joins) if joins else " "
        pattern = join.join(f"%-{letter}{_usual(units[letter])}" for letter in letters)
        yield UnitDurationFormat, pattern, all(len(each) == len(letters) for each in split)


def _amounts(text: str) -> Found:
    """The numbers of a duration, each with its unit; none where the text is something else."""
    found = [*_AMOUNT.finditer(text)]
    whole = "".join(match[0] for match in found) == text
    return found if whole and all(unit_of(match[3]) for match in found) else []


_GUESSES: dict[str, Callable[[Sequence[str]], Calls]] = {
    "date": _dates,
    "datetime": _datetimes,
    "time": _times,
    "duration": _durations,
}
