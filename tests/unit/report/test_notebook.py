"""Notebooks that repeat a release: they run from the top, check first, draw in one cell that stands
apart, and no text of a user is more than a literal in code.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compdp_core.accounting.ledger_file import LedgerFile
from compdp_core.randomness import SeededSource
from compdp_core.release.statistic import answer
from compdp_core.report import notebook_of_answer, notebook_of_table
from compdp_core.statistics import Condition, Grouping, Neighbours
from compdp_core.statistics.query import Query
from compdp_core.tables import Affix, read
from tests.unit.release import made
from tests.unit.report import kinds
from tests.unit.report.examples import INQUIRIES, PLANS, SURVEY, asked, drawn_table
from tests.unit.report.notebooks import again, code_of, opened, prose_of, run, strings_of
from tests.unit.report.test_script import PAYLOADS, shape_of, table_named


def cell_with(book: Any, words: str) -> int:
    """The place of the one cell of code that holds these words."""
    (place,) = (
        place
        for place, cell in enumerate(book.cells)
        if cell.cell_type == "code" and words in cell.source
    )
    return int(place)


def charging(text: str) -> str:
    """The notebook with a ledger named."""
    named = text.replace('LEDGER = \\"\\"', 'LEDGER = \\"ledger.json\\"')
    assert named != text
    return named


@pytest.mark.parametrize("name", [*PLANS, *INQUIRIES, "kinds"])
def test_every_notebook_is_valid_was_never_run_and_holds_no_value(name: str) -> None:
    if name in INQUIRIES:
        given = asked(name).given
        text = notebook_of_answer(*given)
        assert text == notebook_of_answer(*given)
    else:
        release = kinds.drawn() if name == "kinds" else drawn_table(name)
        text = notebook_of_table(release)
        assert text == notebook_of_table(release)
    book = opened(text)
    assert "second\nspend" in prose_of(book)
    assert cell_with(book, "opened(INPUT)") < cell_with(book, "Path(OUTPUT).write_")
    apart = book.cells[cell_with(book, "Path(OUTPUT).write_") - 1]
    assert "Each run of the next cell is a release of its own" in apart.source
    assert "CompdpError" not in code_of(book)


def test_it_runs_from_the_top_and_not_over_what_is_there(tmp_path: Path) -> None:
    """Kinds of every sort, a column left out, and the drawing cell run once more."""
    (tmp_path / "input.csv").write_bytes(kinds.DATA)
    drawn, ledger = kinds.drawn(), LedgerFile.new(tmp_path / "ledger.json")
    book = opened(charging(notebook_of_table(drawn, omit=(5,))))
    again(book, cell_with(book, "Path(OUTPUT).write_"))
    said, stopped = run(book, tmp_path)
    assert "Design and certificate are those on the privacy card." in said
    assert f"epsilon = {drawn.epsilon} was spent once more" in said
    # The second run of the cell that draws is refused, and the file is that of the first.
    assert stopped == (
        "RuntimeError: The output exists already: name another file. Nothing was drawn."
    )
    # Charged once, and marked as out.
    assert [spend.unfinished for spend in ledger.ledger.entries] == [False] * 4
    assert ledger.ledger.total_by_dataset(kinds.table().fingerprint) == drawn.epsilon
    names = [column.label for column in read((tmp_path / "released.csv").read_bytes()).columns]
    assert names == ["name", "smokes", "mood", "visit", "kids"]
    (identifier,) = {line.split()[1][:32] for line in said.splitlines() if "was spent" in line}
    assert identifier != drawn.identifier
    assert identifier in (tmp_path / "card.html").read_text(encoding="utf-8")


def test_answers_by_group_are_drawn_anew_with_a_card(tmp_path: Path) -> None:
    shutil.copy(SURVEY, tmp_path / "input.csv")
    told, ledger = asked("groups"), LedgerFile.new(tmp_path / "ledger.json", limit=2)
    book = opened(charging(notebook_of_answer(*told.given)))
    # Another output lets the cell that draws run on, and then the limit does not.
    again(book, cell_with(book, "Path(OUTPUT).write_"))
    book.cells[-1]["source"] = f'OUTPUT = "second.json"\n{book.cells[-1].source}'
    said, stopped = run(book, tmp_path)
    assert stopped.startswith("BudgetExceededError: epsilon")
    assert not (tmp_path / "second.json").exists()
    assert [spend.unfinished for spend in ledger.ledger.entries] == [False] * 3
    answers = json.loads((tmp_path / "answer.json").read_text(encoding="utf-8"))
    assert [each["group"] for each in answers] == ["7a", "7b", "7c"]
    assert [each["question"] for each in answers] == [each.plan.text for each in told.each]
    assert [Fraction(each["epsilon"]) for each in answers] == [e.epsilon for e in told.each]
    for each, first in zip(answers, told.each, strict=True):
        low, high = first.mechanism.outputs
        assert low <= each["answer"] <= high
        assert str(each["answer"]) in said
    assert "7a" in (tmp_path / "card.html").read_text(encoding="utf-8")


def test_another_design_stops_before_anything_is_drawn(tmp_path: Path) -> None:
    shutil.copy(SURVEY, tmp_path / "input.csv")
    text = notebook_of_table(drawn_table("one column"))
    changed = text.replace("upper=220.0", "upper=219.0")
    assert changed != text
    said, stopped = run(opened(changed), tmp_path)
    assert "inputs_upper: 220.0 on the card, 219.0 here" in stopped
    assert said == ""
    assert not (tmp_path / "released.csv").exists()


def test_rows_left_out_are_named_by_hand_where_their_number_is_protected() -> None:
    totalled = b"id,score\n1,5\n2,6\n3,7\nTotal,18\n"
    asked_so = Query("count", 0, None, Neighbours.ADD_OR_REMOVE_ONE, 10)
    drawn = answer(asked_so.ask(read(totalled).without([3])), 50, source=SeededSource(1))
    text = notebook_of_answer(drawn, asked_so, read(totalled).without([3]))
    assert text == notebook_of_answer(drawn, asked_so, read(totalled))
    assert "ROWS_LEFT_OUT: list[int] = []" in code_of(opened(text))
    assert "sys.argv" not in text


# No text of a user is code, HTML or a formula

SHOWN = [
    *PAYLOADS,
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "</script>",
    "$\\href{javascript:alert(1)}{x}$ $$\\frac{1}{0}$$",
    "# Title\n\n[link](javascript:alert(1)) ![x](http://example.org/x.png)",
    "```\n%%bash\necho 1",
    "%run x",
    "!ls",
    "get_ipython().system('ls')",
    "attachment:x `code` *bold* | a | b |",
]


def of_a_table(words: str) -> str:
    affix = Affix(prefix=words)
    drawn = made.released(made.plan_of(), data=table_named(words))
    column = drawn.columns[0]
    stripped = dataclasses.replace(column, plan=dataclasses.replace(column.plan, strip=affix))
    drawn = dataclasses.replace(drawn, columns=(stripped,), identifier="0" * 32, when=WHEN)
    return notebook_of_table(drawn)


def of_an_answer(words: str) -> str:
    inquiry = Query(
        "count", 0,
        where=Condition(f"{words} 2", "!=", words),
        grouping=Grouping(words, (words, f"{words} 3"), "leave out"),
        unit=words,
    )  # fmt: skip
    table = table_named(words)
    answers = {
        name: dataclasses.replace(
            answer(question, 1, source=SeededSource(1)), identifier="0" * 32, when=WHEN
        )
        for name, question in inquiry.ask_each(table).items()
    }
    return notebook_of_answer(answers, inquiry, table)


WHEN = drawn_table("one column").when
MADE = (of_a_table, of_an_answer)
TAME = {each: opened(each("tame")) for each in MADE}


def check_words(words: str) -> None:
    for each in MADE:
        book = opened(each(words))
        # Nothing of the words stands where markdown is read: prose is the same for all words.
        assert prose_of(book) == prose_of(TAME[each])
        assert shape_of(code_of(book)) == shape_of(code_of(TAME[each]))
        assert words in strings_of(book)
        for cell in book.cells:
            # No line of a cell of code is a command of the notebook.
            assert not cell.source.lstrip().startswith(("%", "!", "?"))
            assert cell.cell_type == "markdown" or "\n%" not in cell.source


@pytest.mark.parametrize("words", SHOWN, ids=ascii)
def test_words_of_a_user_stay_words(words: str) -> None:
    check_words(words)


@given(st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=40))
@settings(max_examples=8)
def test_any_words_stay_words(words: str) -> None:
    check_words("x" + words)


def test_a_notebook_that_told_a_label_in_prose_would_be_seen() -> None:
    """The broken twin: the label behind the number of its column, as one is tempted to write it."""
    words = SHOWN[-8]
    book = opened(of_a_table("tame"))
    told = [cell for cell in book.cells if cell.source.startswith("## What is released")]
    told[0]["source"] = told[0].source.replace("- Column 1", f"- Column 1 {words}")
    assert prose_of(book) != prose_of(TAME[of_a_table])
