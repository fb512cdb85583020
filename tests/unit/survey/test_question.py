"""What a question takes for an answer: what its draw can give, and nothing else."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.errors import CertificateError, CompdpError, ParameterError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.lattice import Certificate, Lattice
from compdp_core.mechanisms.lattice.runs import Runs
from compdp_core.release import ColumnPlan
from compdp_core.survey.question import AnswerError, Question

BOUNDS = [(0.0, 20.0), (0.1, 0.3), (0.0, 1e-9), (0.0, 1e6), (-1e6, -5.0), (1e6, 1e6 + 1.0)]


def asked(inputs: tuple[float, float] = (0, 20), epsilon: float = 4, **more: Any) -> Question:
    return Question("Marks?", ColumnPlan(inputs=inputs, epsilon=epsilon, **more))


def choice(*names: str, epsilon: float = 2) -> Question:
    return Question("Which?", ColumnPlan(epsilon=epsilon, kind="category", categories=names))


def takes(question: Question, answer: object) -> bool:
    try:
        question.read(answer)
    except AnswerError:
        return False
    return True


def text_of(place: int, exponent: int) -> str:
    """A decimal, worked out without the code under test."""
    return f"{Decimal(place).scaleb(exponent) + 0:f}"


@pytest.mark.parametrize("inputs", [(0, 20), (1, 5), (-7, -3)])
@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_of_whole_numbers_those_within_the_outputs_are_taken_and_no_others(
    inputs: tuple[float, float], epsilon: float
) -> None:
    question = asked(inputs, epsilon, kind="whole")
    low, high = question.mechanism.outputs  # type: ignore[union-attr]
    probed = range(int(low) - 60, int(high) + 61)
    taken = {n for n in probed if takes(question, str(n))}
    assert taken == {n for n in probed if low <= n <= high}
    assert len(taken) == question.lattice.points
    drawn = question.mechanism.simulate(np.tile(inputs, 4000), seed=1)
    assert {question.read(str(int(value))) for value in set(drawn.tolist())} <= taken
    assert not any(takes(question, f"{n}.5") for n in probed)


@pytest.mark.parametrize("inputs", BOUNDS)
def test_of_a_fine_lattice_points_are_taken_and_what_lies_between_and_beyond_is_not(
    inputs: tuple[float, float],
) -> None:
    question = asked(inputs)
    lattice = question.lattice
    last = lattice.first + lattice.points - 1
    some = np.random.default_rng(1).integers(lattice.first, last + 1, 100).tolist()
    places = [lattice.first, last, *some]
    for place in places:
        found = question.read(text_of(place, lattice.exponent))
        assert found == float(Fraction(place) * Fraction(10) ** lattice.exponent)
        assert question.mechanism.outputs[0] <= found <= question.mechanism.outputs[1]  # type: ignore[union-attr]
        if place:  # "-0.0005" lies between 0 and its neighbour, "00.0005" is no number
            between = text_of(10 * place + 5, lattice.exponent - 1)
            assert not takes(question, between)
    for beyond in (lattice.first - 1, last + 1):
        assert not takes(question, text_of(beyond, lattice.exponent))


@pytest.mark.parametrize("inputs", BOUNDS)
def test_all_that_is_drawn_is_taken_as_what_it_is(inputs: tuple[float, float]) -> None:
    question = asked(inputs, 1)
    values = question.mechanism.simulate(np.tile(inputs, 200), seed=2)
    decimals = max(0, -question.lattice.exponent)
    assert [question.read(f"{value:.{decimals}f}") for value in values.tolist()] == values.tolist()


HOSTILE = [
    "", " ", "1e3", "1E3", "NaN", "nan", "inf", "-inf", "Infinity", "--1", "+1", "- 1", "１２", "٣",
    "1_0", "1,5", "0x1", "0b1", "-0", "-0.0", "-0.000", "01", "00", "-01", "1.", ".5", "1.5.1",
    " 1", "1 ", "1\n", "\n1", "1\x00", "\u202e1", "½", "1/2", "7" * 40, "7" * 5000,
    "0." + "0" * 5000, "1" + "0" * 39, "9" * 19, "\ud800", "None", "True", "=1+1", "<b>1</b>",
    None, True, False, 1, 1.5, 10**5000, float("nan"), b"1", bytearray(b"1"), [], ["1"], ("1",), {},
    {"1": 1}, object(), Decimal(1), Fraction(1), np.float64(1), np.array(["1"]),
]  # fmt: skip


@pytest.mark.parametrize("question", [asked(), asked(kind="whole"), choice("yes", "no", "maybe")])
@pytest.mark.parametrize("answer", HOSTILE, ids=range(len(HOSTILE)))
def test_whatever_else_arrives_is_refused_as_no_answer(question: Question, answer: object) -> None:
    with pytest.raises(AnswerError) as refusal:
        question.read(answer)
    assert len(str(refusal.value)) < 250


@given(st.text(max_size=45))
def test_a_text_is_a_point_of_the_lattice_or_refused(text: str) -> None:
    question = asked()
    if takes(question, text):
        value = question.read(text)
        assert text.isascii()
        assert Fraction(value).limit_denominator(1000) == Fraction(Decimal(text))


def test_of_categories_the_places_that_there_are_are_taken() -> None:
    question = choice(*"abcdefghijkl")
    assert [question.read(str(place)) for place in range(12)] == list(range(12))
    assert not any(takes(question, text) for text in ("12", "13", "-1", "1.0", "007", "a"))
    assert not any(takes(choice("a", "b"), text) for text in ("2", "10"))


def lattice_of(data: dict[str, Any]) -> Lattice:
    """What a device makes of what it is sent."""
    part = json.loads(json.dumps(data))["lattice"]
    base, activation = (
        Runs.mirrored(part[name]["lengths"], [int(weight) for weight in part[name]["weights"]])
        for name in ("base", "activation")
    )
    ends = Interval(float(data["low"]), float(data["high"]))
    return Lattice(base, activation, part["first"], part["exponent"], ends)


@pytest.mark.parametrize("inputs", BOUNDS)
@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_the_lattice_that_a_device_rebuilds_is_the_certified_one(
    inputs: tuple[float, float], epsilon: float
) -> None:
    question = asked(inputs, epsilon)
    data, own = question.draw_data(), question.lattice
    found = lattice_of(data)
    assert (found.base, found.activation) == (own.base, own.activation)
    assert (found.first, found.exponent, found.inputs) == (own.first, own.exponent, own.inputs)
    proved = Certificate.of(found, epsilon)
    assert proved.holds
    assert proved.ratio == question.mechanism.certificate.ratio
    # The bounds as decimals, which is what a device takes them for, can all be drawn for.
    ends = [Fraction(Decimal(data[name])) for name in ("low", "high")]
    shifts = [
        (end - own.centre) / own.exact_spacing / own.share + Fraction(own.span, 2) for end in ends
    ]
    assert 0 <= shifts[0] < shifts[1] <= own.span
    # A weight that is off by one is another lattice.
    data["lattice"]["base"]["weights"] = [
        str(int(weight) + 1) for weight in data["lattice"]["base"]["weights"]
    ]
    assert lattice_of(data).base != own.base


def test_what_a_device_is_sent_are_the_public_settings_and_the_draw_alone() -> None:
    number, named = asked(kind="whole").draw_data(), choice("yes", "no").draw_data()
    shared = {"text", "epsilon", "unit", "kind"}
    drawn = {"low", "high", "outputs", "decimals", "lattice"}
    assert set(number) == shared | drawn
    assert set(number["lattice"]) == {"first", "exponent", "base", "activation"}
    assert set(named) == shared | {"categories", "response"}
    assert (number["low"], number["high"], number["outputs"]) == ("0", "20", ["-3", "23"])
    for data in (number, named):
        assert len(json.dumps(data, allow_nan=False)) < 1000
    mechanism = RandomizedResponse(2, 2)
    assert named["response"] == {
        "kept": str(mechanism.kept),
        "each_other": str(mechanism.each_other),
        "total": str(mechanism.total),
    }
    assert json.loads(json.dumps(named))["categories"] == ["yes", "no"]


MARKS = [
    "<b onload='x'>&amp;",
    "**bold** [a](javascript:b)",
    "$x^2$ :red[x]",
    "日本 é ½ ε",
    "a\u0301",
]


@pytest.mark.parametrize("words", MARKS)
def test_what_can_be_printed_is_kept_to_the_letter(words: str) -> None:
    plan = ColumnPlan(epsilon=1, kind="category", categories=[words, "other"])
    question = Question(words, plan, words[:20])
    assert (question.text, question.categories[0]) == (words, words)
    assert question.draw_data()["text"] == words
    assert question.unit == " ".join(words[:20].split())


@pytest.mark.parametrize("mark", ["\x00", "\x1b", "\x7f", "\u202e", "\u2066", "\u200b", "\ud800"])
def test_what_cannot_be_seen_is_refused(mark: str) -> None:
    plan = ColumnPlan(inputs=(0, 20), epsilon=1)
    with pytest.raises(CompdpError, match=r"^question "):
        Question(f"a{mark}b", plan)
    with pytest.raises(CompdpError, match=r"^unit "):
        Question("a", plan, f"h{mark}a")
    with pytest.raises(CompdpError, match=r"^categories "):
        choice(f"a{mark}b", "c")


def test_blanks_become_one_in_a_question_and_are_refused_in_a_category() -> None:
    assert Question(" How\n\tmany? \u2028", asked().plan).text == "How many?"
    for name in ("a  b", "a\u00a0b", "a\tb", "a\nb", ""):
        with pytest.raises(ParameterError, match="categories"):
            choice(name, "c")


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("question", lambda: Question("", asked().plan)),
        ("question", lambda: Question(" \n", asked().plan)),
        ("question", lambda: Question("x" * 201, asked().plan)),
        ("question", lambda: Question(None, asked().plan)),  # type: ignore[arg-type]
        ("unit", lambda: Question("x", asked().plan, "x" * 21)),
        ("plan", lambda: Question("x", "number")),  # type: ignore[arg-type]
        ("categories", lambda: choice(*map(str, range(13)))),
        ("categories", lambda: choice("x" * 61, "y")),
        ("categories", lambda: choice("=1+1", "y")),
        ("categories", lambda: choice("@x", "y")),
        ("kind", lambda: asked(kind="date", inputs=("2024-01-01", "2024-12-31"))),  # type: ignore[arg-type]
        # What a device could not read, or an answer could not write.
        ("inputs", lambda: asked((0, 1e20))),
        ("inputs", lambda: asked((0, 1e-15))),
        ("inputs", lambda: asked((0, 0.1 + 0.2))),
        ("inputs", lambda: asked((0, 1e-12), 50)),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused_by_name(name: str, make: Any) -> None:
    with pytest.raises(ParameterError, match=f"^{name} "):
        make()


def test_longest_texts_are_taken() -> None:
    question = Question("x" * 200, choice(*("y" * 59 + mark for mark in "abcdefghijkl")).plan)
    assert len(question.text) == 200
    assert len(question.categories) == 12


def test_nothing_is_asked_whose_certificate_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = CompositeMechanism(4, (0, 20))
    object.__setattr__(broken.certificate, "declared", 1.0)
    monkeypatch.setattr(ColumnPlan, "mechanism", lambda _: broken)
    assert not broken.certificate.holds
    with pytest.raises(CertificateError):
        asked()


def test_settings_of_a_table_play_no_part() -> None:
    plain = asked()
    for more in ({"position": 5}, {"missing": "drop"}, {"decimal": ","}, {"missing_as": "NA"}):
        question = asked(**more)
        assert question.draw_data() == plain.draw_data()
        assert question.plan.position == 0
        assert question.plan.missing == "fill"
        assert question.read("7.125") == plain.read("7.125") == 7.125
