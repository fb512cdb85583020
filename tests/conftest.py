"""Settings for all tests: how many cases Hypothesis draws, and what counts as a test.

``HYPOTHESIS_PROFILE=thorough python -m pytest`` draws twenty times as many cases.
"""

from __future__ import annotations

import os
from itertools import chain, groupby
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
    """Three more than there are cores: about half of the files that run drive a browser, and those
    wait more than they work.
    """
    return 3 + (os.cpu_count() or 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files of browser tests are spread over the first two thirds, the longest first: where they
    all run at once the machine has more to do than it can, and where none runs it waits for none.
    """
    files = [list(tests) for _, tests in groupby(items, key=lambda item: item.path)]
    browser = [tests for tests in files if tests[0].path.is_relative_to(TESTS / "browser")]
    browser.sort(key=len, reverse=True)
    others = [tests for tests in files if tests not in browser]
    others.sort(key=lambda tests: not tests[0].path.is_relative_to(TESTS))
    between = max(1, 2 * len(others) // (3 * max(1, len(browser))))
    spread = chain.from_iterable(
        [tests, *others[at * between : (at + 1) * between]] for at, tests in enumerate(browser)
    )
    items[:] = chain.from_iterable([*spread, *others[len(browser) * between :]])


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Doctests are collected from the library; scripts beside the tests are not even imported."""
    script = (
        collection_path.suffix == ".py"
        and collection_path.is_relative_to(TESTS)
        and not collection_path.name.startswith("test_")
    )
    return True if script else None
