"""The Paper page without a browser: the run, its tables, a table of one's own, and stopping."""

from __future__ import annotations

import io
import zipfile
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from compdp_core.experiments import TABLES, BoundedColumn, Reproduction, reproduce
from pages.sections.paper.finished_run import FinishedRun, archive
from pages.sections.paper.run import FOUND, JOB
from pages.sections.paper.settings import PAGE as NAME
from tests.app.driving import Driven

PAGE = "pages/paper.py"
RUN = "Run the paper again"
CSV = b"age,name\n" + b"".join(b"%d,x\n" % age for age in range(20, 60))


@pytest.fixture(scope="module")
def run() -> Reproduction:
    """A short run with a column, shared: what it computes is tested with the library."""
    values = np.arange(20.0, 60.0)
    return reproduce(BoundedColumn.of("age", values, (18.0, 100.0)), repetitions=100, seed=1)


def opened(**link: str) -> Driven:
    return Driven(PAGE, **link)


def showing(run: Reproduction) -> Driven:
    app = opened()
    app.kept[FOUND] = FinishedRun(run, "printed", None)
    return app.run()


def frames(app: Driven) -> list[pd.DataFrame]:
    return [element.value for element in app.at.dataframe]


def test_a_run_from_its_button_shows_every_step() -> None:
    app = opened(repetitions="100").press(RUN)
    assert app.kept[JOB] is not None
    app.awaited()
    metrics = {metric.label: int(metric.value) for metric in app.at.metric}
    assert metrics["Printed numbers"] == metrics["Reproduced"] + metrics["With another origin"]
    assert metrics["Reproduced"] > 70
    assert app.chart("paper-errors")
    assert app.chart("paper-losses")
    assert [h.value for h in app.at.header][1:] == [
        "2 · The printed tables", "3 · Error against ε", "4 · Accuracy loss of a count",
        "5 · Where we differ",
    ]  # fmt: skip


def test_it_stops_on_request_and_shows_nothing_half_done() -> None:
    app = opened(repetitions="10000").press(RUN)
    app.kept[JOB].cancel()
    app.awaited()
    assert app.kept.get(FOUND) is None
    assert not app.at.metric
    assert RUN in app.labels("button")


def test_a_column_of_my_table_needs_bounds_and_is_marked_private(run: Reproduction) -> None:
    app = opened(source="table", repetitions="100")
    assert "upload one" in app.messages("info")[0]
    app.go("pages/privatize.py").upload("people.csv", CSV).go(PAGE)
    assert app._of("selectbox", "Column").options == ["age"]
    assert app._of("button", RUN).disabled
    app.bounds(1, "18", "100").press(RUN).awaited()
    found: FinishedRun = app.kept[FOUND]
    assert found.private
    assert found.name == "age"
    errors = found.reproduction["errors"]
    assert any("age" in query for query in errors["query"])
    assert any("private, not a release" in text for text in app.messages("warning"))
    # Errors and accuracy losses both come from the owner's column.
    marked = [text for text in app.messages("markdown") if "Private, for the owner only" in text]
    assert len(marked) == 2
    app.go("app.py").go(PAGE)
    assert app.kept[FOUND] is found
    assert app.chart("paper-errors")
    # Other bounds, draws or rows are not what the numbers are about, and it says so.
    changed = "The settings above have changed since. What follows is the last run."
    assert changed not in app.messages("info")
    for label, now, other in (
        ("Upper bound", "100", "90"), ("Draws of each query", "100", "200"), ("Seed", "1", "2")
    ):  # fmt: skip
        assert changed in app.text(label, other).messages("info")
        assert changed not in app.text(label, now).messages("info")
    app.go("pages/privatize.py").text("Rows to leave out", "1").go(PAGE)
    assert changed in app.messages("info")


def test_a_total_is_not_taken_for_a_person() -> None:
    app = Driven("pages/privatize.py").upload("people.csv", CSV + b"1580,Total\n")
    app.at.query_params["source"] = "table"
    app.go(PAGE)
    assert any("look like totals" in text for text in app.messages("info"))
    assert app._of("button", RUN).disabled


def test_the_printed_tables_name_a_reason_for_every_number(run: Reproduction) -> None:
    app = showing(run)
    titles = set(run["explanations"]["title"])
    for kind in ("variance", "H1", "H2", "bias"):
        app.pick("Table", kind)
        (table,) = [t for t in frames(app) if "verdict" in t.columns]
        assert len(table) == 30
        assert set(table["reason"]) <= titles
    app.pick("Table", "H1")
    (table,) = [t for t in frames(app) if "verdict" in t.columns]
    first = run["rates"].query("quantity == 'H1'").iloc[0]
    assert float(table["printed"].iloc[0]) == pytest.approx(first["printed"], rel=1e-3)
    assert float(table["ours"].iloc[0]) == pytest.approx(first["authors_grid"], rel=1e-3)


def test_either_error_of_any_query_is_drawn_with_its_standard_errors(run: Reproduction) -> None:
    app = showing(run)
    app.pick("Error", "MSE")
    spec = app.spec("paper-errors")
    assert spec["layout"]["title"]["text"].startswith("MSE of ")
    assert all(trace["error_y"]["array"] for trace in spec["data"])
    app.choose("Mechanisms", ["laplace"])
    assert len(app.traces("paper-errors")) == 1


def test_the_archive_holds_every_table_and_what_it_is(run: Reproduction) -> None:
    with zipfile.ZipFile(io.BytesIO(archive(run))) as packed:
        assert set(packed.namelist()) == {*(f"{name}.csv" for name in TABLES), "README.txt"}
        table = pd.read_csv(packed.open("rates.csv"), encoding="utf-8-sig")
        assert len(table) == len(run["rates"])
        assert b"seed 1" in packed.read("README.txt")


def test_settings_come_back_from_a_link_and_nonsense_is_named() -> None:
    app = opened(source="sample", repetitions="7", seed="5")
    assert "repetitions=7" in app.messages("warning")[0]
    assert app.written("Draws of each query") == "1000"
    assert app.written("Seed") == "5"
    assert app.kept[f"{NAME}.source"] == "sample"
    assert app.kept[f"{NAME}.seed"] == Decimal(5)
