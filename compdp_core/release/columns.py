"""From a table and a plan to a privatised table: drawn once, kept, and written out from there."""

from __future__ import annotations

import math
import uuid
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import ParameterError
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.randomness import Source, SystemSource, below, checked, largest_fair
from compdp_core.release.column_plan import ColumnPlan, PlanError
from compdp_core.release.plan import Plan
from compdp_core.release.released import CertifiedColumn, ColumnMechanism, Released
from compdp_core.tables import (
    CellTexts,
    Numbers,
    Table,
    UnevenRowsError,
    Written,
    write,
)
from compdp_core.tables.containers.typed import FileColumn, of_steps
from compdp_core.tables.containers.writing import FileKind, archive_of, file_kind
from compdp_core.tables.typed_file import typed_file
from compdp_core.tables.value_formats import UnwritableError

Mask = NDArray[np.bool_]
Progress = Callable[[float], None]
"""Told the share that is done, from 0 to 1."""

_BATCH = 2**18
"""Values between two reports of progress."""


@dataclass(frozen=True, eq=False)
class ReleasedColumn(CertifiedColumn):
    """One privatised column."""

    values: NDArray[np.float64]
    """One value for each row of the table, of categories the place in the list; NaN where
    a missing cell is kept, where its row is left out, and where the row was drawn to have values in
    other columns."""
    clamped: int = field(repr=False)
    """Private: how many true values lay outside the bounds and were moved to them."""
    missing: int = field(repr=False)
    """Private, unless the policy shows it: how many cells were missing."""

    def cells(self, decimal: str, codec: str = "utf-8") -> CellTexts:
        """The cells of the released column: of the noisy numbers and the plan alone.

        ``decimal``: the mark where the plan names none. ``codec``: the encoding of the text.
        """
        return self.plan.cells(self.values, decimals_of(self.mechanism), decimal, codec)

    def typed(self, rows: Mask | None = None) -> FileColumn:
        """The released column of a file that knows types, which the plan decides."""
        plan, values = self.plan, self.values if rows is None else self.values[rows]
        if plan.format is not None and plan.is_written:
            step, outputs = plan.format.step, self.composite.outputs
            if (found := of_steps(self.label, plan.kind, values, step, outputs)) is not None:
                return found
        texts = plan.cells(values, decimals_of(self.mechanism), ".", "utf-8")
        kind = "text" if plan.is_category or plan.is_written else "int" if plan.whole else "float"
        made: dict[str, Callable[[str], Any]] = {"text": str, "int": int, "float": _number}
        make, gaps = made[kind], np.isnan(values).tolist()
        known = [None if gap else make(texts[row] or "") for row, gap in enumerate(gaps)]
        return FileColumn(self.label, kind, known)


@dataclass(frozen=True, eq=False, repr=False)
class TableRelease(Released):
    """A release that was drawn. Everything shown or downloaded later is read from here."""

    columns: tuple[ReleasedColumn, ...]
    kept: Mask | None
    """Which rows are written out; None for all."""

    @property
    def row_count(self) -> int:
        """Rows that are written out."""
        return self.table.row_count if self.kept is None else int(self.kept.sum())

    def written(
        self, *, excel: bool = False, guard_formulas: bool = True, omit: Collection[int] = ()
    ) -> Written:
        """The privatised table: in the format it came in, or as UTF-8 with a BOM for Excel.

        Columns that are not in the plan are written back exactly as they came, but for cells that
        a spreadsheet would run as a formula, which are guarded unless told otherwise. The columns
        at the positions ``omit`` are left out, which costs nothing and protects what they held;
        :class:`PlanError` where one is not in the table or is one that was privatised.
        """
        # A file for Excel keeps the decimal mark of the upload: it is the user's own locale.
        mark, codec = self.table.format.decimal, self.table.reading.codec
        replacements = {column.plan.position: column.cells(mark, codec) for column in self.columns}
        return write(
            self.table,
            replacements,
            rows=self.kept,
            excel=excel,
            guard_formulas=guard_formulas,
            omit=self.omitted(omit),
        )

    def csv(
        self, *, excel: bool = False, guard_formulas: bool = True, omit: Collection[int] = ()
    ) -> bytes:
        """The file of :meth:`written` alone."""
        return self.written(excel=excel, guard_formulas=guard_formulas, omit=omit).data

    def file(
        self, kind: FileKind = "same", *, guard_formulas: bool = True, omit: Collection[int] = ()
    ) -> bytes:
        """The privatised table as a file of a kind: ``csv``, ``xlsx``, ``ods``, ``parquet``,
        ``arrow``, ``jsonl``, ``json``, ``dta``, ``sav``, or ``same`` as the upload, where ``.xls``
        becomes ``.xlsx``.

        Released columns have the type of their plan, the others their values as they came. Where a
        text is of its own type, none is run as a formula and none gets an apostrophe. Of the upload
        itself, its formats, formulas and further sheets, nothing is in it. Rows have no cells
        beyond the columns.
        """
        kind_ = file_kind(kind, self.table.container)
        if kind_ in ("csv", "zip"):
            content = self.csv(guard_formulas=guard_formulas, omit=omit)
            return archive_of(content) if kind_ == "zip" else content
        gone = self.omitted(omit)
        made = {column.plan.position: column.typed(self.kept) for column in self.columns}
        return typed_file(kind_, self.table, made, self.kept, gone)


def release(
    table: Table,
    plan: Plan,
    *,
    source: Source | None = None,
    progress: Progress | None = None,
) -> TableRelease:
    """Privatise the planned columns of a table, once.

    Every mechanism is made and certified before the first value is drawn, so a refusal leaves
    nothing half released. ``source`` is the system's unless a simulation hands in another.

    What is refused is refused by the plan, by how the file is laid out and by whose rows they are;
    no cell of a planned column has a say in it. Look at ``table.columns`` first: there it says what
    a column holds. Which rows of a person are left out, and which columns each row answers, is
    drawn before the first of these cells is read.

    Raises :class:`PlanError`, :class:`~compdp_core.errors.CompdpError` of the mechanisms,
    :class:`~compdp_core.tables.UnevenRowsError` for rows that do not line up with the columns, or
    what :meth:`Plan.persons` does.
    """
    mechanisms = certified(table, plan)
    persons = plan.persons(table)
    report = progress or (lambda share: None)
    source = SystemSource() if source is None else checked(source)
    read = None if persons is None or not plan.person else persons.at_most(plan.person, source)
    answers = choices(table.row_count, len(plan.columns), plan.answered, source)
    numbers = [column.read(table) for column in plan.columns]
    kept = kept_rows(plan, [n.missing for n in numbers], read)
    check_any_kept(kept)
    columns, whole = list[ReleasedColumn](), len(plan.columns)
    for column, mechanism, given, row_answers in zip(
        plan.columns, mechanisms, numbers, answers, strict=True
    ):
        drawn = row_answers if kept is None else row_answers & kept

        def part(share: float, done: int = len(columns)) -> None:
            report((done + share) / whole)

        label = table.columns[column.position].label
        columns.append(release_column(column, label, mechanism, given, drawn, source, part))
    return TableRelease(
        table,
        plan,
        tuple(columns),
        uuid.uuid4().hex,
        datetime.now(UTC).replace(microsecond=0),
        kept,
    )


def certified(table: Table, plan: Plan) -> list[ColumnMechanism]:
    """The mechanism of each column of the plan, made and certified, once nothing is left to refuse
    of how the table is laid out and how its cells can be written.
    """
    if table.uneven:
        raise UnevenRowsError(table.uneven)
    for column in plan.columns:
        if not 0 <= column.position < len(table.columns):
            raise PlanError(
                f"the plan names column {column.position + 1}, the table has {len(table.columns)}"
            )
    mechanisms = [column.mechanism() for column in plan.columns]
    for column, mechanism in zip(plan.columns, mechanisms, strict=True):
        mechanism.certificate.require()
        _check_writable(table, column, mechanism)
        check_comments(table, column, blanks=plan.answered is not None)
    return mechanisms


def _number(text: str) -> float:
    """A released number, whose decimal mark the plan may have chosen."""
    return float(text.replace(",", "."))


def decimals_of(mechanism: ColumnMechanism) -> int:
    """Decimal places of what a mechanism releases."""
    return 0 if isinstance(mechanism, RandomizedResponse) else mechanism.decimals


def _check_writable(table: Table, plan: ColumnPlan, mechanism: ColumnMechanism) -> None:
    """Refuse, before anything is drawn, what could not be written out afterwards."""
    label, form = table.columns[plan.position].label, table.format
    if isinstance(mechanism, RandomizedResponse):
        outputs = np.arange(float(mechanism.categories))
    else:
        outputs = np.array(mechanism.outputs)
    try:
        texts = plan.cells(outputs, decimals_of(mechanism), form.decimal, "utf-8")
        letters = texts.flat.tobytes().decode() + (plan.format.letters if plan.format else "")
        letters.encode(form.encoding)
    except UnwritableError as error:
        raise PlanError(
            f"released values of column {label} would lie beyond {error}, which is all that its "
            "format can write: take narrower bounds, a larger epsilon, or hard outputs"
        ) from None
    except ParameterError:
        raise PlanError(
            f"the bounds of column {label} are so close together that released values would need "
            f"{decimals_of(mechanism)} decimal places: multiply the values by a public constant "
            "first"
        ) from None
    except UnicodeEncodeError:
        raise PlanError(
            f"the values of column {label} cannot be written in the encoding {form.encoding}: "
            "choose other names, or read the file in another one"
        ) from None
    try:
        plan.missing_as.encode(form.encoding)
    except UnicodeEncodeError:
        raise PlanError(
            f"missing cells of column {label} cannot be written as {plan.missing_as!r} in the "
            f"encoding {form.encoding}: choose another missing_as, or read the file in another one"
        ) from None
    if form.quote:
        return
    written = letters + plan.missing_as
    unseen = len(table.columns) == 1 or form.separator == " "
    alone = unseen and plan.missing == "keep" and not plan.missing_as
    if {form.separator, '"', *form.escape}.intersection(written) or alone:
        raise PlanError(
            f"the cells of column {label} could not be written without quotes, and the file is "
            "read as if it had none: read it with quotes, or change decimal mark or missing_as"
        )


def check_comments(table: Table, plan: ColumnPlan, *, blanks: bool = False) -> None:
    """Refuse what would let a row of the first column pass for a comment, or a comment show it.

    Lines that begin with # begin with a cell of the first column, and are kept word for word where
    they are kept. A released cell that begins so makes a comment of its row: whoever reads the file
    would skip it, and columns that are to be left out would stay in it. ``blanks``: cells of rows
    that answer other columns are written as missing ones, too.
    """
    if plan.position or table.format.comment_rows == "row":
        return
    mark = table.format.comment_mark
    if table.format.comment_rows == "keep":
        raise PlanError(
            f"lines that begin with {mark} are to be kept word for word, and "
            f"{table.columns[0].label}, the first column, is to be privatised: what stands behind "
            f"{mark} could be one of its values, so leave these lines out or read them as rows"
        )
    if (blanks or plan.missing == "keep") and plan.missing_as.startswith(mark):
        raise PlanError(
            f"missing_as of column {table.columns[0].label} begins with {mark}: "
            f"{plan.missing_as!r}; in the first column such a row would read as a comment, so "
            "choose another text"
        )
    form = plan.format if plan.is_written else None
    names = plan.categories.names if plan.is_category and plan.categories else ()
    for text in names if form is None else [form.text(plan.inputs.midpoint)]:
        if text.startswith(mark):
            raise PlanError(
                f"cells of {table.columns[0].label}, the first column, would begin with {mark}, as "
                f"comments do: {text!r}; name it otherwise, or read with comment_rows='row'"
            )


def choices(rows: int, columns: int, answered: int | None, source: Source) -> NDArray[np.bool_]:
    """Which rows answer each column: of each row ``answered`` columns, every choice as likely.

    Column by column (selection sampling): a row that still lacks m of the c columns to come takes
    the next one with probability m/c, exactly, so each choice of s of d has probability 1/C(d, s).

    >>> from compdp_core.randomness import SeededSource
    >>> choices(1000, 4, 2, SeededSource(1)).sum(axis=1).tolist()
    [486, 532, 486, 496]
    """
    if answered is None:
        return np.broadcast_to(np.True_, (columns, rows))
    found = np.empty((columns, rows), dtype=np.bool_)
    for start in range(0, rows, _BATCH):
        part = found[:, start : start + _BATCH]
        lacking = np.full(part.shape[1], answered, dtype=np.int64)
        for place in range(columns):
            left = columns - place
            bounds = np.full(lacking.size, left, dtype=np.uint64)
            part[place] = below(bounds, np.full_like(bounds, largest_fair(left)), source) < lacking
            lacking -= part[place]
    return found


def kept_rows(plan: Plan, missing: list[Mask], read: Mask | None) -> Mask | None:
    """Of the rows that were drawn to be read, those that are written out; None for all."""
    dropping = [
        m for column, m in zip(plan.columns, missing, strict=True) if column.missing == "drop"
    ]
    if not dropping:
        return read
    kept: Mask = ~np.logical_or.reduce(dropping)
    if read is not None:
        kept &= read
    return kept


def check_any_kept(kept: Mask | None) -> None:
    """Refuse a file without rows: it tells what that would tell under this policy, and no more."""
    if kept is not None and not kept.any():
        raise PlanError(
            "every row that is read has a missing value: choose to fill or keep them instead"
        )


def release_column(
    plan: ColumnPlan,
    label: str,
    mechanism: ColumnMechanism,
    given: Numbers,
    drawn: Mask,
    source: Source,
    progress: Progress,
) -> ReleasedColumn:
    """Draw one column, batch by batch, in the rows that are ``drawn``."""
    values, missing = given.values, given.missing
    result = np.full(values.shape, math.nan)
    if plan.missing != "fill":
        drawn = drawn & ~missing
    clamped = 0
    for start in range(0, values.size, _BATCH):
        rows = slice(start, start + _BATCH)
        true = values[rows][drawn[rows]]
        if not plan.is_category:
            ends = plan.inputs
            true = np.where(np.isnan(true), ends.midpoint, true)
            clamped += int(np.count_nonzero((true < ends.lower) | (true > ends.upper)))
        result[rows][drawn[rows]] = mechanism.draw(true, source)
        progress(min(1.0, (start + _BATCH) / values.size))
    return ReleasedColumn(plan, label, mechanism, result, clamped, int(missing.sum()))
