"""Cells of a typed column as the numbers that a plan declares them to be.

A cell that is nothing of what the plan declares is missing, as it is in a file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

import numpy as np

from compdp_core.engines.arrow_types import is_moment, is_text
from compdp_core.release import ColumnPlan
from compdp_core.tables import Numbers
from compdp_core.tables.cell_texts import LONGEST
from compdp_core.tables.classify import CellReading, classify
from compdp_core.tables.containers.csv_text import flag_text, number
from compdp_core.tables.index import trimmed
from compdp_core.tables.missing import DEFAULT_MISSING, spellings_of
from compdp_core.tables.number_parsing import LARGEST_WHOLE, NUMBER, PAD, Floats
from compdp_core.tables.value_formats import UnwritableError, ValueFormat

if TYPE_CHECKING:
    import pyarrow as pa

A_DAY = 86_400
_EXACT_POWERS = 22
"""Powers of ten up to this one are doubles."""


def numbers_of(plan: ColumnPlan, column: pa.Array) -> Numbers:
    """The values of a column as its plan declares them, and which are missing.

    Numbers are the nearest doubles; NaN and infinite ones are missing, and of texts also what is
    no number of the plan. Dates, times and durations that are no whole number of steps of the
    plan's format are missing, as their texts would be; thousandths of a second are rounded,
    as they are there.
    """
    import pyarrow as pa
    from pyarrow import types

    kind = column.type
    if types.is_dictionary(kind):
        column = column.dictionary_decode()
        kind = column.type
    if types.is_null(kind):
        column = column.cast(pa.string())
    elif types.is_string_view(kind) or types.is_large_string(kind):
        column = column.cast(pa.large_string())
    if is_moment(plan, kind) and plan.format is not None:
        values = _steps(plan, plan.format, column)
    elif plan.reads_numbers and not is_text(kind):
        values = _doubles(column)
    elif plan.reads_numbers:
        values = _typed_numbers(plan, column)
    else:
        values = _by_text(plan, column)
    return Numbers(values, np.isnan(values))


def _doubles(column: pa.Array) -> Floats:
    """Numbers as the nearest doubles, whole ones beyond 2^53 too: their type says what they are."""
    import pyarrow as pa
    from pyarrow import types

    if types.is_decimal(column.type):
        return _of_decimals(column)
    values: Floats = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    return np.where(np.isfinite(values), values, np.nan)


def _of_decimals(column: pa.Array) -> Floats:
    """Arrow's own cast may miss the nearest double in its last place: each different one by Python.

    What is a whole number below 2^53 over a power of ten up to 10^22 is one division.
    """
    import pyarrow as pa
    from pyarrow import types

    scale = column.type.scale
    if types.is_decimal128(column.type) and 0 <= scale <= _EXACT_POWERS and len(column):
        start, stop = 2 * column.offset, 2 * (column.offset + len(column))
        halves = np.frombuffer(column.buffers()[1], np.int64)[start:stop].reshape(-1, 2)
        low, high = halves[:, 0], halves[:, 1]
        known = column.is_valid().to_numpy(zero_copy_only=False).astype(np.bool_)
        if bool((~known | ((high == low >> 63) & (np.abs(low) < LARGEST_WHOLE))).all()):
            return np.where(known, low / 10.0**scale, np.nan)
    coded = column.dictionary_encode()
    doubles = np.array([*map(float, coded.dictionary.to_pylist()), np.nan])
    places = coded.indices.cast(pa.int64()).fill_null(len(doubles) - 1)
    values: Floats = doubles[places.to_numpy(zero_copy_only=False)]
    return values


def _steps(plan: ColumnPlan, form: ValueFormat, column: pa.Array) -> Floats:
    """Moments and durations as numbers of steps."""

    known = column.is_valid().to_numpy(zero_copy_only=False).astype(np.bool_)
    ticks, a_second = _ticks(column)
    seconds = form.step * (A_DAY if form.kind == "date" else 1.0)
    ahead = 60 * (getattr(form, "zone", None) or 0) if getattr(column.type, "tz", None) else 0
    per_step = round(a_second * seconds)
    if per_step < 1:  # a step is finer than a tick
        steps, rest = ticks * round(1 / (a_second * seconds)), np.zeros_like(ticks)
        steps = steps + round(ahead / seconds)
    else:
        steps, rest = np.divmod(ticks + ahead * a_second, per_step)
        if seconds < 1:  # formats end with thousandths, and round a longer fraction
            steps, rest = steps + (2 * rest >= per_step), np.zeros_like(rest)
    good = known & (rest == 0)
    values = np.where(good, steps, np.nan).astype(np.float64)
    return _within(form, values)


def _ticks(column: pa.Array) -> tuple[Any, int]:
    """Whole numbers of ticks, zero where missing, and how many of them are a second."""
    import pyarrow as pa
    from pyarrow import types

    kind = column.type
    if types.is_date(kind):
        days = column.cast(pa.date32()).view(pa.int32()).cast(pa.int64()).fill_null(0)
        return days.to_numpy(zero_copy_only=False) * A_DAY, 1
    narrow = types.is_time32(kind)
    whole = column.view(pa.int32() if narrow else pa.int64()).cast(pa.int64()).fill_null(0)
    per_second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[kind.unit]
    return whole.to_numpy(zero_copy_only=False), per_second


def _within(form: ValueFormat, values: Floats) -> Floats:
    """Without what the format could not write, and so not read."""
    known = values[~np.isnan(values)]
    if not known.size or _writes(form, np.array([known.min(), known.max()])):
        return values
    distinct, places = np.unique(values, return_inverse=True)
    good = np.array([_writes(form, distinct[i : i + 1]) for i in range(distinct.size)])
    return np.where(good[places], values, np.nan)


def _writes(form: ValueFormat, values: Floats) -> bool:
    if np.isnan(values).any():
        return False
    try:
        form.write(values, "utf-8")
    except UnwritableError:
        return False
    return True


def _typed_numbers(plan: ColumnPlan, column: pa.Array) -> Floats:
    """Texts as the plan declares numbers: its decimal mark, what is taken off, digits of any
    script.
    """
    column = column.fill_null("")
    _, places, data = column.buffers()
    form = np.dtype(np.int64 if str(column.type) == "large_string" else np.int32)
    bounds = np.frombuffer(places, form, len(column) + 1, column.offset * form.itemsize)
    bounds = bounds.astype(np.intp)
    text = b"" if data is None else memoryview(data)[int(bounds[0]) : int(bounds[-1])]
    block = np.frombuffer(bytes(PAD) + bytes(text) + bytes(PAD), dtype=np.uint8)
    bounds = bounds - bounds[0] + PAD
    starts, stops = trimmed(block, bounds[:-1], bounds[1:])
    mark = plan.decimal or "."
    reading = CellReading(mark, "utf-8", spellings_of(DEFAULT_MISSING, "utf-8", mark))
    numerals, kinds, _ = classify(block, starts, stops, reading, plan.strip, exact=True)
    fits = kinds == NUMBER
    fits &= ~(numerals.integer & (np.abs(numerals.value) > LARGEST_WHOLE))
    return np.where(fits, numerals.value, np.nan)


def _by_text(plan: ColumnPlan, column: pa.Array) -> Floats:
    """Cells as a format or a list has them, each different text once."""
    coded = column.dictionary_encode()
    listed = set(plan.categories.texts) if plan.categories else set()
    write = _text_of(listed)
    missing = spellings_of(DEFAULT_MISSING, "utf-8")
    known = [write(each) for each in coded.dictionary.to_pylist()]
    cells = [text.encode("utf-8", "replace").strip(b" \t")[: LONGEST + 1] for text in known]
    texts = np.array([*cells, b""], dtype=f"S{LONGEST + 1}")
    if plan.categories is not None:
        codes = plan.categories.codes(texts, "utf-8", missing)
        found = np.where(codes < 0, np.nan, codes)
        if not plan.is_category:
            scores = np.array([*plan.categories.scores, np.nan])
            found = scores[codes]
    elif plan.format is not None:
        spelled = np.array([cell in missing for cell in texts.tolist()])
        found = plan.format.read(np.where(spelled, b"", texts), "utf-8")
    places = coded.indices.fill_null(len(known)).to_numpy(zero_copy_only=False)
    values: Floats = np.asarray(found, dtype=np.float64)[places]
    return values


def _text_of(listed: Collection[str]) -> Callable[[Any], str]:
    """How a value is written that is looked up in a list or read in a format."""

    def text(value: Any) -> str:
        if isinstance(value, float):
            typed = str(value)
            return typed if typed in listed else number(value)
        if isinstance(value, bool):
            return flag_text(value, listed)
        return str(value)

    return text
