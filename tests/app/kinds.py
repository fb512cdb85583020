"""Columns of every kind, chosen as step 2 would: what steps 3 to 6 are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from compdp_core.adjacency import Person
from compdp_core.intervals import Interval
from compdp_core.tables import Table
from compdp_core.tables.categories import Categories
from compdp_core.tables.value_formats import DateFormat
from pages.sections.privatize import columns
from pages.sections.shared.setup import ChosenColumn
from pages.shell.panels import step
from tests.app.driving import Driven
from tests.unit.tables.clock import Clock

PAGE = "pages/privatize.py"
ANSWERS = ["yes", "no", "perhaps"]
SIZES = ["S", "M", "L", "XL"]
LABELS = ["answer", "day", "time", "size", "score"]


def table(shift: int = 0, rows: int = 400) -> bytes:
    """Answers, days, times, sizes and scores; others for another shift, as many of them."""
    lines = [
        f"{ANSWERS[(i * i + shift) % 3]},2024-{1 + (i + shift) % 12:02}-{1 + i % 28:02},"
        f"{8 + (i + shift) % 9:02}:{(7 * i) % 60:02},{SIZES[(i + shift) % 4]},{(i + shift) % 21}"
        for i in range(rows)
    ]
    return (",".join(LABELS) + "\n" + "\n".join(lines) + "\n").encode()


def days(lower: str, upper: str) -> Interval:
    form = DateFormat()
    return Interval(form.value(lower), form.value(upper))


KINDS: dict[str, dict[str, Any]] = {
    "answer": {"kind": "category", "categories": Categories.of(ANSWERS), "inputs": None},
    "day": {"kind": "date", "format": DateFormat(), "inputs": days("2024-01-01", "2024-12-31")},
    "time": {"kind": "time", "format": Clock(), "inputs": Interval(480, 1080)},
    "size": {"kind": "scale", "categories": Categories.of(SIZES), "inputs": Interval(1, 4)},
    "score": {"kind": "whole", "inputs": Interval(0, 20), "unit": "points"},
}


def chosen(given: Table, label: str, **more: Any) -> ChosenColumn:
    said: dict[str, Any] = {
        "unit": "units",
        "whole": label != "answer",
        "missing": "fill",
        "strip": None,
        "decimal": ".",
    }
    position = next(each.position for each in given.columns if each.label == label)
    return ChosenColumn(given.fingerprint, position, label, **(said | KINDS[label] | more))


def opened(
    patched: pytest.MonkeyPatch,
    labels: Sequence[str],
    data: bytes | None = None,
    **more: Any,
) -> Driven:
    """The page with these columns chosen; ``more`` is said of each of them."""

    def stand_in(given: Table, person: Person | None) -> list[ChosenColumn]:
        with step(2, "Columns and bounds"):
            return [chosen(given, label, **more) for label in labels]

    patched.setattr(columns, "columns_step", stand_in)
    return Driven(PAGE).upload("t.csv", table() if data is None else data)
