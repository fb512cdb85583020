"""What is to happen to a table: all that a release is made of but the true values and the noise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import InitVar, dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, get_args

from compdp_core.accounting import Spend, persons_read_as
from compdp_core.accounting.charge import charged
from compdp_core.adjacency import Person
from compdp_core.design.optimize import Objective
from compdp_core.design.optimize.exact import check_objective
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.intervals import Bounds, Interval
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.planning import check_pair
from compdp_core.numerics import not_above
from compdp_core.parameters import TAIL_RATIO
from compdp_core.shapes import Pair
from compdp_core.tables.affix import Affix
from compdp_core.tables.contributions import Persons, persons_of
from compdp_core.validation import flag, integer, of, one_of, whole

if TYPE_CHECKING:
    from compdp_core.accounting.amounts import Amount
    from compdp_core.tables import Table

Missing = Literal["keep", "drop", "fill"]
"""What becomes of a missing value: its cell is written as missing (and shows where it was), its row
is left out (and the number of rows shows how many), or the middle of the bounds is privatised in
its place (and nothing shows). ``leave out`` says the same as ``drop``."""

Kind = Literal["number", "whole"]
"""What is released: numbers of the mechanism's lattice, or whole numbers."""

UNPLACED = -1
"""The position of a plan whose column something else names, as the label in ``privatize``."""

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

    >>> plan = ColumnPlan(inputs=(10, 70), epsilon=1, kind="whole", missing="leave out")
    >>> plan.whole, plan.missing, plan.mechanism().lattice.spacing
    (True, 'drop', 1.0)

    Raises :class:`~compdp_core.errors.CompdpError` that names the argument.
    """

    position: int = field(default=UNPLACED, metadata={"instead": "the column is left out"})
    """Place of the column in the table, from 0; to be left out where a label names the column."""
    inputs: Interval = field(  # type: ignore[assignment]
        default=None, metadata={"instead": "the column is left out, it has no bounds"}
    )
    """Public bounds of the true values (their unit): to be given."""
    epsilon: Fraction = None  # type: ignore[assignment]
    """Budget of one cell of this column, exact: to be given."""
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
    kind: InitVar[Kind | None] = None
    """``"whole"`` says the same as ``whole=True``."""

    if TYPE_CHECKING:  # More is taken than what is kept.

        def __init__(
            self,
            position: int = UNPLACED,
            inputs: Bounds = ...,
            epsilon: Amount = ...,
            pair: str | Pair | None = None,
            tail_ratio: float | None = None,
            objective: Objective = "center",
            outputs: Bounds | None = None,
            whole: bool = False,
            missing: Missing | Literal["leave out"] = "fill",
            strip: Affix | None = None,
            decimal: str | None = None,
            missing_as: str = "",
            kind: Kind | None = None,
        ) -> None: ...

    def __post_init__(self, kind: object) -> None:
        object.__setattr__(self, "inputs", Interval.checked("inputs", self.inputs))
        object.__setattr__(self, "epsilon", charged(self.epsilon))
        if self.outputs is not None:
            object.__setattr__(self, "outputs", Interval.checked("outputs", self.outputs))
        position = integer(self.position, UNPLACED)
        if position is None:
            raise ParameterError("position", self.position, "must be a whole number from 0")
        object.__setattr__(self, "position", position)
        if self.pair is not None:
            check_pair(self.pair)
        if self.tail_ratio is not None:
            TAIL_RATIO.check(self.tail_ratio)
        check_objective(self.objective)
        missing = one_of("missing", self.missing, ("leave out", *get_args(Missing)))
        object.__setattr__(self, "missing", "drop" if missing == "leave out" else missing)
        if self.strip is not None:
            of("strip", self.strip, Affix, "must be an Affix, as column.affix of a table is")
        one_of("decimal", self.decimal, (".", ",", None))
        object.__setattr__(self, "missing_as", missing_text(self.missing_as))
        object.__setattr__(self, "whole", flag("whole", self.whole))
        if kind is None:
            return
        one_of("kind", kind, get_args(Kind))
        if self.whole and kind == "number":
            raise ParameterError("kind", kind, "must be whole where whole=True, or left out")
        object.__setattr__(self, "whole", kind == "whole")

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


def column_plans(columns: object) -> tuple[ColumnPlan, ...]:
    """Plans of columns, as a list or tuple; :class:`ParameterError` for anything else."""
    if isinstance(columns, list | tuple) and all(isinstance(c, ColumnPlan) for c in columns):
        return tuple(columns)
    raise ParameterError("columns", columns, "must be a list of ColumnPlan, one for each column")


def row_epsilon(cells: Iterable[Fraction], answered: int | None) -> Fraction:
    """Most that a row spends: the budgets of the cells it has add up (sequential composition).

    ``answered``: how many of the ``cells`` a row has, None for all. Which ones is drawn without a
    look at them, so what is known of it costs nothing, and the dearest choice is what a row may
    spend.

    >>> row_epsilon([Fraction(1), Fraction(3), Fraction(2)], 2)
    Fraction(5, 1)
    """
    return sum(sorted(cells, reverse=True)[:answered], Fraction(0))


@dataclass(frozen=True)
class Plan:
    """What is to happen to a table: one entry for each column that is privatised."""

    columns: tuple[ColumnPlan, ...]
    person: Person | None = field(
        default=None,
        metadata={
            "instead": "each row is taken for another person, so say again whose rows are one"
        },
    )
    """Whose rows are one person's; None where each row is another person."""
    answered: int | None = field(default=None, metadata={"instead": "each row answers all columns"})
    """In how many of the columns each row has a value, in a choice of them that is drawn for the
    row whatever stands in it; its other cells are blank. None: in all of them."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", column_plans(self.columns))
        positions = [column.position for column in self.columns]
        if not positions:
            raise PlanError("the plan names no column: choose at least one")
        if any(position == UNPLACED for position in positions):
            raise PlanError("a plan of a column lacks its position: choose one, counted from 0")
        if len(set(positions)) < len(positions):
            raise PlanError(f"the plan names a column twice: positions {positions}")
        if self.person is not None:
            of("person", self.person, Person, "must be a Person, as in Person('id', at_most=3)")
        if self.answered is not None:
            some = whole("answered", self.answered, 1, len(positions))
            object.__setattr__(self, "answered", some if some < len(positions) else None)

    @property
    def rows(self) -> int:
        """The most rows of a person that are released."""
        return 1 if self.person is None else self.person.at_most

    @property
    def row_epsilon(self) -> Fraction:
        """Most that a row spends, as :func:`row_epsilon` says it of the budgets of its cells."""
        return row_epsilon((column.epsilon for column in self.columns), self.answered)

    @property
    def epsilon(self) -> Fraction:
        """Most that a person spends: the budgets of their rows add up."""
        return self.rows * self.row_epsilon

    @property
    def share(self) -> Fraction:
        """Of the rows those that are expected to have a value in a column."""
        return Fraction(self.answered or len(self.columns), len(self.columns))

    def persons(self, table: Table) -> Persons | None:
        """Whose each row of a table is; None where each row is another person.

        Raises :class:`PlanError` for a column that names persons and is to be privatised,
        :class:`~compdp_core.errors.ParameterError` for a label that names no column, and
        :class:`~compdp_core.tables.contributions.TooManyRowsError` where rows beyond are refused.
        """
        if self.person is None:
            return None
        for each in self.columns:
            label = table.columns[each.position].label
            if label in self.person.by:
                raise PlanError(
                    f"column {label} says whose a row is and is to be privatised: it is released "
                    "as it came or left out of the file, so take it out of one of the two"
                )
        found = persons_of(table, self.person.by)
        found.check(self.person)
        return found

    def spends(self, table: Table) -> tuple[Spend, ...]:
        """What the ledger is charged: one entry a column, whose values its budget goes to.

        One for all columns where each row has some of them only: then they share a budget.
        Raises what :meth:`persons` does.
        """
        self.persons(table)
        labels = [table.columns[each.position].label for each in self.columns]
        if self.answered is None:
            costs = [
                ([n], self.rows * c.epsilon) for n, c in zip(labels, self.columns, strict=True)
            ]
        else:
            costs = [(labels, self.epsilon)]
        return tuple(
            Spend(
                what="privatized column" if len(names) == 1 else "privatized columns",
                kind="column",
                dataset=table.fingerprint,
                columns=names,
                epsilon=cost,
                person=self.person,
                persons_read_as="" if self.person is None else persons_read_as(table),
            )
            for names, cost in costs
        )
