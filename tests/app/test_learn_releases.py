"""Steps 8 to 11 of the course, releases and their card: their numbers a second way.

No test here depends on chance: all draws have fixed seeds.
"""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pytest

from pages.sections.shared.course import sheet as class_card
from pages.sections.shared.course.examples import means, persons, repeats
from pages.sections.shared.course.examples.noise import EPSILONS, composite
from pages.sections.shared.course.lessons import card, person, place, repetition
from pages.sections.shared.course.pictures.place import CENTRAL, LOCAL
from pages.text.wording import number, percent, quantity
from tests.app.course import named, opened, option
from tests.app.densities import AT, CELLS, best
from tests.app.driving import Driven


def staircase_limit(epsilon: float) -> float:
    """Least variance of additive noise without bounds, Δ = 1 (Geng and Viswanath 2014)."""
    b = math.exp(-epsilon)
    return float((2 ** (-2 / 3) * (b * (1 + b)) ** (2 / 3) + b) / (1 - b) ** 2)


@pytest.mark.parametrize("budget", EPSILONS)
def test_place_errors_fall_with_the_root_of_the_rows_and_with_the_rows(budget: str) -> None:
    epsilon = float(budget)
    star = best(epsilon, "A1B1")
    # The error of one result, averaged over results spread evenly.
    values = 100 * AT[:: CELLS // 1000]
    each = math.sqrt(np.mean([star.error(value) ** 2 for value in values]))
    drawn = math.sqrt(np.mean(composite(epsilon).variance(values)))
    for rows in (10, 200, 10_000):
        found = means.errors(epsilon, rows)
        assert found.local == pytest.approx(drawn / math.sqrt(rows), rel=1e-5)
        # Lattice and design agree at the middle to .01 % of the variance, and the lattice is no
        # worse at the ends; on average over all it may be a little better.
        assert 1 - 1e-3 < found.local / (each / math.sqrt(rows)) < 1 + 1e-4
        least = 100 / rows * math.sqrt(staircase_limit(epsilon))
        assert least * (1 - 1e-9) < found.central < 1.01 * least
        assert found.times == pytest.approx(found.local / found.central)


def test_place_the_dots_are_as_far_off_as_the_sentence_says() -> None:
    app = opened(step="place", place_rows="200", place_epsilon="2")
    now = means.errors(2.0, 200)
    assert f"**{quantity(now.local, 'points')}** if each adds noise" in app.said("markdown")
    assert f"**{quantity(now.central, 'points')}** if the teacher does" in app.said("markdown")
    drawn = named(app, "place-classes")
    for name, error in ((LOCAL, now.local), (CENTRAL, now.central)):
        off = np.array(drawn[name]["x"]) - 50
        assert off.size == means.REPEATS
        assert 0.6 < math.sqrt(np.mean(off**2)) / error < 1.6
    assert named(app, "place-rows")["this class"]["x"] == [200, 200]
    app.set("select_slider", "Pupils in the class", "5000")
    assert named(app, "place-rows")["this class"]["x"] == [5000, 5000]
    app.pick("Privacy budget ε", "0.5")
    assert f"**{quantity(means.errors(0.5, 5000).local, 'points')}**" in app.said("markdown")


def test_place_a_hundred_times_the_rows_help_the_mean_a_hundred_times() -> None:
    times = place.MANY / place.FEW
    assert option(place.PLACE).words == (
        f"About {number(math.sqrt(times))} times with noise on each result, {number(times)} times "
        "with noise on the mean."
    )
    assert "a mean of 100 by at most 1, and one of 10,000 by at most 0.01 points" in (
        option(place.PLACE).why
    )
    few, many = (means.errors(place.ASKED, rows) for rows in (place.FEW, place.MANY))
    assert few.local / many.local == pytest.approx(math.sqrt(times), rel=1e-9)
    assert few.central / many.central == pytest.approx(times, rel=0.01)


@pytest.mark.parametrize(
    ("wished", "epsilon", "limit", "published"),
    [(5, "1", "none", 5), (40, "0.5", "4", 8), (3, "2", "16", 3), (40, "2", "2", 1)],
)
def test_repetition_the_ledger_lets_out_what_fits(
    wished: int, epsilon: str, limit: str, published: int
) -> None:
    kept = repeats.books(wished, epsilon, limit)
    assert kept.published == published
    assert kept.spent == published * Fraction(epsilon)
    assert (kept.refusal is not None) == (published < wished)
    if kept.refusal is not None:
        assert kept.spent + kept.refusal.asked > Fraction(limit)


def test_repetition_shows_errors_budgets_and_the_refusal() -> None:
    app = opened(step="repetition", repetition_asked="12", repetition_epsilon="0.5")
    star = best(0.5, "A1B1")
    drawn = named(app, "repetition")
    expected = [star.error(repeats.ADA) / math.sqrt(n) for n in range(1, 13)]
    assert drawn["typical error of the mean"]["y"] == pytest.approx(expected, rel=1e-4)
    assert drawn["ε spent so far"]["y"] == pytest.approx([0.5 * n for n in range(1, 13)])
    assert f"factor of {number(math.exp(6))}" in app.said("markdown")
    assert not app.messages("error")
    app.pick("Limit for all releases together", "2")
    drawn = named(app, "repetition")
    assert drawn["ε spent so far"]["x"] == [1, 2, 3, 4]
    assert drawn["refused"]["x"] == list(range(5, 13))
    assert len(drawn["typical error of the mean"]["y"]) == 4
    (refusal,) = app.messages("error")
    assert "Release 5 is refused." in refusal
    assert "nothing is left" in refusal
    app.slide(repetition.WISHED.label, 4)
    assert not app.messages("error")
    # The session's own ledger knows nothing of all this.
    app.go("pages/budget.py")
    assert "Nothing is released yet." in app.messages("info")


def test_repetition_simulated_attackers_are_off_as_expected() -> None:
    every = repeats.averaging("1")
    off = np.array([each.error for each in every])
    ratio = np.sqrt(np.mean(off**2, axis=0)) / every[0].expected
    assert off.shape == (repeats.ATTACKERS, repeats.MOST)
    assert 0.4 < ratio.min() < 1.0
    assert ratio.max() < 1.8
    assert len({float(each.error[0]) for each in every}) == repeats.ATTACKERS


def test_repetition_a_mean_of_sixteen_is_off_by_a_quarter_and_costs_sixteen() -> None:
    right = option(repetition.REPETITION)
    spent = Fraction(repetition.EACH) * repetition.ASKED
    times = number(math.sqrt(repetition.ASKED))
    assert right.words == f"{times} times less than one release. Spent: ε = {spent}."
    one = best(float(repetition.EACH), "A1B1").error(repeats.ADA)
    mean = one / math.sqrt(repetition.ASKED)
    assert f"from {number(one)} to {quantity(mean, 'points')}" in right.why


def test_repetition_a_single_release_has_no_mean() -> None:
    text = opened(step="repetition", repetition_asked="1").said("markdown")
    assert "**1 release.** It is typically off by" in text
    assert "It costs **ε = 1**" in text


def sheet(app: Driven) -> dict[str, str]:
    """What the browser was given to show as the card."""
    found = [each.proto for each in app.every("bidi_component")]
    data: dict[str, str] = json.loads(
        next(each.json for each in found if each.component_name == "sheet")
    )
    return data


@pytest.mark.parametrize("budget", EPSILONS)
def test_card_is_that_of_a_release_and_proves_its_budget(budget: str) -> None:
    made = class_card.card(budget)
    (item,) = made.items
    assert made.privacy.epsilon == item.epsilon == budget
    # The weights are whole numbers, so the ratio is exact: compare it with a sum of e's series.
    above, below = (int(part) for part in item.certificate.ratio.split("/"))
    x = Fraction(budget)
    power = sum((x**n / math.factorial(n) for n in range(90)), Fraction(0))
    assert 0.99 * power < Fraction(above, below) < power
    half = 50 / best(float(budget), "A1B1").room
    assert item.certificate.lower == pytest.approx(50 - half, abs=1.01)
    assert item.certificate.upper == pytest.approx(50 + half, abs=1.01)
    assert made.unchanged_columns == ("desk",)
    # Nothing on it changes from one session to the next.
    class_card.card.cache_clear()
    assert class_card.card(budget) == made


def test_card_shows_the_part_and_the_budget_that_are_chosen() -> None:
    app = opened(step="card", card_epsilon="2")
    titles = {
        "summary": "What was released",
        "protected": "What is protected",
        "open": "What is not protected",
        "items": "The columns one by one",
    }
    for part, title in titles.items():
        app.pick("Part of the card", part)
        html = sheet(app)["html"]
        assert [other for other in titles.values() if f"<h2>{other}</h2>" in html] == [title]
        assert card.PARTS[part] in sheet(app)["title"]
    app.pick("Part of the card", "whole")
    assert sheet(app)["html"] == class_card.card("2").to_html()
    app.pick("ε of the release", "0.5")
    assert sheet(app)["html"] == class_card.card("0.5").to_html()
    found = next(text for text in app.messages("markdown") if "Proved ε" in text)
    assert "for a budget of 0.5" in found
    assert "0 … 100 points, stated by the owner as public" in found


def test_card_the_frame_lets_nothing_run() -> None:
    app = opened(step="card")
    frame = next(
        each.proto for each in app.every("bidi_component") if each.proto.component_name == "sheet"
    )
    assert 'sandbox="allow-same-origin"' in frame.html_content
    assert "allow-scripts" not in frame.html_content
    assert "default-src 'none'" in sheet(app)["html"]


def test_card_only_the_chance_to_guess_right_is_promised() -> None:
    made = class_card.card(card.ASKED)
    odds = math.exp(float(card.ASKED))
    chance = f"{math.ceil(1000 * odds / (1 + odds)) / 10:g}"  # An upper limit is rounded up.
    assert f"at most {chance} of 100 cases" in option(card.CARD).words
    assert f"at most {chance} of 100 cases" in made.to_html("summary")
    # The others are wrong, as the card itself says.
    (item,) = made.items
    lower, upper = item.certificate.lower, item.certificate.upper
    assert lower is not None
    assert upper is not None
    assert lower < 0
    assert upper > 100
    limits = " ".join(made.not_covered)
    assert "how many were moved is private" in limits
    assert "“desk”, released as it came, without any noise" in limits


def right_guesses(epsilon: float, rows: int) -> float:
    """Of low or high from so many rows: in closed form from the design, and all ways counted."""
    star = best(epsilon, "A1B1")
    moved = (persons.HIGH - persons.LOW) / 100 * 2 * star.room / star.share  # of the centre
    apart = min(1.0, moved / (2 * star.mu))
    outside = (1 - star.share) / 2 * min(moved, 2 * star.mu)  # base under the other activation
    right, wrong = star.share * apart + outside, outside
    found = 0.0
    for ups in range(rows + 1):
        for downs in range(rows + 1 - ups):
            ways = math.comb(rows, ups) * math.comb(rows - ups, downs)
            chance = ways * right**ups * wrong**downs * (1 - right - wrong) ** (rows - ups - downs)
            found += chance * (1.0 if ups > downs else 0.5 if ups == downs else 0.0)
    return found


@pytest.mark.parametrize("budget", EPSILONS)
@pytest.mark.parametrize("way", persons.WAYS)
def test_person_guesses_are_those_of_the_design_and_keep_the_promise(way: str, budget: str) -> None:
    for rows in (1, 2, 7, persons.MOST):
        now = persons.shown(way, budget, rows)
        each = Fraction(budget) if way == "row" else Fraction(budget) / rows
        assert (now.of_a_row, now.of_a_person) == (each, each * rows)
        assert now.guess == pytest.approx(right_guesses(float(each), rows), abs=2e-4)
        odds = math.exp(each * rows)
        assert 0.5 < now.guess < odds / (1 + odds) == pytest.approx(now.promise)
        # Somebody who forgets that the rows are one person's would promise too much.
        forgotten = math.exp(each) / (1 + math.exp(each))
        assert rows < 7 or way == "person" or now.guess > forgotten


def test_person_shows_what_all_rows_spend_and_what_sharing_costs() -> None:
    app = opened(step="person", person_rows="3", person_epsilon="1")
    now = persons.shown("row", "1", 3)
    assert "each at ε = 1: together they spend **ε = 3**" in app.said("markdown")
    assert f"guessed right **{percent(now.guess)}**" in app.said("markdown")
    drawn = named(app, "person")
    errors = drawn["error of one result"]["y"]
    assert errors == pytest.approx([now.error] * persons.MOST)
    app.pick("Whose budget it is", "person")
    assert "together they spend **ε = 1**" in app.said("markdown")
    drawn = named(app, "person")
    assert drawn["no guess is right more often"]["y"] == pytest.approx(
        [100 * math.e / (1 + math.e)] * persons.MOST
    )
    assert drawn["Ada"]["x"] == [3]
    errors = drawn["error of one result"]["y"]
    assert errors == sorted(errors)
    assert errors[0] == pytest.approx(now.error)
    app.slide(person.ROWS.label, 1)
    assert "**1 row of Ada**" in app.said("markdown")


def test_person_three_rows_cost_three_or_a_third_each() -> None:
    right = option(person.PERSON)
    assert right.words == "ε = 3, unless each of her rows gets a part of one budget."
    assert "would be promised ε = 1" in right.why
    for epsilon in (1.0, 3.0):
        assert number(math.exp(epsilon)) in person.PERSON.question().options[0].why
