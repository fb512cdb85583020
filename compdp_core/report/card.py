"""The privacy card: everything public about a release, and nothing else.

A card is made of public settings and of what was proved about them. Nothing in it is counted,
measured or read from a private value, so two tables that differ only in private values have the
same card. Its JSON form is described by ``card.schema.json``; each field there has its meaning.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from importlib import resources
from typing import Any, Literal

FORMAT = "composite-dp privacy card"
VERSION = 1
STATED = "stated by the owner as public"
"""Where bounds come from, on every card: the library never reads them from the data."""


@dataclass(frozen=True)
class Privacy:
    """The guarantee of the whole release."""

    epsilon: str
    """Exact: a decimal where it ends, else a fraction."""
    delta: int
    neighbours: str
    meaning: str
    composition: str
    """How the items' budgets make up the whole."""


@dataclass(frozen=True)
class Rows:
    """How many rows there are, where that is public."""

    public: bool
    count: int | None
    at_most: int | None
    """A public upper limit, where the number itself is protected."""
    meaning: str
    alignment: tuple[str, ...] = ()
    """What was chosen for rows that do not line up with the columns, in words; on no card that was
    written before it was asked."""


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
    origin: str
    source: str


@dataclass(frozen=True)
class Answered:
    """A released answer with its confidence interval."""

    value: float
    lower: float
    upper: float
    level: float


@dataclass(frozen=True)
class Sensitivity:
    """Δ: the most the exact value can change between neighbouring tables."""

    value: float
    formula: str
    reason: str


@dataclass(frozen=True)
class Parameters:
    """The design: a dimensionless shape and the paper's parameters of it."""

    pair: str
    activation: str
    base: str
    objective: str
    epsilon: float
    """The float the design is made for, never above the exact budget."""
    k: float
    m: float
    y: float
    t: float
    L: float
    C: float
    mu: float
    kappa: float
    tau: float
    input_fraction: float
    steps: int | None
    """Of a staircase only, as is γ."""
    gamma: float | None


@dataclass(frozen=True)
class Proof:
    """The certificate of the distribution that was drawn from."""

    holds: bool
    epsilon: float
    ratio: str
    """Exact, numerator over denominator."""
    lower: float
    """Lowest possible output, as ``upper`` is the highest."""
    upper: float
    spacing: float
    points: int
    worst_bias: float


@dataclass(frozen=True)
class Error:
    """How far a released value lies from the true one (unit of the value)."""

    typical: float
    worst: float
    within_95: float
    typical_meaning: str
    worst_meaning: str
    within_95_meaning: str


@dataclass(frozen=True)
class Missing:
    """What became of missing values, and what that reveals."""

    policy: str
    meaning: str
    reveals: str


@dataclass(frozen=True)
class CellFormat:
    """How the released cells of a column are written: each of its number and of this alone."""

    decimal: Literal[".", ","]
    """Decimal mark."""
    decimals: int
    """How many every number has."""
    missing: str | None
    """What every missing cell is written as; None where no released cell is missing."""
    quotes: str
    """Which cells are in quotes, in words."""


@dataclass(frozen=True)
class Item:
    """One released thing: a column, or an answer."""

    name: str
    epsilon: str
    unit: str
    answer: Answered | None
    bounds: Bounds | None
    inputs: Ends
    """What the noise was added to lies between these."""
    outputs: Ends
    outputs_are: Literal["derived from the inputs", "set by the owner"]
    whole: bool
    sensitivity: Sensitivity
    parameters: Parameters
    certificate: Proof
    error: Error
    missing: Missing
    cells: CellFormat | None = None
    """Of a column; on no card that was written before it was declared."""


@dataclass(frozen=True)
class Card:
    """Everything public about one release."""

    kind: Literal["table", "statistic"]
    title: str
    identifier: str
    released_at: str
    """ISO 8601, UTC."""
    made_with: str
    """Name and version of the library."""
    privacy: Privacy
    rows: Rows
    items: tuple[Item, ...]
    unchanged_columns: tuple[str, ...]
    """Columns of the released table that no noise was added to."""
    not_covered: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        said = asdict(self)
        said["items"] = list(said["items"])
        for name in ("unchanged_columns", "not_covered"):
            said[name] = list(said[name])
        said["rows"]["alignment"] = list(self.rows.alignment)
        return {"format": FORMAT, "version": VERSION, **said}

    def to_json(self) -> str:
        """JSON text that :func:`schema` describes."""
        return json.dumps(self.as_dict(), indent=2, ensure_ascii=True, allow_nan=False) + "\n"

    def to_html(self, *parts: str) -> str:
        """A page that needs nothing else: no script, no outside request, fit for printing.

        ``parts``: only these below the heading, of ``summary``, ``released``, ``protected``,
        ``open``, ``items`` and ``about``; the whole card where none is named.

        Raises :class:`~compdp_core.errors.ParameterError` for a part that no card has.
        """
        from compdp_core.report.card_html import card_html

        return card_html(self, *parts)


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of :meth:`Card.to_json`."""
    text = resources.files("compdp_core.report").joinpath("card.schema.json").read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded
