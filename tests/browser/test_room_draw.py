"""The draw on a student's device against the library, in the browser itself.

Given the same words it gives the same outputs, rejections and ties included; on small lattices all
classes of words are counted, and add up to the exact distribution. Both are settled without chance.
What the browser's own random words make of it is tested once for each of five distributions, each
with a false-alarm rate of 1e-10 (by the χ² approximation, with 200 or more expected in a bin).
30,000 draws in at most 60 bins see with more than 99.9 % probability a distribution that puts 4 %
of its mass elsewhere, evenly.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Error, Page
from scipy.stats import chisquare

from compdp_core import CompositeMechanism
from compdp_core.intervals import Interval
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.lattice import Lattice, Sampler
from compdp_core.mechanisms.lattice.runs import Runs
from compdp_core.randomness import Words, largest_fair
from compdp_core.report.proofs import lattice_part, weights
from pages.sections.room.phone import DRAW, script

FALSE_ALARM = 1e-10
DRAWS, BINS = 30_000, 60
TOP = 2**64 - 1
SOURCE = script(*DRAW)

MECHANISMS = {
    "eps 0.1": (CompositeMechanism(0.1, (0, 20)), ("0", "20")),
    "eps 1": (CompositeMechanism(1, (0, 100)), ("0", "100")),
    "eps 4": (CompositeMechanism(4, (0, 20)), ("0", "20")),
    "eps 8": (CompositeMechanism(8, (-3.5, 7.25)), ("-3.5", "7.25")),
    "whole": (CompositeMechanism(1, (0, 12), spacing=1), ("0", "12")),
    "tens": (CompositeMechanism(4, (-200, 400), spacing=10), ("-200", "400")),
    "many runs": (CompositeMechanism(2, (0, 10), pair="A2B2"), ("0", "10")),
    "other runs": (CompositeMechanism(1, (-1, 1), pair="A3B1"), ("-1", "1")),
}
RESPONSES = [RandomizedResponse(epsilon, k) for k in (2, 5, 12) for epsilon in (0.5, 4.0)]


def small(base: Runs, activation: Runs, first: int = -3) -> tuple[Lattice, Fraction]:
    """A lattice by hand, in steps of 0.1, and its centre. All its shifts are used, whatever inputs
    it says it has.
    """
    centre = (first + Fraction(base.count - 1, 2)) / 10
    inputs = Interval(float(centre) - 1e-6, float(centre) + 1e-6)
    return Lattice(base, activation, first, -1, inputs), centre


SMALL = {
    # One tenth of a point is a third of a shift.
    "thirds": small(Runs((2, 1, 2), (1, 3, 1)), Runs((1,), (3,))),
    "fifths": small(Runs((1, 2, 3, 2, 1), (1, 2, 3, 2, 1)), Runs((1, 3, 1), (2, 5, 2))),
    "empty run": small(Runs((5,), (1,)), Runs((1, 1, 1), (0, 2, 0)), first=4),
}
OFFSETS = {
    # Shifts off the middle by thirds, halves, wholes, as far as can be and no more.
    "thirds": ("0.01", "-0.01", "0.02", "0.015", "0.03", "0.06", "-0.06", "0.0001", "0", "-7", "7"),
    "fifths": ("0.0125", "0.01", "-0.0333", "0.1", "-0.1"),
    "empty run": ("0", "0.01", "-0.02"),
}


def decimal(value: Fraction, places: int) -> str:
    """With exactly so many decimals."""
    return f"{Decimal(round(value * 10**places)).scaleb(-places):f}"


def data(lattice: Lattice) -> dict[str, Any]:
    return asdict(lattice_part(lattice))


# What runs in the page

_DRAW = """
([source, lattice, response, low, high, cases]) => {
  const draw = new Function(`${source}
    return {openLattice, readDecimal, clamped, drawNumber, drawCategory};`)();
  const opened = lattice && draw.openLattice(lattice);
  const [lower, upper] = [low, high].map((text) => text && draw.readDecimal(text));
  return cases.map(([answer, given]) => {
    let used = 0;
    const words = () => {
      if (used === given.length) throw new Error("no more words");
      return BigInt(given[used++]);
    };
    try {
      const value = () => draw.clamped(draw.readDecimal(answer), lower, upper);
      const text = lattice ? draw.drawNumber(opened, value(), words)
        : String(draw.drawCategory(response, answer, words));
      return [text, used];
    } catch (error) { return [error.message, used]; }
  });
}
"""
_COUNT = """
([source, lattice, response, answer, draws]) => {
  const draw = new Function(`${source}
    return {openLattice, readDecimal, drawNumber, drawCategory, systemWords};`)();
  const opened = lattice && draw.openLattice(lattice), counts = {};
  for (let i = 0; i < draws; i += 1) {
    const text = lattice ? draw.drawNumber(opened, draw.readDecimal(answer), draw.systemWords)
      : String(draw.drawCategory(response, answer, draw.systemWords));
    counts[text] = (counts[text] ?? 0) + 1;
  }
  return counts;
}
"""
_CALL = """
([source, name, cases]) => {
  const call = new Function(`${source}\\nreturn ${name};`)();
  return cases.map((given) => call(given));
}
"""


@dataclass
class Script:
    """A source of the words that are written down."""

    given: list[int]
    used: int = 0

    def words(self, count: int) -> Words:
        taken = self.given[self.used : self.used + count]
        self.used += count
        assert len(taken) == count
        return np.array(taken, dtype=np.uint64)


Case = tuple[Any, list[int]]
Drawn = list[list[Any]]


def drawn(
    page: Page,
    source: str,
    of: Lattice | RandomizedResponse,
    cases: list[Case],
    bounds: tuple[str, str] | None = None,
) -> Drawn:
    """Output and number of words used, of each case: an answer and its words."""
    lattice = data(of) if isinstance(of, Lattice) else None
    response = weights(of) if isinstance(of, RandomizedResponse) else None
    spelled = [[answer, [str(word) for word in words]] for answer, words in cases]
    given = [source, lattice, response, *(bounds or (None, None)), spelled]
    result: Drawn = page.evaluate(_DRAW, given)
    return result


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with browser.new_context() as context:
        yield context.new_page()


# The same words


def spelled(lattice: Lattice, index: int) -> str:
    value = (lattice.first + index) * lattice.exact_spacing
    return decimal(value, lattice.decimals)


def reference(lattice: Lattice, value: Fraction, words: list[int]) -> list[Any]:
    """The shift rounded in exact fractions, the rest by the library."""
    source = Script(words)
    shift = min(max(lattice.exact_shift(value), Fraction(0)), Fraction(lattice.span))  # type: ignore[arg-type]
    whole, bits = shift.__floor__(), 53
    rest = shift - whole
    while True:
        uniform = int(source.words(1)[0]) >> (64 - bits)
        scaled = rest * 2**bits
        rest, bits = scaled - scaled.__floor__(), 64
        if uniform != scaled.__floor__() or not rest:
            whole += uniform < scaled.__floor__()
            break
    index = Sampler(lattice).indices(np.array([whole]), source)
    return [spelled(lattice, int(index[0])), source.used]


def hostile_words(rng: np.random.Generator, lattice: Lattice, count: int) -> list[int]:
    """Words of which some are the largest or smallest, or lead to a boundary of a run."""
    bits = lattice.total.bit_length()
    edges = [0, *np.cumsum(np.array([*lattice.base.masses, *lattice.activation.masses], object))]
    found = []
    for _ in range(count):
        kind = rng.integers(8)
        edge = edges[rng.integers(len(edges))]
        if kind == 0:
            found.append(int(rng.choice(np.array([TOP, 0, TOP - 5], dtype=np.uint64))))
        elif kind == 1:
            # The leading bits of a boundary, and then its own tail or one beside it.
            near = edge + int(rng.integers(-1, 2))
            whole = max(near, 0) << max(0, 128 - bits) & (2**128 - 1)
            tail = bits - 62
            found += [whole >> 66 << 2, (max(near, 0) << (64 - tail)) & TOP if tail > 0 else 0]
        else:
            found.append(int(rng.integers(0, TOP, endpoint=True, dtype=np.uint64)))
    return found


def answers(low: str, high: str) -> list[str]:
    middle = (Fraction(low) + Fraction(high)) / 2
    third = Fraction(low) + (Fraction(high) - Fraction(low)) / 3
    return [
        low,
        high,
        decimal(middle, 3),
        decimal(third, 12),
        decimal(middle / 7, 1),
        "-999999",
        "999999.5",
    ]


def same_words(page: Page, source: str, *, full: bool = True) -> None:
    """Against the library, word for word; ``full`` with its own float rounding of the shift too."""
    rng = np.random.default_rng(20)
    for name, (mechanism, bounds) in MECHANISMS.items():
        lattice = mechanism.lattice
        low, high = map(Fraction, bounds)
        cases: list[Case] = []
        expected = []
        for text in answers(*bounds) * (12 if full else 3):
            value = min(max(Fraction(text), low), high)
            words = hostile_words(rng, lattice, 200)
            cases.append((text, words))
            expected.append(reference(lattice, value, words))
            if not full:
                continue
            plain = rng.integers(0, TOP, 40, endpoint=True, dtype=np.uint64).tolist()
            by_library = Sampler(lattice).draw(np.array([float(value)]), Script(plain))
            cases.append((text, plain))
            expected.append(reference(lattice, value, plain))
            assert float(expected[-1][0]) == by_library[0], (name, text)
        assert drawn(page, source, lattice, cases, bounds) == expected, name


def same_categories(page: Page, source: str) -> None:
    rng = np.random.default_rng(21)
    for mechanism in RESPONSES:
        cases: list[Case] = []
        expected = []
        for true in range(mechanism.categories):
            for words in rng.integers(0, TOP, (20, 3), endpoint=True, dtype=np.uint64).tolist():
                edge = mechanism.kept - mechanism.each_other
                fair = largest_fair(mechanism.total)
                for given in (words, [TOP, TOP, *words], [edge], [edge - 1], [fair], [fair + 1, 0]):
                    script = Script(given)
                    output = mechanism.draw(np.array([float(true)]), script)
                    cases.append((true, given))
                    expected.append([str(int(output[0])), script.used])
        assert drawn(page, source, mechanism, cases) == expected


def test_the_same_words_give_the_same_outputs(page: Page) -> None:
    same_words(page, SOURCE)
    same_categories(page, SOURCE)


def test_a_source_that_repeats_itself_is_given_up(page: Page) -> None:
    lattice = MECHANISMS["eps 4"][0].lattice
    for words in ([TOP] * 600, [0, 0, *[TOP] * 600]):
        message, used = drawn(page, SOURCE, lattice, [("3", words)], ("0", "20"))[0]
        assert "keeps repeating itself" in message
        assert used <= 2 * 257 + 3
    message, _ = drawn(page, SOURCE, RESPONSES[0], [(0, [TOP] * 600)])[0]
    assert "keeps repeating itself" in message
    # Forever the bits of one third: the rounding of the shift never ends.
    lattice, centre = SMALL["thirds"]
    text = decimal(centre + Fraction("0.01"), 3)
    third = [2**64 // 3, *[2**65 // 3] * 600]  # 53 bits are an odd number: two thirds are left
    assert "keeps repeating" in drawn(page, SOURCE, lattice, [(text, third)], ("-9", "9"))[0][0]


# All classes of words


def shift_words(fraction: Fraction, bits: int = 53, depth: int = 3) -> list[tuple[Fraction, Any]]:
    """Classes of the words that round a shift: their probability, and words at both their ends."""
    scaled = fraction * 2**bits
    limit, most = scaled.__floor__(), 2**bits - 1
    found: list[tuple[Fraction, Any]] = []
    if limit > 0:
        found.append((Fraction(limit, 2**bits), [[0], [limit - 1]]))
    if limit < most:
        found.append((Fraction(most - limit, 2**bits), [[limit + 1], [most]]))
    if scaled == limit:
        found.append((Fraction(1, 2**bits), [[limit]]))
    elif depth > 1:
        for share, ends in shift_words(scaled - limit, 64, depth - 1):
            found.append((share / 2**bits, [[limit, *(end)] for end in ends]))
    return found


def as_words(numbers: list[int]) -> list[int]:
    """The first as 53 bits of a word whose others do not matter."""
    return [numbers[0] << 11 | 1234, *numbers[1:]]


def run_words(lattice: Lattice) -> Iterator[tuple[Fraction, list[int]]]:
    """Classes of the words that pick a run and a place, ends of each class; and for rejected ones,
    of probability 0 here, the words that follow them.
    """
    total = lattice.total
    shift = 64 - total.bit_length()
    lengths = [*lattice.base.lengths, *lattice.activation.lengths]
    masses = [*lattice.base.masses, *lattice.activation.masses]
    numbers = [run for run, mass in enumerate(masses) for _ in range(mass)]
    for number, run in enumerate(numbers):
        length = lengths[run]
        fair = largest_fair(length)
        for place in range(length):
            for word in (place, fair + 1 - length + place):
                yield Fraction(1, 2 * length * total), [number << shift | 1, word]
        for rejected in range(fair + 1, TOP + 1):
            yield Fraction(0), [number << shift, rejected, 0]
    for number in range(total, 2 ** total.bit_length()):
        yield Fraction(0), [number << shift, *[numbers.index(0) << shift, 0]]


def exact(lattice: Lattice, value: Fraction) -> dict[str, Fraction]:
    """The distribution as the module of the lattice defines it."""
    shift = min(max(lattice.exact_shift(value), Fraction(0)), Fraction(lattice.span))  # type: ignore[arg-type]
    base, activation = (
        [w for n, w in zip(runs.lengths, runs.weights, strict=True) for _ in range(n)]
        for runs in (lattice.base, lattice.activation)
    )
    low = shift.__floor__()
    chances = [Fraction(weight) for weight in base]
    for place, weight in enumerate(activation):
        chances[place + low] += weight * (1 - (shift - low))
        if shift > low:
            chances[place + low + 1] += weight * (shift - low)
    return {spelled(lattice, i): each / lattice.total for i, each in enumerate(chances)}


def all_words(page: Page, source: str) -> None:
    """Probabilities counted out, against the exact ones."""
    for name, (lattice, centre) in SMALL.items():
        low, high = centre - 1, centre + 1
        for offset in OFFSETS[name]:
            value = centre + Fraction(offset)
            shift = min(max(lattice.exact_shift(value), Fraction(0)), Fraction(lattice.span))  # type: ignore[arg-type]
            rounding, picking = shift_words(shift - shift.__floor__()), list(run_words(lattice))
            cases, shares, classes = [], [], []
            for (mass, ends), (share, picked) in product(rounding, picking):
                for end in ends:
                    cases.append((decimal(value, 6), as_words(end) + picked))
                    shares.append(mass * share / len(ends))
                classes.append((len(ends), as_words(ends[0]) + picked))
            outputs = drawn(page, source, lattice, cases, (decimal(low, 6), decimal(high, 6)))
            assert [used for _, used in outputs] == [len(words) for _, words in cases], name
            texts = iter(text for text, _ in outputs)
            for many, words in classes:
                assert len({next(texts) for _ in range(many)}) == 1, (name, offset, words)
            counted: dict[str, Fraction] = defaultdict(Fraction)
            for (text, _), share in zip(outputs, shares, strict=True):
                counted[text] += share
            # What a fourth word would have to decide is left out: 2^-181, and nothing where the
            # fraction is dyadic.
            left = 1 - sum(mass for mass, _ in rounding)
            assert left <= Fraction(1, 2**181)
            for text, chance in exact(lattice, value).items():
                assert abs(counted.pop(text, Fraction(0)) - chance) <= left, (name, offset, text)
            assert not any(counted.values()), (name, offset)


def test_all_words_together_give_the_exact_distribution(page: Page) -> None:
    all_words(page, SOURCE)


# The browser's own words


@pytest.mark.parametrize("name", ["eps 1", "eps 4", "many runs", "whole"])
def test_the_browsers_words_give_the_distribution_of_a_number(page: Page, name: str) -> None:
    mechanism, _ = MECHANISMS[name]
    lattice, answer = mechanism.lattice, "7.3"
    counts = page.evaluate(_COUNT, [SOURCE, data(lattice), None, answer, DRAWS])
    chances = lattice.pmf(float(answer))
    place = np.minimum(np.cumsum(chances) * BINS, BINS - 1).astype(int)
    expected = np.bincount(place, chances, minlength=BINS) * DRAWS
    found = np.zeros(BINS)
    for text, count in counts.items():
        found[place[int(Fraction(text) / lattice.exact_spacing) - lattice.first]] += count
    # Where a point takes many bins, or the bins before it leave little, neighbours are joined.
    groups = np.minimum(np.cumsum(expected) // 200, expected.sum() // 200 - 1).astype(int)
    joined = [np.bincount(groups, each) for each in (found, expected)]
    kept = joined[1] > 0
    assert kept.sum() >= 10
    assert joined[1][kept].min() >= 200
    assert chisquare(joined[0][kept], joined[1][kept]).pvalue > FALSE_ALARM


def test_the_browsers_words_give_the_distribution_of_a_category(page: Page) -> None:
    mechanism = RandomizedResponse(1.0, 5)
    counts = page.evaluate(_COUNT, [SOURCE, None, weights(mechanism), 2, DRAWS])
    expected = [DRAWS * float(mechanism.probability(place, 2)) for place in range(5)]
    found = [Counter(counts)[str(place)] for place in range(5)]
    assert chisquare(found, expected).pvalue > FALSE_ALARM


# What goes in, what comes out, and what the picture shows


def test_decimals_are_read_as_they_are_written(page: Page) -> None:
    good = {
        "18": "18", "18,5": "18.5", " 0.50 ": "0.5", "-3.": "-3", "+.25": "0.25", "−7": "-7",
        "٣٫٥": "3.5", "७५": "75", "１２．５": "12.5", "\u200e4": "4", "-0.0": "0", "007": "7",
        "999999999999999.999999999999": "999999999999999.999999999999", "100.00": "100",
        "𝟙𝟚": "12",
    }  # fmt: skip
    bad = ["", " ", ".", "-", "1e3", "1.2.3", "1 000", "1,000,000", "٣५", "3٣", "abc", "0x1", "--1"]
    bad += ["1" * 16, "0." + "1" * 13, "Infinity", "NaN", "½", "²"]
    read = "(text) => { const d = readDecimal(text); return d && shortest(d); }"
    assert page.evaluate(_CALL, [SOURCE, read, list(good)]) == list(good.values())
    assert page.evaluate(_CALL, [SOURCE, read, bad]) == [None] * len(bad)
    added = [["0.1", "0.2"], ["4", "4"], ["2.5", "0.50"], []]
    assert page.evaluate(_CALL, [SOURCE, "sumOfDecimals", added]) == ["0.3", "8", "3", "0"]
    written = "([whole, exponent]) => writeDecimal(BigInt(whole), exponent)"
    cases = [["0", -3], ["-1", -3], ["-3415", -3], ["12", 1], ["-4", 0], ["0", 2]]
    expected = ["0.000", "-0.001", "-3.415", "120", "-4", "0"]
    assert page.evaluate(_CALL, [SOURCE, written, cases]) == expected


def test_the_picture_shows_the_distribution(page: Page) -> None:
    show = "([lattice, text]) => densityOf(openLattice(lattice), readDecimal(text))"
    for mechanism, bounds in MECHANISMS.values():
        lattice = mechanism.lattice
        for text in answers(*bounds)[:4]:
            shown = page.evaluate(_CALL, [SOURCE, show, [[data(lattice), text]]])[0]
            chances = lattice.pmf(float(text))
            steps = np.array(shown["steps"])
            lengths = np.rint((steps[:, 1] - steps[:, 0]) / lattice.spacing).astype(int)
            np.testing.assert_allclose(np.repeat(steps[:, 2], lengths), chances, rtol=1e-6)
            width = mechanism.outputs[1] - mechanism.outputs[0]
            assert shown["mean"] == pytest.approx(float(text), abs=1e-9 * width)
            assert shown["whole"] == pytest.approx(mechanism.outputs)
            block = shown["block"]
            ends = (round(block[end] / lattice.spacing) - lattice.first for end in ("from", "to"))
            (high,) = np.nonzero(chances >= chances.max() / 2)
            assert tuple(ends) == (high[0], high[-1])
            assert block["mass"] == pytest.approx(float(chances[high].sum()), rel=1e-9)


# Broken twins: each must be found

TWINS = {
    "a shift in floats": (
        "(isBelow(over % under, under, words) ? 1n : 0n)",
        "(Number(words() >> 11n) / 2 ** 53 < Number(over % under) / Number(under) ? 1n : 0n)",
    ),
    "a tie that is decided at once": ("if (drawn !== limit) return", "return"),
    "a tie that goes up": ("if (over === 0n) return false", "if (over === 0n) return true"),
    "a remainder of any word": ("if (word <= largestFair) return", "return"),
    "one word too few is fair": ("word <= largestFair", "word < largestFair"),
    "words of eight bits": ("const word = words();", "const word = words() & 255n;"),
    "an activation shifted by one": (": place + shift", ": place + shift - 1n"),
    "a base that is shifted too": ("run < lattice.baseRuns ? place :", "false ? place :"),
    "a boundary that belongs to the run before": ("[middle] <= number", "[middle] < number"),
    "leading bits alone": ("if (!tailBits || number !== leading[run]) return", "return"),
    "numbers beyond the total": (
        "if (run < lattice.lengths.length) return run;",
        "return Math.min(run, lattice.lengths.length - 1);",
    ),
    "runs by their lengths": ("length * weights[run])", "length)"),
    "a category that is kept too often": ("- (kept - other)", "- kept"),
    "a shift not doubled": ("span * parts * mass;", "span * parts * mass / 2n;"),
}


@pytest.mark.parametrize("name", TWINS)
def test_a_broken_draw_is_found(page: Page, name: str) -> None:
    right, wrong = TWINS[name]
    assert SOURCE.count(right) == 1
    twin = SOURCE.replace(right, wrong)
    with pytest.raises((AssertionError, Error)):  # noqa: PT012 - any of the checks may find it
        all_words(page, twin)
        same_categories(page, twin)
        same_words(page, twin, full=False)
