"""A clock of its own for each test, and rooms by it."""

from __future__ import annotations

import pytest

from pages.rooms.registry import Rooms
from pages.rooms.tries import Tries
from tests.app.rooms.making import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def rooms(clock: Clock) -> Rooms:
    return Rooms(clock, Tries(clock=clock))
