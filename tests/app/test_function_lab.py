"""The Function lab without a browser: controls, constraints, own shapes, links, other pages."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

from compdp_core.design.optimize import Objective, optimize
from compdp_core.design.optimize.staircase import optimize_staircase
from compdp_core.design.privacy_loss import loss
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.shapes import PAIR_NAMES, Constant, Pair, pair_named
from pages.sections.function_lab import settings as lab
from pages.text.wording import number
from tests.app.driving import Driven

PAGE = "pages/function_lab.py"
OBJECTIVES: dict[str, Objective] = {"Center": "center", "Mean": "mean", "Worst": "worst"}
BELL = "exp(-20*(v-0.5)^2)"


def opened(**link: str) -> Driven:
    return Driven(PAGE, **link)


def shown(app: Driven) -> str:
    """All text of the page; an unexpected failure is never part of it."""
    text = app.said()
    assert "Something went wrong" not in text
    return text


def verdict(app: Driven) -> str:
    """The box above everything else."""
    boxes = [*app.messages("success"), *app.messages("error")]
    found = [text for text in boxes if "easible" in text]
    assert len(found) == 1, boxes
    return found[0].replace("*", "")


def trace(app: Driven, start: str) -> dict[str, Any]:
    """Of the density as it was sent to the browser."""
    return next(each for each in app.traces("lab") if each["name"].startswith(start))


def variance(app: Driven) -> float:
    return float(app.metric("Variance").replace(",", ""))


def numbers_of(app: Driven) -> dict[str, str]:
    """Settings as a link would say them."""
    shapes = app.kept.get("own_shapes", {})
    said = {}
    for setting in lab.SETTINGS:
        value = app.kept.get(setting.name, setting.default)
        if value != setting.default:
            own = shapes.get(value) if isinstance(value, str) else None
            said[setting.key] = setting.write(value) if own is None else f"{value}={own.formula}"
    return said


def workshop(app: Driven, **kept: Any) -> Driven:
    """With the box for own shapes open."""
    app.kept["function_lab.own.open"] = True
    app.kept.update({f"function_lab.own.{name.replace('__', '.')}": v for name, v in kept.items()})
    return app.run()


def test_the_first_visit_shows_the_papers_example_and_its_numbers() -> None:
    app = opened()
    text = shown(app)
    assert verdict(app).startswith("Feasible: all 7 constraints hold.")
    written = [app.written(f"{symbol} =") for symbol in ("ε", "k", "m", "y")]
    assert written == ["1", "0.5", "0.4", "0.3"]
    # By hand: S1 = .2, so H1 = 4; the base alone has a third of its mass in the inner quarter.
    assert app.metric("H₁") == "4"
    assert app.metric("H₂").endswith("; 0.333")
    # sup P / inf P = .8/.3
    assert app.metric("Exact ε") == f"{math.log(0.8 / 0.3):.4g}; 1"
    # A bound is rounded up, never below what it bounds.
    said = text.partition("The certificate of a release proves ε ≤ ")[2].partition(" ")[0]
    assert math.log(0.8 / 0.3) <= float(said) <= math.log(0.8 / 0.3) + 1e-4
    assert "✓ Privacy | k/y ≤ e^ε − 1 | 0.0516 | spends 0.980829 of ε" in text
    # Var = S1 (m²/12) + 2 y L³/3 + C_p² (1/S1 - 1), scaled by (R/2C)².
    half, limit = 0.8 / 0.6, 0.2 * (0.8 / 0.6 - 0.2)
    place = 0.4 * limit
    domain = 0.2 * 0.4**2 / 12 + 2 * 0.3 * half**3 / 3 + place**2 * 4
    assert variance(app) == pytest.approx(domain * (100 / (2 * limit)) ** 2, rel=1e-3)
    # The picture: two aligned axes, intervals and the image.
    layout = app.spec("lab")["layout"]
    (low, high), (left, right) = layout["xaxis"]["range"], layout["xaxis2"]["range"]
    true, image = trace(app, "true value"), trace(app, "image")
    assert true["x"] == [30, 30]
    share = (30 - low) / (high - low)
    assert left + share * (right - left) == pytest.approx(image["x"][0], abs=1e-9)
    assert trace(app, "input interval")["x"] == [0, 100]
    outputs = trace(app, "output interval")["x"]
    # The outputs of the authors' example: 10 wide inputs had 58.8 wide outputs (theory: 1/r).
    assert outputs[1] - outputs[0] == pytest.approx(100 * (0.8 / 0.6) / (0.2 * (0.8 / 0.6 - 0.2)))
    assert {"base: the same for every input", "activation: follows the input"} <= {
        each["name"] for each in app.traces("lab")
    }
    app.kept["function_lab.more.open"] = True
    app.run()
    assert app.written("Smallest true value") == "0"
    assert app.written("Largest true value") == "100"


@pytest.mark.parametrize("pair", [*PAIR_NAMES, "A4B1"])
def test_every_pair_jumps_to_its_exact_optimum(pair: str) -> None:
    app = opened(activation=pair[:2], base=pair[2:], epsilon="1.5", position="0", ratio="0.05")
    for label, objective in OBJECTIVES.items():
        app.press(label)
        assert verdict(app).startswith("Feasible")
        if pair == "A4B1":
            design = optimize_staircase(1.5, 0.05, objective)
        else:
            tail = 0.95 if pair.endswith("B2") else None
            design = optimize(1.5, pair_named(pair, 1.5, tail), objective)
        expected = number(design.relative_variance() * 1e4)
        assert app.metric("Variance") == expected, (pair, objective)
        exact = loss(design, 0.05 if pair == "A4B1" else 1.0).epsilon
        assert float(app.metric("Exact ε").split(";")[0]) == pytest.approx(exact, rel=1e-3)
    shown(app)


@pytest.mark.parametrize("activation", ["A1", "A2", "A3", "A4"])
def test_every_view_of_every_activation_is_drawn(activation: str) -> None:
    app = opened(activation=activation, base="B2")
    for view in lab.VIEWS:
        assert "It binds at the output" in shown(app.pick("Look at", view))
        if view == "numbers":
            table = app.every("table")[0].value
            assert {"L", "C", "S₁", "[l, u]"} <= set(table["symbol"])
        else:
            assert app.chart(view).alt


def test_slider_and_entry_follow_each_other() -> None:
    app = opened()
    slider = next(s for s in app.every("select_slider") if s.label == "Height of the base y")
    slider.set_value(next(o for o in lab.LEVEL.ladder if str(o) == "0.25"))
    app.run()
    assert app.written("y =") == "0.25"
    app.text("y =", "0.3333")
    slider = next(s for s in app.every("select_slider") if s.label == "Height of the base y")
    assert str(slider.value) == "0.33"
    assert str(app.kept[lab.LEVEL.setting.name]) == "0.3333"


@pytest.mark.parametrize(
    ("said", "named", "drawn"),
    [
        ({"k": "0.9", "m": "1.2", "y": "0.1"}, "Mass of the activation (S₁ = k α m < 1)", False),
        ({"m": "1.9"}, "the activation is wider than the domain", False),
        ({"k": "0.6"}, "Privacy (k/y ≤ e^ε − 1): lower k to at most 0.515485", True),
        ({"k": "0.8", "y": "0.5"}, "Peak (k + y ≤ 1): the peak is 1.3", True),
        ({"position": "1.2"}, "C_p must lie within [−0.226667, 0.226667]", True),
        ({"base": "B2", "tau": "0.3"}, "the base alone spends 1.20397", True),
        ({"base": "B2", "tau_follows": "on", "k": "0.6"}, "lower k to below y (e^ε − 1)", False),
        ({"k": "1e-300"}, "inputs fill less than a billionth of the outputs", False),
        ({"activation": "A4", "steps": "5000"}, "must be a whole number from 1 to 202", False),
    ],
)
def test_what_is_infeasible_is_named_and_drawn_where_it_can_be(
    said: dict[str, str], named: str, drawn: bool
) -> None:
    app = opened(**said)
    text = shown(app)
    assert verdict(app).startswith("Not feasible")
    assert named in verdict(app)
    assert ("Nothing can be drawn" in text) is not drawn
    assert ("lab" in app.charts) is drawn
    # The map of what is feasible needs no density.
    assert drawn or app.chart("feasible").alt
    app.press("Center")
    if "position" in said:
        app.text("C_p / C =", "0")
    elif said.get("tau") == "0.3":
        assert "must be above -ln(tau)" in shown(app)
        app.text("τ =", "0.9").press("Center")
    assert verdict(app).startswith("Feasible")


def test_an_input_beyond_the_limit_is_drawn_at_the_nearest_that_fits() -> None:
    app = opened(position="-1.2")
    assert "The nearest input that fits" in app.chart("lab").alt
    assert trace(app, "true value")["x"] == [0, 0]
    assert app.written("True value (data unit)") == "-10"


def test_the_input_can_be_set_in_the_domain_and_in_data_units() -> None:
    app = opened()
    app.text("True value (data unit)", "75")
    assert (app.written("C_p / C ="), trace(app, "true value")["x"]) == ("0.5", [75, 75])
    app.text("C_p (domain unit)", "0.17")  # of a limit of 0.2266667
    assert float(app.written("C_p / C =")) == pytest.approx(0.75, rel=1e-6)
    assert float(app.written("True value (data unit)")) == pytest.approx(87.5)
    # Another density moves the image; the true value stays.
    app.text("k =", "0.45")
    assert float(app.written("True value (data unit)")) == pytest.approx(87.5)
    assert float(app.written("C_p (domain unit)")) != pytest.approx(0.17, rel=1e-3)


def test_nonsense_is_refused_beneath_the_field_and_the_last_number_stays() -> None:
    app = opened()
    for text in ("abc", "nan", "-1", "0", "1", "1e400", "", "½"):
        app.text("k =", text)
        assert "Until then 0.5 stays in force." in shown(app), text
        assert verdict(app).startswith("Feasible")
    assert app.text("k =", "0.4").messages("error") == []
    app = opened(activation="A4").text("K =", "2.5")
    assert "K must be a whole number from 1 to 1,000,000, not 2.5." in shown(app)
    assert verdict(app).startswith("Feasible")


def test_the_tail_ratio_follows_as_in_the_paper() -> None:
    app = opened(base="B2").toggle("τ follows from k, y and ε, as in the paper")
    # (1 + k/y) e^-ε
    assert f"τ = {(1 + 0.5 / 0.3) * math.exp(-1):.6f}" in shown(app)
    assert float(app.metric("Exact ε").split("; ")[0]) <= 1.0
    assert "t = (y + k) e^-ε < y" in shown(app).replace("−", "-")


def test_closer_neighbours_lower_the_exact_loss_only() -> None:
    app = opened(activation="A2", neighbours="0.02")
    exact, declared = app.metric("Exact ε").split("; ")
    assert (float(exact) < 0.6, declared) == (True, "1")


def test_bounds_that_cross_are_refused() -> None:
    app = opened(lower="100", upper="0")
    said = shown(app)
    assert "must lie below the largest" in said
    assert "jump to the optimum" not in said
    assert "Nothing can be drawn" in shown(app)


# Own shapes


def test_a_formula_is_certified_live_kept_and_used() -> None:
    app = workshop(opened())
    assert "Certified" in app.messages("success")
    assert "Private: pair F1B1 at ε = 1; the certificate proves ε ≤" in shown(app).replace("*", "")
    app.press("Keep F1, for this page and the others")
    assert app.kept[lab.ACTIVATION.name] == "F1"
    assert verdict(app).startswith("Feasible")
    shape = app.kept["own_shapes"]["F1"]
    best = optimize(1.0, Pair(shape, Constant()))
    assert float(app.written("k =")) == pytest.approx(best.k, rel=1e-5)
    assert float(app.written("m =")) == pytest.approx(best.m, rel=1e-5)


@pytest.mark.parametrize(
    ("kind", "formula", "says"),
    [
        ("activation", "v", "is not symmetric"),
        ("activation", "cos(2*pi*v)", "is negative"),
        ("activation", "1 +* v", "character 4: a value is missing before *"),
        ("activation", "__import__('os')", "is not read"),
        ("activation", "system(v)", "system is unknown"),
        ("activation", "1/(v-0.5)", "finite value"),
        ("activation", "0*v", "is zero everywhere"),
        ("base", "1 - v^2", "comes too close to zero"),
        ("base", "exp(-2*abs(v))", "must be above -ln(tau) = 2"),
        ("base", "", "is empty"),
    ],
)
def test_what_is_no_shape_is_refused_with_the_reason(kind: str, formula: str, says: str) -> None:
    app = workshop(opened(), kind=kind, **{f"formula__{kind}": formula})
    assert says in " ".join(app.messages("error"))
    assert "Certified" not in app.messages("success")
    assert not any(label.startswith("Keep ") for label in app.labels("button"))
    # The lab above goes on as it was.
    assert verdict(app).startswith("Feasible")
    if formula == "v":
        app.toggle("Make it symmetric: the mean of both sides")
        assert "Certified" in app.messages("success")


def test_points_make_a_shape_and_bad_points_say_which() -> None:
    app = workshop(opened(), way="points", points__activation=[(0, 0), (0.5, 2), (1, 0)])
    assert "Certified" in app.messages("success")
    spec = app.traces("function_lab-own")
    marks = next(each for each in spec if each["name"] == "your points")
    assert marks["y"] == [0, 1, 0]
    app.press("Keep F1, for this page and the others")
    assert app.kept["own_shapes"]["F1"].variance == pytest.approx(1 / 24)

    app = workshop(opened(), way="points", points__activation=[(0, 0), (0.7, 2), (0.5, 1), (1, 0)])
    assert "number 3" in shown(app)
    app = workshop(opened(), way="points", points__activation=[(0, 1), (0.9, 1)])
    assert "must be 1: the points reach from 0 to 1" in shown(app)
    app = workshop(opened(), way="points", points__activation=[])
    assert "must be from 2 to 1000, got 0" in shown(app)


def test_names_are_checked_and_a_kept_name_is_replaced() -> None:
    app = workshop(opened(), name__activation="A7")
    assert "not like A1 or B1" in shown(app)
    app.text("Name", "bell").press("Keep bell, for this page and the others")
    app.text("Formula in v, from 0 to 1", "1 - (2*v-1)^4")
    app.press("Keep bell, for this page and the others")
    assert [s.formula for s in app.kept["own_shapes"].values()] == ["1 - (2*v-1)^4"]


def test_a_kept_shape_can_be_released_on_privatize_and_taken_away() -> None:
    app = workshop(opened()).press("Keep F1, for this page and the others")
    app.go("pages/privatize.py").upload("t.csv", b"age\n14\n15\n13\n12\n16\n")
    app.choose("Columns to privatize", [0])
    app.bounds(1, "0", "100")
    app.select("Function pair", "F1B1").press("Release")
    shown(app)
    release = next(v.release for name, v in app.kept.items() if name.startswith("release."))
    mechanism: CompositeMechanism = release.columns[0].mechanism
    assert (mechanism.pair, mechanism.certificate.holds) == ("F1B1", True)

    app.go(PAGE)
    workshop(app).press("Remove")
    assert app.kept["own_shapes"] == {}
    assert app.kept[lab.ACTIVATION.name] == "A1"
    app.go("pages/privatize.py")
    shown(app)


def test_an_own_base_stands_under_every_activation() -> None:
    app = workshop(opened(epsilon="2"), kind="base")
    app.press("Keep G1, for this page and the others")
    for activation in ("A1", "A2", "A3"):
        app.kept[lab.ACTIVATION.name] = activation
        app.at.session_state["edit." + lab.ACTIVATION.name] = activation
        app.run().press("Mean")
        assert verdict(app).startswith("Feasible")
        for view in lab.VIEWS:
            app.kept[lab.VIEW.name] = view
            app.run()
            shown(app)


def test_a_link_restores_every_setting_own_shapes_included() -> None:
    app = workshop(opened(epsilon="2", lower="-5", upper="20", view="loss"))
    app.press("Keep F1, for this page and the others").text("C_p / C =", "0.25")
    said = numbers_of(app)
    assert said["activation"] == f"F1={BELL}"
    again = opened(**said)
    assert again.messages("warning") == []
    assert numbers_of(again) == said
    assert again.kept["own_shapes"]["F1"].formula == app.kept["own_shapes"]["F1"].formula
    assert again.metric("Variance") == app.metric("Variance")


def test_a_link_with_points_restores_them() -> None:
    link = "H~points (0, 0.2) (0.25, 1.0) (0.5, 0.7)"
    app = opened(activation=link)
    assert app.messages("warning") == []
    assert app.kept["own_shapes"]["H"].source.places == (0.0, 0.25, 0.5, 0.75, 1.0)


def test_another_shape_of_the_same_name_does_not_replace_yours() -> None:
    app = workshop(opened()).press("Keep F1, for this page and the others")
    app.go("app.py")
    app.at.query_params.update({"activation": "F1=1 - (2*v-1)^4"})
    app.go(PAGE)
    assert [s.formula for s in app.kept["own_shapes"].values()] == [BELL, "1 - (2*v-1)^4"]
    assert app.kept[lab.ACTIVATION.name] == "F2"


@pytest.mark.parametrize(
    ("said", "notice"),
    [
        ({"k": "7"}, "k=7” is not used, 0.5 is: k must be a number above 0 and below 1, not 7."),
        ({"epsilon": "nan"}, "it must be a number"),
        ({"activation": "Z9"}, "it must be one of A1, A2, A3, A4, or NAME=FORMULA"),
        ({"activation": "F1=v"}, "is not symmetric"),
        ({"base": "G1=exec(v)"}, "exec is unknown"),
        ({"steps": "2.5", "activation": "A4"}, "K must be a whole number"),
        ({"view": "everything"}, "it must be one of variance"),
        ({"tau_follows": "maybe"}, "it must be on or off"),
        ({"salary": "1000"}, "Not a setting of this page, so not used: salary."),
    ],
)
def test_nonsense_in_a_link_falls_back_with_a_notice(said: dict[str, str], notice: str) -> None:
    app = opened(**said)
    assert notice in " ".join(app.messages("warning"))
    assert verdict(app).startswith("Feasible")
    assert app.kept.get("own_shapes", {}) == {}
    app.press("Dismiss")
    assert app.messages("warning") == []


def test_leaving_and_returning_loses_nothing() -> None:
    app = workshop(opened(), formula__activation="1 - (2*v-1)^4")
    app.text("k =", "0.42").text("C_p / C =", "0.9").press("Keep F1, for this page and the others")
    before = numbers_of(app)
    app.go("app.py").go(PAGE)
    assert numbers_of(app) == before
    assert app.written("Formula in v, from 0 to 1") == "1 - (2*v-1)^4"


def test_bounds_far_from_zero_are_told_apart_in_words() -> None:
    low = 10**12 - 1
    app = opened(lower=str(low), upper=str(low + 1), position="0.4")
    assert app.written("True value (data unit)") == f"{low}.7"
    words = re.search(r"a true value of ([\d,.]+) makes it .* as ([\d,.]+) does", shown(app))
    assert words is not None
    assert words[1] != words[2]
    assert {words[1], words[2]} <= {f"{low:,}", f"{low + 1:,}"}


def test_neighbours_as_close_as_the_range_allows_are_told_apart() -> None:
    """Their squared distance is no float; the page failed."""
    app = opened(lower="1", upper="1.0000000001", neighbours="1e-300")
    assert app.metric("Variance")
    words = shown(opened(lower="-1e12", upper="1e12", neighbours="1e-6", m="0.4"))
    found = re.search(r"a true value of (.+?) makes it .* as (.+?) does", words)
    assert found is not None
    assert found[1] != found[2]
