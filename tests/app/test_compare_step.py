"""Step 5 of Privatize: the same column through other mechanisms."""

from __future__ import annotations

import math
import threading
from typing import Any

import numpy as np
import pandas as pd
import pytest

from compdp_core.experiments import KEYS, compare
from pages.charts.chart import Chart
from pages.charts.error_table import in_words
from pages.charts.histogram import Series, histogram_chart
from pages.charts.theme import LAPLACE, OUTSIDE, TRUE
from pages.inputs.mechanisms import mechanism_label
from pages.sections.privatize import compare as step
from pages.sections.privatize.rehearsal import thinned
from pages.sections.privatize.release import JOB as RELEASE
from tests.app.driving import Driven

PAGE = "pages/privatize.py"
ROWS = 300
VALUES = np.random.default_rng(5).integers(0, 21, ROWS)


def ready(values: object = VALUES) -> Driven:
    text = "age\n" + "\n".join(str(v) for v in np.asarray(values))
    app = Driven(PAGE).upload("t.csv", text.encode()).choose("Columns to privatize", [0])
    return app.bounds(1, "0", "20")


def figures(app: Driven) -> pd.DataFrame:
    return next(f.value for f in app.at.dataframe if "released values" in f.value)


def test_column_and_mean_beside_the_usual_rivals_cost_nothing() -> None:
    app = ready()
    assert any("nothing is released or spent" in text for text in app.messages("caption"))
    assert any("Private, for the owner only" in text for text in app.messages("markdown"))
    assert not [name for name in app.kept if name.startswith("release.")]
    notes = app.spec("compare")["layout"]["annotations"]
    names = ["composite", "Laplace", "Gaussian (analytic)", "Laplace, clamped"]
    assert [note["text"].split("</b>")[0] for note in notes] == [f"<b>{name}" for name in names]
    table = figures(app)
    assert list(table["released values"]) == ["raw", "clamped"] * 4
    row = table[(table.mechanism == "Laplace") & (table["released values"] == "raw")].iloc[0]
    value, error = (float(x) for x in row["RE (units)"].split(" ± "))
    # Laplace noise of scale 20: its mean size is 20, here of about 20,000 draws.
    assert abs(value - 20) <= 6 * error
    assert error < 0.3
    local, alone = (
        float(next(m.value for m in app.at.metric if said in m.label).split()[0])
        for said in ("released values is off", "released by itself")
    )
    # A released mean has sensitivity 20/300: about Laplace noise of that scale.
    assert alone == pytest.approx(math.sqrt(2) * 20 / ROWS, rel=0.1)
    assert local > 10 * alone


def test_every_mechanism_can_stand_beside_the_column() -> None:
    app = ready().choose("Compare with", list(KEYS))
    assert not app.messages("error")
    assert len(set(figures(app).mechanism)) == len(KEYS) + 1


def test_whole_numbers_stay_whole_where_a_mechanism_can() -> None:
    app = ready().choose("Compare with", ["discrete_laplace", "A2B1", "laplace"])
    drawn = app.kept["privatize.rehearsal"][1].drawn
    for name in ("composite", mechanism_label("discrete_laplace"), "Composite A2B1"):
        assert all(float(v).is_integer() for v in drawn[name]), name
    assert not all(float(v).is_integer() for v in drawn["Laplace"])


def test_a_gaussian_without_proof_is_said_in_the_step_too() -> None:
    app = ready().text("ε, exactly", "20").choose("Compare with", ["classic_gaussian"])
    assert any("its proof needs ε < 1" in text for text in app.messages("warning"))


def test_the_mean_of_the_noisy_rows_is_the_one_of_step_3_though_values_are_missing() -> None:
    text = "name,age\n" + "".join(f"{n},{'' if n % 3 else n}\n" for n in range(20))
    app = Driven(PAGE).upload("t.csv", text.encode()).choose("Columns to privatize", [1])
    app.bounds(2, "0", "20")
    above, below = (
        next(m for m in app.at.metric if said in m.label)
        for said in ("A mean of all 20 rows is off", "Mean of 20 released values is off")
    )
    assert above.value == below.value


def test_more_draws_come_beside_the_page() -> None:
    app = ready().choose("Compare with", ["laplace"]).press("Simulate about 1,000,000")
    app.awaited()
    assert any("999,900 simulated values" in text for text in app.messages("caption"))
    app.text("ε, exactly", "2")
    assert any("19,800 simulated values" in text for text in app.messages("caption"))


def test_draws_that_go_on_are_seen_though_the_step_is_folded_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    go_on = threading.Event()

    def slow(*given: Any, **named: Any) -> pd.DataFrame:
        assert "cancelled" not in named or go_on.wait(60)
        return compare(*given, **named)

    monkeypatch.setattr(step, "compare", slow)
    app = ready().choose("Compare with", ["laplace"]).press("Simulate about 1,000,000")
    app.press("Release")
    release = app.kept[RELEASE]
    assert release is None or release.done(wait=60)
    app.run()
    assert any("Released at" in text for text in app.messages("success"))
    assert "Simulate about 1,000,000" not in app.labels("button")
    assert len(app.every("progress")) == 1
    go_on.set()
    app.awaited()
    assert not app.every("progress")


def test_true_values_of_zero_are_left_out_of_the_accuracy_loss_and_counted() -> None:
    app = ready([0, 0, 5, 10])
    assert any("2 of 4 true values are left out" in text for text in app.messages("caption"))


def test_thinned_rows_are_evenly_spaced_and_few() -> None:
    assert thinned(np.arange(10), 4).tolist() == [0, 3, 6, 9]
    assert thinned(np.arange(4), 4).tolist() == [0, 1, 2, 3]


def drawn(released: object, whole: bool = False) -> Chart:
    return histogram_chart(
        "h", Series("before", [5.0], TRUE), [Series("Laplace", released, LAPLACE)],
        inputs=(0, 20), outputs=(-5, 25), whole=whole, axis="x", unit="u", title="t",
    )  # fmt: skip


def hatched(chart: Chart) -> list[dict[str, Any]]:
    return [t for t in chart.data if t["name"] == "out of the output bounds"]


@pytest.mark.parametrize("whole", [True, False])
def test_what_is_out_of_bounds_is_hatched_and_every_value_is_counted_once(whole: bool) -> None:
    released = np.array([-9.0, -6.0, -5.0, 0.0, 10.0, 25.0, 26.0, 29.0, 500.0])
    chart = drawn(released, whole)
    bars = hatched(chart)
    assert len(bars) == 1
    assert int(np.sum(bars[0]["y"])) == 4
    assert bars[0]["marker"]["pattern"]["shape"] == OUTSIDE.pattern
    (inside,) = [t for t in chart.data if t["name"] == "Laplace"]
    assert int(np.sum(inside["y"])) / 2 == 4
    words = chart.layout["annotations"][0]["text"]
    assert "55.6 % out of output bounds" in words
    assert "11.1 % not shown" in words
    assert not hatched(drawn([1.0, 2.0], whole))


def test_digits_follow_the_standard_error() -> None:
    row = {
        "mechanism": "m", "treatment": "raw", "bias": 0.123456, "bias_se": 0.0123, "RE": 1234.5678,
        "RE_se": 12.0, "MSE": 0.0, "MSE_se": 0.5, "AL": math.nan, "AL_se": math.nan,
        "outside": 0.25, "outside_se": 0.01,
    }  # fmt: skip
    (said,) = in_words(pd.DataFrame([row]), "cm").to_dict("records")
    assert said["bias (cm)"] == "0.123 ± 0.012"
    assert said["RE (cm)"] == "1,235 ± 12"
    assert said["MSE (cm²)"] == "0 ± 0.5"
    assert said["AL"] == "undefined"
    assert said["outside the inputs"] == "25 ± 1 %"


def test_a_scale_without_a_unit_has_none_in_its_headings() -> None:
    row = dict.fromkeys(("bias", "RE", "MSE", "AL", "outside"), 1.0)
    row |= {f"{name}_se": 0.1 for name in tuple(row)}
    found = pd.DataFrame([{"mechanism": "composite", "treatment": "raw", **row}])
    assert [*in_words(found, "")][2:5] == ["bias", "RE", "MSE"]
    assert [*in_words(found, "cm")][2:5] == ["bias (cm)", "RE (cm)", "MSE (cm²)"]
