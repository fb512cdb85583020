"""Nothing of a private cell leaves but through its noise: the same noise, the same bytes.

For drawn tables and plans the private cells are replaced by others that fit the same plan, the
noisy numbers are scripted, and everything that leaves is compared, to the byte. What the file must
be is known from how it was drawn, so untouched cells and the length of the table are checked, too.

``python -m tests.noninterference`` draws a hundred thousand tables.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from compdp_core.errors import CompdpError
from compdp_core.tables import read
from compdp_core.tables.value_formats import FORMATS
from tests.noninterference.checking import differences
from tests.noninterference.drawing import Case, drawn
from tests.noninterference.leaving import released
from tests.noninterference.twins import TWINS

TABLES, CHUNK = 300, 50
WITH_ALL_FILES = 5
"""Of each fifth table all files are compared, of the others those of the table: it is quicker."""
SEEDS = range(TABLES)


def told(seed: int) -> list[str]:
    return differences(drawn(seed), files=seed % WITH_ALL_FILES == 0)


@pytest.mark.parametrize("start", SEEDS[::CHUNK])
def test_private_cells_change_nothing_that_leaves(start: int) -> None:
    found = {seed: told(seed) for seed in range(start, start + CHUNK)}
    assert {seed: problems for seed, problems in found.items() if problems} == {}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS)
def test_a_release_that_tells_something_is_seen(
    twin: Callable[[], AbstractContextManager[Any]],
) -> None:
    """The same check of the same tables: some pair must be told apart by its bytes."""
    with twin():
        seen = next(
            (seed for seed in SEEDS if any(problem.startswith(TELLING) for problem in told(seed))),
            None,
        )
    assert seen is not None
    assert told(seen) == []


TELLING = ("table excel", "refused", "Privacy card")
"""What an outsider sees; that a file is not the expected one is another matter."""


def test_drawn_tables_are_of_every_sort() -> None:
    """What is never drawn is never checked."""
    cases = [drawn(seed) for seed in SEEDS]
    said = [case.said for case in cases]
    plans = [column for case in cases for column in case.plan.columns]
    lines = [line for case in cases for line in case.lines]
    assert {each["separator"] for each in said} == {",", ";", "\t", "|"}
    assert {each["decimal"] for each in said} == {".", ","}
    assert {each["quote"] for each in said} == {'"', ""}
    assert {each["header"] for each in said} == {True, False}
    assert {each["short_rows"] for each in said} == {None, "complete", "leave out"}
    assert {each["long_rows"] for each in said} >= {None, "leave out", 0, 1}
    assert {each["trailing_cells"] for each in said} >= {None, "keep", "leave out", 0, 1}
    assert {each["comment_rows"] for each in said} == {None, "keep", "leave out", "row"}
    assert {each["blank_lines"] for each in said} == {None, "skip", "missing"}
    assert {case.encoding for case in cases} > {"utf-8", "cp1252", "utf-16-le"}
    assert {plan.missing for plan in plans} == {"fill", "keep", "drop"}
    assert {plan.whole for plan in plans} == {True, False}
    assert {plan.decimal for plan in plans} == {None, ".", ","}
    assert len({plan.missing_as for plan in plans}) > 5
    assert any(plan.strip for plan in plans)
    assert {plan.kind for plan in plans} >= {"number", "whole", "category", "scale"}
    assert {plan.format.name for plan in plans if plan.format is not None} == {*FORMATS}
    listed = [plan.categories for plan in plans if plan.categories is not None]
    assert {each.other is None for each in listed} == {True, False}
    assert any("" in each.names for each in listed)
    # Nearly all of them are released, and not only refused alike.
    assert sum(map(releases, cases)) > 0.8 * TABLES
    assert {line.kept for line in lines} == {"row", "total", "gone", "stays"}
    assert {line.end for line in lines} == {"\n", "\r\n", "\r", ""}
    assert max(len(case.plan.columns) for case in cases) == 3
    assert sum(map(differs, cases)) > 0.95 * TABLES


def releases(case: Case) -> bool:
    try:
        released(read(case.files[0], **case.said).without(case.left_out), case.plan)
    except CompdpError:
        return False
    return True


def differs(case: Case) -> bool:
    return case.files[0] != case.files[1]
