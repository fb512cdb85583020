"""Releases batch by batch: the same bytes when computed again, other noise everywhere else.

No verdict but those of :func:`alike` depends on chance: two draws of 200 cells agree by chance with
a probability below 0.9^200 < 1e-9, the false alarm of each such check, as no output has more than
nine tenths of the weight. What it would miss is a source that gives some words twice, and not all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

from compdp_core.engines import batches
from compdp_core.engines.batch_content import content_hash
from compdp_core.engines.batch_plan import BatchPlan, OtherMachineError, certified_columns
from compdp_core.engines.batches import KeyedBatches
from compdp_core.randomness import KeyedSource, SystemSource, new_key
from compdp_core.release import ColumnPlan, Plan
from compdp_core.release.column_plan import PlanError

ROWS = 200
BMI = ColumnPlan(1, inputs=(10, 70), epsilon=1)
SMOKES = ColumnPlan(2, epsilon=1, kind="category", categories=["yes", "no"])
PLAN = Plan((BMI, SMOKES))


def batch(first: int = 0, *, other: str = "") -> pa.RecordBatch:
    """Rows that are all alike but for one name, which may be an ``other`` one."""
    names = ["Ada"] * ROWS
    names[7] = other or "Ada"
    return pa.record_batch({"name": names, "bmi": [21.5 + first] * ROWS, "smokes": ["yes"] * ROWS})


def sent(plan: Plan = PLAN, gone: tuple[int, ...] = ()) -> BatchPlan:
    columns = certified_columns(plan, [batch().schema.names[c.position] for c in plan.columns])
    return BatchPlan.of(plan, columns, batch().schema, gone)


Made = Callable[[BatchPlan, bytes, str], Any]


def released(make: Made, given: list[pa.RecordBatch], key: bytes, place: str = "0") -> list[Any]:
    part = make(sent(), key, place)
    return [part.release(each) for each in given]


def alike(one: pa.RecordBatch, other: pa.RecordBatch) -> bool:
    """Whether the noise of both is the same."""
    return bool(one.column("bmi") == other.column("bmi"))


def finds_again(make: Made) -> bool:
    """Whether a part that is computed again is the same to the last byte."""
    given, key = [batch(), batch(1)], new_key()
    return released(make, given, key) == released(make, given, key)


def tells_places(make: Made) -> bool:
    """Whether equal rows get other noise in another part, and in another batch of a part."""
    key = new_key()
    here, there = (released(make, [batch(), batch()], key, place) for place in "01")
    return not (alike(here[0], there[0]) or alike(here[0], here[1]) or alike(here[1], there[1]))


def tells_content(make: Made) -> bool:
    """Whether a cell of another column makes other noise in its batch and all later ones."""
    key = new_key()
    before = released(make, [batch(), batch(), batch()], key)
    after = released(make, [batch(), batch(other="Ben"), batch()], key)
    same = [alike(one, other) for one, other in zip(before, after, strict=True)]
    return same == [True, False, False]


CHECKS = [finds_again, tells_places, tells_content]


@pytest.mark.parametrize("check", CHECKS)
def test_noise_is_a_function_of_place_and_content(check: Callable[[Made], bool]) -> None:
    assert check(KeyedBatches)


class DrawsAnew(KeyedBatches):
    """A twin that draws from the system each time."""

    def release(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        return batches.released_batch(batch, self._plan, lambda what: SystemSource())


class ForgetsPlace(KeyedBatches):
    """A twin whose noise is a function of the content alone."""

    def release(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        content = content_hash(batch)
        return batches.released_batch(
            batch, self._plan, lambda what: KeyedSource(self._key, what.encode(), content)
        )


class ForgetsContent(KeyedBatches):
    """A twin whose noise is a function of the place alone."""

    def release(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        self._number += 1
        place = f"{self._place}, {self._number}".encode()
        return batches.released_batch(
            batch, self._plan, lambda what: KeyedSource(self._key, what.encode(), place)
        )


class ReadsPlannedColumns(KeyedBatches):
    """A twin that takes the released columns for all of the content."""

    def release(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        planned = batch.select(["bmi", "smokes"])
        self._content = content_hash(planned, self._content)
        self._number += 1
        place = f"{self._place}, {self._number}".encode()
        content = self._content
        return batches.released_batch(
            batch, self._plan, lambda what: KeyedSource(self._key, what.encode(), place, content)
        )


@pytest.mark.parametrize(
    ("make", "caught_by"),
    [
        (DrawsAnew, finds_again),
        (ForgetsPlace, tells_places),
        (ForgetsContent, tells_content),
        (ReadsPlannedColumns, tells_content),
    ],
)
def test_a_broken_twin_is_caught(make: Made, caught_by: Callable[[Made], bool]) -> None:
    assert [check(make) for check in CHECKS].count(False) >= 1
    assert not caught_by(make)


def test_another_key_gives_other_noise() -> None:
    one, other = (released(KeyedBatches, [batch()], new_key())[0] for _ in range(2))
    assert not alike(one, other)


def test_columns_of_one_batch_have_noise_of_their_own() -> None:
    plan = Plan((BMI, replace(BMI, position=0)))
    rows = pa.record_batch({"a": [21.5] * ROWS, "b": [21.5] * ROWS})
    columns = certified_columns(plan, ["b", "a"])
    part = KeyedBatches(BatchPlan.of(plan, columns, rows.schema), new_key(), "0")
    made = part.release(rows)
    assert made.column("a") != made.column("b")


def test_what_is_not_planned_stays_and_what_is_left_out_goes() -> None:
    part = KeyedBatches(sent(gone=(0,)), new_key(), "0")
    made = part.release(batch())
    assert made.schema.names == ["bmi", "smokes"]
    assert KeyedBatches(sent(), new_key(), "0").release(batch()).column("name") == batch().column(
        "name"
    )
    # A column that is left out of the file still tells two batches apart.
    key = new_key()
    one, other = (
        KeyedBatches(sent(gone=(0,)), key, "0").release(each)
        for each in (batch(), batch(other="Ben"))
    )
    assert not alike(one, other)


def with_gaps() -> pa.RecordBatch:
    bmi = pa.array([21.5, None, float("nan"), 24.0, float("inf"), 30.0])
    smokes = pa.array(["yes", None, "perhaps", " no ", "NA", "yes"])
    return pa.record_batch({"name": ["a", "b", "c", "d", "e", "f"], "bmi": bmi, "smokes": smokes})


@pytest.mark.parametrize("missing", ["fill", "keep", "drop"])
def test_missing_values_are_filled_kept_or_dropped(missing: Any) -> None:
    plan = Plan((replace(BMI, missing=missing), replace(SMOKES, missing=missing)))
    made = KeyedBatches(sent(plan), new_key(), "0").release(with_gaps())
    bmi, smokes = (made.column(name).is_valid().to_pylist() for name in ("bmi", "smokes"))
    if missing == "drop":
        assert made.column("name").to_pylist() == ["a", "d", "f"]
        assert all(bmi)
        assert all(smokes)
    elif missing == "fill":
        assert all(bmi)
        assert all(smokes)
    else:
        assert bmi == smokes == [True, False, False, True, False, True]


def test_each_row_answers_as_many_columns_as_were_said() -> None:
    plan = Plan((BMI, SMOKES), answered=1)
    made = KeyedBatches(sent(plan), new_key(), "0").release(batch())
    bmi, smokes = (made.column(name).is_valid().to_pylist() for name in ("bmi", "smokes"))
    assert [one != other for one, other in zip(bmi, smokes, strict=True)] == [True] * ROWS
    assert 0 < sum(bmi) < ROWS


def test_no_row_and_only_missing_cells_are_batches_too() -> None:
    part = KeyedBatches(sent(), new_key(), "0")
    empty = part.release(batch().slice(0, 0))
    assert empty.num_rows == 0
    assert empty.schema == sent().schema(batch().schema)
    nothing = pa.record_batch([pa.nulls(3, field.type) for field in batch().schema], batch().schema)
    assert part.release(nothing).column("bmi").null_count == 0


def test_the_plan_travels_as_text_and_is_the_same_behind_it() -> None:
    plan = Plan((replace(BMI, pair="A1B1", missing="keep"), SMOKES), answered=1)
    told = sent(plan)
    assert told.plan == plan
    assert [each.label for each in told.columns] == ["bmi", "smokes"]
    assert all(isinstance(each, str | tuple | frozenset) for each in vars(told).values())


def test_a_worker_that_finds_other_weights_draws_nothing() -> None:
    told = replace(sent(), certified="0" * 64)
    with pytest.raises(OtherMachineError, match="round otherwise"):
        KeyedBatches(told, new_key(), "0").release(batch())


def test_a_plan_that_is_too_long_to_send_is_refused() -> None:
    long = ["x" * 190 + str(place) for place in range(4000)]
    with pytest.raises(PlanError, match="cannot be sent"):
        sent(Plan((replace(SMOKES, categories=long),)))  # type: ignore[arg-type]
