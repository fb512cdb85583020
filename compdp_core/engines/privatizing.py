"""One call for whatever holds the data: lazy frames are written, all else stays in memory."""

from __future__ import annotations

import os
from collections.abc import Collection, Hashable, Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from compdp_core.accounting import Ledger
from compdp_core.adjacency import Person
from compdp_core.engines.lazy import privatize_lazy
from compdp_core.errors import ParameterError
from compdp_core.randomness import Source
from compdp_core.release.column_plan import ColumnPlan
from compdp_core.report import release
from compdp_core.report.release import Data, Release
from compdp_core.tables.frame_kinds import is_lazy

if TYPE_CHECKING:
    import polars as pl

    from compdp_core.engines.file_release import FileRelease
    from compdp_core.engines.files import Book


@overload
def privatize(
    data: Data,
    plans: Mapping[Any, ColumnPlan],
    *,
    path: None = None,
    person: Person | None = None,
    per: Literal["row", "person"] = "row",
    answered: int | None = None,
    omit: Collection[Hashable] = (),
    ledger: Ledger | None = None,
    source: Source | None = None,
) -> Release[Data]: ...


@overload
def privatize(
    data: pl.LazyFrame,
    plans: Mapping[Any, ColumnPlan],
    *,
    path: str | os.PathLike[str],
    person: Person | None = None,
    per: Literal["row", "person"] = "row",
    answered: int | None = None,
    omit: Collection[Hashable] = (),
    ledger: Ledger | Book | None = None,
    source: Source | None = None,
) -> FileRelease: ...


def privatize(
    data: Any,
    plans: Mapping[Any, ColumnPlan],
    *,
    path: str | os.PathLike[str] | None = None,
    person: Person | None = None,
    per: Literal["row", "person"] = "row",
    answered: int | None = None,
    omit: Collection[Hashable] = (),
    ledger: Any = None,
    source: Source | None = None,
) -> Any:
    r"""Privatise columns of a table or frame, once; what went in is never changed.

    ``data``: a table of :func:`~compdp_core.read_csv`, a pandas or Polars frame, or a PyArrow
    table; ``release.frame`` is of the same kind. A lazy frame of Polars is computed, released batch
    by batch and written to ``path`` in this call, which gives a
    :class:`~compdp_core.engines.file_release.FileRelease`; its file is ``.parquet``, ``.arrow``,
    ``.csv`` or ``.jsonl``, replaced where there is one, and without the columns of ``omit``.
    ``plans``: what is to happen to each column, by its label, or by its position (from 0) where
    labels repeat. ``person``: whose rows are one person's, and how many they have at most; left out
    where each row is another person. ``per``: whose budget the ε of each plan is, that of a row
    (a person spends ``at_most`` times as much) or of a person, of which a row then gets its part.
    ``answered``: in how many of the columns each row has a value, drawn for each row whatever
    stands in it, with its other cells blank; it then spends the budgets of so many columns alone,
    the largest ones. ``ledger``: is charged before anything is drawn; a ledger never changes, so go
    on with ``release.ledger``. A lazy frame is computed twice with it, and its data is known by its
    cells: another kind of the same data is other data to the ledger. ``source``: the system's
    randomness unless a simulation hands in another.

    The CSV of a frame has its columns without its index: ``frame.reset_index()`` takes it in. Of
    columns that no CSV holds, such as lists, records and bytes, it has texts in JSON.

    >>> import compdp_core as cdp
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"name": ["Ada", "Ben"], "bmi": [21.5, 24]})
    >>> release = cdp.privatize(frame, {"bmi": cdp.ColumnPlan(inputs=(10, 70), epsilon=1)})
    >>> release.epsilon, release.frame["name"].tolist(), release.card["privacy"]["epsilon"]
    (Fraction(1, 1), ['Ada', 'Ben'], '1')

    :func:`~compdp_core.report.release.privatize` has more examples.

    Raises :class:`~compdp_core.errors.CompdpError`: a :class:`PlanError` of the plans,
    :class:`ParameterError` of the data and the person, what a ledger refuses, what the mechanisms
    refuse; nothing is drawn then. A run of a lazy frame that breaks later is a
    :class:`~compdp_core.engines.files.BrokenRunError` with the charged ledger.
    """
    if is_lazy(data):
        if path is None:
            what = "must be named for a lazy frame, as in path='x.parquet', or .collect() it first"
            raise ParameterError("path", path, what)
        return privatize_lazy(
            data, plans, path, person=person, per=per, answered=answered, omit=omit,
            ledger=ledger, source=source,
        )  # fmt: skip
    if path is not None:
        what = "must be left out but for a lazy frame: release.csv() and .frame are what to write"
        raise ParameterError("path", str(path), what)
    if omit:
        what = "must be left out but for a lazy frame: release.csv(omit=...) leaves columns out"
        raise ParameterError("omit", omit, what)
    return release.privatize(
        data, plans, person=person, per=per, answered=answered, ledger=ledger, source=source
    )
