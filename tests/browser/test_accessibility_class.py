"""Class, room and lesson plan: nobody barred, nothing cut or too faint."""

from __future__ import annotations

import pytest

from tests.browser.driver import AppPage
from tests.browser.journeys import CLASS, walk


@pytest.mark.parametrize("name", CLASS)
def test_nobody_is_barred_and_nothing_is_cut_or_faint(name: str, app: AppPage) -> None:
    found = walk(app, CLASS[name])
    assert not found, "\n".join(found)
