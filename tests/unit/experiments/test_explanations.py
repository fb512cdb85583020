"""The reasons given for differences: each has a test, each is in the scientific README."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from compdp_core.design.density import Density
from compdp_core.design.design import Design
from compdp_core.experiments.paper.explanations import (
    EXPLANATIONS,
    authors_inputs_table,
    classic_gaussian_table,
    explanation_table,
)
from compdp_core.experiments.paper.reconstruction import authors_valid_inputs
from compdp_core.mechanisms.baselines import AnalyticGaussian, ClassicGaussian, gaussian_delta
from compdp_core.shapes import Rectangle
from tests.architecture.test_field_cases_covered import wrong
from tests.frames import rows

ROOT = Path(__file__).parents[3]
README = (ROOT / "compdp_core" / "README.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/.]+\.py(?:::\w+)?)`", README)))


@pytest.mark.parametrize("key", EXPLANATIONS)
def test_every_reason_names_a_test_that_exists_and_stands_in_the_readme(key: str) -> None:
    explanation = EXPLANATIONS[key]
    assert explanation.key == key
    assert not wrong(explanation.proof, ROOT)
    assert explanation.proof in NAMED
    assert 40 < len(explanation.text) < 500


@pytest.mark.parametrize("test", NAMED)
def test_every_test_that_the_readme_names_exists(test: str) -> None:
    assert not wrong(test, ROOT)


def test_a_test_that_is_not_there_is_noticed() -> None:
    for test in ("test_rates.py::test_nothing_of_that_name", "test_nothing.py::test_b2"):
        assert wrong(f"tests/unit/experiments/{test}", ROOT)


def test_the_example_of_the_readme_runs() -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", README, re.M | re.S)
    names: dict[str, Any] = {}
    exec(compile(code, "compdp_core/README.md", "exec"), names)  # noqa: S102 - our own page
    assert len(names["table"]) == 2 * len(names["field"]) == 2 * 19
    assert names["best"].meets.iloc[0]
    assert (names["curve"].refused == "").all()


def test_the_table_of_explanations() -> None:
    table = explanation_table()
    assert table.reason.tolist() == list(EXPLANATIONS)
    assert (table.title.str.len() > 0).all()


def test_the_valid_inputs_of_the_authors_example() -> None:
    table = authors_inputs_table().set_index("answer")
    assert table.valid.to_dict() == {30.0: True, 20.0: False}
    low, high = table.valid_lower[30.0], table.valid_upper[30.0]
    assert (round(low, 1), round(high, 1)) == (24.4, 34.4)
    # By the authors' own formulas: L = (1 - k m)/2y, scale = k m (2L - m)/Δ, x -> scale x - L.
    k, m, y = 0.5, 0.4, 0.3
    half = (1 - k * m) / (2 * y)
    scale = k * m * (2 * half - m) / 10.0
    limit = k * m * (half - m / 2)
    for answer, edge in ((low, -limit), (high, limit)):
        assert scale * answer - half == pytest.approx(edge, abs=1e-12)
    # At 20 the activation would have to leave the domain: no unbiased density is left.
    design = Design.from_parameters(1.0, Rectangle(), "B1", k, m, y)
    with pytest.raises(ValueError, match="C_p must lie within"):
        Density(design).start(scale * 20.0 - half)
    moved = authors_valid_inputs(design, lower=5.0, sensitivity=10.0)
    assert moved == pytest.approx((low + 5.0, high + 5.0))


def test_the_true_delta_of_the_classic_gaussian() -> None:
    table = classic_gaussian_table().set_index("epsilon")
    assert table.true_delta[10.0] == pytest.approx(1.9e-6, rel=0.05)
    assert table.true_delta[20.0] == pytest.approx(1.6e-4, rel=0.05)
    assert table.index.tolist() == [0.2, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 10.0, 20.0]
    assert table.kept.tolist() == [True] * 7 + [False] * 2
    for row in rows(table.reset_index()):
        assert row.proof_holds == (row.epsilon < 1.0)
        assert row.true_delta == gaussian_delta(row.epsilon, row.classic_sigma)
        analytic = AnalyticGaussian(row.epsilon, (0, 1), delta=1e-6)
        assert row.analytic_sigma == analytic.sigma
        assert analytic.true_delta <= 1e-6
        assert (row.analytic_sigma < row.classic_sigma) == row.kept
    assert ClassicGaussian(1.0, (0, 1), delta=1e-6).sigma == table.classic_sigma[1.0]
