"""What the receiver of sampled columns has: blanks that say nothing, and a mean with its interval.

Draws are the system's own. The verdicts rest on Chernoff's bound, which holds for every number of
draws: a right release is rejected with a probability below 1e-8 a test. The twins' intervals hold
the truth .83 of the time at most; that so many of them look right is as unlikely.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.randomness import SystemSource
from compdp_core.release import ColumnPlan, Plan, columns, release
from compdp_core.release.splitting import sampled
from compdp_core.tables import Table, read
from tests.unit.release.made import released
from tests.unit.release.test_distribution import divergence

Floats = NDArray[np.float64]

FALSE_ALARM = 1e-9
LEVEL, Z = 0.95, 1.959964
NEAR = (0.94, 0.96)
"""The coverage of a good interval: its width is estimated, and sums are only nearly normal. Over
6,000 repetitions it was from .943 to .950 for about 100 answers.
"""


def two_humps(rows: int, seed: int = 1) -> Floats:
    """Variance 456, mean 30, within 0 and 100."""
    chance = np.random.default_rng(seed)
    middle = np.where(chance.random(rows) < 0.7, 17.0, 60.5)
    return np.round(middle + chance.uniform(-13.2, 13.2, rows), 1)


def table_of(values: Floats, columns: int) -> Table:
    head = ",".join(f"c{place}" for place in range(columns))
    lines = [",".join([str(value)] * columns) for value in values.tolist()]
    return read("\n".join([head, *lines, ""]).encode(), header=True, separator=",", decimal=".")


def half_widths(groups: Floats, mechanism: CompositeMechanism, *, of_rows: bool = True) -> Floats:
    """Of the interval around each group's mean for the mean of all of its rows.

    From the released cells and the mechanism alone: with m of n cells, ``c0 + c2 e2`` the variance
    of the noise and ``v = e2 - (mean - c)^2 + (c0 + c2 e2)/m`` that of the true values, the mean
    varies by ``(c0 + c2 e2)/m + v (1/m - 1/n)``, the second for the rows that do not answer.
    """
    n, m = groups.shape[1], np.sum(~np.isnan(groups), axis=1)
    a, b = mechanism.inputs
    c, half = 0.5 * (a + b), 0.5 * (b - a)
    c0 = mechanism.variance(c)
    c2 = (mechanism.variance(b) - c0) / half**2
    e2 = np.clip((np.nanmean((groups - c) ** 2, axis=1) - c0) / (1.0 + c2), 0.0, half**2)
    noise = (c0 + c2 * e2) / m
    spread = np.clip(e2 - (np.nanmean(groups, axis=1) - c) ** 2 + noise, 0.0, half**2)
    rows = spread * (1.0 / m - 1.0 / n) if of_rows else np.zeros(len(groups))
    widths: Floats = Z * np.sqrt(noise + rows)
    return widths


def believable(hits: int, trials: int) -> bool:
    """Whether so many intervals that hold the truth may be those of a coverage near 95 %."""
    share = hits / trials
    if NEAR[0] <= share <= NEAR[1]:
        return True
    nearest = np.array([min(max(share, NEAR[0]), NEAR[1])])
    far = float(divergence(np.array([share]), nearest)[0])
    return trials * far < math.log(2.0 / FALSE_ALARM)


@pytest.mark.parametrize(
    ("many", "epsilon", "answered", "rows", "trials"),
    [(4, 1, 1, 400, 500), (4, 4, 1, 400, 1000), (4, 8, 2, 200, 2000), (10, 4, 1, 1000, 300)],
)
def test_the_mean_of_the_answered_cells_is_within_its_interval(
    many: int, epsilon: int, answered: int, rows: int, trials: int
) -> None:
    values = two_humps(trials * rows)
    plans = [ColumnPlan(place, (0, 100), 1) for place in range(many)]
    split = sampled(plans, epsilon, rows)
    assert split.answered == answered
    made = release(table_of(values, many), split.plan())
    assert made.epsilon == epsilon
    means = values.reshape(trials, rows).mean(axis=1)
    for column in made.columns[:2]:
        groups = column.values.reshape(trials, rows)
        off = np.abs(np.nanmean(groups, axis=1) - means)
        widths = half_widths(groups, column.composite)
        assert believable(int((off <= widths).sum()), trials)
        # Twins: as wide as if every row had answered, and as if those that do not were alike.
        shorter = widths * math.sqrt(answered / many)
        assert not believable(int((off <= shorter).sum()), trials)
        noise_alone = half_widths(groups, column.composite, of_rows=False)
        if trials == 1000:
            assert not believable(int((off <= noise_alone).sum()), trials)


def subsets(made: Any) -> Counter[tuple[bool, ...]]:
    drawn = ~np.isnan([column.values for column in made.columns])
    return Counter(map(tuple, drawn.T.tolist()))


def uniform(counts: Counter[tuple[bool, ...]], rows: int, many: int) -> bool:
    """Whether so many rows answer each choice of columns as where all are as likely."""
    share = np.array([each / rows for each in counts.values()])
    far = divergence(share, np.full(len(share), 1.0 / many))
    return len(counts) == many and bool((rows * far < math.log(2.0 * many / FALSE_ALARM)).all())


def of_two_tables(rows: int) -> list[Counter[tuple[bool, ...]]]:
    """Which columns are answered, of tables that have nothing but their number of rows alike."""
    low, high = np.zeros(rows), np.full(rows, 100.0)
    lines = b"".join(b"x,100,,100\n" if row % 2 else b"100,,100,\n" for row in range(rows))
    tables = [table_of(low, 4), table_of(high, 4), read(b"c0,c1,c2,c3\n" + lines, header=True)]
    plans = tuple(ColumnPlan(place, (0, 100), 1) for place in range(4))
    return [subsets(release(table, Plan(plans, answered=2))) for table in tables]


def test_blanks_are_of_random_place_whatever_the_cells_are() -> None:
    rows = 20_000
    assert all(uniform(counts, rows, 6) for counts in of_two_tables(rows))


def test_blanks_that_depend_on_values_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A twin that answers the first columns somewhat more often."""
    fair = columns.choices

    def unfair(rows: int, many: int, answered: int, source: Any) -> NDArray[np.bool_]:
        found = fair(rows, many, answered, source)
        found[:, ::10] = (np.arange(many) < answered)[:, None]
        return found

    monkeypatch.setattr(columns, "choices", unfair)
    assert not any(uniform(counts, 20_000, 6) for counts in of_two_tables(20_000))


def test_blanks_and_rows_are_the_same_for_the_same_words_whatever_the_cells_are() -> None:
    places = []
    for data in (b"a,b,c\n" + b"1,2,3\n" * 300, b"a,b,c\n" + b"x,,9\n" * 300):
        plans = tuple(ColumnPlan(place, (0, 9), 1) for place in range(3))
        made = released(*plans, data=read(data), plan={"answered": 2})
        places.append(np.isnan([column.values for column in made.columns]))
    assert (places[0] == places[1]).all()
    assert (places[0].sum(axis=0) == 1).all()


def test_choices_of_many_rows_are_drawn_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "_BATCH", 7)
    found = columns.choices(100, 5, 3, SystemSource())
    assert (found.sum(axis=0) == 3).all()
    assert columns.choices(3, 2, None, SystemSource()).all()
