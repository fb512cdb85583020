"""What is to happen to a column: all that its released cells are made of but the noise."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from compdp_core.accounting.charge import charged
from compdp_core.design.optimize import Objective
from compdp_core.design.optimize.exact import check_objective
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.planning import check_pair
from compdp_core.numerics import not_above
from compdp_core.parameters import TAIL_RATIO
from compdp_core.shapes import Pair
from compdp_core.tables import CellTexts, Numbers, format_cells
from compdp_core.tables.affix import Affix
from compdp_core.tables.categories import Categories
from compdp_core.tables.column import Column
from compdp_core.tables.number_parsing import Floats
from compdp_core.tables.spelled import is_zero
from compdp_core.tables.value_formats import ValueFormat
from compdp_core.tables.value_formats.found import bounds_in, found_format, in_steps
from compdp_core.validation import flag, integer, of, one_of, text

if TYPE_CHECKING:
    from compdp_core.accounting.amounts import Amount
    from compdp_core.tables import Table

Missing = Literal["keep", "drop", "fill"]
"""What becomes of a missing value: its cell is written as missing (and shows where it was), its row
is left out (and the number of rows shows how many), or the middle of the bounds is privatised in
its place (and nothing shows). ``leave out`` says the same as ``drop``."""

Kind = Literal["number", "whole", "category", "scale", "date", "time", "datetime", "duration"]
"""What a column holds and what is released: numbers of the mechanism's lattice or whole numbers;
one of a list of categories; the places of an ordered list, as numbers; dates, times of day, dates
with times and durations, as they are written."""

_WRITTEN: tuple[Kind, ...] = ("date", "time", "datetime", "duration")
"""Kinds whose cells have a format of their own."""

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


def kinds_of(form: ValueFormat) -> tuple[str, ...]:
    """The kinds of column that a format is for."""
    return ("number", "whole") if form.kind == "number" else (form.kind,)


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
    >>> plan.whole, plan.missing, plan.composite().lattice.spacing
    (True, 'drop', 1.0)

    A category has a list in the place of bounds; a name with texts merges what they stand for. A
    date has bounds as texts or as Python's own, and steps are days.

    >>> answer = ColumnPlan(epsilon=1, kind="category", categories={"yes": ["yes", "y"], "no": []})
    >>> round(answer.mechanism().probability_kept, 3)
    0.731
    >>> visit = ColumnPlan(inputs=("2024-01-01", "2024-12-31"), epsilon=1, kind="date")
    >>> visit.inputs.width, visit.whole
    (365.0, True)

    Raises :class:`~compdp_core.errors.CompdpError` that names the argument.
    """

    position: int = field(default=UNPLACED, metadata={"instead": "the column is left out"})
    """Place of the column in the table, from 0; to be left out where a label names the column."""
    inputs: Interval = field(  # type: ignore[assignment]
        default=None, metadata={"instead": "the column is left out, it has no bounds"}
    )
    """Public bounds of the true values (their unit): to be given, but for categories, which have
    none, and a scale, whose bounds are those of its list. Of dates and times in steps of their
    ``format``; given as texts or as Python's own dates, times and durations, they become that."""
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
    """Hard bounds of released values, given as ``inputs`` are; derived where None."""
    whole: bool = False
    """Release whole numbers."""
    missing: Missing = "fill"
    strip: Affix | None = field(default=None, metadata={"instead": "nothing is read past"})
    """A symbol or unit to read past, as the table's profile offers it."""
    decimal: Literal[".", ","] | None = field(
        default=None, metadata={"instead": "that of the table is used instead"}
    )
    """Decimal mark of the cells that are read and written; that of the column where None."""
    missing_as: str = field(
        default="", metadata={"read": missing_text, "instead": "missing cells are left empty"}
    )
    """What every missing cell that is kept is written as, however it was spelled."""
    kind: Kind = field(default=None, metadata={"instead": "numbers are read"})  # type: ignore[arg-type]
    """What the column holds, numbers where left out; ``"whole"`` says ``whole=True``."""
    categories: Categories | None = field(
        default=None, metadata={"instead": "the column is left out, it has no list"}
    )
    """Public list of a category or a scale, in its order: texts, or each name with the texts that
    mean it. ``""`` makes blank cells a category of their own; ``other``, or a name without texts,
    takes every text that is not listed, which counts as missing otherwise. A missing cell that is
    filled is one category as likely as the other."""
    format: ValueFormat | None = field(
        default=None, metadata={"instead": "it is found from the column"}
    )
    """How dates, times and durations are read and written, or by which rule limits and classes are
    taken for numbers; found from the column where None and the kind needs one."""
    digits: str | None = field(
        default=None, metadata={"instead": "the usual digits are written instead"}
    )
    """The zero of the digits that released numbers are written with, such as "٠"; that of most
    numbers of the column where None."""

    if TYPE_CHECKING:  # More is taken than what is kept.

        def __init__(
            self,
            position: int = UNPLACED,
            inputs: Any = ...,
            epsilon: Amount = ...,
            pair: str | Pair | None = None,
            tail_ratio: float | None = None,
            objective: Objective = "center",
            outputs: Any = None,
            whole: bool = False,
            missing: Missing | Literal["leave out"] = "fill",
            strip: Affix | None = None,
            decimal: str | None = None,
            missing_as: str = "",
            kind: Kind | None = None,
            categories: Any = None,
            format: ValueFormat | None = None,
            digits: str | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        self._set_kind()
        object.__setattr__(self, "epsilon", charged(self.epsilon))
        if self.outputs is not None:
            ends: Any = self.outputs
            if self.kind in _WRITTEN:
                ends = bounds_in(self.kind, ends, self.format, "outputs")
            object.__setattr__(self, "outputs", Interval.checked("outputs", ends))
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
        if self.digits is not None and not is_zero(text("digits", self.digits)):
            raise ParameterError("digits", self.digits, "must be the digit zero of a script")
        object.__setattr__(self, "missing_as", missing_text(self.missing_as))
        if (self.missing == "keep" or self.missing_as) and self.missing_is_a_name:
            what = "must not be the name of a category: choose another, or do not keep missing ones"
            raise ParameterError("missing_as", self.missing_as, what)

    def _set_kind(self) -> None:
        """Kind, list, format and bounds, which go together."""
        given: Any = self.kind
        is_whole = flag("whole", self.whole)
        if given is None:
            object.__setattr__(self, "kind", "whole" if is_whole else "number")
        one_of("kind", self.kind, get_args(Kind))
        if is_whole and self.kind == "number":
            raise ParameterError("kind", given, "must be whole where whole=True, or left out")
        object.__setattr__(self, "whole", self.kind not in ("number", "category"))
        listed = self.kind in ("category", "scale")
        if listed:
            object.__setattr__(self, "categories", Categories.of(self.categories))
        elif self.categories is not None:
            raise ParameterError("categories", self.categories, "must be left out for this kind")
        if self.format is not None:
            of("format", self.format, ValueFormat, "must be a ValueFormat, or left out")
            one_of("kind", self.kind, kinds_of(self.format))
        self._set_bounds(self.inputs)

    def _set_bounds(self, ends: Any) -> None:
        """Public bounds in steps, or none of categories."""
        if self.kind == "category":
            if ends is not None:
                raise ParameterError("inputs", ends, "must be left out for categories")
            return
        if self.kind == "scale" and self.categories is not None:
            scores = self.categories.scores
            whole = Interval(min(scores), max(scores))
            if ends is not None and Interval.checked("inputs", ends) != whole:
                raise ParameterError("inputs", ends, "must be left out: a scale has its list's")
            ends = whole
        elif self.is_written:
            ends = bounds_in(self.kind, ends, self.format)
        object.__setattr__(self, "inputs", Interval.checked("inputs", ends))

    @property
    def is_category(self) -> bool:
        """Whether one of a list is released, by randomised response."""
        return self.kind == "category"

    @property
    def missing_is_a_name(self) -> bool:
        """Whether a missing cell that is kept would look like one of the categories."""
        names = self.categories.names if self.categories is not None and self.is_category else ()
        return self.missing_as in names

    @property
    def reads_numbers(self) -> bool:
        """Whether its cells are plain numbers."""
        return self.kind in ("number", "whole") and self.format is None

    @property
    def is_written(self) -> bool:
        """Whether its values are numbers of steps, and its cells dates, times or durations."""
        return self.kind in _WRITTEN

    def read(self, table: Table) -> Numbers:
        """The values of the column as this plan declares them; what is none counts as missing.

        Numbers of steps of a format, places in a list of categories, scores of a scale.
        """
        if self.categories is not None:
            found = table.codes(self.position, self.categories)
            if self.is_category:
                return found
            scores = np.array([*self.categories.scores, np.nan])
            places = np.where(found.missing, len(scores) - 1, found.values).astype(np.intp)
            return Numbers(scores[places], found.missing)
        if self.format is not None:
            return table.values(self.position, self.format)
        return table.readings(self.position, self.strip, self.decimal)

    def cells(self, values: Floats, decimals: int, decimal: str, codec: str) -> CellTexts:
        """The released cells of a column, of noisy values and this plan alone.

        ``decimal``: the mark where the plan names none. NaN is written as a missing cell.
        """
        if self.is_category or self.is_written:
            return self._texts(values, codec)
        mark, zero = self.decimal or decimal, self.digits or "0"
        return format_cells(values, decimals, mark, self.missing_as, codec, zero)

    def _texts(self, values: Floats, codec: str) -> CellTexts:
        missing = np.isnan(values)
        known = np.where(missing, 0.0, values)
        if self.categories is not None:
            texts = self.categories.write(known.astype(np.int64), codec)
        elif self.format is not None:
            known[missing] = np.rint(self.inputs.midpoint)
            texts = self.format.write(known, codec)
        if missing.any():
            gap = self.missing_as.encode(codec)
            texts = texts.astype(f"S{max(1, texts.dtype.itemsize, len(gap))}")
            texts[missing] = gap
        return CellTexts.of_array(texts, codec)

    def placed(self, table: Table, position: int) -> ColumnPlan:
        """The same at that place of a table, where all is said about how its cells are read and
        written that is left to the column: symbols taken off, decimal mark, digits, format.

        Raises :class:`~compdp_core.errors.ParameterError` where the cells leave it open.
        """
        column, plan = table.columns[position], replace(self, position=position)
        if plan.kind in ("number", "whole"):
            return replace(
                plan,
                strip=plan.strip or (column.stripped if plan.reads_numbers else None),
                decimal=plan.decimal or ("," if column.decimal == "," else "."),
                digits=_written(plan.digits, column, table.reading.codec),
            )
        if plan.format is not None or not plan.is_written:
            return plan
        found = found_format(table, position, plan.kind)
        outputs = None if plan.outputs is None else in_steps(plan.outputs, found)
        return replace(plan, format=found, inputs=in_steps(plan.inputs, found), outputs=outputs)

    def mechanism(self) -> CompositeMechanism | RandomizedResponse:
        """The mechanism of this column; raises where bounds and ε do not go together."""
        if self.categories is not None and self.is_category:
            return RandomizedResponse(not_above(self.epsilon), len(self.categories))
        return self.composite()

    def composite(self) -> CompositeMechanism:
        """The composite mechanism of a column that is no category."""
        return CompositeMechanism(
            not_above(self.epsilon),
            self.inputs,
            pair=self.pair,
            tail_ratio=self.tail_ratio,
            objective=self.objective,
            outputs=self.outputs,
            spacing=1 if self.whole else None,
        )


def _written(said: str | None, column: Column, codec: str) -> str:
    """The zero of the digits to write, which the encoding has."""
    zero = said or column.digits
    try:
        zero.encode(codec)
    except UnicodeEncodeError:
        raise ParameterError("digits", zero, f"must be of the encoding {codec}") from None
    return zero
