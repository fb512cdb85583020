"""What a privacy card holds: everything public about a release, and nothing else.

A card is made of public settings and of what was proved about them. Nothing in it is counted,
measured or read from a private value, so two tables that differ only in private values have the
same card. What stands beside a field's type goes into the JSON Schema of the card as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from compdp_core.report.card_proofs import Distance, Exact
from compdp_core.report.card_proofs import LatticePart as LatticePart
from compdp_core.report.card_proofs import Parameters as Parameters
from compdp_core.report.card_proofs import Proof as Proof
from compdp_core.report.card_proofs import Response as Response
from compdp_core.report.card_proofs import RunsPart as RunsPart
from compdp_core.report.card_proofs import Sensitivity as Sensitivity

STATED = "stated by the owner as public"
FROM_DATA = "taken from the data by the owner, which tells something of them"
"""Where bounds and lists come from: the library never reads them from the data by itself."""

Kind = Literal["number", "whole", "category", "scale", "date", "time", "datetime", "duration"]


@dataclass(frozen=True)
class PersonPart:
    """Whose rows are one person's, and how many of them were read."""

    by: Annotated[
        tuple[str, ...],
        {"minItems": 1},
        "Labels of columns: rows with the same texts in all of them are one person's.",
    ]
    at_most: Annotated[int, {"minimum": 1}, "The most rows of a person that were read."]
    beyond: Annotated[
        Literal["leave out", "refuse"],
        "Whether a person's other rows were left out, drawn at random, or would have been refused.",
    ]
    groups: Annotated[int, {"minimum": 1}, "The most groups in which a person was read."]
    counts: Annotated[
        Literal["rows", "total", "mean"],
        "What counted of a person: so many rows at most, or the total or the mean of all rows.",
    ] = "rows"
    count: Annotated[
        int | None,
        {"minimum": 1},
        "Number of persons, where a statistic tells it; null where it is protected.",
    ] = None


@dataclass(frozen=True)
class Privacy:
    """The guarantee of the whole release."""

    epsilon: Annotated[Exact, "Budget of the whole release, exact."]
    delta: Annotated[int, {"const": 0}, "Pure differential privacy."]
    neighbours: Annotated[
        str,
        {
            "enum": [
                "one row's values replaced",
                "one person's values replaced",
                "replace one",
                "replace one person",
                "add or remove one",
                "add or remove one person",
            ]
        },
    ]
    meaning: Annotated[str, "The neighbours and the guarantee in words."]
    composition: Annotated[str, "How the budgets of the items make up the whole."]
    person: Annotated[
        PersonPart | None,
        "Null where each row is another person. Absent from cards of earlier versions.",
    ] = None


@dataclass(frozen=True)
class Rows:
    """How many rows there are, where that is public."""

    public: bool
    count: Annotated[int | None, {"minimum": 1}, "Number of rows; null where it is protected."]
    at_most: Annotated[int | None, {"minimum": 1}, "A public upper limit of a protected number."]
    meaning: str
    alignment: Annotated[
        tuple[str, ...],
        "What was chosen for rows that do not line up with the columns, in words. Absent from "
        "cards of earlier versions.",
    ] = ()


@dataclass(frozen=True)
class Ends:
    """An interval."""

    lower: float
    upper: float


@dataclass(frozen=True)
class Bounds:
    """Between which true values were taken to lie, and who said so."""

    lower: float
    upper: float
    unit: str
    origin: Annotated[str, {"enum": [STATED, FROM_DATA]}]
    source: Annotated[str, "The owner's words; empty where none were given."]


@dataclass(frozen=True)
class Category:
    """One of a public list."""

    name: Annotated[str, "What is written for it; empty for blank cells."]
    texts: Annotated[tuple[str, ...], "Texts of the table that mean it."]
    other: Annotated[bool, "Whether every text that is listed nowhere means it."]
    number: Annotated[float | None, "What it stands for on a scale; null for a category."]


@dataclass(frozen=True)
class Listed:
    """The public list of a column of categories or a scale, in its order, and who said so."""

    categories: Annotated[tuple[Category, ...], {"minItems": 2}]
    origin: Annotated[str, {"enum": [STATED, FROM_DATA]}]
    source: Annotated[str, "The owner's words; empty where none were given."]


@dataclass(frozen=True)
class TextEnds:
    """An interval, as it is written."""

    lower: str
    upper: str


@dataclass(frozen=True)
class InFormat:
    """How values are written that stand on this card as numbers of steps."""

    format: Annotated[str, "In words."]
    step: Annotated[str, "What one step is, and from where they are counted."]
    inputs: TextEnds
    outputs: TextEnds
    settings: Annotated[
        dict[str, Any] | None,
        "The format as programs read it. Absent from cards of earlier versions.",
    ] = None


@dataclass(frozen=True)
class Answered:
    """A released answer with the confidence interval for the exact one."""

    value: float
    lower: float
    upper: float
    level: Annotated[float, {"exclusiveMinimum": 0, "exclusiveMaximum": 1}]
    written: Annotated[
        tuple[str, ...] | None,
        {"minItems": 3, "maxItems": 3},
        "Answer and ends of its interval as the column writes its values; null for numbers. Absent "
        "from cards of earlier versions.",
    ] = None


@dataclass(frozen=True)
class Error:
    """Distance of a released value from the true one, in its unit; each with its meaning."""

    typical: Distance
    worst: Distance
    within_95: Distance
    typical_meaning: str
    worst_meaning: str
    within_95_meaning: str


@dataclass(frozen=True)
class Missing:
    """What became of missing values, and what that reveals."""

    policy: Annotated[str, {"enum": ["fill", "keep", "drop", "leave out"]}]
    meaning: str
    reveals: str


@dataclass(frozen=True)
class CellFormat:
    """How the released cells of a column are written: each of its value and of this alone."""

    decimal: Annotated[
        Literal[".", ","] | None, "Decimal mark; null where cells are no plain numbers."
    ]
    decimals: Annotated[
        int | None,
        {"minimum": 0, "maximum": 17},
        "How many every number has; null where cells are no plain numbers.",
    ]
    missing: Annotated[
        str | None,
        "What every missing cell is written as; null where no released cell is missing.",
    ]
    quotes: Annotated[str, "Which cells are in quotes, in words."]
    digits: Annotated[
        str | None,
        "The zero of the digits that numbers are written with, where it is another than 0. Absent "
        "from cards of earlier versions.",
    ] = None


@dataclass(frozen=True)
class Sampled:
    """Which rows have a value in a column, where each has one in some of the columns only."""

    columns: Annotated[int, {"minimum": 1}, "In how many columns each row was to have a value."]
    of: Annotated[int, {"minimum": 2}, "How many columns there were to choose from."]
    share: Annotated[Exact, "Of the rows those that are expected to answer a column."]
    meaning: Annotated[str, "What blank cells say, and how to work out a mean."]


@dataclass(frozen=True)
class Item:
    """One released thing: a column, or an answer.

    What has to do with numbers is null for a column of categories, which are drawn in another way.
    """

    name: Annotated[str, "Label of the column, or the question in words."]
    epsilon: Annotated[Exact, "Budget of this item, exact; of a column that of one cell."]
    unit: Annotated[str, "Of what was released, of dates and times that of a step; may be empty."]
    answer: Annotated[Answered | None, "Null for a column: its values are in the table."]
    bounds: Annotated[Bounds | None, "Null for a count, which reads no value, and for categories."]
    inputs: Annotated[Ends | None, "What noise is added to lies between these."]
    outputs: Annotated[Ends | None, "Every released value lies between these."]
    outputs_are: Literal["derived from the inputs", "set by the owner"] | None
    whole: Annotated[bool, "Whether whole numbers are released."]
    sensitivity: Sensitivity | None
    parameters: Parameters | None
    certificate: Proof
    error: Error | None
    missing: Missing
    cells: Annotated[
        CellFormat | None,
        "Null for an answer, which is no column. Absent from cards of earlier versions.",
    ] = None
    sampled: Annotated[
        Sampled | None,
        "Null where every row was to have a value. Absent from cards of earlier versions.",
    ] = None
    kind: Annotated[
        Kind,
        "What a column holds: numbers of a lattice or whole numbers, one of a list of categories, "
        "places of an ordered list as numbers, dates and times as numbers of steps. Absent from "
        "cards of earlier versions, which know numbers alone.",
    ] = "number"
    listed: Annotated[Listed | None, "The list of a category or a scale; null for all else."] = None
    response: Annotated[Response | None, "Null for all but a category."] = None
    written: Annotated[InFormat | None, "Null for all but dates, times and durations."] = None
    rule: Annotated[
        str | None,
        "By which rule cells that are more than a number, as <5, were read as one; null where "
        "there is none.",
    ] = None
    c: Annotated[
        float | None,
        "Where the variance is least: the middle of the outputs, and of the inputs where outputs "
        "are derived from them. With it, `p` and `c0` the variance of what is released for a true "
        "value x is c0 + (1 - p)/p (x - c)^2, and where rounding counts, as of whole numbers, "
        "greater by p/4 squared spacings at most. Null for categories; absent, as `p` and `c0`, "
        "from cards of earlier versions.",
    ] = None
    p: Annotated[
        float | None,
        {"exclusiveMinimum": 0, "maximum": 1},
        "Probability that the activation is drawn, not the base.",
    ] = None
    c0: Annotated[
        float | None, {"minimum": 0}, "Variance at `c`, rounding left out (unit squared)."
    ] = None
    lattice: Annotated[
        LatticePart | None,
        "What was drawn from. Null for categories, whose weights are the response's; absent from "
        "cards of earlier versions.",
    ] = None
    reading: Annotated[
        str | None,
        "How to read the cells, and where not to trust them. Null for an answer; absent from cards "
        "of earlier versions.",
    ] = None


@dataclass(frozen=True)
class CardContents:
    """Everything public about one release: settings and what was proved about them."""

    kind: Literal["table", "statistic"]
    title: Annotated[str, "The owner's words; may be empty."]
    identifier: Annotated[str, {"pattern": "^[0-9a-f]{32}$"}, "Random; names this one release."]
    released_at: Annotated[
        str,
        {
            "format": "date-time",
            "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\+00:00$",
        },
        "Moment of the draw, UTC.",
    ]
    made_with: Annotated[str, "Name and version of what made the release."]
    privacy: Privacy
    rows: Rows
    items: Annotated[tuple[Item, ...], {"minItems": 1}]
    unchanged_columns: Annotated[
        tuple[str, ...], "Columns of the released table without any noise."
    ]
    not_covered: Annotated[
        tuple[str, ...], {"minItems": 1}, "What the guarantee does not cover, in words."
    ]
