"""Scripts that repeat a release: they run, they check first, and no text of a user is code."""

from __future__ import annotations

import ast
import contextlib
import csv
import dataclasses
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compdp_core.intervals import Interval
from compdp_core.randomness import SeededSource
from compdp_core.release import ColumnPlan, TableRelease
from compdp_core.release.statistic import answer
from compdp_core.report import differences, facts, script_of_answer, script_of_table
from compdp_core.statistics import Condition, Grouping, Neighbours
from compdp_core.statistics.query import Query
from compdp_core.tables import DEFAULT_MISSING, Affix, Table, read
from tests.unit.release import made
from tests.unit.report.examples import HEIGHT, PLANS, ROOT, SURVEY, asked, drawn_table

SAMPLES = {
    "school_health_survey.csv": ("height (cm)", (100, 220)),
    "clinic_vitals.csv": ("temperature (°C)", (34, 42)),
    "running_watch.csv": ("distance (km)", (0, 45)),
}


def run(
    script: str, folder: Path, source: Path, target: str = "out", *more: str
) -> tuple[int, str, Path]:
    """Run a script's main part: code, what it said, what it wrote."""
    written, said = folder / target, io.StringIO()
    arguments = ["again.py", str(source), str(written), *more]
    with patch.object(sys, "argv", arguments), contextlib.redirect_stdout(said):
        try:
            exec(compile(script, "again.py", "exec"), {"__name__": "__main__"})  # noqa: S102
        except SystemExit as stopped:
            return 1, f"{said.getvalue()}{stopped.code}", written
    return 0, said.getvalue(), written


def run_as_program(script: str, folder: Path, *arguments: str) -> tuple[int, str]:
    """Run a script as somebody would who has the library: code and what it said."""
    path = folder / "again.py"
    path.write_text(script, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path), *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.returncode, done.stdout + done.stderr


def released(file: str) -> TableRelease:
    label, bounds = SAMPLES[file]
    missing = (*DEFAULT_MISSING, "not measured")
    table = read((ROOT / "assets" / file).read_bytes(), missing=missing)
    position = [column.label for column in table.columns].index(label)
    plan = ColumnPlan(position, Interval(*bounds), "1/3")
    return made.released(plan, data=table)


def columns_of(data: bytes, table: Table) -> list[list[str]]:
    text = data.decode("utf-8-sig")
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=table.format.separator)
    return [list(column) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("file", SAMPLES)
def test_it_repeats_a_release_of_a_sample(file: str, tmp_path: Path) -> None:
    drawn, written = released(file), tmp_path / "out"
    script, source = script_of_table(drawn), ROOT / "assets" / file
    code, said = run_as_program(script, tmp_path, str(source), str(written))
    assert code == 0, said
    assert "Design and certificate are those on the privacy card." in said
    assert "epsilon = 1/3 was spent once more" in said
    before, after = (columns_of(d, drawn.table) for d in (drawn.csv(), written.read_bytes()))
    position = drawn.columns[0].plan.position
    for place, (old, new) in enumerate(zip(before, after, strict=True)):
        # Everything but the privatised column is the same, and that is drawn anew.
        assert (old == new) == (place != position)
    again = read(written.read_bytes(), missing=drawn.table.format.missing).numbers(position).values
    low, high = drawn.columns[0].composite.outputs
    assert again.min() >= low
    assert again.max() <= high


@pytest.mark.parametrize("name", ["three columns", "own shapes"])
def test_it_repeats_every_kind_of_column(name: str, tmp_path: Path) -> None:
    drawn = drawn_table(name)
    code, said, written = run(script_of_table(drawn, excel=True), tmp_path, SURVEY)
    assert code == 0, said
    assert written.read_bytes().startswith(b"\xef\xbb\xbf")
    assert read(written.read_bytes()).row_count == drawn.row_count


@pytest.mark.parametrize("name", ["count with a condition", "mean of some", "groups"])
def test_it_repeats_a_statistic(name: str, tmp_path: Path) -> None:
    told = asked(name)
    code, said, written = run(script_of_answer(*told.given), tmp_path, SURVEY)
    assert code == 0, said
    answers = json.loads(written.read_text(encoding="utf-8"))
    assert [each["question"] for each in answers] == [each.plan.text for each in told.each]
    assert [Fraction(each["epsilon"]) for each in answers] == [e.epsilon for e in told.each]
    assert [each["identifier"] for each in answers] != [each.identifier for each in told.each]
    for each, first in zip(answers, told.each, strict=True):
        low, high = first.mechanism.outputs
        assert low <= each["answer"] <= high
        assert each["interval"][0] <= each["interval"][1]


TOTALLED = b"id,score\n1,5\n2,6\n3,7\nTotal,18\n"


def test_rows_left_out_are_an_argument_where_their_number_is_protected(tmp_path: Path) -> None:
    source, table = tmp_path / "source.csv", read(TOTALLED).without([3])
    source.write_bytes(TOTALLED)
    asked_so = Query("count", 0, None, Neighbours.ADD_OR_REMOVE_ONE, 10)
    drawn = answer(asked_so.ask(table), 50, source=SeededSource(1))
    script = script_of_answer(drawn, asked_so, table)
    assert script == script_of_answer(drawn, asked_so, read(TOTALLED))
    for left_out, rows in (("", 4), ("--leave-out 4", 3), ("--leave-out 2 4", 2)):
        code, said, written = run(script, tmp_path, source, f"out {rows}", *left_out.split())
        assert code == 0, said
        # Off by even one has odds of e^-50 or so.
        assert json.loads(written.read_text(encoding="utf-8"))[0]["answer"] == rows
    for wrong in ("4", "--leave-out x", "--leave-out 0", "--leave 4"):
        code, said, written = run(script, tmp_path, source, "none", *wrong.split())
        assert code == 1
        assert "--leave-out 61 62" in said
        assert not written.exists()


def test_rows_left_out_stay_in_the_script_where_their_number_is_public(tmp_path: Path) -> None:
    source, table = tmp_path / "source.csv", read(TOTALLED).without([3])
    source.write_bytes(TOTALLED)
    asked_so = Query("sum", 1, Interval(0, 10))
    script = script_of_answer(answer(asked_so.ask(table), 50), asked_so, table)
    assert "LEFT_OUT = [3]" in script
    code, said, written = run(script, tmp_path, source)
    assert code == 0, said
    assert json.loads(written.read_text(encoding="utf-8"))[0]["answer"] == pytest.approx(18, abs=5)


def refused(script: str, folder: Path, source: Path = SURVEY, target: str = "out") -> str:
    """What a script says that stops before anything is drawn."""
    code, said, written = run(script, folder, source, target)
    assert (code, written.exists()) == (1, source == written)
    return said.strip()


def test_another_design_is_refused_before_anything_is_drawn(tmp_path: Path) -> None:
    script = script_of_table(drawn_table("one column"))
    changed = script.replace("upper=220.0", "upper=219.0")
    assert changed != script
    said = refused(changed, tmp_path)
    assert "nothing was drawn" in said
    assert "certificate_upper" in said


def test_another_file_is_refused_before_anything_is_drawn(tmp_path: Path) -> None:
    script, other = script_of_table(drawn_table("one column")), tmp_path / "other.csv"
    other.write_bytes(SURVEY.read_bytes().replace(b"height (cm)", b"h\xc3\xb6he"))
    assert "not laid out like" in refused(script, tmp_path, other)
    gone = tmp_path / "gone.csv"
    expected = f"There is no file called {str(gone)!r}. Nothing was drawn."
    assert refused(script, tmp_path, gone) == expected


def test_what_is_there_is_not_written_over(tmp_path: Path) -> None:
    copy = tmp_path / "out"
    copy.write_bytes(SURVEY.read_bytes())
    script = script_of_table(drawn_table("one column"))
    assert "exists already" in refused(script, tmp_path, copy)
    assert copy.read_bytes() == SURVEY.read_bytes()


def test_without_files_it_says_what_it_does(tmp_path: Path) -> None:
    code, said = run_as_program(script_of_table(drawn_table("one column")), tmp_path)
    assert code == 1
    assert "NEW noise" in said
    assert "second spend of" in " ".join(said.split())


# No text of a user is code

PAYLOADS = [
    "'''; import os; os._exit(7) #",
    '"""\nimport os\nos._exit(7)\n"""',
    "\\",
    "a\\'); __import__('os')._exit(7)#",
    "line\nimport os; os._exit(7)",
    "line\rimport os",
    "para\u2029graph\u2028line\x0bvt\x0cff\x85nel",
    "$plan ${expected} $$ {epsilon} %s",
    "\u202e# evil \u2066\u2069",
    "名前 été \U0001f600",
    "\x1a\x00nul",
    "from_formula(Staircase(Affix(",
]


def shape_of(script: str) -> str:
    """The syntax tree of a script with every text taken out, imports as a set."""
    tree = ast.parse(script)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    tree.body = [n for n in tree.body if not isinstance(n, ast.ImportFrom)]
    return ast.dump(tree)


def texts_of(script: str) -> set[str]:
    return {
        node.value
        for node in ast.walk(ast.parse(script))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def table_named(words: str) -> Table:
    """A table whose labels are these words, whatever a reader would make of them."""
    table = read(b"a,b\n1,2\n3,4\n")
    columns = (
        dataclasses.replace(table.columns[0], label=words),
        dataclasses.replace(table.columns[1], label=f"{words} 2"),
    )
    form = dataclasses.replace(table.format, missing=(words,))
    return dataclasses.replace(table, columns=columns, format=form)


def script_named(words: str) -> str:
    """A script with the words as label, missing spelling and symbol."""
    affix = Affix(prefix=words)
    drawn = made.released(made.plan_of(), data=table_named(words))
    column = drawn.columns[0]
    stripped = dataclasses.replace(column, plan=dataclasses.replace(column.plan, strip=affix))
    return script_of_table(dataclasses.replace(drawn, columns=(stripped,), identifier="0" * 32))


def inquiry_named(words: str) -> str:
    """A script with the words as label, category, condition and unit."""
    inquiry = Query(
        "count", 0,
        where=Condition(f"{words} 2", "!=", words),
        grouping=Grouping(words, (words, f"{words} 3"), "leave out"),
        unit=words,
    )  # fmt: skip
    table = table_named(words)
    answers = {
        name: answer(question, 1, source=SeededSource(1))
        for name, question in inquiry.ask_each(table).items()
    }
    return script_of_answer(answers, inquiry, table)


@cache
def tame_shape(made: Callable[[str], str]) -> str:
    return shape_of(made("tame"))


def check_words(words: str) -> None:
    for named in (script_named, inquiry_named):
        script = named(words)
        assert script.isascii()
        assert "\r" not in script
        assert shape_of(script) == tame_shape(named)
        assert words in texts_of(script)


@pytest.mark.parametrize("words", PAYLOADS, ids=ascii)
def test_words_of_a_user_stay_words(words: str) -> None:
    check_words(words)


@given(st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=40))
@settings(max_examples=8)
def test_any_words_stay_words(words: str) -> None:
    check_words("x" + words)


def test_a_script_that_pasted_words_as_they_are_would_be_seen() -> None:
    """The broken twin: quotes around the words instead of a literal made for them."""
    words = PAYLOADS[0]
    pasted = script_named("tame").replace("'tame'", f"'{words}'")
    with pytest.raises((SyntaxError, AssertionError)):
        assert shape_of(pasted) == shape_of(script_named("tame"))


# What is compared


def test_facts_of_equal_mechanisms_are_equal_and_survive_the_script() -> None:
    for plan in PLANS.values():
        for column in plan.columns:
            once, again = facts(column.mechanism()), facts(column.mechanism())
            assert once == again == ast.literal_eval(ascii(once))
            assert differences(once, again) == []


@pytest.mark.parametrize(
    "change",
    [{"inputs": Interval(100, 220.0001)}, {"epsilon": Fraction(101, 100)}, {"pair": "A2B1"}],
    ids=str,
)
def test_facts_of_other_mechanisms_differ(change: dict[str, Any]) -> None:
    plan = PLANS["one column"].columns[0]
    other = dataclasses.replace(plan, **change)
    assert differences(facts(plan.mechanism()), facts(other.mechanism()))


def test_a_fact_that_is_missing_is_a_difference() -> None:
    assert differences({"k": 1}, {}) == ["k: 1 on the card, None here"]
    assert differences({}, {"new": 2}) == ["new: None on the card, 2 here"]


def test_what_was_asked_of_the_shape_is_asked_again(tmp_path: Path) -> None:
    table = read(SURVEY.read_bytes())
    inquiry = Query("mean", HEIGHT, Interval(100, 220))
    drawn = answer(inquiry.ask(table), 2, pair="A4B1", steps=4, source=SeededSource(1))
    script = script_of_answer(drawn, inquiry, table)
    assert "'steps': 4" in script
    code, said, _ = run(script, tmp_path, SURVEY)
    assert code == 0, said
