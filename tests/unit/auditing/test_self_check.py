"""Sound mechanisms meet every check; each check has a twin that must not.

Draws are seeded, so nothing fails at random; at another seed a sound mechanism fails one of the
checks on draws once in 5 · 10⁸, and the twins below are off by far more than six standard errors.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from compdp_core import CompositeMechanism
from compdp_core.auditing.attacks import FAULTY, average_repeats, split_budget
from compdp_core.auditing.self_check import Check, self_check
from compdp_core.auditing.sequential import DRAWS, Growth, audit_growth
from compdp_core.errors import ParameterError
from compdp_core.mechanisms.baselines import BASELINES, ClampedLaplace, Laplace


def failed(checks: tuple[Check, ...]) -> list[str]:
    return [check.name for check in checks if check.met is False]


@pytest.mark.parametrize(
    "options",
    [{}, {"pair": "A2B2"}, {"pair": "A4B1", "sensitivity": 1}, {"pair": "A3B1", "spacing": 1}],
)
def test_the_composite_meets_all(options: dict[str, Any]) -> None:
    checks = self_check(CompositeMechanism(1.0, (0, 100), **options))
    assert [check.met for check in checks] == [True] * 7
    assert {"bounds", "mass", "lattice", "certificate"} < {check.name for check in checks}


@pytest.mark.parametrize("key", BASELINES)
def test_baselines_meet_what_they_promise(key: str) -> None:
    mechanism = BASELINES[key].build(1.0, (0, 100), delta=1e-6)
    checks = {check.name: check for check in self_check(mechanism)}
    assert not failed(tuple(checks.values()))
    assert (checks["bounds"].met is None) == (not BASELINES[key].is_bounded)


@pytest.mark.parametrize(
    ("key", "names"),
    [
        ("half", ["privacy loss"]),
        ("one_bound", ["privacy loss"]),
        ("outside", ["bias in draws", "privacy loss"]),
    ],
)
def test_what_is_broken_fails_where_it_is_broken(key: str, names: list[str]) -> None:
    assert failed(self_check(FAULTY[key]())) == names


class _Drifting(Laplace):
    """A tenth of the noise to the right, and it does not say so."""

    def _draw(self, x: Any, rng: np.random.Generator) -> Any:
        return super()._draw(x, rng) + 0.1 * np.sqrt(2.0) * 100.0


class _Overflowing(ClampedLaplace):
    """Clamped to a little more than it says."""

    def _draw(self, x: Any, rng: np.random.Generator) -> Any:
        return super()._draw(x, rng) * 1.001


class _Losing(Laplace):
    """A density with a hundredth of its mass missing."""

    def _pdf(self, x: Any, value: Any) -> Any:
        return 0.99 * super()._pdf(x, value)


@pytest.mark.parametrize(
    ("twin", "name"), [(_Drifting, "bias in draws"), (_Overflowing, "bounds"), (_Losing, "mass")]
)
def test_each_check_has_a_twin_that_fails_it(twin: Any, name: str) -> None:
    assert name in failed(self_check(twin(1.0, (0, 100))))


def test_draws_off_the_lattice_and_a_proof_that_fails_are_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mechanism = CompositeMechanism(1.0, (0, 100))
    honest = mechanism.simulate
    monkeypatch.setattr(
        mechanism, "simulate", lambda values, seed: honest(values, seed=seed) + 1e-4
    )
    loose = SimpleNamespace(
        epsilon=1.1, declared=1.0, holds=False, worst_bias=0.0, require=lambda: None
    )
    monkeypatch.setattr(mechanism, "certificate", loose)
    assert set(failed(self_check(mechanism))) >= {"lattice", "certificate"}


def test_a_row_of_a_file_says_it_in_words() -> None:
    rows = [check.row() for check in self_check(Laplace(1.0, (0, 10)))]
    assert [row["met"] for row in rows] == ["not promised", "yes", "yes", "yes"]
    assert all(row["checked"] and row["unit"] for row in rows)


def test_draws_that_are_all_equal_are_no_bias() -> None:
    """At ε = 50 one of Duchi's two outputs never shows: no spread in the draws, and 0/0 once."""
    build = BASELINES["duchi"].build
    (bias,) = [c for c in self_check(build(50.0, (0.0, 100.0))) if c.name == "bias in draws"]
    assert bias.met
    assert np.isfinite(bias.result)


@pytest.mark.parametrize("draws", [99, 100.5, float("nan"), True])
def test_too_few_draws_are_refused(draws: Any) -> None:
    with pytest.raises(ParameterError) as caught:
        self_check(Laplace(1.0, (0, 10)), draws=draws)
    assert caught.value.name == "draws"


def test_a_split_budget_gains_nothing_by_averaging() -> None:
    """Laplace by its closed form: √2 n/√n. The twin that spends ε anew each time falls instead."""
    split = split_budget(lambda e: Laplace(e, (0, 10)), 5.0, 1.0, (1, 4, 100))
    assert split.expected == pytest.approx(np.sqrt(2.0) * 10.0 * np.sqrt([1.0, 4.0, 100.0]))
    anew = average_repeats(Laplace(1.0, (0, 10)), 5.0, most=100)
    assert anew.expected[-1] < 0.2 * split.expected[0]
    assert {1, 2, 5, 10, 20, 50, 100} <= set(anew.repeats.tolist())
    least = split_budget(lambda e: Laplace(e, (0, 10)), 5.0, 0.01, (1, 10, 1000))
    assert least.repeats.tolist() == [1, 10]
    for repeats in (0, 1001):
        with pytest.raises(ParameterError):
            split_budget(lambda e: Laplace(e, (0, 10)), 5.0, 1.0, (repeats,))


# Audits that look again and again


def test_growth_convicts_what_is_broken_and_tells_every_look() -> None:
    broken = FAULTY["half"]()
    told: list[Growth] = []
    growth = audit_growth(
        broken.simulate, broken.claimed, broken.neighbours, seed=1, look=told.append
    )
    assert [len(each.looks) for each in told] == list(range(1, len(DRAWS) + 1))
    assert growth == told[-1]
    assert growth.refuted
    assert growth.refuted_after in DRAWS
    assert growth.claimed < growth.lower_bound <= broken.true
    each = 1.0 - (1.0 - growth.confidence) / len(DRAWS)
    assert all(look.confidence == pytest.approx(each, abs=1e-15) for look in growth.looks)


def test_growth_does_not_convict_the_sound_one_and_stops_on_request() -> None:
    sound = CompositeMechanism(1.0, (0, 100))
    looks: list[Growth] = []
    growth = audit_growth(
        lambda values, seed: sound.simulate(values, seed=seed),
        1.0,
        (0.0, 100.0),
        seed=1,
        look=looks.append,
        cancelled=lambda: len(looks) == 6,
    )
    assert len(growth.looks) == 6
    assert not growth.refuted
    assert growth.refuted_after is None
    assert 0.4 < growth.lower_bound < 1.0


@pytest.mark.parametrize(
    ("changed", "name"), [({"draws": ()}, "draws"), ({"confidence": 1.0}, "confidence")]
)
def test_growth_refuses_by_name(changed: dict[str, Any], name: str) -> None:
    broken = FAULTY["half"]()
    with pytest.raises(ParameterError) as caught:
        audit_growth(broken.simulate, 1.0, broken.neighbours, seed=1, **changed)
    assert caught.value.name == name


def test_bounds_are_named_so_that_they_can_be_told_apart() -> None:
    far = self_check(ClampedLaplace(1.0, (1e12 - 1, 1e12)))[0].checked
    assert "999,999,999,999 … 1,000,000,000,000" in far
    assert "without bounds" in self_check(Laplace(1.0, (0, 1)))[0].checked


@pytest.mark.parametrize("key", ["laplace", "staircase"])
def test_the_mass_is_judged_where_floats_are_dense(key: str) -> None:
    mechanism = BASELINES[key].build(20.0, (5, 1000), sensitivity=9.95e-13)
    assert all(check.met is not False for check in self_check(mechanism, (5.0, 5.0 + 8.9e-13)))
