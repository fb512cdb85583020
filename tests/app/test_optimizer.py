"""The Optimizer page without a browser: every algorithm, what it says of it, links, leaving."""

from __future__ import annotations

from typing import Any

import pytest

from compdp_core.design.optimize import ALGORITHMS, Problem, optimize
from compdp_core.shapes import PAIR_NAMES, pair_named
from pages.sections.optimizer import frames
from pages.sections.optimizer.explanations import B2_IS_B1, why
from pages.sections.optimizer.runs import Run
from pages.sections.optimizer.settings import SETTINGS
from pages.sections.optimizer.stored_runs import KEPT, RUNS
from tests.app.driving import Driven

PAGE = "pages/optimizer.py"


def opened(**link: str) -> Driven:
    return Driven(PAGE, **link)


def found(app: Driven) -> list[Run]:
    runs: list[Run] = app.kept[RUNS]
    return runs


def searched(app: Driven, *algorithms: str) -> Driven:
    """Choose the algorithms, search, and wait until it is over."""
    app.every("button_group")[0].set_value(list(algorithms))
    app.run().press("Search")
    app.awaited()
    assert not app.at.error
    return app


def test_the_first_visit_shows_two_searches_and_the_floor() -> None:
    app = opened()
    assert [run.plan.algorithm for run in found(app)] == ["exact", "enumeration"]
    floor = optimize(1.0, pair_named("A1B1", 1.0)).relative_variance()
    assert [metric.value for metric in app.at.metric] == [f"{floor:.4f} Δ²"]
    chart = app.chart("convergence")
    assert "Enumeration (A1B1, ε = 1) ends at 0.9179 Δ², 0.0400 % above" in chart.alt
    names = [trace["name"] for trace in app.traces("convergence")]
    assert names[-1] == "exact optimum of A1B1, ε = 1: 0.9175 Δ²"


@pytest.mark.parametrize("pair", PAIR_NAMES)
def test_every_algorithm_searches_every_pair_and_says_why_it_stopped(pair: str) -> None:
    app = searched(opened(pair=pair, epsilon="1.5"), *ALGORITHMS)
    table = app.at.dataframe[0].value
    assert len(table) == len(ALGORITHMS)
    floor = Problem(1.5, pair_named(pair, 1.5)).floor
    for run, (_, row) in zip(found(app), table.iterrows(), strict=True):
        assert row["run"] == run.title
        assert row["evaluations"] == f"{run.trace.evaluations:,}"
        assert row["why it stopped"].lower().startswith(run.trace.stop.lower()[:20])
        assert row["above the optimum"].endswith("%")
        assert run.best >= floor * (1 - 1e-9)
    text = app.said()
    for algorithm in ALGORITHMS.values():
        assert f"**{algorithm.title}.**" in text


def test_b2_left_free_is_said_to_become_b1_and_drifts_there() -> None:
    assert B2_IS_B1 not in opened().said()
    fixed = opened(pair="A1B2")
    assert B2_IS_B1 in fixed.said()
    assert found(fixed)[0].problem.pair.base.tau == 0.95
    free = searched(opened(pair="A1B2", tail="free"), "evolution")
    assert found(free)[-1].problem.free_tail
    assert "The tail ratio has drifted to τ = 1.00000: B2 is becoming B1." in free.said()
    # The floor is B1's, lower than that of any B2.
    assert free.at.metric[0].value == opened().at.metric[0].value != fixed.at.metric[0].value


@pytest.mark.parametrize("pair", ["A1B1", "A2B2"])
def test_the_largest_budget_shows_what_was_found_and_no_picture_that_floats_lost(pair: str) -> None:
    """There 1 - k α m has no digit left: the player failed, or showed another density."""
    app = searched(opened(pair=pair, epsilon="50", objective="worst"), "exact", "gradient")
    assert not app.messages("error")
    for run in found(app):
        designs, which = frames._designs(run)
        if run.trace.design is None:
            assert designs == []
            continue
        assert designs[which[-1]] == run.trace.design
        objectives = [run.problem.value(design) for design in designs]
        shown_best = [objectives[i] for i in which if i >= 0]
        best = [b for b, i in zip(run.trace.best, which, strict=True) if i >= 0]
        assert shown_best == pytest.approx(best, rel=frames.FAITHFUL)


def test_a_small_tail_ratio_is_not_said_to_become_b1() -> None:
    free = searched(opened(pair="A2B2", tail="free", epsilon="50", objective="mean"), "evolution")
    last = found(free)[-1].trace.design
    assert last is not None
    assert last.tau < 0.5
    said = why(found(free)[-1])
    assert said in free.said()
    assert "The tail ratio it chose is" in said
    assert "becoming B1" not in said


def test_grids_too_coarse_for_the_budget_are_named_before_and_after() -> None:
    assert "too coarse" not in opened(epsilon="4").said()
    app = opened(epsilon="8")
    assert "lies below the finest step" in app.said()
    # What runs by itself on a first visit may take its time.
    app = searched(app, "enumeration")
    run = next(run for run in found(app) if run.plan.algorithm == "enumeration")
    assert run.trace.design is not None
    assert run.excess[-1] > 1
    assert "Its grid is too coarse here: the best y is 0.000335, and its" in app.said()


def test_the_objective_changes_what_is_least() -> None:
    values = [
        float(opened(objective=each).at.metric[0].value.split()[0])
        for each in ("center", "mean", "worst")
    ]
    assert values == sorted(values)
    assert values[0] < values[-1]


def test_a_tail_ratio_that_uses_up_the_budget_is_refused_with_what_to_do() -> None:
    refusal = "The tail ratio τ must be a number above e^−ε"
    app = opened(pair="A1B2", epsilon="0.1", tau="0.5")
    assert refusal in app.said("error")
    assert refusal in app.press("Search").said("error")


@pytest.mark.parametrize(
    ("label", "typed", "says"),
    [
        ("Rounds |W|", "2.5", "must be a whole number"),
        ("Rounds |W|", "9", "must be a whole number from 1 to 5"),
        ("Iterations T", "many", "is not a finite number"),
        ("Seed of the random searches", "-1", "must be a whole number from 0"),
    ],
)
def test_options_that_make_no_sense_are_refused_and_do_nothing(
    label: str, typed: str, says: str
) -> None:
    app = opened().text(label, typed)
    assert any(says in text for text in app.messages("error"))
    app.press("Search")
    assert {run.plan.options for run in found(app)} == {()}


def test_options_reach_the_search() -> None:
    app = opened().text("Rounds |W|", "2").text("Updates T", "60")
    app = searched(app, "enumeration", "gradient")
    stops = [run.trace.stop for run in found(app)][-2:]
    assert stops == ["the last of 2 grids, step 0.01, is done", "60 steps are done"]


def test_several_seeds_make_several_runs_and_the_same_settings_one() -> None:
    app = opened()
    # What runs by itself is no search of one's own.
    assert app.bar()["○ Play (not yet)"] == "#step-4"
    assert searched(app, "gradient").bar()["✓ Play (done)"] == "#step-4"
    app = searched(app.text("Seed of the random searches", "7"), "gradient")
    app = searched(app.text("Seed of the random searches", "1"), "gradient")
    assert [(run.number, run.plan.seed) for run in found(app)][2:] == [(3, 1), (4, 7)]


def test_only_so_many_runs_are_kept_and_the_oldest_go() -> None:
    app = opened()
    for seed in range(KEPT + 1):
        app.text("Seed of the random searches", str(seed))
        app = searched(app, "target")
    assert len(found(app)) == KEPT
    assert found(app)[0].number == 4
    assert "run 3 had to go" in app.said()


def test_runs_and_settings_survive_leaving_the_page_until_they_are_removed() -> None:
    app = searched(opened().text("ε, exactly", "0.7"), "gradient")
    before = [(run.title, run.setting) for run in found(app)]
    app.go("app.py").go(PAGE)
    assert [(run.title, run.setting) for run in found(app)] == before
    assert app.written("ε, exactly") == "0.7"
    assert "ε = 0.7" in app.chart("convergence").alt
    app.choose("Runs on the charts", [2])
    assert "Exact" not in app.chart("convergence").alt
    app.press("Remove the runs not shown")
    assert [run.number for run in found(app)] == [2]
    app.press("Remove all runs")
    assert "No runs yet" in app.said()


def test_a_link_restores_every_setting() -> None:
    said = {
        "pair": "A3B2", "epsilon": "2.25", "objective": "worst", "tail": "fixed", "tau": "0.9",
        "algorithms": "target,evolution", "seed": "5", "upwards": "excess", "logx": "off",
        "target.ratio": "1.5", "evolution.population": "7",
    }  # fmt: skip
    app = opened(**said)
    assert app.written("ε, exactly") == "2.25"
    assert app.written("Tail ratio τ (empty: the usual one)") == "0.9"
    assert app.written("Seed of the random searches") == "5"
    assert app.written("Population N") == "7"
    assert app.every("button_group")[0].value == ["target", "evolution"]
    assert not app.messages("warning")
    kept: dict[str, Any] = {each.key: each.write(app.kept[each.name]) for each in SETTINGS}
    assert said.items() <= kept.items()


def test_nonsense_in_a_link_falls_back_with_a_notice_that_can_be_dismissed() -> None:
    app = opened(epsilon="1e9", pair="A9B9", seed="1.5", algorithms="exact,magic", colour="red")
    assert app.written("ε, exactly") == "1"
    (notice,) = app.messages("warning")
    parts = ("epsilon=1e9", "1 is: ε must be", "pair=A9B9", "seed=1.5", "exact,magic", "colour")
    assert all(part in notice for part in parts)
    app.go("app.py").go(PAGE)
    assert app.messages("warning") == [notice]
    app.press("Dismiss")
    assert not app.messages("warning")
