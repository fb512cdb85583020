"""The notebook of figures: it runs on the files of a release, and no text of theirs is prose."""

from __future__ import annotations

from pathlib import Path

import compdp_core as cdp
from compdp_core.estimates.summary.notebook import notebook_of_estimates
from tests.unit.estimates.stand_in import ASKED, NUMBER, TOWN, StandIn
from tests.unit.estimates.test_estimates_script import files
from tests.unit.report.notebooks import opened, prose_of, run, strings_of


def test_it_works_out_the_same_figures_and_spends_nothing(tmp_path: Path) -> None:
    table, card = files(tmp_path)
    estimates = cdp.Estimates(table, card)
    book = opened(estimates.notebook(ASKED))
    said, stopped = run(book, tmp_path)
    assert stopped == ""
    assert f"{NUMBER}\n" in said
    assert str(estimates.mean(NUMBER).value) in said
    figures = (tmp_path / "figures.csv").read_text("utf-8-sig")
    assert figures == estimates.summary(ASKED).csv()
    assert (tmp_path / "report.html").read_text("utf-8") == estimates.report_html(ASKED)
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == [
        "card.json", "figures.csv", "released.csv", "report.html",
    ]  # fmt: skip


def test_names_are_literals_and_nothing_else() -> None:
    book = opened(notebook_of_estimates(StandIn(), ASKED))
    assert book == opened(notebook_of_estimates(StandIn(), ASKED))
    assert {NUMBER, TOWN} <= strings_of(book)
    said = prose_of(book)
    assert "no privacy is\nspent" in said
    assert not any(mark in said for mark in ("<", "$", "DROP", "height"))
    # One cell for each column, and for each further subject.
    assert sum(cell.source.startswith("print(") for cell in book.cells) == 3 + 1
