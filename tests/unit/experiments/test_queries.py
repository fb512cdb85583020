"""Local sensitivities by removing every row in turn, and the exact protocol beside them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.errors import CompdpError, ParameterError
from compdp_core.experiments.paper.queries import (
    QUERIES,
    BoundedColumn,
    local_sensitivity,
    printed_queries,
    queries,
    query_table,
)
from compdp_core.statistics import STATISTICS

PRESSURES = json.loads((Path(__file__).parent / "blood_pressure.json").read_text(encoding="utf-8"))
columns = st.lists(
    st.one_of(st.integers(0, 12).map(float), st.floats(0.0, 12.0)), min_size=3, max_size=25
)


def removed(statistic: str, values: np.ndarray) -> float:
    ask = STATISTICS[statistic]().ask
    answer = ask(values, (0, 200)).value
    return max(abs(ask(np.delete(values, i), (0, 200)).value - answer) for i in range(values.size))


@given(values=columns, statistic=st.sampled_from(QUERIES))
def test_local_sensitivities_by_removing_every_row(values: list[float], statistic: str) -> None:
    array = np.array(values)
    expected = removed(statistic, array)
    assert local_sensitivity(statistic, array, (0, 200)) == pytest.approx(
        expected, rel=1e-9, abs=1e-12
    )


def pressures() -> np.ndarray:
    counts = {float(value): count for value, count in PRESSURES["counts"].items()}
    return np.repeat(list(counts), list(counts.values()))


def test_the_printed_sensitivity_is_the_local_one_of_that_table() -> None:
    values = pressures()
    assert values.size == 733
    printed = {query.name: query.sensitivity for query in printed_queries()}
    ours = local_sensitivity("variance", values, (0, 200))
    assert ours == pytest.approx(removed("variance", values), rel=1e-12)
    assert round(ours, 4) == printed["variance of BloodPressure"] == 3.1556
    # With n - 1 in the denominator, or with the missing ones as zeros, it is another number.
    with_zeros = np.concatenate([values, np.zeros(PRESSURES["rows"] - values.size)])
    assert round(local_sensitivity("variance", with_zeros, (0, 200)), 4) == 5.7466
    # The printed size of the table is one more than its rows: the header was counted.
    assert PRESSURES["rows"] == with_zeros.size == 769 - 1


def test_ties_leave_no_noise_in_the_papers_protocol() -> None:
    column = BoundedColumn.of("score", [3.0, 7.0, 7.0, 1.0, 1.0, 1.0], (0, 10))
    paper = {q.statistic: q for q in queries(column) if q.protocol == "paper"}
    assert paper["maximum"].sensitivity == paper["minimum"].sensitivity == 0.0
    assert not paper["maximum"].runs
    assert paper["mean"].runs


def test_the_exact_protocol_takes_its_range_and_sensitivity_from_the_bounds() -> None:
    values = [3.0, 7.0, 40.0, 1.0]
    exact = {
        q.statistic: q
        for q in queries(BoundedColumn.of("x", values, (0, 10)))
        if q.protocol == "exact"
    }
    assert exact["maximum"].answer == 10.0  # 40 is clamped
    assert exact["maximum"].sensitivity == 10.0
    assert exact["mean"].sensitivity == pytest.approx(2.5, rel=1e-14)
    assert exact["variance"].inputs == (0.0, 25.0)
    for query in exact.values():
        assert query.inputs[0] <= query.answer <= query.inputs[1]
        # The local sensitivity never exceeds the exact one for replacing a row twice over.
        local = local_sensitivity(query.statistic, np.clip(values, 0, 10), (0, 10))
        assert local <= 2.0 * query.sensitivity


def test_the_papers_inputs_are_as_wide_as_its_sensitivity() -> None:
    column = BoundedColumn.of("x", [3.0, 7.0, 9.5, 1.0, 3.0], (0, 10))
    for query in (*queries(column), *printed_queries()):
        low, high = query.inputs
        if query.protocol == "paper":
            assert high - low == pytest.approx(query.sensitivity, rel=1e-12)
            assert 0.5 * (low + high) == pytest.approx(query.answer, abs=1e-12)
    table = query_table(queries(column))
    assert len(table) == 2 * len(QUERIES)
    assert table.query("protocol == 'exact'").basis.str.contains("Δ = ").all()


@pytest.mark.parametrize(
    ("values", "bounds", "words"),
    [
        ([1.0, 2.0], (0, 10), "at least 3"),
        ([1.0, 2.0, 3.0], (10, 0), "lower below upper"),
        ([1.0, float("nan"), 3.0], (0, 10), "missing"),
        ([[1.0, 2.0], [3.0, 4.0]], (0, 10), "one list"),
        (["a", "b", "c"], (0, 10), "real numbers"),
    ],
)
def test_what_is_no_column_is_refused(values: list[object], bounds: object, words: str) -> None:
    with pytest.raises(CompdpError, match=words):
        BoundedColumn.of("x", values, bounds)


def test_an_unknown_statistic_is_refused() -> None:
    with pytest.raises(ParameterError, match="statistic must be one of maximum"):
        local_sensitivity("range", np.array([1.0, 2.0, 3.0]), (0, 10))
