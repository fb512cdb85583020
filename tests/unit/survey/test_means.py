"""The mean on the wall: what estimates say of the same answers, and true as often as it says.

False alarms: 1e-9 for each verdict at another seed, as bounds lie 6.1 standard errors of so many
classes below a coverage of .947 (of whole numbers .94). A coverage of .93 (.92) is rejected: surely
up to 30 answers, in all but 1 of 10,000 seeds at 200. The twins, whose coverage is .90 and less,
are surely rejected.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student

from compdp_core.errors import ParameterError
from compdp_core.release import ColumnPlan
from compdp_core.survey.answers import SurveyAnswers
from compdp_core.survey.means import FEWEST, half_widths, numeric, running_mean
from compdp_core.survey.question import Question
from compdp_core.validation import Array
from tests.unit.survey.classes import asked, bounds, coverage, drawn, ends, margin

EPSILONS = (0.5, 1.0, 4.0, 5.0)
CLASSES = {"one end": 0.0, "other end": 1.0, "both ends": None, "middle": 0.5, "near the top": 0.9}
LEAST, LEAST_OF_WHOLE = 0.947, 0.94


def class_of(question: Question, where: str, n: int) -> Array:
    """True answers of one class."""
    low, high = bounds(question)
    at = CLASSES[where]
    shares = np.arange(n) % 2 if at is None else np.full(n, at)
    true = np.asarray(low + (high - low) * shares, dtype=np.float64)
    return np.asarray(np.rint(true) if question.plan.kind == "whole" else true)


def simulated(question: Question, where: str, n: int, reach: float | None = None) -> float:
    """How often the interval of such a class holds its mean."""
    true = class_of(question, where, n)
    u = drawn(question, np.broadcast_to(true, (classes_of(n), n)), seed=n)
    return coverage(*ends(question, u, reach), float(true.mean()))


def classes_of(n: int) -> int:
    return 40_000 if n <= 30 else 20_000


@pytest.mark.parametrize("where", CLASSES)
@pytest.mark.parametrize("n", [3, 5, 30, 200])
def test_intervals_hold_the_mean_wherever_true_answers_lie(n: int, where: str) -> None:
    for epsilon in EPSILONS:
        found = simulated(asked((0, 20), epsilon), where, n)
        assert found > LEAST - margin(LEAST, classes_of(n)), epsilon


@pytest.mark.parametrize("where", CLASSES)
@pytest.mark.parametrize("n", [3, 5, 30])
def test_so_do_those_of_whole_numbers(n: int, where: str) -> None:
    for epsilon in (1.0, 5.0):
        found = simulated(asked((1, 5), epsilon, "whole"), where, n)
        assert found > LEAST_OF_WHOLE - margin(LEAST_OF_WHOLE, classes_of(n)), epsilon


def test_a_normal_quantile_would_be_too_short_for_few_answers() -> None:
    """The twin: with t, the very same class is held."""
    question, bound = asked((0, 20), 4.0), LEAST - margin(LEAST, classes_of(5))
    assert simulated(question, "both ends", 5) > bound
    assert simulated(question, "both ends", 5, reach=float(norm.ppf(0.975))) < bound


def test_the_mean_of_the_wall_lies_within_its_interval_95_of_100_times_over_classes_of_30() -> None:
    """Each class is another one: of pupils near the top, of any, and of two kinds. The twin takes
    the noise for that of the middle of the bounds.
    """
    question, chance, many = asked(), np.random.default_rng(5), 40_000
    mechanism = numeric(question)
    middle = math.sqrt(float(mechanism.variance(10.0)))
    kinds = [
        np.clip(chance.normal(17.5, 2.0, (many, 30)), 0, 20),
        chance.uniform(0, 20, (many, 30)),
        np.where(chance.random((many, 30)) < 0.3, 2.0, 19.0),
    ]
    bound = LEAST - margin(LEAST, many)
    for seed, true in enumerate(kinds):
        u, means = drawn(question, true, seed), true.mean(axis=1)
        assert coverage(*ends(question, u), means) > bound
        half = student.ppf(0.975, 29) * middle / math.sqrt(30)
        assert coverage(u.mean(axis=1) - half, u.mean(axis=1) + half, means) < bound


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize(("inputs", "kind"), [((0, 20), ""), ((-50, 50), ""), ((1, 5), "whole")])
def test_after_every_answer_it_is_the_mean_of_the_estimates_and_their_error(
    inputs: tuple[float, float], kind: str, epsilon: float
) -> None:
    """Value, and t standard errors to either side, from file and card alone."""
    question = asked(inputs, epsilon, kind)
    low, high = inputs
    values = drawn(question, np.linspace(low, high, 12))
    found = running_mean(question, values)
    for n in (1, 2, 3, 4, 5, 8, 12):
        mean = SurveyAnswers(question, values[:n].tolist()).estimates.mean("answer")
        assert found.value[n - 1] == pytest.approx(mean.value, abs=1e-9 * mean.standard_error)
        if n < FEWEST:
            assert math.isnan(found.low[n - 1])
            assert math.isnan(found.high[n - 1])
            continue
        half = float(student.ppf(0.975, n - 1)) * mean.standard_error
        middle = min(max(mean.value, low), high)
        assert found.low[n - 1] == pytest.approx(max(middle - half, low), abs=1e-6 * half)
        assert found.high[n - 1] == pytest.approx(min(middle + half, high), abs=1e-6 * half)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_interval_is_that_of_the_formula_and_of_all_classes_at_once(epsilon: float) -> None:
    """By ``(c0 + k (u - c)²)/(1 + k)``, with c, c0 and p from sums over the lattice."""
    question = asked((0, 20), epsilon)
    lattice = question.lattice
    y = lattice.value(np.arange(lattice.points))
    spread = {x: float(lattice.pmf(x) @ (y - x) ** 2) for x in (0.0, 10.0, 20.0)}
    k = (spread[20.0] - spread[10.0]) / 100
    assert spread[0.0] == pytest.approx(spread[20.0], rel=1e-6)
    u = drawn(question, np.tile([2.0, 18.0, 20.0, 9.0, 11.0], (50, 1)))
    batch = np.stack(ends(question, u), axis=1)
    for row, both in zip(u, batch, strict=True):
        noise = np.clip(
            ((spread[10.0] + k * (row - 10) ** 2) / (1 + k)).mean(), *spread_ends(spread)
        )
        half = float(student.ppf(0.975, 4)) * math.sqrt(noise / 5)
        middle = min(max(row.mean(), 0.0), 20.0)
        exact = max(middle - half, 0.0), min(middle + half, 20.0)
        value, low, high = running_mean(question, row).now
        assert value == pytest.approx(row.mean())
        assert (low, high) == pytest.approx(exact, rel=1e-5, abs=1e-5)
        assert both.tolist() == pytest.approx([low, high])


def spread_ends(spread: dict[float, float]) -> tuple[float, float]:
    return min(spread.values()), max(spread.values())


def test_a_mean_beyond_the_bounds_makes_no_interval_of_nothing() -> None:
    """Where all answers lie beyond, the interval reaches inwards as far as from the bound."""
    question = asked()
    outputs = numeric(question).outputs
    for end, bound in zip(outputs, bounds(question), strict=True):
        value, low, high = running_mean(question, np.full(200, end)).now
        assert value == pytest.approx(end)
        assert bound in (low, high)
        assert 0.3 < high - low < 1.0


def test_every_interval_lies_within_the_bounds_and_holds_what_of_the_mean_does() -> None:
    for epsilon, (low, high) in itertools.product(EPSILONS, [(0, 20), (-3, 4)]):
        question = asked((low, high), epsilon)
        found = running_mean(question, drawn(question, np.linspace(low, high, 60)))
        held = np.clip(found.value, low, high)[FEWEST - 1 :]
        assert (low <= found.low[2:]).all()
        assert (found.low[2:] <= held).all()
        assert (held <= found.high[2:]).all()
        assert (found.high[2:] <= high).all()
        assert np.isnan(found.low[:2]).all()


def test_half_widths_are_those_of_students_t() -> None:
    found = half_widths(np.array([1.0, 2.0, 3.0, 30.0, 200.0]))
    assert np.isnan(found[:2]).all()
    assert found[2:].tolist() == pytest.approx([float(student.ppf(0.975, n)) for n in (2, 29, 199)])


def test_there_is_no_mean_of_nothing_and_none_of_categories() -> None:
    with pytest.raises(ParameterError, match=r"^values "):
        running_mean(asked(), np.array([]))
    late = Question("Late?", ColumnPlan(epsilon=1, kind="category", categories=["yes", "no"]))
    with pytest.raises(ParameterError, match="must ask for a number"):
        running_mean(late, np.array([1.0]))
