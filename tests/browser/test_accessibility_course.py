"""The course, the lab of functions and the paper: nobody barred, nothing cut or too faint."""

from __future__ import annotations

import pytest

from tests.browser.driver import AppPage
from tests.browser.journeys import COURSE, walk


@pytest.mark.parametrize("name", COURSE)
def test_nobody_is_barred_and_nothing_is_cut_or_faint(name: str, app: AppPage) -> None:
    found = walk(app, COURSE[name])
    assert not found, "\n".join(found)
