"""Settings for all tests: how many cases Hypothesis draws, and what counts as a test.

``HYPOTHESIS_PROFILE=thorough python -m pytest`` draws twenty times as many cases.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Times on a shared machine say nothing about the code: no deadlines. In CI the cases are the
# same at every run, so that a red run means a change of the code.
settings.register_profile("default", max_examples=50, deadline=None)
settings.register_profile(
    "ci", max_examples=50, deadline=None, derandomize=True, print_blob=True, database=None
)
settings.register_profile(
    "thorough",
    max_examples=1000,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)

IN_CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}

settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if IN_CI else "default"))

TESTS = Path(__file__).parent


def pytest_xdist_auto_num_workers() -> int:
    """One more than two cores have: a browser test waits now and then."""
    return max(3, os.cpu_count() or 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files of browser tests come first: they take longest and must not wait for the rest."""
    items.sort(key=lambda item: not item.path.is_relative_to(TESTS / "browser"))


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Doctests are collected from the library; scripts beside the tests are not even imported."""
    script = (
        collection_path.suffix == ".py"
        and collection_path.is_relative_to(TESTS)
        and not collection_path.name.startswith("test_")
    )
    return True if script else None
