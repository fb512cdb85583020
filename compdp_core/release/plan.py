"""What is to happen to a table: all that a release is made of but the true values and the noise."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, get_args

from compdp_core.accounting.charge import charged
from compdp_core.design.optimize import Objective
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.numerics import not_above
from compdp_core.parameters import TAIL_RATIO
from compdp_core.shapes import Pair

if TYPE_CHECKING:
    from compdp_core.accounting.amounts import Amount
    from compdp_core.tables.affix import Affix

Missing = Literal["keep", "drop", "fill"]
"""What becomes of a missing value: its cell is written as missing (and shows where it was), its row
is left out (and the number of rows shows how many), or the middle of the bounds is privatised in
its place (and nothing shows)."""

LONGEST_MISSING = 40
"""Characters of the text that missing cells are written as."""


class PlanError(CompdpError):
    """A plan does not fit the table, or itself."""


def missing_text(text: object) -> str:
    """A text that missing cells can be written as; :class:`ParameterError` where it is none."""
    if not isinstance(text, str) or len(text) > LONGEST_MISSING or not text.isprintable():
        raise ParameterError(
            "missing_as", text, f"must be text of at most {LONGEST_MISSING} characters in one line"
        )
    if any(letter.isdecimal() for letter in text):
        raise ParameterError("missing_as", text, "must not hold digits: it would look like a value")
    kept = text.strip()
    if kept[:1] in tuple("=+@") or (kept[:1] == "-" and any(map(str.isalpha, kept))):
        raise ParameterError(
            "missing_as", text, "must not begin as a formula does, which a spreadsheet would run"
        )
    return kept


@dataclass(frozen=True)
class ColumnPlan:
    """What is to happen to one column: all that its released cells are made of but the noise.

    A cell that is no finite number as declared here (decimal mark, ``strip``, the missing
    spellings of the table) is missing, whatever else stands in it. Released numbers are written
    with the decimals of the mechanism's lattice, without thousands marks or spaces, and in quotes
    only where the decimal mark is also the separator.

    A field's ``read`` and ``instead`` say how settings take its value out of a file, and what they
    say is done where that makes no sense.
    """

    position: int = field(metadata={"instead": "the column is left out"})
    """Place of the column in the table, from 0."""
    inputs: Interval = field(metadata={"instead": "the column is left out, it has no bounds"})
    """Public bounds of the true values."""
    epsilon: Fraction
    """Budget of this column, exact."""
    pair: str | Pair | None = field(
        default=None, metadata={"instead": "the usual pair is used instead"}
    )
    tail_ratio: float | None = field(
        default=None,
        metadata={"read": TAIL_RATIO.check, "instead": "the usual one is used instead"},
    )
    objective: Objective = "center"
    outputs: Interval | None = field(
        default=None, metadata={"instead": "outputs are derived from the inputs"}
    )
    """Hard bounds of released values; derived where None."""
    whole: bool = False
    """Release whole numbers."""
    missing: Missing = "fill"
    strip: Affix | None = field(default=None, metadata={"instead": "nothing is read past"})
    """A symbol or unit to read past, as the table's profile offers it."""
    decimal: Literal[".", ","] | None = field(
        default=None, metadata={"instead": "that of the table is used instead"}
    )
    """Decimal mark of the cells that are read and written; that of the table where None."""
    missing_as: str = field(
        default="", metadata={"read": missing_text, "instead": "missing cells are left empty"}
    )
    """What every missing cell that is kept is written as, however it was spelled."""

    if TYPE_CHECKING:  # More is taken than what is kept.

        def __init__(
            self,
            position: int,
            inputs: Interval | tuple[float, float],
            epsilon: Amount,
            pair: str | Pair | None = None,
            tail_ratio: float | None = None,
            objective: Objective = "center",
            outputs: Interval | None = None,
            whole: bool = False,
            missing: Missing = "fill",
            strip: Affix | None = None,
            decimal: str | None = None,
            missing_as: str = "",
        ) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "inputs", Interval.checked("inputs", self.inputs))
        object.__setattr__(self, "epsilon", charged(self.epsilon))
        if self.missing not in get_args(Missing):
            raise ParameterError("missing", self.missing, "must be keep, drop or fill")
        if self.decimal not in (None, ".", ","):
            raise ParameterError("decimal", self.decimal, "must be '.' or ',', or None")
        object.__setattr__(self, "missing_as", missing_text(self.missing_as))

    def mechanism(self) -> CompositeMechanism:
        """The mechanism of this column; raises where bounds and ε do not go together."""
        return CompositeMechanism(
            not_above(self.epsilon),
            self.inputs,
            pair=self.pair,
            tail_ratio=self.tail_ratio,
            objective=self.objective,
            outputs=self.outputs,
            spacing=1 if self.whole else None,
        )


@dataclass(frozen=True)
class Plan:
    """What is to happen to a table: one entry for each column that is privatised."""

    columns: tuple[ColumnPlan, ...]

    def __post_init__(self) -> None:
        positions = [column.position for column in self.columns]
        if not positions:
            raise PlanError("the plan names no column: choose at least one")
        if len(set(positions)) < len(positions):
            raise PlanError(f"the plan names a column twice: positions {positions}")

    @property
    def epsilon(self) -> Fraction:
        """Total budget for a row: the columns' budgets add up (sequential composition)."""
        return sum((column.epsilon for column in self.columns), Fraction(0))
