"""The printed numbers, as the library holds them, against a second transcription."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from compdp_core.experiments.paper.printed import (
    BIAS_PERCENT,
    DATASETS,
    FALLS,
    H1,
    H2,
    LOSS_ENDS,
    VARIANCE,
    Printed,
)
from compdp_core.shapes import PAIR_NAMES

TYPED = json.loads((Path(__file__).parent / "printed.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "cells"),
    [("h1", H1), ("h2", H2), ("variance", VARIANCE), ("bias_percent", BIAS_PERCENT)],
)
def test_two_transcriptions_of_each_table_agree(name: str, cells: tuple[Printed, ...]) -> None:
    table = TYPED[name]
    assert len(cells) == 30
    for cell in cells:
        assert cell.value == table[cell.pair][table["epsilon"].index(cell.epsilon)], cell
    assert {(cell.pair, cell.epsilon) for cell in cells} == {
        (pair, epsilon) for pair in PAIR_NAMES for epsilon in table["epsilon"]
    }


def test_two_transcriptions_of_the_accuracy_losses_agree() -> None:
    table = TYPED["count_accuracy_loss_upper_end_at_eps_0.2"]
    for end in LOSS_ENDS:
        assert end.value == table[end.pair][f"n={DATASETS[end.quantity]}"]
    assert len(LOSS_ENDS) == sum(len(row) for row in table.values())


def test_a_printed_number_is_known_to_half_its_last_digit() -> None:
    cell = H1[0]
    assert (cell.value, cell.digit) == (9.382, 0.001)
    assert cell.rounds_to(9.3825)
    assert not cell.rounds_to(9.3826)
    assert not cell.rounds_to(9.3814)
    ends: list[Any] = [*FALLS, *LOSS_ENDS]
    for each in ends:
        # Every value is a whole number of its last digits.
        assert each.value / each.digit == pytest.approx(round(each.value / each.digit), abs=1e-6)
