"""A release is charged and kept exactly once, whatever else is clicked meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

from compdp_core.accounting import Ledger, Spend
from compdp_core.release import release
from pages.sections.privatize import release as step
from tests.app.driving import Driven

TABLE = b"id,age\n" + b"".join(f"{i},{10 + i % 9}\n".encode() for i in range(80))


def table() -> Driven:
    app = Driven("pages/privatize.py").upload("t.csv", TABLE)
    return app.choose("Columns to privatize", [1]).bounds(2, "0", "20")


def statistic() -> Driven:
    return Driven("pages/statistic.py", column="2").upload("t.csv", TABLE).bounds(2, "0", "20")


PAGES = pytest.mark.parametrize(
    ("ready", "label"), [(table, "Release"), (statistic, "Release the answer")]
)


def button(app: Driven, label: str) -> str:
    """How the browser names the button when it is pressed."""
    (found,) = [each.proto.id for each in app.every("button") if each.label == label]
    return str(found)


@PAGES
def test_a_second_click_on_a_button_that_is_still_shown_releases_nothing(
    ready: Callable[[], Driven], label: str
) -> None:
    app = ready()
    taken = {button(app, label)}
    app.press(label).awaited()
    for _ in range(2):
        again = button(app, "Release once more")
        assert again not in taken
        taken.add(again)
        app.press("Release once more").awaited()
    assert len(app.kept["ledger"].entries) == 3


@PAGES
def test_a_click_elsewhere_at_the_moment_of_the_charge_loses_no_release(
    ready: Callable[[], Driven], label: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = ready()
    charge, interrupted = Ledger.charge, list[bool]()

    def interrupting(book: Ledger, *spends: Spend) -> Ledger:
        after = charge(book, *spends)
        if not interrupted:
            interrupted.append(True)
            context = get_script_run_ctx()
            assert context is not None
            assert context.script_requests is not None
            request = RerunData(page_script_hash=context.page_script_hash)
            context.script_requests.request_rerun(request)
        return after

    # What is only checked would meet it, too.
    monkeypatch.setattr(Ledger, "check", lambda *_: None)
    monkeypatch.setattr(Ledger, "charge", interrupting)
    app.press(label).awaited()
    assert interrupted
    assert any("Released at" in text for text in app.messages("success"))
    assert len(app.kept["ledger"].entries) == 1
    assert not app.at.error


def test_what_is_cancelled_after_its_last_draw_is_neither_charged_nor_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    go_on = threading.Event()

    def slow(*given: Any, **named: Any) -> Any:
        made = release(*given, **named)
        assert go_on.wait(30)
        return made

    monkeypatch.setattr(step, "release", slow)
    app = table().press("Release")
    app.kept[step.JOB].cancel()
    go_on.set()
    app.awaited()
    assert any("nothing was charged" in text for text in app.messages("error"))
    assert not app.messages("success")
    assert not app.kept["ledger"].entries
    assert "Release" in app.labels("button")
    app.go("pages/budget.py").go("pages/privatize.py")
    assert not app.messages("error")
