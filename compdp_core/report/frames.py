"""Released columns as columns of a pandas frame; their dtypes depend on public facts alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from compdp_core.release.columns import Mask, ReleasedColumn
from compdp_core.tables.containers.csv_text import flag_text
from compdp_core.tables.value_formats import DateFormat, UnwritableError, ValueFormat
from compdp_core.validation import Array

if TYPE_CHECKING:
    import pandas as pd

    from compdp_core.release import ColumnPlan

Asked = ValueFormat | str
"""How cells are read: in a format, or as one of a list."""

_LARGEST_WHOLE = 2.0**53
_SECONDS_OF_A_DAY = 86_400.0
_FLOATS = (float, np.floating)
_NANOSECONDS = 2.0**63 / 1e9
"""How far from the epoch a date or duration in nanoseconds may be (seconds)."""


def _asked(plan: ColumnPlan) -> list[Asked] | None:
    """How a plan reads its cells; None where the format is to be found from them."""
    if plan.categories is not None:
        return list(plan.categories.texts)
    if plan.is_written and plan.format is None and plan.kind != "date":
        return None
    return [plan.format or DateFormat()]


def as_listed(frame: pd.DataFrame, plans: Collection[ColumnPlan]) -> pd.DataFrame:
    """A frame whose numbers are texts as lists of categories have them.

    Where some are missing, pandas keeps whole numbers as floats: each 2.0 is the ``2`` of a list
    that names no ``2.0``. So it is beside texts, for one of these changes no other cell. A True is
    the ``true`` of a list that names no ``True``.
    """
    import pandas as pd

    asked = {plan.position: _asked(plan) for plan in plans}
    frame = by_itself(frame, {place: said for place, said in asked.items() if said is not None})
    for plan in plans:
        kind = frame.dtypes.iloc[plan.position].kind
        if plan.reads_numbers or kind not in "fOb":
            continue
        listed = set(plan.categories.texts) if plan.categories else set()
        given = frame.iloc[:, plan.position]
        cells = given.astype("float64" if kind == "f" else object).tolist()
        texts: Any = [listed_text(cell, listed) for cell in cells]
        frame = frame.copy(deep=False)
        texts = pd.Series(texts, frame.index, dtype=object)
        frame.isetitem(plan.position, texts)
    return frame


def by_itself(frame: pd.DataFrame, asked: Mapping[int, Iterable[Asked]]) -> pd.DataFrame:
    """A frame whose dates, times and durations at these positions are texts, each of itself alone.

    pandas writes all of a column as the least round one of them needs it: one cell with a time
    would make another text of every date, which no format or list that was said before reads.
    ``asked``: how they are read: in a format, or as texts of a list.
    """
    import pandas as pd

    whole = frame
    for place, readings in asked.items():
        given = frame.iloc[:, place]
        dtype = getattr(given.dtype, "categories", given).dtype
        if dtype.kind not in "Mm":
            continue
        forms = [each for each in readings if isinstance(each, ValueFormat)]
        listed = {each for each in readings if isinstance(each, str)}
        places, known = pd.factorize(given.astype(dtype))
        texts: list[str | None] = [None] * len(known)
        for form in reversed(forms):
            _write_in(form, known, texts)
        for at in [at for at, text in enumerate(texts) if text is None]:
            texts[at] = _as_listed(str(known[at]), listed)
        cells: Any = pd.Series([*texts, None], dtype=object).take(places).set_axis(frame.index)
        whole = whole.copy(deep=False)
        whole.isetitem(place, cells)
    return whole


def _as_listed(text: str, listed: Collection[str]) -> str:
    short = text.removesuffix(" 00:00:00")
    return short if short in listed else text


def _write_in(form: ValueFormat, known: Any, texts: list[str | None]) -> None:
    """Put the texts that a format has for some of the dates or durations in their places."""
    if form.kind not in (("duration",) if known.dtype.kind == "m" else ("date", "datetime")):
        return
    ahead = 0
    if getattr(known, "tz", None) is not None:
        if (zone := getattr(form, "zone", None)) is None:
            return
        ahead = zone * 60_000_000
    rounded = known.as_unit("us")
    a_day = _SECONDS_OF_A_DAY if form.kind == "date" else 1.0
    steps, rest = np.divmod(rounded.asi8 + ahead, round(1e6 * form.step * a_day))
    whole = np.flatnonzero((rest == 0) & (rounded == known))
    if not whole.size:
        return
    for places in [whole] if _can_write(form, steps[whole]) else np.split(whole, len(whole)):
        if _can_write(form, steps[places]):
            cells = form.write(steps[places].astype(np.float64), "utf-8").tolist()
            for place, cell in zip(places.tolist(), cells, strict=True):
                texts[place] = cell.decode()


def _can_write(form: ValueFormat, steps: Array) -> bool:
    """Whether all of them are within what the format has."""
    ends = np.array([steps.min(), steps.max()], dtype=np.float64)
    try:
        form.write(ends, "utf-8")
    except UnwritableError:
        return False
    return True


def listed_text(cell: Any, listed: Collection[str]) -> Any:
    """A cell as a list may have it; what no file can hold is on none."""
    if isinstance(cell, _FLOATS):
        text = str(float(cell))
        return None if cell != cell else text if text in listed else text.removesuffix(".0")
    if isinstance(cell, str):
        return (
            cell.encode("utf-8", "surrogatepass").decode("utf-8", "replace").replace("\0", "\ufffd")
        )
    return flag_text(bool(cell), listed) if isinstance(cell, bool | np.bool_) else cell


def pandas_frame(
    data: pd.DataFrame, columns: Iterable[ReleasedColumn], kept: Mask | None, *, sampled: bool
) -> pd.DataFrame:
    """The frame with released columns in their places, without the rows that are not ``kept``.

    ``sampled``: whether each row answers some columns only.
    """
    rows: Any = slice(None) if kept is None else kept
    frame: pd.DataFrame = data.loc[rows].copy()
    for column in columns:
        at = column.plan.position
        gaps = column.plan.missing == "keep" or sampled
        values, before = column.values[rows].copy(), data.dtypes.iloc[at]
        cells = frame_cells(column, values, before, gaps=gaps)
        frame.isetitem(at, cells.set_axis(frame.index))
    return frame


def frame_cells(column: ReleasedColumn, values: Array, before: Any, *, gaps: bool) -> Any:
    """Released values as a series, of a column that was of the dtype ``before``.

    ``gaps``: some of them may be missing.
    """
    import pandas as pd

    # A series keeps objects what they are; pandas would take an array of texts for its own kind.
    cells = _cells(column, values, before, gaps=gaps)
    return cells if isinstance(cells, pd.Series) else pd.Series(cells)


def _cells(column: ReleasedColumn, values: Array, before: Any, *, gaps: bool) -> Any:
    plan = column.plan
    if plan.categories is not None and plan.is_category:
        return _categories(plan.categories.names, values, before)
    if plan.is_written and plan.format is not None:
        kinds = {"date": "M", "datetime": "M", "duration": "m"}
        if getattr(before, "kind", "") == kinds.get(plan.kind):
            found = _moments if getattr(before, "tz", None) is None else _moments_of_a_zone
            return found(values, plan.format, before, column.composite.outputs)
        return _texts(values, plan.format, before)
    return _numbers(column, values, before, gaps=gaps)


def _numbers(column: ReleasedColumn, values: Array, before: Any, *, gaps: bool) -> Any:
    import pandas as pd

    ends = column.composite.outputs
    whole = column.plan.whole and max(map(abs, ends)) <= _LARGEST_WHOLE
    nullable = isinstance(before, pd.api.extensions.ExtensionDtype) and before.kind in "iuf"
    if nullable or (whole and gaps):
        series = pd.Series(values)
        return series.astype("Int64" if whole else "Float64").array
    return values.astype(np.int64) if whole else values


def _categories(names: tuple[str, ...], values: Array, before: Any) -> Any:
    import pandas as pd

    places = np.where(np.isnan(values), -1, values).astype(np.intp)
    if isinstance(before, pd.CategoricalDtype):
        listed = pd.CategoricalDtype(list(names), ordered=before.ordered)
        return pd.Categorical.from_codes(places, dtype=listed)
    return _of_text([*names, None], places, before)


def _texts(values: Array, form: ValueFormat, before: Any) -> Any:
    """Cells as the file has them."""
    known, places = np.unique(values[~np.isnan(values)], return_inverse=True)
    written = [cell.decode() for cell in form.write(known, "utf-8").tolist()] if known.size else []
    whole = np.full(values.shape, -1, dtype=np.intp)
    whole[~np.isnan(values)] = places
    return _of_text([*written, None], whole, before)


def _of_text(texts: list[str | None], places: Any, before: Any) -> Any:
    """The texts at these places, the last one at -1.

    Not as objects, even where they were: one cell of another type makes objects of all, and would
    show.
    """
    import pandas as pd

    cells = pd.Series(texts, dtype=object).take(places).reset_index(drop=True)
    return cells.astype(before if isinstance(before, pd.StringDtype) else "str")


def _moments(values: Array, form: ValueFormat, before: Any, outputs: tuple[float, float]) -> Any:
    """Numbers of steps as pandas' own dates or durations, in seconds where nanoseconds end."""
    import pandas as pd

    seconds = form.step * (_SECONDS_OF_A_DAY if form.kind == "date" else 1.0)
    unit, per_step = ("ms", round(1e3 * seconds)) if seconds < 1.0 else ("s", round(seconds))
    missing = np.isnan(values)
    steps = np.where(missing, 0.0, values).astype(np.int64) * per_step
    moments = steps.astype(f"{before.kind}8[{unit}]")
    moments[missing] = np.array("NaT", dtype=moments.dtype)
    kept = _unit(before, max(map(abs, outputs)) * seconds, unit)
    return pd.array(moments.astype(f"{before.kind}8[{kept}]"))


def _moments_of_a_zone(
    values: Array, form: ValueFormat, before: Any, outputs: tuple[float, float]
) -> Any:
    """Moments by the text that the file has, which says how far the zone is from UTC."""
    import pandas as pd

    kept = _unit(before, max(map(abs, outputs)) * form.step + _SECONDS_OF_A_DAY, "us")
    texts = _texts(values, form, np.dtype(object))
    try:
        pd.to_datetime([form.text(end) for end in outputs], utc=True, format="ISO8601")
    except ValueError:  # by the format alone
        return texts
    moments = pd.to_datetime(texts, utc=True, format="ISO8601").dt.as_unit(kept)
    return moments.dt.tz_convert(before.tz)


def _unit(before: Any, farthest: float, other: str) -> str:
    """The unit that a column had, or another one where nanoseconds do not reach so many seconds."""
    kept = str(np.datetime_data(getattr(before, "base", before))[0])
    if (kept, other) == ("s", "ms"):  # steps that seconds do not hold
        return other
    return kept if kept != "ns" or farthest < _NANOSECONDS else other
