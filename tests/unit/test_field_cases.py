"""Faults that people reported of like tools, tried on the library: speed and broken randomness."""

from __future__ import annotations

import time

import numpy as np
import pytest

from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.shapes import PAIR_NAMES
from tests.unit.mechanisms.lattice.enumeration import Stuck

ROWS = 200_000


@pytest.mark.parametrize("pair", [*PAIR_NAMES, "A4B1"])
@pytest.mark.parametrize("epsilon", [0.1, 5])
def test_two_hundred_thousand_rows_take_less_than_two_seconds(pair: str, epsilon: float) -> None:
    """Processor time: about 0.05 s. A Python call for each value takes more than ten times that."""
    mechanism = CompositeMechanism(epsilon, (0, 100), pair=pair)
    values = np.linspace(0, 100, ROWS)
    clock = time.process_time()
    released = mechanism.release(values)
    assert time.process_time() - clock < 2
    low, high = mechanism.outputs
    assert low <= released.min() <= released.max() <= high


@pytest.mark.parametrize("pair", [*PAIR_NAMES, "A4B1"])
def test_the_first_random_number_gives_a_finite_output_within_bounds(pair: str) -> None:
    mechanism = CompositeMechanism(1, (0, 1), pair=pair)
    values = np.array([0.0, 0.5, 1.0])
    drawn = mechanism.draw(values, Stuck(0))
    low, high = mechanism.outputs
    assert np.isfinite(drawn).all()
    assert ((low <= drawn) & (drawn <= high)).all()


@pytest.mark.parametrize("pair", [*PAIR_NAMES, "A4B1"])
def test_the_last_random_number_never_ends_in_an_endless_loop(pair: str) -> None:
    """It lies above every weight, is drawn again, and a source that knows no other is noticed."""
    mechanism = CompositeMechanism(1, (0, 1), pair=pair)
    with pytest.raises(RuntimeError, match="repeating itself"):
        mechanism.draw(np.array([0.5]), Stuck(2**64 - 1))
