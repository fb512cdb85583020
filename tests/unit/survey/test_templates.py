"""Questions to begin with: each can be asked, and a class of its size sees its point."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import t as student

from compdp_core.release import ColumnPlan
from compdp_core.survey.clamped import InventedClass
from compdp_core.survey.question import Question
from compdp_core.survey.templates import NEAR, TEMPLATES, Template, answers_until_near, template
from compdp_core.survey.wording import MOST_EPSILON

Z = NormalDist().inv_cdf(0.975)


def clamped_bias(x: float, low: float, high: float, epsilon: float) -> float:
    """Of ``min(max(x + Laplace, low), high)``, from the integrals of its tails."""
    scale = (high - low) / epsilon
    return 0.5 * scale * (math.exp(-(x - low) / scale) - math.exp(-(high - x) / scale))


def needed(one: Template) -> int:
    """By a sum over the lattice itself, and by trying one number after another."""
    question = one.question
    if not isinstance(one.expected, InventedClass):
        odds = math.exp(float(question.epsilon))
        kept, other = odds / (odds + 1), 1 / (odds + 1)
        f = one.expected * kept + (1 - one.expected) * other
        error = math.sqrt(f * (1 - f)) / (kept - other)
        return next(n for n in range(1, 10_000) if Z * error / math.sqrt(n) <= NEAR)
    low, high = question.mechanism.inputs  # type: ignore[union-attr]
    normal = NormalDist(one.expected.mean, one.expected.std)
    class_ = [min(max(normal.inv_cdf((i + 0.5) / 401), low), high) for i in range(401)]
    lattice = question.lattice
    outputs = lattice.value(np.arange(lattice.points))
    variance = []
    for x in class_:
        pmf = lattice.pmf(x)
        assert pmf @ outputs == pytest.approx(x, abs=1e-6 * (high - low))
        variance.append(float(pmf @ (outputs - x) ** 2))
    bias = abs(np.mean([clamped_bias(x, low, high, float(question.epsilon)) for x in class_]))
    std = math.sqrt(np.mean(variance))
    return next(n for n in range(3, 10_000) if student.ppf(0.975, n - 1) * std <= bias * n**0.5)


@pytest.mark.parametrize("one", TEMPLATES, ids=lambda one: one.key)
def test_the_answers_needed_are_what_a_second_way_finds(one: Template) -> None:
    assert one.needed == needed(one)


@pytest.mark.parametrize("key", ["marks", "way", "yes_no"])
def test_a_class_of_thirty_sees_the_point(key: str) -> None:
    one = template(key)
    assert one is not None
    assert one.needed is not None
    assert one.needed <= 30


def test_the_point_of_sleep_takes_a_whole_year_group() -> None:
    one = template("sleep")
    assert one is not None
    assert one.needed == 235


@pytest.mark.parametrize("one", TEMPLATES, ids=lambda one: one.key)
def test_every_template_can_be_asked(one: Template) -> None:
    certificate = one.question.mechanism.certificate
    assert certificate.holds
    assert certificate.epsilon <= float(one.question.epsilon) <= MOST_EPSILON
    assert one.title
    assert one.point.endswith(".")
    assert template(one.key) is one
    if isinstance(one.expected, InventedClass):
        inputs = one.question.inputs
        assert inputs is not None
        assert inputs.lower < one.expected.mean < inputs.upper
        assert not one.question.categories
    else:
        assert 0 < one.expected < 1
        assert len(one.question.categories) == 2


def test_names_are_their_own_and_others_lead_nowhere() -> None:
    keys = [one.key for one in TEMPLATES]
    assert len(set(keys)) == len(keys)
    for key in ("", "Marks", "marks ", "nothing"):
        assert template(key) is None


def test_a_rarer_yes_and_a_larger_budget_need_fewer_answers() -> None:
    def of(epsilon: float) -> Question:
        names = ["yes", "no"]
        return Question("?", ColumnPlan(epsilon=epsilon, kind="category", categories=names))

    needed = [answers_until_near(of(epsilon), 0.3) for epsilon in (0.5, 1, 2, 4)]
    assert needed == sorted(needed, reverse=True)
    assert answers_until_near(of(2), 0.05) < answers_until_near(of(2), 0.5)
    with pytest.raises(ValueError, match="must list categories"):
        answers_until_near(TEMPLATES[0].question, 0.3)
