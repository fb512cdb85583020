"""What a ledger refuses."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from compdp_core.accounting.amounts import decimal_text
from compdp_core.adjacency import Person
from compdp_core.errors import CompdpError
from compdp_core.text import count

_DOUBLED = (
    ". Releases for adding or removing {one} count twice here, because this dataset also has "
    "releases for replacing {one}"
)
_BY_ROW = (
    ". Releases for one row count for each row of a person here, because this dataset also has "
    "releases for a person with at most {rows}"
)
_CROSSED = (
    ". Releases for persons of one kind, or of one reading of the file, count twice for each row "
    "of the others here, because a row may leave one person and enter another"
)


@dataclass(kw_only=True, eq=False, repr=False)
class BudgetExceededError(CompdpError):
    """A release would pass the limit. Nothing was charged and nothing may be released.

    Attributes, amounts exact: ``asked`` (ε of the refused releases together), ``left`` (the most
    that would fit in its place), ``spent``, ``limit``, ``dataset``, and ``doubled`` (some release
    counts twice, being stated for adding or removing a row beside others for replacing one), and
    ``together`` (several releases were asked for at once, and amounts are about all of them),
    ``persons`` (whose amounts they are; none: any one row's), ``by_row`` (whether some release is
    stated for one row) and ``crossed`` (whether they are for several kinds of persons, or readings
    that tell them).
    """

    asked: Fraction
    left: Fraction
    spent: Fraction
    limit: Fraction
    dataset: str
    doubled: bool = False
    together: bool = False
    persons: tuple[Person, ...] = ()
    by_row: bool = True
    crossed: bool = False

    def __post_init__(self) -> None:
        raising = "raise the limit, which weakens the promise made for these data"
        if self.left > 0:
            text = decimal_text(self.left, rounding="down")
            way_out = (
                f"{text} is left. Ask for epsilon {text.removeprefix('≈ ')} or less"
                f"{' for all of them together' if self.together else ''}, release fewer things, or "
                f"{raising}"
            )
        else:
            way_out = f"nothing is left. Keep to what was released already, or {raising}"
        super().__init__(
            f"epsilon {decimal_text(self.asked)} does not fit into the budget: of the limit "
            f"{decimal_text(self.limit)} for this dataset {decimal_text(self.spent)} is spent, "
            f"{way_out}{self._why()}"
        )

    def _why(self) -> str:
        """Why releases count more than by themselves, where they do."""
        most = max((each.at_most for each in self.persons), default=1)
        said = (
            (self.doubled, _DOUBLED.format(one="one" if self.persons else "a row")),
            (most > 1 and self.by_row, _BY_ROW.format(rows=count(most, "row"))),
            (self.crossed, _CROSSED),
        )
        return "".join(text for holds, text in said if holds)


class LedgerConflictError(CompdpError):
    """Two ledgers record different releases under one id, so at least one was altered."""

    def __init__(self, id: str) -> None:
        self.id = id
        super().__init__(
            f"release {id!r} is recorded twice with different content: use the ledger that was "
            "saved by this program and not edited"
        )


class LedgerTooLargeError(CompdpError):
    """Ledgers that are too much together: adding them up would take too long. Nothing is merged."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"{reason}: open a ledger that this program saved")


class KnownSpendError(CompdpError):
    """A release is charged that the ledger holds already, or the same one twice at once.

    Nothing was charged. Attribute: ``id``.
    """

    def __init__(self, id: str) -> None:
        self.id = id
        super().__init__(
            f"release {id!r} is charged already: what was drawn anew needs a Spend of its own, "
            "with an id of its own; what was charged before may be shown again at no cost"
        )
