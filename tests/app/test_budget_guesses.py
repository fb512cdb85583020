"""A crafted ledger that the owner opens tells its author of no guess, by the pages as they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1.element_tree import Block

from compdp_core.accounting import Ledger
from compdp_core.tables import read
from pages.sections.budget import keeping
from tests.app.driving import Driven
from tests.app.test_budget import PAGE, saved
from tests.app.test_privatize import CHOICE
from tests.app.test_privatize import PAGE as PRIVATIZE
from tests.unit.accounting.test_ledger_guesses import (
    GUESSES,
    RIGHT,
    WRONG,
    file,
    labelled,
    of,
    renaming,
    shape,
    unkeyed,
)

MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*(\+00:00)?")


def released(app: Driven, cell: int) -> Driven:
    app.go(PRIVATIZE).upload("t.csv", file(cell)).choose(CHOICE, [1]).bounds(2, "0", "1000")
    return app.press("Release").awaited()


def outside(block: Block) -> list[str]:
    """What stands on the page outside of what is marked private, as it is sent."""
    said = []
    for child in block.children.values():
        if isinstance(child, Block):
            if "private-" not in str(getattr(child.proto, "id", "")):
                said += outside(child)
        elif child.type != "file_uploader":
            said.append(str(getattr(child, "value", "")))
    return said


def handed_on(cell: int, attack: str, opened_first: bool) -> tuple[str, Driven]:
    """All that the Budget page gives to hand on, and what it says outside private panels."""
    offered: dict[str, Callable[[], Any]] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keeping, "download", lambda label, make, _: offered.update({label: make}))
        app = Driven(PAGE)
        if opened_first:
            app = released(saved(app, attack.encode()), cell).go(PAGE)
        else:
            app = saved(released(app, cell).go(PAGE), attack.encode())
        made = [offered[label]() for label in ("JSON to hand on", "Ledger as CSV")]
    texts = [each if isinstance(each, str) else each.decode("utf-8-sig") for each in made]
    return shape(MOMENT.sub("moment", "\n".join([*texts, *outside(app.at.main)]))), app


def test_persons_of_the_table_at_hand_are_the_same_in_ledgers_of_all_sessions() -> None:
    """Else what each session released for them would count twice for the other's."""
    table = read(file(RIGHT))
    one, two = (Ledger().charge(*of(table, name, "1")) for name in ("first", "second"))
    app = saved(Driven(PAGE), one.to_json().encode())
    app = saved(app.go(PRIVATIZE).upload("t.csv", file(RIGHT)).go(PAGE), two.to_json().encode())
    assert app.kept["ledger"].total_by_dataset(table.fingerprint) == 4


@pytest.mark.parametrize("opened_first", [True, False])
@pytest.mark.parametrize("attack", [labelled, unkeyed])
def test_no_guess_is_right_in_what_the_pages_hand_on(
    attack: Callable[[], str], opened_first: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    right, app = handed_on(RIGHT, attack(), opened_first)
    wrong, _ = handed_on(WRONG, attack(), opened_first)
    assert right == wrong
    assert "guess 71 all" in right
    assert "Save to hand on" in right
    # The page itself counts the right guess for the table: the owner's budget is not less for it.
    book: Ledger = app.kept["ledger"]
    assert len(book.datasets) == len(GUESSES)
    assert any(each.what == "guess 71 all" for each in book.known)
    spent = book.total_by_dataset(read(file(RIGHT)).fingerprint)
    counted = [s for s in book.entries if "guess 71 " in s.what or "guess" not in s.what]
    assert spent == sum(each.epsilon for each in counted)

    monkeypatch.setattr(Ledger, "recognise", renaming)
    twins = [handed_on(cell, attack(), opened_first)[0] for cell in (RIGHT, WRONG)]
    assert twins[0] != twins[1]
