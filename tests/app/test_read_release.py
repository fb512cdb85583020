"""Read a release, without a browser."""

from __future__ import annotations

import pytest

from compdp_core.report import card_of_table
from tests.app.driving import Driven

PAGE, PRIVATIZE = "pages/read_release.py", "pages/privatize.py"
EXAMPLE = "Try it on an example"
TABLE = ("name,age (years)\n" + "".join(f"p{i},{10 + i % 9}\n" for i in range(60))).encode()


def released() -> Driven:
    """A session that has released a column."""
    app = Driven(PRIVATIZE).upload("t.csv", TABLE).choose("Columns to privatize", [1])
    return app.bounds(2, "0", "20").press("Release").awaited()


def handed_in(app: Driven, *, file: bytes | None = None, card: bytes | None = None) -> Driven:
    """Hand in a file, a card, or both."""
    for place, (name, data) in enumerate((("f.csv", file), ("f_card.json", card))):
        if data is not None:
            app.every("file_uploader")[place].set_value((name, data, "text/plain"))
    return app.run()


def test_an_example_is_there_for_whoever_has_no_file_and_says_that_it_is_none() -> None:
    app = Driven(PAGE).press(EXAMPLE)
    assert "An example, not a release" in app.said("info")
    assert "600 rows" in app.said()
    assert "lie on the card's lattice" in app.said("success")
    assert "95 of 100 intervals made so are right" in app.said()
    # The same for everyone, and no release: nothing was spent.
    figures = app.every("dataframe")[0].value
    assert figures.equals(Driven(PAGE).press(EXAMPLE).every("dataframe")[0].value)
    assert "ledger" not in app.kept or not app.kept["ledger"].entries


def test_the_last_release_is_read_as_its_receiver_would() -> None:
    app = released().press("Read this release").go(PAGE)
    assert "60 rows" in app.said()
    assert "t_privatized.csv" in app.said()
    # The table at hand on Privatize stays, and so does this one.
    app.go(PRIVATIZE)
    assert "t.csv" in app.said()
    assert "t_privatized.csv" in app.go(PAGE).said()


def test_file_and_card_are_handed_in_one_after_the_other() -> None:
    (made,) = released().releases
    app = handed_in(Driven(PAGE), file=made.csv())
    assert "Now the card that belongs to it" in app.said("info")
    app = handed_in(app, card=card_of_table(made).to_json().encode())
    assert "60 rows" in app.said()


@pytest.mark.parametrize(
    ("file", "card", "said"),
    [
        (b"a\n1\n", b"<html>", "take the file whose name ends in _card.json"),
        (b"a\n1\n", None, "no column here is named"),
        (b"", None, "empty"),
    ],
    ids=["no card", "another file", "no file"],
)
def test_what_does_not_fit_is_refused_with_the_way_out(
    file: bytes, card: bytes | None, said: str
) -> None:
    if card is None:
        card = card_of_table(released().releases[0]).to_json().encode()
    app = handed_in(Driven(PAGE), file=file, card=card)
    assert said in app.said("error")
    # Both can be handed in again.
    assert len(app.every("file_uploader")) == 2
    assert EXAMPLE in app.press("Start again").labels("button")
