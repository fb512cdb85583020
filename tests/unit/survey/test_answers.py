"""Answers as a release: not in the order they came in, and read back by the library.

False alarms: where the library refuses drawn answers as none of their noise, 1e-10 for each release
at another seed. All else holds whatever is drawn.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import compdp_core as cdp
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.estimates.shares import share
from compdp_core.release import ColumnPlan
from compdp_core.report import caveats
from compdp_core.survey.answers import MOST_ANSWERS, SurveyAnswers
from compdp_core.survey.means import half_widths, running_mean
from compdp_core.survey.question import Question
from compdp_core.tables.categories import runs_as_formula

WHEN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def asked(inputs: tuple[float, float] = (0, 20), epsilon: float = 4, **more: Any) -> Question:
    return Question("Marks?", ColumnPlan(inputs=inputs, epsilon=epsilon, **more), "points")


def choice(*names: str, epsilon: float = 2) -> Question:
    return Question("Which?", ColumnPlan(epsilon=epsilon, kind="category", categories=names))


def given_to(question: Question, n: int, seed: int = 1) -> Any:
    """Answers to a question, as devices draw them."""
    if question.categories:
        return question.mechanism.simulate(np.arange(n) % len(question.categories), seed=seed)
    low, high = question.mechanism.inputs  # type: ignore[union-attr]
    return question.mechanism.simulate(np.linspace(low, high, n), seed=seed)


def made(question: Question, values: Any, **more: Any) -> SurveyAnswers:
    return SurveyAnswers(question, values, identifier="1" * 32, when=WHEN, **more)


def cells(answers: SurveyAnswers) -> list[str]:
    """The file by the reader of Python's own library."""
    head, *rows = csv.reader(io.StringIO(answers.csv().decode(), newline=""))
    assert head == ["answer"]
    assert all(len(row) == 1 for row in rows)
    return [row[0] for row in rows]


@pytest.mark.parametrize("question", [asked(), asked(kind="whole"), choice("no", "maybe", "yes")])
def test_the_order_of_arrival_changes_no_byte(question: Question) -> None:
    values = given_to(question, 4, seed=3)
    assert len(set(values.tolist())) > 1
    found = set()
    for order in itertools.permutations(values.tolist()):
        one = made(question, order)
        found.add((one.csv(), json.dumps(one.card), one.card_html()))
    assert len(found) == 1


def test_numbers_stand_in_order_of_size_with_all_their_decimals() -> None:
    question, values = asked(), given_to(asked(), 40)
    texts = cells(made(question, values))
    assert texts == [f"{value:.3f}" for value in sorted(values.tolist())]
    assert [question.read(text) for text in texts] == sorted(values.tolist())


def test_categories_stand_in_the_order_of_their_list() -> None:
    assert cells(made(choice("no", "maybe", "yes"), [2, 0, 1, 0])) == ["no", "no", "maybe", "yes"]


@pytest.mark.parametrize(
    "question",
    [asked(), asked((-50, 50), 1), asked(kind="whole"), asked((0, 1e-9)), asked((0, 1e6))],
)
@pytest.mark.parametrize("n", [1, 2, 3, 30])
def test_the_mean_from_file_and_card_is_the_one_on_the_wall(question: Question, n: int) -> None:
    values = given_to(question, n)
    found = cdp.Estimates(*(lambda one: (one.csv(), one.card))(made(question, values)))
    mean = found.mean("answer")
    value, low, high = running_mean(question, values).now
    assert mean.n == n
    assert mean.value == pytest.approx(value, rel=1e-9, abs=1e-9 * mean.standard_error)
    assert mean.value == pytest.approx(sum(values.tolist()) / n, abs=1e-9 * mean.standard_error)
    if n >= 3:
        lower, upper = question.mechanism.inputs  # type: ignore[union-attr]
        middle = min(max(mean.value, lower), upper)
        half = float(half_widths(np.array([float(n)]))[0]) * mean.standard_error
        assert low == pytest.approx(max(middle - half, lower), rel=1e-6, abs=1e-6 * half)
        assert high == pytest.approx(min(middle + half, upper), rel=1e-6, abs=1e-6 * half)


def test_shares_from_file_and_card_are_those_of_the_counts() -> None:
    question, counts = choice("no", "maybe", "yes"), [3, 0, 8]
    found = made(question, np.repeat([0, 1, 2], counts)).estimates.shares("answer")
    expected = share(counts, question.mechanism)  # type: ignore[arg-type]
    assert list(found) == ["no", "maybe", "yes"]
    assert [each.value for each in found.values()] == pytest.approx(expected.estimates.tolist())
    ends = [[each.low, each.high] for each in found.values()]
    assert np.array(ends) == pytest.approx(expected.intervals())


NAMES = st.lists(
    st.text(st.sampled_from("ab0,;|:'\"# =.é日{}[]()/\\&<>%$*_!?-"), min_size=1, max_size=6),
    min_size=2,
    max_size=5,
    unique=True,
)


@settings(max_examples=30)
@example(["a;b", "c;d"], 1)
@example(["sep=;", "x"], 1)
@example(["1;2", "3|4"], 2)
@example(["a,b", 'c"d'], 2)
@example(['"', '""'], 2)
@example(["'x'", "x"], 2)
@example(["NA", "-"], 2)
@example(["answer", "1"], 3)
@example(["-5", "+5"], 2)
@example(["2024-01-01", "12:30"], 2)
@given(NAMES, st.integers(1, 4))
def test_every_name_of_a_category_comes_back_from_the_file(names: list[str], n: int) -> None:
    try:
        question = choice(*names)
    except CompdpError:
        return
    one = made(question, np.arange(n) % len(question.categories))
    assert sorted(cells(one)) == sorted(question.categories[i % len(names)] for i in range(n))
    found = one.estimates.shares("answer")
    counts = np.bincount(np.arange(n) % len(names), minlength=len(names))
    expected = share(counts, question.mechanism)  # type: ignore[arg-type]
    assert [found[name].value for name in question.categories] == pytest.approx(
        expected.estimates.tolist()
    )


@pytest.mark.parametrize("name", ["=1+1", "+a", "-a", "@sum", '=cmd|"/c calc"!A0', "- yes"])
def test_no_cell_is_run_by_a_spreadsheet(name: str) -> None:
    """What would be is no category, as everywhere; a number stays a number, minus and all."""
    assert runs_as_formula(name)
    with pytest.raises(ParameterError, match=r"^categories .*formula"):
        choice(name, "other")
    for question in (asked((-20, 20)), choice("-5", "+5"), choice("'=1+1", "-")):
        for cell in cells(made(question, given_to(question, 20))):
            assert not runs_as_formula(cell)


@pytest.mark.parametrize("n", [0, MOST_ANSWERS + 1])
def test_none_and_too_many_answers_are_no_release(n: int) -> None:
    with pytest.raises(ParameterError, match=r"^values "):
        made(asked(), np.full(n, 1.5))


@pytest.mark.parametrize("n", [1, MOST_ANSWERS])
def test_one_and_most_answers_are_a_release(n: int) -> None:
    one = made(asked(), given_to(asked(), n))
    assert one.card["rows"]["count"] == n == one.estimates.mean("answer").n


@pytest.mark.parametrize(
    "values", [[float("nan")], None, ["a"], [float("inf")], [99.0], [1.5, -3.5]]
)
def test_what_is_no_answer_is_refused(values: Any) -> None:
    with pytest.raises(CompdpError, match=r"^values "):
        made(asked(), values)
    for places in ([2.0], [-1.0]):
        with pytest.raises(CompdpError, match=r"^values "):
            made(choice("yes", "no"), places)


def test_the_card_says_that_noise_was_added_on_the_devices_and_no_machine_made_it() -> None:
    for question in (asked(), choice("yes", "no")):
        said = made(question, given_to(question, 3)).card["not_covered"]
        assert said[-1] == caveats.DEVICES
        assert caveats.MACHINE not in said
        assert caveats.OTHER_QUESTIONS not in said
        said = made(question, given_to(question, 3), questions=2).card["not_covered"]
        assert said[-2:] == [caveats.OTHER_QUESTIONS, caveats.DEVICES]


@pytest.mark.parametrize("question", [asked(), asked(kind="whole"), choice("yes", "no")])
def test_but_for_their_number_the_card_says_nothing_of_the_answers(question: Question) -> None:
    one, other = (made(question, given_to(question, 7, seed)) for seed in (1, 2))
    assert one.csv() != other.csv()
    assert one.card == other.card
    fewer = made(question, given_to(question, 6)).card
    fewer["rows"]["count"] = 7
    assert fewer == one.card
    assert one.card["privacy"]["epsilon"] == str(question.epsilon)


def test_words_of_whoever_asks_are_text_on_the_page_of_the_card() -> None:
    words = "<script>alert(1)</script> & \"more\" 'x'"
    plan = ColumnPlan(epsilon=1, kind="category", categories=["<b>yes</b>", "no"])
    for question in (Question(words, asked().plan, "<i>h</i>"), Question(words, plan)):
        one = made(question, given_to(question, 3))
        page = one.card_html()
        assert one.card["title"] == words
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
        for raw in ("<script>alert", "<b>yes", "<i>h"):
            assert raw not in page
    assert "&lt;b&gt;yes&lt;/b&gt;" in page


def test_two_releases_have_names_of_their_own() -> None:
    one, other = (SurveyAnswers(asked(), [1.5]) for _ in range(2))
    assert one.identifier != other.identifier
    assert one.when.tzinfo is UTC
