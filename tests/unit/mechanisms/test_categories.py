"""Randomised response: certificate by a second route, draws counted exactly, broken twins.

Seeds are fixed. False alarms at other seeds: 10⁻¹⁰ a test or fewer, as their bounds say.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

from compdp_core.auditing.lower_bound import clopper_pearson
from compdp_core.errors import CertificateError, ParameterError
from compdp_core.mechanisms import categories
from compdp_core.mechanisms.categories import (
    MOST_CATEGORIES,
    RandomizedResponse,
    ResponseCertificate,
    better_by_merging,
    share_error,
)
from compdp_core.mechanisms.lattice.certificate import exponential_below
from compdp_core.randomness import SeededSource, Source, Words
from compdp_core.validation import Array, floats

EPSILONS = (0.001, 0.01, 0.1, 0.5, math.log(2), 1.0, math.log(3), 2.0, 4.0, 8.0, 20.0, 36.0, 50.0)


def worst_ratio(mechanism: RandomizedResponse) -> Fraction:
    """Over every output and every two true categories, from the probabilities one by one."""
    every = range(mechanism.categories)
    table = [[mechanism.probability(output, true) for true in every] for output in every]
    assert all(sum(row[true] for row in table) == 1 for true in every)
    return max(one / two for row in table for one in row for two in row)


@pytest.mark.parametrize("k", [2, 3, 5, 12])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_certificate_is_the_worst_ratio_of_all_pairs(epsilon: float, k: int) -> None:
    mechanism = RandomizedResponse(epsilon, k)
    assert worst_ratio(mechanism) == mechanism.certificate.ratio <= exponential_below(epsilon)
    assert mechanism.certificate.epsilon <= epsilon


@pytest.mark.parametrize("k", range(2, 201))
def test_the_certificate_holds_for_all_numbers_of_categories(k: int) -> None:
    """All pairs at once: in each row of the table of weights its largest over its smallest."""
    for epsilon in EPSILONS:
        mechanism = RandomizedResponse(epsilon, k)
        table = np.full((k, k), mechanism.each_other)
        np.fill_diagonal(table, mechanism.kept)
        assert set(table.sum(axis=0).tolist()) == {mechanism.total}
        assert 2 <= mechanism.total <= 2**53
        tops, feet = table.max(axis=1).tolist(), table.min(axis=1).tolist()
        ratio = max(Fraction(top, foot) for top, foot in zip(tops, feet, strict=True))
        assert ratio == mechanism.certificate.ratio
        # e^ε by its series, in fractions: an upper bound of what the certificate compares with.
        assert ratio <= series(epsilon)
        assert mechanism.certificate.holds
        # Nothing is given away: the weights are as near to e^ε as a total below 2^53 allows.
        if epsilon <= 20:
            assert float(ratio) == pytest.approx(math.exp(epsilon), rel=1e-4 if k < 20 else 1e-3)


def series(epsilon: float, terms: int = 260) -> Fraction:
    """An upper bound of e^ε, tight to far below what a double can tell."""
    exact, term, total = Fraction(epsilon), 1 << 400, 0
    for n in range(1, terms):
        total += term + 1
        term = term * exact.numerator // (exact.denominator * n)
    return Fraction(total + (term + 1) * 2, 1 << 400)


class Counting:
    """A source that hands out the whole numbers from 0 on, once each."""

    def __init__(self) -> None:
        self.given = 0

    def words(self, count: int) -> Words:
        self.given += count
        return np.arange(self.given - count, self.given, dtype=np.uint64)


def counted(kind: type[RandomizedResponse], a: int, b: int, k: int, monkeypatch: Any) -> list[Any]:
    """How many of all W equally likely numbers lead from each true category to each output."""
    monkeypatch.setattr(categories, "weights", lambda *_: (a, b))
    mechanism = kind(1.0, k)
    drawn = [mechanism.draw(np.full(mechanism.total, float(x)), Counting()) for x in range(k)]
    return [np.bincount(each.astype(int), minlength=k).tolist() for each in drawn]


def expected(a: int, b: int, k: int) -> list[list[int]]:
    return [[a if y == x else b for y in range(k)] for x in range(k)]


WEIGHTS = [(3, 1, 2), (5, 2, 4), (7, 7, 3), (1000, 1, 5), (19, 6, 11)]


@pytest.mark.parametrize(("a", "b", "k"), WEIGHTS)
def test_every_number_is_drawn_to_its_category(a: int, b: int, k: int, monkeypatch: Any) -> None:
    assert counted(RandomizedResponse, a, b, k, monkeypatch) == expected(a, b, k)


class UnequalOthers(RandomizedResponse):
    """Draws among the others by the next word's low bits, as if k were a power of two."""

    def draw(self, codes: Any, source: Source) -> Array:
        drawn = super().draw(codes, source)
        last = drawn == self.categories - 1
        return np.where(last & (floats("codes", codes) != drawn), 0.0, drawn)


class NeverKept(RandomizedResponse):
    """Draws from all categories alike, whatever is true."""

    def draw(self, codes: Any, source: Source) -> Array:
        return super().draw(np.full(np.shape(codes), np.nan), source)


class AlwaysKept(RandomizedResponse):
    def draw(self, codes: Any, source: Source) -> Array:
        return floats("codes", codes)


class KeptOnceMore(RandomizedResponse):
    """Takes the numbers of another category for the true one, too."""

    def draw(self, codes: Any, source: Source) -> Array:
        given = floats("codes", codes)
        again = super().draw(given, source)
        return np.where(again == (given + 1) % self.categories, given, again)


TWINS = [UnequalOthers, NeverKept, AlwaysKept, KeptOnceMore]


@pytest.mark.parametrize("twin", TWINS)
def test_counting_tells_broken_twins(twin: type[RandomizedResponse], monkeypatch: Any) -> None:
    assert counted(twin, 5, 2, 4, monkeypatch) != expected(5, 2, 4)


@pytest.mark.parametrize("k", [2, 7, 200])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_one_more_for_the_true_category_is_refused(epsilon: float, k: int) -> None:
    """A twin that rounds ``a`` up."""
    made = RandomizedResponse(epsilon, k)
    twin = ResponseCertificate(epsilon, made.kept + 1, made.each_other, k)
    assert not twin.holds
    assert twin.epsilon > epsilon
    with pytest.raises(CertificateError, match="nothing is released"):
        twin.require()
    assert ResponseCertificate(epsilon, made.kept, made.each_other + 1, k).holds


def p_value(mechanism: RandomizedResponse, true: float, seed: int, draws: int = 40_000) -> float:
    drawn = mechanism.simulate(np.full(draws, true), seed=seed)
    hits = np.bincount(drawn.astype(int), minlength=mechanism.categories)
    which = None if math.isnan(true) else int(true)
    every = range(mechanism.categories)
    shares = np.array([float(mechanism.probability(output, which)) for output in every])
    statistic = float(((hits - draws * shares) ** 2 / (draws * shares)).sum())
    return float(chi2.sf(statistic, mechanism.categories - 1))


@pytest.mark.parametrize("k", [2, 3, 10, 50])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_draws_have_their_probabilities(epsilon: float, k: int) -> None:
    """36 verdicts, each of which fails a sound mechanism once in 10¹²."""
    mechanism = RandomizedResponse(epsilon, k)
    for true in (0.0, k - 1.0, math.nan):
        assert p_value(mechanism, true, seed=k) > 1e-12


@pytest.mark.parametrize("twin", TWINS)
def test_draws_tell_broken_twins(twin: type[RandomizedResponse]) -> None:
    assert p_value(twin(1.0, 5), 1.0, seed=1) < 1e-30


def lower_bound(mechanism: RandomizedResponse, draws: int = 100_000) -> float:
    """ε that draws prove but for one chance in 10¹¹, of the worst output that other draws show."""
    found = []
    for half in range(2):
        drawn = [mechanism.simulate(np.full(draws, x), seed=2 * half + x) for x in (0, 1)]
        found.append([np.bincount(d.astype(int), minlength=mechanism.categories) for d in drawn])
    worst = int(np.argmax((found[0][0] + 0.5) / (found[0][1] + 0.5)))
    low = clopper_pearson(int(found[1][0][worst]), draws, 5e-12)[0]
    high = clopper_pearson(int(found[1][1][worst]), draws, 5e-12)[1]
    return math.log(low / high)


@pytest.mark.parametrize("k", [2, 5])
def test_an_audit_proves_no_more_than_is_claimed(k: int) -> None:
    assert 0.85 < lower_bound(RandomizedResponse(1.0, k)) <= 1.0


@pytest.mark.parametrize("twin", [AlwaysKept, KeptOnceMore])
def test_an_audit_convicts_twins_that_tell_too_much(twin: type[RandomizedResponse]) -> None:
    assert lower_bound(twin(1.0, 5)) > 1.2


@pytest.mark.parametrize(
    "codes",
    [[-1], [4], [0.5], [math.inf], [-math.inf], [0, 1, 2, 3, 1e300], "text", [None, "a"]],
)
def test_what_is_no_category_is_refused(codes: Any) -> None:
    with pytest.raises(ParameterError, match="codes must"):
        RandomizedResponse(1.0, 4).release(codes)


@pytest.mark.parametrize(
    ("epsilon", "k"), [(0, 3), (math.nan, 3), (51, 3), (1, 1), (1, MOST_CATEGORIES + 1), (1, 2.5)]
)
def test_what_makes_no_mechanism_is_refused(epsilon: float, k: Any) -> None:
    with pytest.raises(ParameterError):
        RandomizedResponse(epsilon, k)


def test_shapes_stay_and_releases_are_fresh() -> None:
    mechanism = RandomizedResponse(1.0, 3)
    for codes in (1, [0, 1], np.zeros((3, 4)), np.zeros(0), [[np.nan]]):
        assert mechanism.release(codes).shape == np.shape(codes)
    many = np.zeros(200)
    assert (mechanism.release(many) != mechanism.release(many)).any()
    same = [mechanism.draw(many, SeededSource(4)) for _ in range(2)]
    assert (same[0] == same[1]).all()


@pytest.mark.parametrize(
    ("output", "true", "name"), [(4, 0, "output"), (-1, 0, "output"), (0, 4, "true")]
)
def test_probabilities_are_of_categories_alone(output: int, true: int, name: str) -> None:
    with pytest.raises(ParameterError, match=name):
        RandomizedResponse(1.0, 4).probability(output, true)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 2.0])
def test_merging_is_offered_from_where_unary_encoding_would_be_better(epsilon: float) -> None:
    most = math.floor(3 * math.exp(epsilon) + 2)
    assert better_by_merging(epsilon, most) is None
    for k in (most + 1, 4 * most):
        found = better_by_merging(epsilon, k)
        assert found is not None
        assert found.categories == most
        assert found.gain == pytest.approx(
            RandomizedResponse(epsilon, k).noise_factor
            / RandomizedResponse(epsilon, most).noise_factor
        )
        # n times the variance of an absent category's share, k-RR and OUE (Wang et al. 2017).
        e = math.exp(epsilon)
        assert (e + found.categories + 1 - 2) / (e - 1) ** 2 >= 4 * e / (e - 1) ** 2
        assert (e + found.categories - 2) / (e - 1) ** 2 <= 4 * e / (e - 1) ** 2


@pytest.mark.parametrize("epsilon", [0.001, 1.0, 50.0])
@pytest.mark.parametrize("k", [2, 4, 200])
def test_the_typical_error_is_that_of_the_weights(epsilon: float, k: int) -> None:
    """In fractions, of the rounded weights."""
    made = RandomizedResponse(epsilon, k)
    kept, other = (made.probability(0, true) for true in (0, 1))
    variance = (kept * (1 - kept) + (k - 1) * other * (1 - other)) / k / (kept - other) ** 2
    assert made.typical_error == pytest.approx(math.sqrt(variance), rel=1e-9)
    if epsilon < 36:  # from there on the weights do not reach e^ε
        assert share_error(epsilon, k) == pytest.approx(math.sqrt(variance), rel=1e-3)


def test_what_merging_gains_is_what_draws_show() -> None:
    """Shares of 10 of 50 categories in fives, each of 2,000 tables."""
    found = better_by_merging(1.0, 50)
    assert found is not None
    rows, tables = 2_000, 2_000
    many, few = RandomizedResponse(1.0, 50), RandomizedResponse(1.0, 10)
    true = np.tile(np.arange(50.0), (tables, rows // 50))
    parts = many.simulate(true, seed=1) < 5
    ones = few.simulate(true // 5, seed=2) < 1
    for drawn, mechanism, error in ((parts, many, found.before), (ones, few, found.after)):
        shares = drawn.mean(axis=1) * mechanism.noise_factor
        assert shares.std() == pytest.approx(error / math.sqrt(rows), rel=0.12)
