"""The course as a notebook: the page's own text, and an experiment for each step that runs."""

from __future__ import annotations

import re
from pathlib import Path

from pages.sections.learn.notebook import EXPERIMENTS, course
from pages.sections.learn.settings import LESSONS
from tests.unit.report.notebooks import opened, prose_of, run


def test_each_step_has_its_text_and_an_experiment() -> None:
    book = opened(course())
    assert course() == course()
    assert set(EXPERIMENTS) == {lesson.key for lesson in LESSONS}
    steps = book.cells[2:]
    for lesson, said, tried in zip(LESSONS, steps[::2], steps[1::2], strict=True):
        assert lesson.text.strip() in said.source
        assert said.source.startswith(f"## {LESSONS.index(lesson) + 1} · {lesson.title}")
        assert tried.cell_type == "code"
        # What may be changed is named at the top.
        assert re.match(r"[A-Z_, ]+ = ", tried.source)
        # Nothing is drawn by a fixed seed but in a simulation.
        assert "SeededSource" not in tried.source
    assert not re.search(r"[<$]", prose_of(book))


def test_it_runs_from_the_top_and_every_experiment_tells_something(tmp_path: Path) -> None:
    book = opened(course())
    said, stopped = run(book, tmp_path)
    assert stopped == ""
    for cell in book.cells[3::2]:
        assert {out.name for out in cell.outputs} == {"stdout"}, cell.source
    ratio = re.search(r"One over the other: ([\d.]+), never above ([\d.]+)", said)
    assert ratio is not None
    assert 1.0 < float(ratio[1]) <= float(ratio[2]) + 1e-4
    assert "does not fit into the budget" in said
    assert "one row's values replaced" in said
    assert list(tmp_path.glob("*.*")) == []
