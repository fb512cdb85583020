"""What can be set on the page, each declared once: widgets, link and file all read it here."""

from __future__ import annotations

from decimal import Decimal

from compdp_core.adjacency import Neighbours, PerPerson
from compdp_core.parameters import EPSILON, Parameter
from compdp_core.shapes import PAIR_NAMES
from compdp_core.statistics import COMPARISONS, KINDS, STATISTICS, Kind
from compdp_core.statistics.query import MissingValues
from pages.inputs import links
from pages.text.typed_numbers import parsed, plain
from pages.text.wording import NEIGHBOURS

PAGE = "statistic"
value = links.value
BEST, STAIRCASE = "best", "A4B1"
NEIGHBOURS_MEAN = {
    Neighbours.REPLACE_ONE.value: "Protects what a person's row says. How many rows there are, "
    "and that the person is among them, is public.",
    Neighbours.ADD_OR_REMOVE_ONE.value: "Protects also whether a person is in the table at all, so "
    "how many rows there are stays unsaid.",
}
PERSONS_MEAN = {
    Neighbours.REPLACE_ONE.value: "Protects what all rows of a person say. How many persons there "
    "are, and that this one is among them, is public.",
    Neighbours.ADD_OR_REMOVE_ONE.value: "Protects also whether a person is in the table at all, so "
    "how many persons and rows there are stays unsaid.",
}
PER_PERSON: dict[PerPerson, str] = {
    "rows": "Rows: so many of each person at most",
    "total": "One value of each person: the total of all rows",
    "mean": "One value of each person: the mean of all rows",
}
MISSING: dict[MissingValues, str] = {
    "fill": "Fill with the middle of the bounds",
    "leave out": "Skip the rows without a value",
}
MISSING_MEANS: dict[MissingValues, str] = {
    "fill": "A row without a value counts as the middle of the bounds, so the answer leans towards "
    "the middle.",
    "leave out": "Only rows with a value are read. How many these are is protected, which some "
    "statistics pay for with accuracy.",
}
KINDS_MEAN: dict[Kind, str] = {"number": "numbers", "text": "texts, letter for letter"}
MEDIANS = {
    "lower": "the lower of the two middle values",
    "upper": "the upper of the two middle values",
    "mid": "the mean of the two middle values",
}
ROWS = Parameter("rows", "The number", "A public number of rows.", "rows", 1, 1e9, whole=True)
STEPS = Parameter(
    "steps",
    "The number of steps",
    "Steps of the staircase on either side of the true answer.",
    "",
    1,
    5000,
    whole=True,
)


def _position(name: str, key: str) -> links.Setting:
    """A column by its place, counted from 1 in links, as on the screen."""

    def read(text: str) -> int:
        value = parsed(text)
        if value is None or value != value.to_integral_value() or not 1 <= value <= 16_384:
            raise ValueError("it must be the number of a column, from 1.")
        return int(value) - 1

    return links.Setting(name, key, None, read, lambda value: str(value + 1))


def _any(name: str, key: str) -> links.Setting:
    def read(text: str) -> Decimal:
        value = parsed(text)
        if value is None:
            raise ValueError("it must be a number.")
        return value

    return links.Setting(name, key, None, read, plain)


def _text(name: str, key: str, longest: int) -> links.Setting:
    def read(text: str) -> str:
        if len(text) > longest:
            raise ValueError(f"it must have at most {longest} characters.")
        return text

    return links.Setting(name, key, "", read)


def _kind(text: str) -> Kind | None:
    found = next((kind for kind in KINDS if kind == text), None)
    if text and found is None:
        raise ValueError(f"it must be one of {', '.join(KINDS)}.")
    return found


KIND = links.choice(f"{PAGE}.kind", "statistic", tuple(STATISTICS), "mean")
COLUMN = _position(f"{PAGE}.column", "column")
DDOF = links.choice(f"{PAGE}.ddof", "divisor", ("n", "n-1"), "n")
MEDIAN = links.choice(f"{PAGE}.median", "median", tuple(MEDIANS), "lower")
LOWER, UPPER = _any(f"{PAGE}.lower", "lower"), _any(f"{PAGE}.upper", "upper")
UNIT = _text(f"{PAGE}.unit", "unit", 24)
SOURCE = _text(f"{PAGE}.source", "source", 200)
WHOLE = links.switch(f"{PAGE}.whole", "whole", False)
AS_IN_THE_TABLE = "table"
DECIMAL = links.choice(f"{PAGE}.decimal", "decimal", (AS_IN_THE_TABLE, ".", ","), AS_IN_THE_TABLE)
MISSING_POLICY = links.choice(f"{PAGE}.missing", "missing", tuple(MISSING), "fill")
NOTION = links.choice(
    f"{PAGE}.neighbours", "neighbours", tuple(NEIGHBOURS), Neighbours.REPLACE_ONE.value
)
MAX_ROWS = links.number(f"{PAGE}.max_rows", "maxrows", ROWS, None)
AT_LEAST = links.number(f"{PAGE}.at_least", "atleast", ROWS, None)
COUNTED = links.choice(f"{PAGE}.per_person", "counts", tuple(PER_PERSON), "rows")
"""What of a person is read."""
MOST_GROUPS = links.number(f"{PAGE}.most_groups", "groupseach", ROWS, Decimal(1))
"""In how many groups a person is read."""
WHERE = links.switch(f"{PAGE}.where", "condition", False)
WHERE_COLUMN = _position(f"{PAGE}.where.column", "where")
WHERE_HOW = links.choice(f"{PAGE}.where.how", "compare", COMPARISONS, "==")
WHERE_KIND = links.Setting(f"{PAGE}.where.kind", "as", None, _kind, lambda kind: kind or "")
"""None: as what it is compared with shows."""
WHERE_WHAT = _text(f"{PAGE}.where.what", "with", 200)
GROUPS = links.switch(f"{PAGE}.groups", "groups", False)
GROUPS_BY = _position(f"{PAGE}.groups.by", "by")
CATEGORIES = _text(f"{PAGE}.groups.categories", "categories", 4000)
BUDGET = links.number(f"{PAGE}.epsilon", "epsilon", EPSILON, Decimal(1))
PAIR = links.choice(f"{PAGE}.pair", "pair", (BEST, STAIRCASE, *PAIR_NAMES), BEST)
STAIRS = links.number(f"{PAGE}.steps", "steps", STEPS, None)

SETTINGS = (
    KIND, COLUMN, DDOF, MEDIAN, LOWER, UPPER, UNIT, SOURCE, WHOLE, DECIMAL, MISSING_POLICY,
    NOTION, MAX_ROWS, AT_LEAST, COUNTED, MOST_GROUPS, WHERE, WHERE_COLUMN, WHERE_HOW, WHERE_WHAT,
    WHERE_KIND, GROUPS, GROUPS_BY, CATEGORIES, BUDGET, PAIR, STAIRS,
)  # fmt: skip
OF_A_COLUMN = {LOWER: "lower", UPPER: "upper", UNIT: "unit", SOURCE: "source"}
"""Kept for each column of each file under the name that Privatize uses, too."""


def number(setting: links.Setting) -> int | None:
    said = value(setting)
    return None if said is None else int(said)
