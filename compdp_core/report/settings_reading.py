"""Settings out of a text that may be old, damaged or made by hand.

Every value that makes no sense falls back to its default and is named in a notice; nothing raises.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from compdp_core.accounting.charge import charged
from compdp_core.errors import CompdpError, ParameterError, shown
from compdp_core.parameters import EPSILON
from compdp_core.release import ColumnPlan, Plan
from compdp_core.release.column_plan import kinds_of
from compdp_core.report.card import FORMAT as CARD
from compdp_core.report.fields import (
    LONGEST_NAME,
    MOST_COLUMNS,
    MOST_PARTS,
    NamedValues,
    SettingsNotice,
    as_data,
    named,
    one_of,
    person,
    refusal,
    text,
    texts,
    where,
    whole,
)
from compdp_core.report.layout_reading import layout_from
from compdp_core.report.settings import FORMAT, VERSION, Settings, StatisticSettings, TableSettings
from compdp_core.report.shapes_as_data import pair_from
from compdp_core.report.statement import Statement
from compdp_core.statistics import KINDS, STATISTICS, AllOf, Condition, Count, Statistic
from compdp_core.statistics.query import Query

MOST_CHARACTERS = 2_000_000
_PLACE = whole(0, MOST_COLUMNS)
_LISTED = ("category", "scale")
_IN_STEPS = ("time", "datetime", "duration")
_KNOWN_PAIR = where(lambda value: isinstance(pair_from(value), str))
_USUAL = {"epsilon": charged(EPSILON.default)}
_UNSAID = {**_USUAL, "position": None}


@dataclass(frozen=True)
class OpenedSettings:
    """What could be read, and what could not."""

    settings: Settings | None
    """None where nothing usable was found."""
    notices: tuple[str, ...] = ()
    faults: tuple[str, ...] = field(default=(), compare=False)
    """The notices without what is done instead, for those who do not go on."""
    says_whose: bool = field(default=False, compare=False)
    """Whether it is said whose rows are one person's, or that each row is another person: where it
    is not, as in older files, or makes no sense, ask."""


def from_json(document: str | bytes) -> OpenedSettings:
    """Settings from text of any origin, with a notice for whatever had to be left out.

    >>> from_json('{"columns": [{"position": 0, "inputs": [0, 9], "epsilon": -1}]}').notices
    ("This does not say that it is 'composite-dp settings' of version 1.",
     'column 1 of the settings: epsilon -1 makes no sense: 1 is used instead.')
    """
    notices: list[SettingsNotice] = []
    data = _document(document, notices)
    settings = None if data is None else _settings(data, notices)
    return OpenedSettings(
        settings,
        tuple(each.text for each in notices),
        tuple(f"{each.fault}." for each in notices),
        data is not None and _says_whose(data),
    )


def _settings(data: dict[str, Any], notices: list[SettingsNotice]) -> Settings | None:
    entry, number = NamedValues(data, "", notices), data.get("version")
    if data.get("format") == CARD:
        entry.fault(
            "This is a privacy card, which says what was released: settings are beside it", ""
        )
        return None
    if data.get("format") != FORMAT or not isinstance(number, int) or number < VERSION:
        entry.fault(f"This does not say that it is {FORMAT!r} of version {VERSION}", "")
    elif number > VERSION:
        fault = f"This is of version {number}, which is newer than this program knows ({VERSION})"
        notices.append(SettingsNotice(f"{fault}: update it", "What it knows of it is used", ". "))
    if data.get("kind") == "statistic" or ("statistic" in data and "columns" not in data):
        return _statistic(entry)
    return _table(entry)


def _says_whose(data: dict[str, Any]) -> bool:
    try:
        return "person" in data and (data["person"] is None or bool(person(data["person"])))
    except CompdpError:
        return False


def _document(document: object, notices: list[SettingsNotice]) -> dict[str, Any] | None:
    try:
        words = (
            bytes(document).decode("utf-8-sig")
            if isinstance(document, bytes | bytearray)
            else document
        )
        if not isinstance(words, str):
            raise ValueError
        if len(words) > MOST_CHARACTERS:
            notices.append(SettingsNotice("The file is far too long for settings"))
            return None
        data = json.loads(words)
    except (ValueError, RecursionError):
        notices.append(SettingsNotice("This is not a settings file: it is no JSON text"))
        return None
    if not isinstance(data, dict):
        notices.append(SettingsNotice("This is not a settings file: it holds no named settings"))
        return None
    return data


def _table(entry: NamedValues) -> TableSettings | None:
    listed = entry.data.get("columns")
    given = listed[:MOST_COLUMNS] if isinstance(listed, list) else []
    columns: dict[int, tuple[ColumnPlan, str, Statement]] = {}
    for number, data in enumerate(given, start=1):
        column = NamedValues(data, f"column {number} of the settings: ", entry.notices)
        if not isinstance(data, dict):
            column.fault(f"{shown(data)} makes no sense")
            continue
        found = _column(column)
        if found is not None:
            if found[0].position in columns:
                column.fault("its position came before")
            columns.setdefault(found[0].position, found)
    if not columns:
        entry.fault("The settings hold no column that can be used", "")
        return None
    plans, labels, statements = zip(*columns.values(), strict=True)
    reading = layout_from(entry.data.get("reading"), entry.notices)
    none: tuple[str, ...] = ()
    names = texts(MOST_COLUMNS, LONGEST_NAME)
    omitted = entry.get("omitted", none, names, "no column is left out of the file")
    read = {"answered": whole(1, len(plans))}
    plan = Plan(plans, **entry.fields_of(Plan, without=("columns",), read=read))
    return TableSettings(plan, labels, statements, reading, omitted)


def _column(entry: NamedValues) -> tuple[ColumnPlan, str, Statement] | None:
    """Plan, label and words; None, with a notice, for a column without place, bounds or list."""
    listed = entry.data.get("kind") in _LISTED
    without = ("inputs",) if listed else ()
    found = entry.fields_of(ColumnPlan, without=without, read={"position": _PLACE}, default=_UNSAID)
    needed = ("position", "categories" if listed else "inputs")
    missing = [name for name in needed if found[name] is None]
    if missing:
        for name in missing:
            if entry.data.get(name) is None:
                entry.fault(f"it has no {name}")
        return None
    if not _of_its_kind(entry, found):
        return None
    pair, tail = found["pair"], found["tail_ratio"]
    if tail is not None and not (isinstance(pair, str) and pair.endswith("B2")):
        entry.say("tail_ratio", tail, "is left out", why="it belongs to base B2")
        found["tail_ratio"] = None
    plan = _plan(entry, found)
    words = Statement(**entry.fields_of(Statement))
    return None if plan is None else (plan, entry.get("label", "", text(LONGEST_NAME)), words)


def _of_its_kind(entry: NamedValues, found: dict[str, Any]) -> bool:
    """Whether the format fits the kind, or the bounds can be told without it."""
    kind, form = found["kind"] or ("whole" if found["whole"] else "number"), found["format"]
    if form is not None and kind not in kinds_of(form):
        entry.say("format", entry.data["format"], "is left out", why="it is of another kind")
        form = found["format"] = None
    # Days are days in every format; steps of times are not.
    if form is None and entry.data.get("format") is not None and kind in _IN_STEPS:
        entry.fault("its bounds are in steps of a format that is not known")
        return False
    if kind in _LISTED and entry.data.get("inputs") is not None:
        given = found["categories"].scores if kind == "scale" else ()
        if entry.data["inputs"] != [min(given, default=None), max(given, default=None)]:
            why = "it has a list and no bounds of its own"
            entry.say("inputs", entry.data["inputs"], "", why=why)
    return True


def _plan(entry: NamedValues, found: dict[str, Any]) -> ColumnPlan | None:
    """The plan, without values that do not go with the others."""
    usual = {each.name: each.default for each in dataclasses.fields(ColumnPlan)}
    for _ in usual:
        try:
            return ColumnPlan(**found)
        except ParameterError as refusal:
            name = refusal.name
            if name not in found or found[name] == usual[name]:
                break
            value = as_data(found.pop(name))
            entry.say(name, value, "is left out", why="it does not go with the rest")
        except CompdpError:
            break
    entry.fault("its settings do not go together")
    return None


def _statistic(entry: NamedValues) -> StatisticSettings | None:
    statistic = entry.get("statistic", None, _which, "nothing can be asked")
    kinds = one_of(KINDS if isinstance(statistic, Count) else ("number",))
    read: dict[str, Callable[[Any], Any]] = {"column": _PLACE, "kind": kinds}
    if statistic is not None:
        _odd_parts(entry, statistic)
    asked = entry.fields_of(Query, without=("statistic", "where"), read=read)
    if statistic is None or asked["column"] is None:
        entry.fault("The settings name no statistic of a column", "")
        return None
    if asked["person"] is None and asked["per_person"] != "rows":
        why = "it needs a person,"
        entry.say("per_person", asked["per_person"], "rows are read instead", why=why)
        asked["per_person"] = "rows"
    read = {"pair": _KNOWN_PAIR, "label": text(LONGEST_NAME)}
    said = entry.fields_of(StatisticSettings, without=("inquiry",), read=read, default=_USUAL)
    return StatisticSettings(Query(statistic, where=_where(entry), **asked), **said)


def _which(value: Any) -> Statistic:
    """The statistic of that name; parts of it that make no sense are left at their defaults."""
    name = value.get("name") if isinstance(value, dict) else None
    if not isinstance(name, str) or name not in STATISTICS:
        raise refusal(value)
    kind = STATISTICS[name]
    made = kind()
    for part in dataclasses.fields(kind):
        if value.get(part.name) is not None:
            try:
                made = dataclasses.replace(made, **{part.name: value[part.name]})
            except (CompdpError, TypeError):  # a list, say, is in no set of choices
                continue
    return made


def _odd_parts(entry: NamedValues, made: Statistic) -> None:
    """Say which parts of a statistic were left at their defaults."""
    for part in dataclasses.fields(made):
        asked = entry.data["statistic"].get(part.name)
        used = getattr(made, part.name)
        if asked is not None and asked != used:
            entry.say(part.name, asked, f"{shown(used)} is used instead")


def _where(entry: NamedValues) -> Condition | AllOf | None:
    listed = entry.data.get("where")
    if listed is None:
        return None
    if not isinstance(listed, list) or len(listed) > MOST_PARTS:
        entry.say("where", listed, "all rows are read")
        return None
    conditions = []
    for data in listed:
        try:
            conditions.append(_condition(data))
        except CompdpError:
            entry.say("condition", data, "it is left out")
    if not conditions:
        return None
    return conditions[0] if len(conditions) == 1 else AllOf(tuple(conditions))


def _condition(value: Any) -> Condition:
    name, constant = text(LONGEST_NAME), named(value).get("constant")
    if isinstance(constant, str):
        constant = name(constant)
    column, comparison = name(value.get("column")), name(value.get("comparison"))
    kind = value.get("kind")
    if kind is not None:  # older files do not say it: the constant shows it
        kind = one_of(KINDS)(kind)
    return Condition(column, comparison, constant, kind)
