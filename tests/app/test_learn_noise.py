"""Steps 1 to 5 of the course, from the promise to the composite idea: their numbers a second way.

The second way starts from the parameters of the density, or adds it up over a fine grid.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from compdp_core.mechanisms.composite import CompositeMechanism
from pages.sections.shared.course.lessons import bounds, clamping, composite, epsilon, promise
from pages.sections.shared.course.pictures import bounds as pocket_money
from pages.sections.shared.course.pictures import clamping as clamped
from pages.sections.shared.course.pictures import composite as steering
from pages.sections.shared.course.pictures import promise as two_results
from pages.sections.shared.course.pictures.epsilon import ROUNDS, game
from pages.text.wording import beyond_half, number, percent, quantity
from tests.app.course import PAGE, opened, option


def block(mechanism: CompositeMechanism, value: float) -> tuple[float, float]:
    """Ends of the activation in data units, from width and share of the density alone."""
    low, high = mechanism.outputs
    middle, half = (low + high) / 2, (high - low) / 2
    centre = middle + (value - middle) / mechanism.design.S1
    return centre - mechanism.design.mu * half, centre + mechanism.design.mu * half


def grid_of(mechanism: CompositeMechanism) -> tuple[Any, float]:
    """Midpoints of 400,000 cells of the outputs, and their width."""
    low, high = mechanism.outputs
    width = (high - low) / 400_000
    return low + width * (np.arange(400_000) + 0.5), width


def test_promise_the_heights_reach_the_limit_and_never_pass_it() -> None:
    mechanism = CompositeMechanism(two_results.EPSILON, (0, 100))
    limit = math.exp(two_results.EPSILON)
    one, other = (block(mechanism, value) for value in (two_results.ONE, two_results.OTHER))
    assert one[0] < promise.SEEN < one[1]
    assert other[0] > promise.SEEN
    assert number(limit) in option(promise.PROMISE).words
    # In the block of one and beside that of the other: base plus activation against base alone.
    kappa = mechanism.design.kappa
    assert f"{number(1 + kappa)} times" in option(promise.PROMISE).why
    for outcome in (-100, 0, 50, 150):
        app = opened(promise_outcome=str(outcome))
        inside = [ends[0] < outcome < ends[1] for ends in (one, other)]
        said = app.said("markdown")
        if inside[0] == inside[1]:
            assert f"**{number(outcome)}** comes out equally often" in said
        else:
            value = two_results.ONE if inside[0] else two_results.OTHER
            assert f"**{number(1 + kappa)} times** as often if Ada has {number(value)}" in said
    assert 1 + kappa == pytest.approx(limit, rel=1e-9)


def test_promise_what_is_as_likely_for_two_results_may_tell_others_apart() -> None:
    mechanism = CompositeMechanism(two_results.EPSILON, (0, 100))
    # At the upper end neither of the two reaches, and a result of 100 does.
    assert mechanism.pdf(250.0, value=100.0) > 2.7 * mechanism.pdf(250.0, value=70.0)
    text = opened(promise_outcome="250").said("markdown")
    assert "does not tell these two apart" in text


def test_epsilon_the_limit_is_the_odds_and_the_attacker_guesses_the_nearer() -> None:
    odds = math.exp(epsilon.ASKED)
    assert option(epsilon.EPSILON).words == percent(odds / (1 + odds))
    played = game(1.0, 1)
    mechanism = CompositeMechanism(1.0, (0, 100))
    (_, first), (second, _) = block(mechanism, 0.0), block(mechanism, 100.0)
    told = (played.released < first - 0.1) | (played.released > second + 0.1)
    assert 0.5 < told.mean() < 0.95
    assert np.array_equal(played.attacker[told], (played.released[told] > 50).astype(int))
    # Right where the number tells, and in half of the other rounds: of 1,000 rounds no more than
    # 6 standard errors from that.
    expected = (1 + mechanism.design.S1) / 2
    share = played.right(played.attacker)[-1]
    assert abs(share - expected) < 6 * math.sqrt(0.25 / ROUNDS)
    assert expected < math.e / (1 + math.e)


def test_epsilon_a_game_is_played_round_by_round() -> None:
    app = opened(step="epsilon", epsilon_seed="7")
    played = game(1.0, 7)
    for place in range(3):
        app.press("It was 100" if played.secret[place] else "It was 0")
    app.press("It was 0" if played.secret[3] else "It was 100")
    said = app.said("markdown")
    assert "You are right in 75 % of 4 rounds." in said
    assert f"Wrong: in round 4 it was {100 * played.secret[3]}." in said
    app.press(f"Let the best attacker play {ROUNDS:,} rounds")
    hits = float(np.mean(played.attacker == played.secret))
    assert f"The best attacker is right in {percent(hits)}" in app.said("markdown")
    app.go("pages/audit.py").go(PAGE)
    assert "You are right in 75 % of 4 rounds." in app.said("markdown")
    app.press("New game")
    said = app.said("markdown")
    assert f"Round 1: **{number(game(1.0, 8).released[0], 4)}** came out" in said
    assert "You are right" not in said


def test_epsilon_the_other_limits_are_those_of_half_and_of_twice_the_budget() -> None:
    limits = {by: beyond_half(1 - 1 / (1 + math.exp(by * epsilon.ASKED))) for by in (0, 0.5, 1, 2)}
    options = epsilon.EPSILON.question().options
    assert [option.words for option in options[:3]] == [limits[0], limits[0.5], limits[1]]
    assert f"it would be {limits[2]}" in option(epsilon.EPSILON).why


def test_epsilon_a_new_game_after_the_last_seed_has_a_link_that_opens() -> None:
    app = opened(step="epsilon", epsilon_seed="1000000000").press("New game")
    assert f"Round 1: **{number(game(1.0, 0).released[0], 4)}** came out" in " ".join(
        app.messages("markdown")
    )


@pytest.mark.parametrize("upper", [10, 60, 130, 200])
def test_bounds_clamping_and_noise_add_up(upper: int) -> None:
    now = pocket_money.cost(float(upper))
    clamped = [min(value, upper) for value in pocket_money.MONEY]
    n = len(pocket_money.MONEY)
    assert now.clamped == sum(value > upper for value in pocket_money.MONEY)
    assert now.shift == pytest.approx((sum(clamped) - sum(pocket_money.MONEY)) / n, abs=1e-12)
    mechanism = CompositeMechanism(pocket_money.EPSILON, (0, upper), sensitivity=upper / n)
    at, width = grid_of(mechanism)
    mean = sum(clamped) / n
    variance = np.sum((at - mean) ** 2 * mechanism.pdf(at, value=mean)) * width
    assert now.noise == pytest.approx(math.sqrt(variance), rel=5e-4)
    # No less than the best noise without bounds, and within a percent of it: 1.918 Δ² at ε = 1.
    assert 1 < now.noise / (math.sqrt(1.918) * upper / n) < 1.01
    assert now.both == pytest.approx(math.sqrt(now.shift**2 + now.noise**2))
    said = " ".join(opened(step="bounds", bounds_upper=str(upper)).messages("markdown"))
    assert f"Both together: **{quantity(now.both, '€')}**" in said


def test_bounds_the_best_one_lies_within_and_cuts_somebody_off() -> None:
    best = min(pocket_money.BOUNDS, key=lambda b: pocket_money.cost(b).both)
    assert pocket_money.BOUNDS[0] < best < bounds.TEACHER
    assert pocket_money.cost(best).clamped >= 1
    assert max(pocket_money.MONEY) == bounds.TEACHER
    assert pocket_money.cost(bounds.TEACHER).clamped == 0


@pytest.mark.parametrize(("value", "budget"), [(0, 1.0), (90, 1.0), (30, 3.0), (50, 0.5)])
def test_clamping_the_average_of_what_comes_out(value: int, budget: float) -> None:
    scale = 100 / budget
    noise = np.linspace(-40 * scale, 40 * scale, 800_001)
    weights = np.exp(-np.abs(noise) / scale)
    mean = float(np.average(np.clip(value + noise, 0, 100), weights=weights))
    app = opened(step="clamping", clamping_value=str(value), clamping_epsilon=str(budget))
    said = app.said("markdown")
    assert f"On average **{number(round(mean, 6))}**" in said
    assert f"Composite: on average **{value}**" in said
    table = clamped.bars(budget, value)
    below, above = clamped.ends(budget, value)
    assert table.clamped.sum() + below + above == pytest.approx(1, abs=1e-12)
    assert table.composite.sum() == pytest.approx(1, abs=1e-9)
    # What is moved to a bound stands in the row that ends there.
    assert [table.moved[table["from"] == 0].item(), table.moved[table["to"] == 100].item()] == (
        pytest.approx([below, above], rel=1e-12)
    )
    assert table.moved.sum() == pytest.approx(below + above, rel=1e-12)
    # Bars know a number to their width; on average half of it is little.
    middles = (table["from"] + table["to"]) / 2
    assert float(np.sum(middles * table.composite)) == pytest.approx(value, abs=1.0)


def test_clamping_the_mean_of_many_is_wrong_by_the_bias_of_one() -> None:
    # Half of the noise lies above 100, and is lost; of the other half what lies below 0 is, too.
    mean = 100 - 50 * (1 - math.exp(-1)) / clamping.ASKED
    assert option(clamping.CLAMPING).words == number(mean) == "68.4"


def test_clamping_what_is_moved_up_is_less_than_what_is_moved_down() -> None:
    # Of Laplace noise at ε = 1 on 100 points half lies above 100, and half of 1/e below 0.
    why = clamping.CLAMPING.question().options[0].why
    assert f"{percent(0.5)} of the numbers would lie above 100" in why
    assert f"only {percent(0.5 / math.e)} would lie below 0 and are moved up" in why


def test_clamping_how_much_leaves_the_bounds_and_how_steady_a_mean_is() -> None:
    value, low = clamping.VALUE.setting.default, math.exp(-0.9) / 2
    assert value == 90
    assert f"{percent(low + math.exp(-0.1) / 2)} of the" in clamping.CLAMPING.text
    # Noise on 100 points, half of it clamped away: moments of the other half, on a fine grid.
    noise = np.linspace(0, 4000, 2_000_001)
    chance = np.exp(-noise / 100) / 2
    off = np.minimum(noise, 100)
    chance /= 2 * chance.sum()
    variance = float(np.sum(chance * off**2) - np.sum(chance * off) ** 2)
    told = f"to about {quantity(math.sqrt(variance / clamping.PUPILS), 'points')}"
    assert any(told in option.why for option in clamping.CLAMPING.question().options)


def test_composite_the_average_follows_the_activation() -> None:
    mechanism = CompositeMechanism(steering.EPSILON, (0, 100))
    at, width = grid_of(mechanism)
    for value in (10, 50, 90):
        density = mechanism.pdf(at, value=value)
        tallest = at[density > density.min() * 1.01]
        centre = (tallest.min() + tallest.max()) / 2
        assert steering.centre_for(value) == pytest.approx(centre, abs=2 * width)
        assert steering.average(centre) == pytest.approx(
            float(np.sum(at * density) * width), abs=0.01
        )
    answer = minimize_scalar(
        lambda centre: (steering.average(centre) - composite.ASKED) ** 2, bounds=(50, 254)
    ).x
    assert option(composite.COMPOSITE).words == f"at {number(answer)}"


def test_composite_the_base_alone_gives_nothing_away() -> None:
    app = opened(step="composite", composite_value="90")
    assert "The average is **50**, whatever Ada has" in app.said("markdown")
    app.toggle("Add the activation")
    app.slide(composite.CENTRE.label, 149)
    assert any("It is right." in str(each.value) for each in app.at.success)


def test_composite_the_wrong_places_of_the_activation_have_the_averages_told() -> None:
    mechanism = CompositeMechanism(steering.EPSILON, (0, 100))
    share, top = mechanism.design.S1, mechanism.outputs[1]
    options = composite.COMPOSITE.question().options
    for offered, centre in zip(options, (90, 100, 50 + 40 / share, top), strict=True):
        assert offered.words == f"at {number(centre)}"
        assert f"average is {number((1 - share) * 50 + share * centre)}" in offered.why.replace(
            "an average of", "an average is"
        )
