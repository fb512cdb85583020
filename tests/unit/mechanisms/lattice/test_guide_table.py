"""The table by which runs are found agrees with a plain search, at every edge of a cell.

Exact and of fixed seeds: a false alarm has probability 0, below 1e-12.
"""

from __future__ import annotations

import dataclasses
import pickle
from bisect import bisect_right

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.lattice.guide_table import MOST_BITS, GuideTable
from compdp_core.mechanisms.lattice.runs import Ints
from compdp_core.randomness import SeededSource, Words
from compdp_core.shapes import PAIR_NAMES

PAIRS = [*PAIR_NAMES, "A4B1"]


def marks_of(*numbers: int) -> Words:
    return np.array(numbers, dtype=np.uint64)


def found(table: GuideTable, numbers: Words) -> Ints:
    """As the sampler puts both steps together."""
    cells, undecided = table.look_up(numbers)
    run = cells.astype(np.int64)
    run[undecided] = table.search(numbers[undecided], cells[undecided])
    return run


def wrong(table: GuideTable, marks: list[int], numbers: Words) -> int:
    """How many numbers are found elsewhere than where a plain search finds them."""
    plain = [bisect_right(marks, number) - 1 for number in numbers.tolist()]
    return int(np.count_nonzero(found(table, numbers) != np.array(plain)))


@pytest.fixture(scope="module", params=PAIRS)
def table(request: pytest.FixtureRequest) -> GuideTable:
    made = CompositeMechanism(1.0, (0, 10), pair=request.param, sensitivity=3)
    return made._sampler._guide


def edges_of(table: GuideTable) -> Words:
    """Both sides of every edge of a cell and of every mark, of all numbers there can be."""
    cells = np.arange(table.cells.size, dtype=np.uint64) << np.uint64(table.drop)
    places = np.concatenate([cells, table.marks[:-1]])
    end = np.uint64((table.cells.size << table.drop) - 1)
    both = np.concatenate([places, np.maximum(places, np.uint64(1)) - np.uint64(1), [end]])
    limited: Words = np.minimum(both, end)
    return limited


def test_every_edge_of_the_table_and_of_every_run(table: GuideTable) -> None:
    marks = table.marks[:-1].tolist()
    assert wrong(table, marks, edges_of(table)) == 0
    assert wrong(table, marks, SeededSource(1).words(10_000) >> np.uint64(2)) == 0


def test_the_edges_find_a_table_with_a_fault(table: GuideTable) -> None:
    """A cell too high, a mark that no cell says it holds, a search that stops one short."""
    marks, edges = table.marks[:-1].tolist(), edges_of(table)
    settled = int(np.flatnonzero(table.cells < table.open)[0])
    open_ = int(np.flatnonzero(table.cells >= table.open)[-1])
    for at, change in ((settled, 1), (open_, -table.open)):
        cells = table.cells.copy()
        cells[at] = int(cells[at]) + change
        assert wrong(dataclasses.replace(table, cells=cells), marks, edges) > 0
    late = table.marks.copy()
    late[1] += np.uint64(1)
    assert wrong(dataclasses.replace(table, marks=late), marks, edges) > 0


def test_nearly_all_numbers_are_settled_by_one_look_up(table: GuideTable) -> None:
    numbers = SeededSource(2).words(100_000) >> np.uint64(2)
    assert table.look_up(numbers)[1].size < 0.1 * numbers.size
    assert table.cells.nbytes <= 2 * 2**MOST_BITS


@given(data=st.data(), bits=st.integers(1, 12))
def test_every_number_among_any_marks(data: st.DataObject, bits: int) -> None:
    """Runs that are empty, many marks in one cell, numbers behind the last mark."""
    places = data.draw(st.lists(st.integers(0, 2**bits - 1), min_size=1, max_size=40))
    marks = [0, *sorted(places)]
    table = GuideTable.of(marks_of(*marks), bits)
    assert wrong(table, marks, np.arange(2**bits, dtype=np.uint64)) == 0
    assert set(table.look_up(marks_of(*marks))[1].tolist()) == set(range(len(marks)))


def test_more_runs_than_small_numbers_can_name() -> None:
    marks = [3 * i for i in range(40_000)]
    table = GuideTable.of(marks_of(*marks), 17)
    assert table.cells.dtype == np.uint32
    numbers = np.arange(2**17, dtype=np.uint64)
    assert wrong(table, marks, numbers) == 0


def test_a_mechanism_that_was_used_is_sent_without_its_tables() -> None:
    """And draws the same afterwards."""
    mechanism = CompositeMechanism(1.0, (0, 10), pair="A2B2")
    before = mechanism.simulate(np.full(1000, 5.0), seed=3)
    sent = pickle.dumps(mechanism)
    assert len(sent) < 200_000
    again = pickle.loads(sent)  # noqa: S301
    assert "_guide" not in vars(again._sampler)
    assert np.array_equal(again.simulate(np.full(1000, 5.0), seed=3), before)
