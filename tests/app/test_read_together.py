"""Columns together, groups, files and truth on the page that reads a release.

The noise is of a fixed seed. At another one a verdict on its size has a false alarm at less than
10⁻⁹: bounds lie more than 6.1 standard errors off.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest

from compdp_core.estimates.received.table import received
from compdp_core.randomness import SeededSource
from compdp_core.release import ColumnPlan, Plan, TableRelease, release
from compdp_core.report import card_of_table
from compdp_core.tables import Table, read
from compdp_core.tables.categories import Categories
from pages.sections.read_release.subjects import _subjects as subjects
from pages.sections.shared.kept_release import KeptRelease
from pages.session import downloads
from pages.text.wording import WHO_SEES
from tests.app.driving import Driven
from tests.app.test_noninterference_page import public_words

PAGE = "pages/read_release.py"
SWITCH = "Lay the true values beside the estimates"
ROWS = 600
SCORE, TOWN, AGE, ANSWER = range(4)


def table(shift: int = 0) -> Table:
    """A score that rises with an untouched age; ``shift`` changes private cells alone."""
    rows = np.arange(ROWS)
    frame = pd.DataFrame(
        {
            "score": (20 + rows % 40 + (rows * 7) % 30 + 11 * shift) % 100,
            "*town*": np.where(rows % 3 == 0, "Ulm <b>", "Bonn"),
            "age": 20 + rows % 40,
            "answer": np.where((rows + shift) % 4 == 0, "yes", "no"),
        }
    )
    return read(frame.to_csv(index=False).encode(), name="t")


@cache
def drawn() -> TableRelease:
    plans = (
        ColumnPlan(SCORE, (0, 100), 12, kind="whole"),
        ColumnPlan(ANSWER, epsilon=4, kind="category", categories=Categories.of(["yes", "no"])),
    )
    return release(table(), Plan(plans), source=SeededSource(3))


def reading(shift: int = 0, *, own: bool = True) -> Driven:
    """A session that reads the release of a table of which it holds this one as the true one."""
    app = Driven(PAGE)
    kept = KeptRelease(replace(drawn(), table=table(shift)), {}, (), 1)
    app.kept["release.t"] = kept
    app.run().press("Read the last release").awaited()
    if not own:
        del app.kept["release.t"]
        app.kept.pop("received.open")
        app.run()
    return app


def frames(app: Driven) -> list[pd.DataFrame]:
    return [each.value for each in app.every("dataframe")]


def asked(app: Driven) -> Driven:
    app.pick("Ask", "regression").select("Outcome", (SCORE, None))
    app.choose("From these columns", [(AGE, None), (TOWN, 0)])
    return app.select("Mean of", (SCORE, None)).select("In each group of", TOWN)


def contents(app: Driven) -> dict[str, str]:
    """What the buttons would download, by their names."""
    made: dict[str, Callable[[], str | bytes]] = {}

    def held(content: Callable[[], str | bytes], name: str, *_: Any) -> bytes:
        made[name] = content
        return b""

    with patch.object(downloads, "_held", held):
        app.run()
    texts = {name: content() for name, content in made.items() if "_figures." in name}
    return {n: t.decode("utf-8-sig") if isinstance(t, bytes) else t for n, t in texts.items()}


def test_a_correlation_is_told_beside_the_naive_one() -> None:
    app = reading().select("One column", (SCORE, None)).select("Another column", (AGE, None))
    assert "The correlation of score with age in the population" in app.said("markdown")
    (found,) = (each for each in frames(app) if "correlation with age" in each.figure.tolist())
    estimate, naive = float(found.estimate[0]), float(found["naive reading"][0])
    assert 1.0 >= estimate > naive > 0.0


def test_what_cannot_be_told_is_a_sentence() -> None:
    app = reading().pick("Ask", "regression").select("Outcome", (SCORE, None))
    app.choose("From these columns", [(ANSWER, 0), (ANSWER, 1)])
    assert "must be another column than the others" in app.said("info")


def test_no_column_is_laid_beside_itself() -> None:
    found = subjects(received(drawn().csv(), card_of_table(drawn()).to_json()))
    places = set(found.titles)
    assert set(found.beside((SCORE, None))) == places - {(SCORE, None)}
    # Answers of one column with noise are drawn together, those of another one are what they are.
    assert set(found.beside((ANSWER, 0))) == places - {(ANSWER, 0), (ANSWER, 1)}
    assert set(found.beside((TOWN, 0))) == places - {(TOWN, 0)}
    assert set(found.beside(None)) == places
    app = Driven(PAGE, first="1", second="1")
    app.kept["release.t"] = KeptRelease(drawn(), {}, (), 1)
    app.run().press("Read the last release").awaited()
    assert "Choose two columns, to go on." in app.said("info")


def test_a_regression_has_a_line_for_each_column_and_each_answer() -> None:
    app = asked(reading())
    (found,) = (each for each in frames(app) if "intercept" in each.figure.tolist())
    assert found.figure.tolist() == [
        "intercept",
        "slope for age",
        "difference where *town* is Bonn",
    ]
    said = app.said("markdown")
    assert "Where age is 1 more and all else is alike, in the population" in said
    assert "Where *town* is Bonn and all else is alike" in said


def test_groups_are_a_chart_and_differences_to_one_of_them() -> None:
    app = asked(reading())
    dots = next(each for each in app.traces("group-means") if each["name"] == "estimated mean")
    assert len(dots["x"]) == 2
    layout = app.spec("group-means")["layout"]
    assert layout["yaxis"]["ticktext"] == ["Bonn", "Ulm &lt;b&gt;"]
    assert "Ulm <b>: " in app.chart("group-means").alt
    app.select("Compared with", 0)
    assert "*town* is Ulm <b>, less that where it is Bonn" in app.said("markdown")


def test_shares_of_an_answer_in_groups_are_told_in_percent() -> None:
    app = reading().select("Mean of", (ANSWER, 0)).select("In each group of", TOWN)
    assert app.spec("group-means")["layout"]["xaxis"]["title"]["text"].endswith("(%)")
    dots = next(each for each in app.traces("group-means") if each["name"] == "estimated mean")
    assert all(10 < each < 45 for each in dots["x"])


def test_released_answers_make_groups_too() -> None:
    app = reading().select("Mean of", (SCORE, None)).select("In each group of", ANSWER)
    names = [each["name"] for each in app.traces("group-means")]
    assert "naive reading" in names


def test_choices_travel_in_a_link_as_places_alone() -> None:
    app = Driven(PAGE, ask="regression", outcome="1", on="3,2.1", mean_of="1", by="2", against="1")
    app.kept["release.t"] = KeptRelease(drawn(), {}, (), 1)
    app.run().press("Read the last release").awaited()
    assert "Where age is 1 more" in app.said("markdown")
    assert "less that where it is Bonn" in app.said("markdown")
    wrong = Driven(PAGE, outcome="x", on="0", by="3.1", against="99")
    assert wrong.said("warning").count("is not used") == 4


def test_files_hold_the_figures_and_what_was_asked() -> None:
    app = asked(reading()).select("Compared with", 0)
    files = contents(app)
    kinds = ("html", "csv", "py", "ipynb")
    assert set(files) == {f"table_privatized_figures.{each}" for each in kinds}
    lines = list(csv.DictReader(io.StringIO(files["table_privatized_figures.csv"])))
    assert [each["figure"] for each in lines][-6:] == [
        "intercept",
        "slope for age",
        "difference where *town* is Bonn",
        "mean where *town* is Bonn",
        "mean where *town* is Ulm <b>",
        "mean where *town* is Ulm <b>, less that where it is Bonn",
    ]
    script = files["table_privatized_figures.py"]
    assert "estimates.regression('score', ['age', ('*town*', 'Bonn')])" in script
    assert "requests.means('score', by='*town*')" in script
    compile(script, "figures.py", "exec")
    assert "Ulm &lt;b&gt;" in files["table_privatized_figures.html"]


# What the owner may see


def test_true_values_lie_beside_the_estimates_only_when_asked_for() -> None:
    app = reading()
    assert not any("true value" in each for each in frames(app))
    assert WHO_SEES in app.said("caption")
    app.toggle(SWITCH)
    (found,) = (each for each in frames(app) if "true value" in each)
    true = table()
    scores = true.numbers(SCORE).values
    first = dict(zip(found.figure, found["true value"], strict=True))
    assert float(first["mean"]) == pytest.approx(scores.mean(), rel=1e-3)
    assert float(first["standard deviation"]) == pytest.approx(scores.std(ddof=1), rel=1e-3)
    assert first["share of yes"] == "25 %"
    # True values are those of the rows, and so are the intervals beside them.
    told = app.kept["received.asked.truth"][1]
    assert {each.estimate.about for each in told if each.estimate is not None} == {"rows"}
    assert set(found["in the interval"]) <= {"yes", "no", "–"}
    assert found["in the interval"].tolist().count("yes") > len(found) / 2


def test_whoever_only_received_the_file_has_no_such_step() -> None:
    app = reading(own=False)
    assert SWITCH not in app.labels("toggle")
    assert "Against the truth" not in str(app.every("header"))


def everything(shift: int, *, on: bool) -> Driven:
    app = asked(reading(shift)).select("Compared with", 0)
    return (app.toggle(SWITCH) if on else app).awaited()


@pytest.mark.parametrize("on", [False, True])
def test_nothing_but_the_private_panel_depends_on_true_values(on: bool) -> None:
    """With the switch off nothing of the page does at all; files and link never do."""
    one, two = (everything(shift, on=on) for shift in (0, 3))
    assert public_words(one) == public_words(two)
    assert len(public_words(one)) > 20
    assert contents(one) == contents(two)
    shown = [[each.to_csv() for each in frames(app)] for app in (one, two)]
    assert (shown[0] == shown[1]) is not on
