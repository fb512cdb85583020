"""Everything that leaves of a release, and a release whose noisy numbers are scripted.

What leaves is not listed here: the page that offers files is asked, with a collector in place of
its download buttons, so that a file that is added there is compared from that day on.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np

from compdp_core.accounting import Ledger, Spend
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.numerics import not_above
from compdp_core.randomness import SeededSource, Source
from compdp_core.release import ColumnPlan, Plan, TableRelease, release
from compdp_core.release.statistic import half_width
from compdp_core.report import Statement, column_item
from compdp_core.tables import Table
from compdp_core.validation import Array
from pages.sections.privatize import files as page
from pages.sections.privatize import outcome
from pages.sections.shared import release_panel

WHEN = datetime(2025, 1, 2, 3, 4, 5, tzinfo=UTC)
STATEMENT = Statement(unit="points", source="the rules of the test")


def _scripted(mechanism: CompositeMechanism, values: Any, source: Source) -> np.ndarray[Any, Any]:
    """Points of the mechanism's lattice that the words of the source choose, whatever is true."""
    low, high = mechanism.outputs
    steps = round((high - low) / mechanism.certificate.spacing)
    chosen = source.words(np.asarray(values).size) % np.uint64(steps + 1)
    points = np.round(low + chosen * mechanism.certificate.spacing, mechanism.decimals)
    return points.reshape(np.shape(values))


def _scripted_code(mechanism: RandomizedResponse, codes: Any, source: Source) -> Array:
    """Categories that the words of the source choose, whatever is true."""
    chosen = source.words(np.asarray(codes).size) % np.uint64(mechanism.categories)
    return chosen.astype(np.float64)


@cache
def _response(epsilon: Fraction, categories: int) -> RandomizedResponse:
    return RandomizedResponse(not_above(epsilon), categories)


@cache
def _built(plan: ColumnPlan) -> CompositeMechanism:
    return CompositeMechanism(
        not_above(plan.epsilon), plan.inputs, pair=plan.pair, spacing=1 if plan.whole else None
    )


def _mechanism(plan: ColumnPlan) -> CompositeMechanism | RandomizedResponse:
    if plan.categories is not None and plan.is_category:
        return _response(plan.epsilon, len(plan.categories))
    return _built(ColumnPlan(0, plan.inputs, plan.epsilon, plan.pair, whole=plan.whole))


_half_width = cache(half_width)
_toml = cache(tomllib.loads)


@contextmanager
def _quick() -> Iterator[None]:
    """What follows from a design, or from the package, is worked out once for all cards."""
    with (
        patch.object(column_item, "half_width", _half_width),
        patch.object(tomllib, "loads", _toml),
    ):
        yield


@contextmanager
def scripted_noise() -> Iterator[None]:
    """Within it noisy numbers are those that the source says, and a design is worked out once."""
    with (
        patch.object(CompositeMechanism, "draw", _scripted),
        patch.object(RandomizedResponse, "draw", _scripted_code),
        patch.object(ColumnPlan, "mechanism", _mechanism),
    ):
        yield


def released(table: Table, plan: Plan, seed: int = 1) -> TableRelease:
    """The release of these noisy numbers, at one moment, under one name."""
    with scripted_noise():
        drawn = release(table, plan, source=SeededSource(seed))
    return replace(drawn, identifier="0" * 32, when=WHEN)


class _Nothing:
    """In place of the page itself: containers hold nothing, a switch is as it was said."""

    def __init__(self, *, on: bool) -> None:
        self.on = on

    def toggle(self, *_: Any, **__: Any) -> bool:
        return self.on

    def container(self, *_: Any, **__: Any) -> nullcontext[None]:
        return nullcontext()

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_, **__: None


class _Upload:
    """A file of the same name in both worlds: its name is no value of a cell."""

    stem = file_stem = "marks"


def offered(drawn: TableRelease, omit: tuple[int, ...] = ()) -> dict[str, bytes]:
    """Every file that the page offers, by the name it proposes."""
    found: dict[str, bytes] = {}

    def collect(label: str, content: Callable[[], str | bytes], *names: str, **looks: Any) -> None:
        made = content()
        found[f"{label} {names} {sorted((k, str(v)) for k, v in looks.items())}"] = (
            made.encode() if isinstance(made, str) else made
        )

    with (
        patch.object(release_panel, "download", collect),
        patch.object(page, "st", _Nothing(on=True)),
        patch.object(page, "current", _Upload),
        patch.object(page, "ask_what_to_omit", lambda *_: None),
        patch.object(page, "offer_a_larger_file", collect),
        patch.object(page, "omitted", lambda *_: omit),
        patch.object(page, "edits", lambda *_: {}),
    ):
        page.files(drawn, {column.plan.position: STATEMENT for column in drawn.columns})
    return found


def leaving(
    drawn: TableRelease, omit: tuple[int, ...] = (), *, files: bool = True
) -> dict[str, bytes]:
    """All bytes that leave of a release: files, their names, tables to publish, the ledger's.

    Without ``files`` only the tables.
    """
    found: dict[str, bytes] = {"rows": str(drawn.row_count).encode()}
    for excel in (False, True):
        written = drawn.written(excel=excel, guard_formulas=excel)
        found[f"table {excel=}"] = written.data
        found[f"cells guarded {excel=}"] = str(written.guarded).encode()
    if not files:
        return found
    with _quick():
        found |= offered(drawn, omit)
    statements = {column.plan.position: STATEMENT for column in drawn.columns}
    shown = [outcome._certified(column, statements) for column in drawn.columns]
    found["publishable table"] = repr(shown).encode()
    return found | _ledger(drawn)


def _ledger(drawn: TableRelease) -> dict[str, bytes]:
    """The ledger's files; the name of the table is the owner's or chance, never its content."""
    book = Ledger()
    for number, column in enumerate(drawn.columns):
        book = book.charge(
            Spend(
                "privatized column", "column", "a table", [column.label], column.plan.epsilon,
                when=WHEN, id=str(number),
            )
        )  # fmt: skip
    return {"ledger.json": book.to_json_to_hand_on().encode(), "ledger.csv": book.to_csv().encode()}
