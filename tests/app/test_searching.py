"""What the Optimizer draws, by a second route: paths by a plain loop, densities by quadrature."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from compdp_core.design.constraints import evaluate
from compdp_core.design.optimize import ALGORITHMS, Objective, Problem, Search
from compdp_core.shapes import PAIR_NAMES, Constant, Pair, from_formula, pair_named
from pages.charts.ticks import MOST, log_axis
from pages.sections.optimizer import stored_runs as shelf
from pages.sections.optimizer.descent import across, descent
from pages.sections.optimizer.explanations import gap, why
from pages.sections.optimizer.frames import curve, frames
from pages.sections.optimizer.landscape import landscape
from pages.sections.optimizer.paths import paths
from pages.sections.optimizer.play import as_table, payload
from pages.sections.optimizer.runs import ROWS, PlannedSearch, Run, role_of
from pages.sections.optimizer.settings import optimum
from pages.sections.optimizer.stored_runs import search
from pages.session.jobs import Job
from pages.text.wording import lettered

LARGEST: dict[str, dict[str, Any]] = {
    "target": {"looks": 2e6, "ratio": 1.0, "step": 0.01},
    "enumeration": {"rounds": 5},
}


def plan(
    name: str, pair: str = "A1B1", epsilon: float = 1.0, objective: Objective = "center",
    free: bool = False, **options: float,
) -> PlannedSearch:  # fmt: skip
    problem = Problem(epsilon, pair_named(pair, epsilon), objective, free_tail=free)
    return PlannedSearch(name, problem, 1, tuple(options.items()))


def ran(asked: PlannedSearch) -> Run:
    (run,) = Job(lambda job: search([asked], job)).wait() or []
    return Run(run.plan, run.trace, run.points, run.feasible, run.path, 1)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_path_and_feasible_share_are_those_of_a_plain_loop(name: str) -> None:
    asked = plan(name, **LARGEST["enumeration"]) if name == "enumeration" else plan(name)
    run = ran(asked)
    options: dict[str, Any] = dict(asked.options)
    full = Search(name, asked.problem, seed=1, **options).run()
    rows = {int(at): row for row, at in enumerate(run.trace.iteration)}
    assert len(rows) == min(len(full), ROWS)
    assert run.points == len(full)
    best, point, kept = math.inf, (math.nan,) * 3, 0
    for step in full:
        kept += step.feasible
        if step.variance < best:
            best, point = step.variance, (step.k, step.m, step.y)
        if step.iteration in rows:
            row = rows[step.iteration]
            assert run.feasible[row] == pytest.approx(kept / (step.iteration + 1))
            np.testing.assert_array_equal(run.path[:, row], point)
            assert run.trace.best[row] == best
            assert across(run, "points")[row] == step.iteration + 1
    assert across(run, "evaluations")[-1] == pytest.approx(full.evaluations)


@pytest.mark.parametrize("objective", ["center", "mean", "worst"])
@pytest.mark.parametrize("pair", PAIR_NAMES)
def test_the_drawn_density_has_mass_one_and_the_variance_that_is_said(
    pair: str, objective: Objective
) -> None:
    problem = Problem(2.0, pair_named(pair, 2.0), objective)
    design = optimum(problem)
    drawn = curve(design, objective)
    x, heights = np.array(drawn["x"]), np.array(drawn["density"])
    assert np.trapezoid(heights, x) == pytest.approx(1.0, rel=3e-3)
    mean = np.trapezoid(x * heights, x)
    assert mean == pytest.approx(drawn["input"], abs=3e-3)
    spread = np.trapezoid((x - mean) ** 2 * heights, x)
    said = design.relative_variance(1.0 if objective == "worst" else 0.0)
    assert spread == pytest.approx(said, rel=1e-2)
    assert max(abs(x)) == pytest.approx(drawn["half"], rel=1e-5)
    assert drawn["half"] == pytest.approx(0.5 / design.input_fraction, rel=1e-5)


@pytest.mark.parametrize(("pair", "free"), [("A1B1", False), ("A2B2", False), ("A3B2", True)])
def test_every_look_is_feasible_or_names_a_constraint_that_it_breaks(pair: str, free: bool) -> None:
    run = ran(plan("enumeration", pair, free=free))
    said = frames(run)["broken"]
    base = "B2" if free else run.problem.pair.base
    reasons = set()
    for row, (formula, feasible) in enumerate(zip(said, run.trace.feasible, strict=True)):
        point = [float(each[row]) for each in (run.trace.k, run.trace.m, run.trace.y)]
        rows = evaluate(run.problem.epsilon, run.problem.pair.activation, base, *point)
        broken = [lettered(each.formula) for each in rows if not each.met]
        if feasible:
            assert formula == ""
        elif formula:
            assert formula in broken
        reasons.add(formula)
    assert len(reasons) > 2


@pytest.mark.parametrize("name", ALGORITHMS)
def test_whatever_was_looked_at_the_pictures_stay_small(name: str) -> None:
    run = ran(plan(name, "A3B2", **LARGEST.get(name, {})))
    content = payload(run)
    assert content["frames"] == len(content["look"]) <= ROWS
    assert len(json.dumps(content)) < 600_000
    charts = [
        landscape(run.problem, run.optimum, [run]),
        descent([run], "variance", "points", log_y=True, log_x=True),
        paths([run], [run.looks], "points", log_x=True),
    ]
    assert all(chart.summary for chart in charts)
    assert sum(chart.data[0]["x"].nbytes for chart in charts) < 50_000
    assert len(as_table(run)) <= ROWS


def test_a_search_that_found_nothing_is_drawn_and_said() -> None:
    asked = plan("enumeration", epsilon=0.05)

    def given_up(job: Job[list[Run]]) -> list[Run]:
        job.cancel()
        return search([asked], job)

    job = Job(given_up)
    assert job.wait() == []
    cancelled = Search("enumeration", asked.problem, cancelled=lambda: True)
    run = Run.of(asked, cancelled.run())
    assert run.trace.design is None
    assert why(run).startswith("Cancelled. It had found no point")
    assert payload(run)["curves"] == []
    assert gap(float(run.excess[-1])) == "–"
    chart = descent([run], "variance", "points", log_y=True, log_x=True)
    assert "–" in chart.summary


def test_what_a_cancelled_search_found_is_kept() -> None:
    asked = [plan("gradient", rate=0.001, updates=100_000), plan("exact")]

    def work(job: Job[list[Run]]) -> list[Run]:
        tell = job.tell

        def then_cancel(share: float, text: str) -> None:
            tell(share, text)
            assert "Stochastic gradient: " in text
            job.cancel()

        job.tell = then_cancel  # type: ignore[method-assign]
        return search(asked, job)

    job = Job(work)
    (run,) = job.wait() or []
    assert 0 < job.share < 0.5
    assert run.trace.stop == "cancelled"
    assert run.points == 50
    assert run.trace.design is not None


def test_problems_that_differ_are_told_apart_in_words() -> None:
    flat, bent = pair_named("A1B1", 1.0), pair_named("A1B2", 1.0, 0.7)
    problems = [
        Problem(1.0, flat), Problem(0.001, flat), Problem(1.0, flat, "worst"), Problem(1.0, bent),
        Problem(1.0, bent, free_tail=True),
    ]  # fmt: skip
    words = [ran(PlannedSearch("exact", problem, 0, ())).setting for problem in problems]
    assert words == [
        "A1B1, ε = 1", "A1B1, ε = 0.001", "A1B1, ε = 1, at the worst input",
        "A1B2, ε = 1, τ = 0.7", "A1B2, ε = 1, τ free",
    ]  # fmt: skip


def test_every_search_starts_the_player_anew_also_under_a_number_used_before() -> None:
    first, second = (payload(ran(plan("exact"))) for _ in range(2))
    assert first["number"] == second["number"]
    assert first["id"] != second["id"]


@pytest.mark.parametrize("epsilon", [1.0, 50.0])
def test_what_was_found_can_be_seen_however_far_it_is_from_the_optimum(epsilon: float) -> None:
    sent = payload(
        ran(PlannedSearch("enumeration", Problem(epsilon, pair_named("A1B1", epsilon)), 0, ()))
    )
    top = max(sent["curves"][-1]["density"])
    assert top <= sent["peak"]["delta"] <= 4.0 * top


def test_a_cancelled_search_does_not_hide_a_longer_one_of_the_same_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept: dict[str, Any] = {}
    monkeypatch.setattr(shelf, "recall", lambda name, default=None: kept.get(name, default))
    monkeypatch.setattr(shelf, "keep", kept.__setitem__)
    whole = ran(plan("enumeration"))
    stopped = replace(whole, trace=replace(whole.trace, stop="cancelled"), points=50)
    shelf.add([stopped])
    shelf.add([whole])
    shelf.add([stopped])
    (left,) = shelf.runs()
    assert left.points == whole.points
    assert kept[shelf.PLAYING] == left.number == 1


@pytest.mark.parametrize("epsilon", [0.001, 0.01, 0.05, 1.0, 5.0])
def test_the_map_is_shaded_at_every_budget(epsilon: float) -> None:
    """Below ε = 0.02 it was blank: the map began above its highest row."""
    problem = Problem(epsilon, pair_named("A1B1", epsilon))
    chart = landscape(problem, optimum(problem), [])
    table = chart.numbers()
    times = table["variance over the optimum"]
    assert np.isfinite(times).mean() > 0.5
    assert 1.0 <= times.min() < 1.1  # The optimum lies between columns.
    assert table["y (1/domain unit)"].between(optimum(problem).y, 1.0).all()


def test_own_shapes_are_searched_and_drawn() -> None:
    own = Pair(from_formula("1 - (2*v - 1)^2"), Constant())
    run = ran(PlannedSearch("exact", Problem(1.0, own), 0, ()))
    drawn = payload(run)["curves"][-1]
    assert np.trapezoid(drawn["density"], drawn["x"]) == pytest.approx(1.0, rel=3e-3)
    assert landscape(run.problem, run.optimum, [run]).summary


@pytest.mark.parametrize(
    ("low", "high"),
    [(0.9, 6.0), (1.0, 2e6), (0.9170, 0.9171), (1e-9, 1e5), (3.1, 3.9), (2e-4, 1.0)],
)
def test_marks_of_an_axis_lie_on_it_are_few_and_read_as_what_they_are(
    low: float, high: float
) -> None:
    axis = log_axis(low, high)
    marks = axis["tickvals"]
    assert 3 <= len(marks) <= MOST + 2
    assert all(low * (1 - 1e-9) <= mark <= high * (1 + 1e-9) for mark in marks)
    assert len(set(axis["ticktext"])) == len(marks)
    assert axis["range"] == [math.log10(low), math.log10(high)]


def luminance(colour: str) -> float:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("background", ["#FFFFFF", "#0F141C"])
def test_every_algorithm_stands_out_on_both_backgrounds(name: str, background: str) -> None:
    dark, light = sorted((luminance(role_of(name, 1).colour), luminance(background)))
    assert (light + 0.05) / (dark + 0.05) >= 3


def test_runs_of_one_algorithm_differ_by_their_dash_and_algorithms_by_their_symbol() -> None:
    assert len({role_of("target", number).dash for number in range(1, 6)}) == 5
    assert len({role_of(name, 1).symbol for name in ALGORITHMS}) == len(ALGORITHMS)
