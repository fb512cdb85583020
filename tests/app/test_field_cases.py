"""Faults that people reported of like tools, tried on the pages: settings, numbers, charts."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest

from compdp_core.release import TableRelease
from tests.app.driving import ROOT, Driven
from tests.unit.tables.files import FILES

PAGE = "pages/privatize.py"
CHOICE = "Columns to privatize"


def opened(data: bytes, name: str = "grades.csv") -> Driven:
    return Driven(PAGE).upload(name, data)


def release_of(app: Driven) -> TableRelease:
    (found,) = app.press("Release").awaited().releases
    return found


def grades(last: int, rows: int = 60_000) -> bytes:
    """Two such files differ in one score of the last row."""
    lines = [f"{i},{50 + i % 40}" for i in range(1, rows)]
    return ("id,score\n" + "\n".join(lines) + f"\n{rows},{last}\n").encode()


def test_small_numbers_are_read_back_as_typed_and_steps_suit_their_size() -> None:
    data = b"x\n0.0005\n0.0007\n0.0012\n"
    app = opened(data).choose(CHOICE, [0]).bounds(1, "0.0005", "0.0015")
    assert app.written("Lower bound, x") == "0.0005"
    (slider,) = [s for s in app.at.slider if s.label.startswith("True value")]
    assert 0 < slider.proto.step <= 0.001 / 20
    assert "%.5f" in slider.proto.format
    values = [metric.value for metric in app.at.metric]
    assert values
    assert not any(value.startswith(("0.00 ", "0 ")) for value in values), values
    drawn = release_of(app).columns[0]
    assert drawn.composite.decimals >= 5
    audit = Driven("pages/audit.py", mechanism="analytic_gaussian").text("δ", "1e-6")
    assert audit.written("δ") == "1e-6"
    assert not any("δ" in text for text in audit.messages("error"))


def test_equal_columns_and_rows_draw_charts_with_keys_of_their_own() -> None:
    app = opened(b"a,a\n5,5\n5,5\n").choose(CHOICE, [0, 1])
    app.bounds(1, "0", "10").bounds(2, "0", "10")
    release_of(app)
    assert app.chart("outcome-0")
    assert app.chart("outcome-1")
    one = opened(FILES["B06_onerow"]).choose(CHOICE, [1]).bounds(2, "0", "100")
    release_of(one)
    assert one.chart("outcome-1")


def test_files_that_differ_in_one_cell_are_never_taken_for_each_other() -> None:
    """One after the other in one session, and side by side in two under one name."""

    def peeked(app: Driven) -> str:
        app.choose(CHOICE, [1]).bounds(2, "0", "100")
        app.toggle("Peek at the smallest and largest value, score")
        return app.said()

    one, other = opened(grades(5)), opened(grades(99))
    assert "They are 5 … 89" in peeked(one)
    assert "They are 50 … 99" in peeked(other)
    one.press("Another table").upload("grades.csv", grades(99))
    assert "They are 50 … 99" in peeked(one)
    tables = [session.kept["privatize.table"][1] for session in (one, other)]
    assert tables[0].fingerprint == tables[1].fingerprint
    assert tables[0] is not tables[1]


def test_what_is_sent_does_not_grow_with_the_rows() -> None:
    sizes = []
    for rows in (500, 20_000):
        app = opened(grades(60, rows)).choose(CHOICE, [1]).bounds(2, "0", "100")
        release_of(app)
        sizes.append(sum(len(element.proto.spec) for element in app.every("plotly_chart")))
    assert sizes[1] < 1.2 * sizes[0]
    assert sizes[1] < 500_000


def test_our_own_download_can_be_uploaded_again() -> None:
    app = opened(FILES["A23"]).choose(CHOICE, [2]).bounds(3, "0", "20")
    data = release_of(app).csv(excel=True)
    assert data.startswith(b"\xef\xbb\xbf")
    again = opened(data)
    assert again.options(CHOICE) == ["note"]
    assert "UTF-8 with mark" in again.said()
    assert list(again.at.dataframe[0].value.columns) == ["prénom", "ville", "note"]


def test_formulas_are_made_harmless_unless_switched_off() -> None:
    app = opened(FILES["A21"]).choose(CHOICE, [2]).bounds(3, "-20", "20")
    release = release_of(app)
    label = "Make cells harmless that a spreadsheet would run as a formula"
    assert app._of("toggle", label).value is True
    safe, raw = release.csv(), release.csv(guard_formulas=False)
    assert b"'@SUM(1+1)" in safe
    assert b"'" not in raw
    assert b",'-" not in safe.replace(b"'-2+3", b"")
    changed = safe.count(b"'")
    assert changed > 1
    assert f"{changed} cells or names of the file get an apostrophe in front" in app.said()
    app.toggle(label, False)
    assert f"{changed} cells or names of the file start so and stay as they came" in app.said()


@pytest.mark.parametrize(
    ("epsilon", "words"), [("20", "protects weakly"), ("0.02", "almost nothing but noise")]
)
def test_budgets_far_from_the_usual_are_warned_of(epsilon: str, words: str) -> None:
    app = opened(FILES["C01"]).choose(CHOICE, [1]).bounds(2, "0", "100")
    assert not any("protects weakly" in text for text in app.messages("warning"))
    app.text("ε, exactly", epsilon)
    assert any(words in text for text in app.messages("warning"))


def test_what_epsilon_does_is_said_beside_it_with_an_error_in_the_columns_unit() -> None:
    app = opened(FILES["C01"]).choose(CHOICE, [1]).bounds(2, "0", "100")
    app.text("Unit, age", "years")
    assert "Smaller ε: more noise, more privacy. Larger ε: less of both." in app.said()

    def error() -> float:
        (tile,) = [m for m in app.at.metric if m.label == "One value is typically off by"]
        assert tile.value.endswith(" years")
        return float(tile.value.removesuffix(" years").replace(",", ""))

    at_one = error()
    app.text("ε, exactly", "10")
    assert error() < at_one / 3


def test_values_that_the_bounds_cut_are_told_beside_before_and_after() -> None:
    app = opened(FILES["C01"]).choose(CHOICE, [1]).bounds(2, "0", "20")
    text = app.said()
    assert "1 value lies outside the bounds" in text
    assert "The mean of your values moves by −45 units" in text
    assert "Private, for the owner only" in text
    # 14, 15, 200 → 20, 13: the mean moves from 60.5 to 15.5.
    release_of(app)
    names = {trace["name"] for trace in app.traces("outcome-1") if "name" in trace}
    assert any("your values" in name for name in names)
    assert any("released" in name for name in names)


def test_whole_numbers_come_out_whole_and_within_their_outputs() -> None:
    app = opened(FILES["C01"]).choose(CHOICE, [1])
    app.bounds(2, "0", "20").text("ε, exactly", "0.5")
    column = release_of(app).columns[0]
    values, (low, high) = column.values, column.composite.outputs
    assert np.array_equal(values, np.round(values))
    assert low <= values.min() <= values.max() <= high


def test_the_limits_of_an_upload_agree_and_are_explained_to_those_who_serve_it() -> None:
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["server"]["maxUploadSize"] == 200
    notes = Path(ROOT / "README.md").read_text(encoding="utf-8")
    for word in (
        "client_max_body_size", "maxUploadSize", "proxy_set_header Upgrade", "baseUrlPath",
        "must stay with it",
    ):  # fmt: skip
        assert word in notes, word
