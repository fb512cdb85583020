"""A histogram released at two budgets."""

from __future__ import annotations

import math

import numpy as np
import pytest

from compdp_core.errors import ParameterError
from compdp_core.experiments.paper.counting import noisy_counts


@pytest.mark.parametrize("rows", [1, 30, 1000, 100_000])
def test_every_row_is_counted_once_and_errors_do_not_depend_on_the_rows(rows: int) -> None:
    table = noisy_counts(rows, [0.5, 30.0], seed=1)
    assert table.groupby("epsilon")["count"].sum().tolist() == [rows, rows]
    assert table.expected_error.tolist() == pytest.approx([2.0] * 10 + [1 / 30] * 10)
    assert table.deviation.tolist() == pytest.approx((math.sqrt(2) / table.epsilon).tolist())
    assert (table.share_of_tallest * table["count"].max()).tolist() == pytest.approx(
        table.expected_error.tolist()
    )


def errors(epsilon: float, spoil: float = 1.0) -> float:
    """Mean size of the simulated errors over 4,000 bins, in units of 1/ε."""
    sizes = [
        np.abs(spoil * (t.released - t["count"])).mean()
        for t in (noisy_counts(50, [epsilon], bins=200, seed=s) for s in range(20))
    ]
    return float(np.mean(sizes)) * epsilon


def test_simulated_errors_have_that_size() -> None:
    """Mean of 4,000 sizes, each of mean 1 and deviation 1: standard error 1/63.

    Six of them, 0.095, allow a false alarm below 1e-8 (a fixed seed besides) and reject noise
    that is wrong by a quarter, as the twins show.
    """
    allowed = 6 / math.sqrt(4000)
    assert abs(errors(1.0) - 1) <= allowed
    assert abs(errors(30.0) - 1) <= allowed
    for broken in (0.75, 1.25):
        assert abs(errors(1.0, broken) - 1) > allowed


@pytest.mark.parametrize(
    ("rows", "epsilons", "bins"),
    [(0, [1.0], 10), (10, [0.0], 10), (10, [math.nan], 10), (10, [1.0], 1), (1.5, [1.0], 10)],
)
def test_what_is_out_of_range_is_refused(rows: int, epsilons: list[float], bins: int) -> None:
    with pytest.raises(ParameterError):
        noisy_counts(rows, epsilons, bins=bins)
