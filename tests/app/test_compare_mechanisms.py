"""The Compare mechanisms page without a browser."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest

from compdp_core.estimates.example_rows import example_rows
from compdp_core.estimates.recovery import FIGURES, recover
from compdp_core.experiments import GOALS, KEYS, rank, roster, running_mean
from compdp_core.experiments.paper.counting import noisy_counts
from compdp_core.mechanisms.baselines import BASELINES, AnalyticGaussian, ClassicGaussian, Laplace
from compdp_core.shapes import from_formula
from pages.inputs.mechanisms import mechanism_choices, mechanism_label, mechanism_role, unproved
from pages.sections.compare_mechanisms import recovery_runs as runs
from pages.sections.compare_mechanisms import settings as to
from pages.sections.compare_mechanisms.controls import MORE
from pages.sections.compare_mechanisms.draws import FRAMES, LENGTHS, frames_of, shown_draws
from pages.sections.compare_mechanisms.rows import why_alike
from pages.shell.panels import is_open
from tests.app.driving import Driven
from tests.frames import rows

PAGE = "pages/compare_mechanisms.py"
DEFAULT = list(to.CHOSEN.default)


def opened(name: str = "error", **link: str) -> Driven:
    return Driven(PAGE, view=name, **link)


def with_more(app: Driven) -> Driven:
    """With the box of what is set once open."""
    app.kept[is_open(MORE)] = True
    return app.run()


def line(app: Driven, key: str, name: str) -> dict[str, Any]:
    (found,) = [t for t in app.traces(key) if t["name"] == name and t["mode"] == "lines"]
    return found


def test_every_mechanism_of_the_library_is_offered_and_drawn_in_a_way_of_its_own() -> None:
    assert set(mechanism_choices()) >= set(KEYS)
    looks = [mechanism_role(key) for key in KEYS]
    assert len({(look.colour, look.dash) for look in looks}) == len(KEYS)
    assert len({(look.colour, look.symbol) for look in looks}) == len(KEYS)


def test_all_at_once_draw_on_every_view_below_a_tenth_of_the_allowed_weight() -> None:
    app = opened().choose("Mechanisms", list(KEYS))
    for name in to.VIEWS:
        app.pick("Look at", name)
        assert not app.messages("error"), name
        if name in ("error", "bias", "range", "rows"):
            assert len(app.chart(name).spec) < 200_000


def test_no_mechanism_is_a_sentence_and_not_a_failure() -> None:
    app = opened().choose("Mechanisms", [])
    assert "at least one mechanism" in app.messages("info")[0]
    app.choose("Mechanisms", ["laplace"])
    assert app.chart("error")


def test_own_shapes_are_offered_once_certified() -> None:
    app = opened()
    assert "F1B1" not in app.options("Mechanisms")
    shape = from_formula("1 - abs(2*v - 1)", "activation", name="F1")
    app.kept["own_shapes"] = {"F1": shape}
    app.run()
    assert mechanism_label("F1B1") in app.options("Mechanisms")
    app.choose("Mechanisms", ["F1B1", "A3B1"])
    own, paper = (line(app, "error", f"Composite {n}")["y"] for n in ("F1B1", "A3B1"))
    # The same triangle by another way: lattices differ in rounding only.
    assert own == pytest.approx(paper, rel=1e-3)


def test_lines_are_closed_forms_points_lie_on_them_and_epsilon_is_explained() -> None:
    app = opened()
    (said,) = [text for text in app.messages("caption") if text.startswith("Smaller ε")]
    assert all(words in said for words in ("more noise and more privacy", "73.2 %", "units"))
    laplace = line(app, "error", "Laplace")
    for epsilon, error in zip(laplace["x"], laplace["y"], strict=True):
        assert error == pytest.approx(math.sqrt(2) * 100 / epsilon, rel=1e-9)
    for name in (mechanism_label(key) for key in DEFAULT):
        theory = line(app, "error", name)
        known = dict(zip(theory["x"], theory["y"], strict=True))
        (seen,) = [t for t in app.traces("error") if t["name"] == f"{name}, simulated"]
        bars = seen["error_y"]["array"]
        for epsilon, error, bar in zip(seen["x"], seen["y"], bars, strict=True):
            # Six standard errors: twice the error of a factor 2 in the noise at 400 draws.
            assert abs(error - known[epsilon]) <= 3 * bar


def test_classic_gaussian_beyond_its_proof_is_named_with_its_true_delta() -> None:
    app = opened().choose("Mechanisms", ["classic_gaussian", "analytic_gaussian"])
    names = [t["name"] for t in app.traces("error")]
    assert "Gaussian (classic): no proof from ε = 1" in names
    app.text("ε, exactly", "0.9")
    assert not app.messages("warning")
    app.text("ε, exactly", "20")
    (warning,) = app.messages("warning")
    assert "its proof needs ε < 1" in warning
    assert "0.00016" in warning
    assert "does not keep what it promises" in warning


@pytest.mark.parametrize("epsilon", [1.0, 5.0, 10.0, 20.0])
def test_only_the_formula_without_proof_is_warned_of(epsilon: float) -> None:
    classic = ClassicGaussian(epsilon, (0, 1), delta=1e-6)
    broken = classic.true_delta > 1e-6
    assert ("does not keep" in unproved(classic)) == broken
    assert "proof" in unproved(classic)
    assert not unproved(AnalyticGaussian(epsilon, (0, 1), delta=1e-6))
    assert not unproved(Laplace(epsilon, (0, 1)))


@pytest.mark.parametrize("upper", ["1e-9", "100", "1e12"])
def test_bias_is_nil_for_the_composite_and_pulls_inward_for_the_clamped(upper: str) -> None:
    """Told apart from rounding by an absolute size, tiny inputs had none and huge ones a wiggle."""
    app = opened("bias", mechanisms="A1B1,clamped_laplace", lower="0", upper=upper, value="0")
    assert set(line(app, "bias", "Composite A1B1")["y"]) == {0.0}
    # With b = Δ/ε as wide as the inputs, at their lower end: b (1 - e^-1) / 2.
    pulled = line(app, "bias", "Laplace, clamped")["y"]
    assert pulled[0] > 0 > pulled[-1]
    assert pulled[0] == pytest.approx(float(upper) * (1 - math.exp(-1)) / 2)
    (own,) = roster(1.0, (0, float(upper)), keys=["clamped_laplace"]).values()
    assert pulled[0] == pytest.approx(own.bias(0.0))
    assert "Composite A1B1: none; Laplace, clamped: up to" in app.chart("bias").alt


def test_an_arrow_tells_bounds_beyond_the_picture_from_none() -> None:
    app = opened("range", epsilon="0.3", mechanisms="A1B1,laplace")
    ends = {
        t["name"]: t["marker"]["symbol"]
        for t in app.traces("range")
        if t["mode"] == "lines+markers"
    }
    assert ends["Composite A1B1"] == ["triangle-left-open", "triangle-right-open"]
    assert ends["Laplace"] == ["triangle-left", "triangle-right"]
    shown = {t["name"] for t in app.traces("range")}
    assert {"outputs without bounds", "bounds beyond the picture"} <= shown
    nearer = {t["name"] for t in opened("range", mechanisms="A1B1").traces("range")}
    assert not {"outputs without bounds", "bounds beyond the picture"} & nearer


def test_where_outputs_land_says_range_and_share_outside() -> None:
    app = opened("range")
    words = app.chart("range").alt
    share = BASELINES["laplace"].build(1.0, (0, 100)).probability_outside((0, 100), 30.0)
    assert f"Laplace: outputs without bounds, {100 * share:.1f} % outside" in words
    assert "Laplace, clamped: outputs 0 … 100, 0 % outside" in words
    dots = [t for t in app.traces("range") if t["name"] == "Laplace" and t["mode"] == "markers"]
    assert sum(len(t["x"]) for t in dots) == 20
    assert {t["marker"]["symbol"] for t in dots} == {"triangle-up", "x-thin"}


@pytest.mark.parametrize("length", LENGTHS)
def test_frames_stay_light_whatever_the_number_of_draws(length: int) -> None:
    at = shown_draws(length)
    assert at[0] == 1
    assert at[-1] == length
    assert len(at) <= FRAMES
    assert all(a < b for a, b in pairwise(at))
    keys = ("A1B1", "laplace", "analytic_gaussian", "clamped_laplace", "piecewise", "duchi")
    asked = to.ComparedSettings(keys, 1.0, (0.0, 100.0), None, 1e-6, 30.0, 1)
    made, refused = to.build(asked)
    assert not refused
    table = running_mean(made, 30.0, draws=length, seed=1)
    frames = frames_of(asked, table, at)
    assert len(json.dumps(frames)) < 150_000
    for row in frames["rows"]:
        part = table[table.mechanism == row["name"]]
        assert row["mean"][-1] == pytest.approx(part.released.mean(), rel=1e-4, abs=1e-3)
        assert row["count"][-1] == int(((part.released < 0) | (part.released > 100)).sum())
        assert row["error"][0] is None


@pytest.mark.parametrize("goal", GOALS)
def test_the_ranking_is_the_library_s_and_says_why(goal: str) -> None:
    app = opened()
    app.pick("What matters to you", goal)
    expected = rank(roster(1.0, (0, 100), keys=DEFAULT), goal)
    (listed,) = [text for text in app.messages("markdown") if text.startswith("1. **")]
    for row, text in zip(rows(expected), listed.splitlines(), strict=True):
        assert text.startswith(f"{row.rank}. **{row.mechanism}**")
        assert row.why in text
        assert ("does not meet it" not in text) == row.meets


@pytest.mark.parametrize(
    ("epsilon", "arrow", "guess"),
    [("0.001", "← ε = 0.001", "50.025 %"), ("50", "ε = 50 →", "100 %")],
)
def test_an_epsilon_beyond_the_picture_is_said_to_be(epsilon: str, arrow: str, guess: str) -> None:
    app = opened(epsilon=epsilon)
    layout = app.spec("error")["layout"]
    assert [note["text"] for note in layout["annotations"]] == [arrow]
    assert not layout.get("shapes")
    assert f"The ε that is set, {epsilon}, lies beyond the picture." in app.chart("error").alt
    (said,) = [text for text in app.messages("caption") if text.startswith("Smaller ε")]
    assert f"At ε = {epsilon}, " in said
    assert f"right {guess} of the time" in said


def test_the_legend_has_the_symbol_by_which_some_differ_but_for_the_hue() -> None:
    app = opened(mechanisms="A1B1,A4B1")
    keys = [t for t in app.traces("error") if t.get("showlegend") is not False]
    assert len({t["line"]["dash"] for t in keys}) == 1
    assert len({t["marker"]["symbol"] for t in keys}) == 2


def test_a_thousand_rows_hide_the_difference_and_thirty_show_it() -> None:
    app = opened("rows")
    (words,) = [text for text in app.messages("markdown") if "every bin is off" in text]
    assert "1/ε = 1 row" in words
    assert "look alike" in words
    app.press("Show 30 rows")
    (words,) = [text for text in app.messages("markdown") if "every bin is off" in text]
    assert "Only the smaller ε shows" in words
    assert app.written("Rows of the example table") == "30"


def test_equal_budgets_ask_for_another_one() -> None:
    assert "differs" in why_alike(noisy_counts(100, [1.0]), 100)


def test_more_draws_shrink_the_error_bars() -> None:
    app = opened().choose("Mechanisms", ["laplace"])
    (few,) = [t for t in app.traces("error") if t["name"] == "Laplace, simulated"]
    app.press("Simulate more draws").awaited()
    (many,) = [t for t in app.traces("error") if t["name"] == "Laplace, simulated"]
    assert any("10,000 draws" in text for text in app.messages("caption"))
    ratio = many["error_y"]["array"][0] / few["error_y"]["array"][0]
    assert ratio == pytest.approx(math.sqrt(400 / 10_000), rel=0.5)


def test_a_long_simulation_is_cancelled_and_says_so() -> None:
    app = opened("figures").choose("Mechanisms", list(KEYS))
    app.pick("Draws of the next simulation", 1_000_000).press("Simulate more draws")
    assert "Cancel" in app.labels("button")
    app.press("Cancel").awaited()
    assert "Stopped on request" in app.messages("error")[0]
    assert any("4,000 draws" in text for text in app.messages("caption"))


def test_what_is_recovered_says_who_is_closest_at_what_and_has_every_error() -> None:
    link = {"mechanisms": "A1B1,laplace,clamped_laplace,duchi", "released_rows": "20000"}
    app = opened("recovery", shape="end", epsilon="2", **link).awaited()
    made = roster(2.0, (0, 100), keys=link["mechanisms"].split(","))
    own = recover(made, example_rows("end", 20_000, (0, 100)), repetitions=40, seed=1)
    (said,) = [text for text in app.messages("markdown") if "is closest" in text]
    drawn = {each["name"]: each for each in app.traces("recovery")}
    layout = app.spec("recovery")["layout"]
    # The dotted line leaves the headings alone, which stand on their ends.
    ends = sorted((each["y0"], each["y1"]) for each in layout["shapes"])
    assert sorted(each["y"] for each in layout["annotations"]) == [end for _, end in ends]
    assert all(below[1] < above[0] for below, above in pairwise(ends))
    assert drawn["Composite A1B1"]["x"] == pytest.approx([1.0] * 4)
    assert len(drawn["Duchi et al."]["x"]) == 1
    for line, figure in zip(said.splitlines(), FIGURES, strict=True):
        assert f": **{own.of(figure)[0].mechanism}** is closest, off by" in line
        errors = {each.mechanism: each.error for each in own.of(figure)}
        at = list(FIGURES).index(figure)
        ratio = errors["Laplace"] / errors["Composite A1B1"]
        assert drawn["Laplace"]["x"][at] == pytest.approx(ratio)
    assert "percentage points, level with" in said or "percentage points; " in said
    table = app.at.dataframe[-1].value
    assert len(table) == 16
    assert table["error"].str.endswith(" percentage points").sum() == 3
    assert (table["error"] == "–").sum() == 3
    assert any(text.startswith("Laplace has no output bounds") for text in app.messages("caption"))


def test_what_is_recovered_is_worked_out_once_for_each_mechanism_and_can_be_stopped() -> None:
    app = opened("recovery", mechanisms="duchi", released_rows="200").awaited()
    (first,) = app.kept[runs.FOUND].values()
    assert "Duchi et al. by" not in app.said("markdown")
    app.choose("Mechanisms", ["duchi", "laplace"]).awaited()
    assert len(app.kept[runs.FOUND]) == 2
    assert any(each is first for each in app.kept[runs.FOUND].values())
    app.pick("Rows released", "100000").press("Cancel").awaited()
    assert "Stopped on request" in app.messages("error")[0]
    assert len(app.kept[runs.FOUND]) == 2
    assert "recovery" not in app.charts
    app.pick("Rows released", "200")
    assert app.chart("recovery")


def test_figures_carry_standard_errors_raw_and_clamped() -> None:
    app = opened("figures")
    table = app.at.dataframe[-1].value
    assert list(table["released values"]) == ["raw", "clamped"] * len(DEFAULT)
    raw = table[(table.mechanism == "Laplace") & (table["released values"] == "raw")].iloc[0]
    value, error = (float(x.replace(",", "")) for x in raw["RE (units)"].split(" ± "))
    # The mean size of Laplace noise is its scale, 100; six standard errors.
    assert abs(value - 100) <= 6 * error
    assert "undefined" not in set(table["AL"])
    app.text("Value, exactly", "0")
    assert set(app.at.dataframe[-1].value["AL"]) == {"undefined"}
    assert any("AL is undefined where the true value is 0" in c for c in app.messages("caption"))


def test_a_link_restores_every_setting() -> None:
    said = {
        "mechanisms": "duchi,A2B2", "epsilon": "0.35", "lower": "-5", "upper": "15",
        "sensitivity": "4", "value": "2.5", "goal": "unbiased", "seed": "7",
    }  # fmt: skip
    app = opened("range", **said)
    assert not app.messages("warning")
    assert app.written("ε, exactly") == "0.35"
    assert with_more(app).written("Sensitivity Δ") == "4"
    assert app.kept[to.CHOSEN.name] == ["A2B2", "duchi"]
    assert app.kept[to.GOAL.name] == "unbiased"
    assert app.kept[to.VALUE.name] == Decimal("2.5")
    assert "true value 2.5" in app.chart("range").alt.lower()


@pytest.mark.parametrize(
    "said",
    [
        {"epsilon": "nan", "mechanisms": "nobody", "goal": "luck", "view": "3d", "seed": "1.5",
         "delta": "2", "sensitivity": "-1", "value": "inf", "rows": "0", "who": "me"},
        {"epsilon": "0", "mechanisms": ""},
        {"epsilon": "1e9"},
    ],
)  # fmt: skip
def test_nonsense_in_a_link_falls_back_with_a_notice(said: dict[str, str]) -> None:
    app = Driven(PAGE, **said)
    (warning,) = app.messages("warning")
    for key, text in said.items():
        assert (f"“{key}={text}” is not used" in warning) == (key != "who")
    assert ("not used: who" in warning) == ("who" in said)
    assert app.chart("error")


@pytest.mark.parametrize(("lower", "upper"), [("10", "10"), ("50", "-50")])
def test_bounds_that_are_none_are_refused_with_a_sentence(lower: str, upper: str) -> None:
    app = Driven(PAGE, lower=lower, upper=upper)
    assert any("lower below upper" in text for text in app.messages("error"))
    with_more(app).text("Smallest input", "-60")
    assert not app.messages("error")
    assert app.chart("error")


def test_a_sensitivity_wider_than_the_inputs_is_refused() -> None:
    app = with_more(opened()).text("Sensitivity Δ", "500")
    assert "at most the input width 100" in app.messages("error")[0]
    assert app.chart("error")


def test_leaving_and_returning_loses_nothing() -> None:
    app = opened("draws").text("ε, exactly", "0.7").choose("Mechanisms", ["duchi"])
    app.go("app.py").go(PAGE)
    assert app.written("ε, exactly") == "0.7"
    assert app.kept[to.VIEW.name] == "draws"
    assert app.kept[to.CHOSEN.name] == ["duchi"]
    assert "How many draws" in app.labels("button_group")


def test_bounds_far_from_zero_are_told_apart_in_words() -> None:
    low = 10**12 - 1
    app = opened("range", lower=str(low), upper=str(low + 1), value=f"{low}.25")
    names = " ".join(str(trace.get("name")) for trace in app.traces("range"))
    assert f"{low:,} … {low + 1:,}" in names
    assert f"true value {low:,}.25" in names


def test_a_mechanism_that_cannot_be_had_hides_no_figures_of_the_others() -> None:
    app = opened(
        "figures", mechanisms="A4B1,laplace", sensitivity="1e-15", lower="0", upper="1", value="0.5"
    )
    assert any("Composite A4B1 is left out" in text for text in app.messages("warning"))
    assert not app.messages("error")
    assert app.every("arrow_data_frame") or app.at.dataframe or app.every("table")
