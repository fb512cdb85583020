"""What can be set on the page, each declared once: widgets, link and file all read it here."""

from __future__ import annotations

import json
from decimal import Decimal

from compdp_core.adjacency import Neighbours
from compdp_core.errors import CompdpError
from compdp_core.parameters import EPSILON, Parameter
from compdp_core.report.fields import as_data, value_format
from compdp_core.shapes import PAIR_NAMES
from compdp_core.statistics import COMPARISONS, KINDS, STATISTICS, Kind
from compdp_core.tables.value_formats import ValueFormat
from pages.inputs import links
from pages.sections.statistic.choices import BUDGET_IS as BUDGET_IS
from pages.sections.statistic.choices import GROUPS_ARE as GROUPS_ARE
from pages.sections.statistic.choices import KINDS_MEAN as KINDS_MEAN
from pages.sections.statistic.choices import MEDIANS as MEDIANS
from pages.sections.statistic.choices import MISSING as MISSING
from pages.sections.statistic.choices import MISSING_MEANS as MISSING_MEANS
from pages.sections.statistic.choices import NEIGHBOURS_MEAN as NEIGHBOURS_MEAN
from pages.sections.statistic.choices import PER_PERSON as PER_PERSON
from pages.sections.statistic.choices import PERSONS_MEAN as PERSONS_MEAN
from pages.text.wording import NEIGHBOURS

PAGE = "statistic"
value = links.value
BEST, STAIRCASE = "best", "A4B1"
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


def _text(name: str, key: str, longest: int) -> links.Setting:
    def read(text: str) -> str:
        if len(text) > longest:
            raise ValueError(f"it must have at most {longest} characters.")
        return text

    return links.Setting(name, key, "", read)


def _format(name: str, key: str) -> links.Setting:
    """How cells are written that are no plain numbers, as settings files name it."""

    def read(text: str) -> ValueFormat:
        try:
            return value_format(json.loads(text))
        except (CompdpError, ValueError, RecursionError):
            raise ValueError("it must be a format as the link of this page has it.") from None

    return links.Setting(name, key, None, read, lambda form: json.dumps(as_data(form)))


def _kind(text: str) -> Kind | None:
    found = next((kind for kind in KINDS if kind == text), None)
    if text and found is None:
        raise ValueError(f"it must be one of {', '.join(KINDS)}.")
    return found


KIND = links.choice(f"{PAGE}.kind", "statistic", tuple(STATISTICS), "mean")
COLUMN = links.column(f"{PAGE}.column", "column")
DDOF = links.choice(f"{PAGE}.ddof", "divisor", ("n", "n-1"), "n")
MEDIAN = links.choice(f"{PAGE}.median", "median", tuple(MEDIANS), "lower")
LOWER, UPPER = (
    links.any_number(f"{PAGE}.lower", "lower"),
    links.any_number(f"{PAGE}.upper", "upper"),
)
FORMAT = _format(f"{PAGE}.format", "format")
"""None for numbers."""
EARLIEST, LATEST = _text(f"{PAGE}.earliest", "from", 60), _text(f"{PAGE}.latest", "to", 60)
"""Bounds of what has a format, as they are typed."""
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
WHERE_COLUMN = links.column(f"{PAGE}.where.column", "where")
WHERE_HOW = links.choice(f"{PAGE}.where.how", "compare", COMPARISONS, "==")
WHERE_KIND = links.Setting(f"{PAGE}.where.kind", "as", None, _kind, lambda kind: kind or "")
"""None: as what it is compared with shows."""
WHERE_WHAT = _text(f"{PAGE}.where.what", "with", 200)
GROUPS = links.switch(f"{PAGE}.groups", "groups", False)
GROUPS_BY = links.column(f"{PAGE}.groups.by", "by")
GROUPS_KIND = links.choice(f"{PAGE}.groups.kind", "groupsare", tuple(GROUPS_ARE), "categories")
EDGES_FORMAT = _format(f"{PAGE}.groups.format", "edgesas")
EDGES = _text(f"{PAGE}.groups.edges", "edges", 4000)
BUDGET_OF = links.choice(f"{PAGE}.epsilon.of", "epsilonof", tuple(BUDGET_IS), "group")
CATEGORIES = _text(f"{PAGE}.groups.categories", "categories", 4000)
BUDGET = links.number(f"{PAGE}.epsilon", "epsilon", EPSILON, Decimal(1))
PAIR = links.choice(f"{PAGE}.pair", "pair", (BEST, STAIRCASE, *PAIR_NAMES), BEST)
STAIRS = links.number(f"{PAGE}.steps", "steps", STEPS, None)

SETTINGS = (
    KIND, COLUMN, DDOF, MEDIAN, FORMAT, EARLIEST, LATEST, LOWER, UPPER, UNIT, SOURCE, WHOLE,
    DECIMAL, MISSING_POLICY, NOTION, MAX_ROWS, AT_LEAST, COUNTED, MOST_GROUPS, WHERE, WHERE_COLUMN,
    WHERE_HOW, WHERE_WHAT, WHERE_KIND, GROUPS, GROUPS_BY, GROUPS_KIND, CATEGORIES, EDGES_FORMAT,
    EDGES, BUDGET_OF, BUDGET, PAIR, STAIRS,
)  # fmt: skip
OF_A_COLUMN = (LOWER, UPPER, EARLIEST, LATEST, UNIT, SOURCE)
"""Kept for each column of each file, too."""


def number(setting: links.Setting) -> int | None:
    said = value(setting)
    return None if said is None else int(said)
