"""The draw on a student's device against the library, in the browser itself.

Given the same words it gives the same outputs, rejections and ties included; on small lattices all
classes of words are counted, and add up to the exact distribution. Both are settled without chance.
What the browser's own random words make of it is tested once for each of five distributions, each
with a false-alarm rate of 1e-10 (by the χ² approximation, with 200 or more expected in a bin).
30,000 draws in at most 60 bins see with more than 99.9 % probability a distribution that puts 4 %
of its mass elsewhere, evenly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from playwright.sync_api import Browser, Error, Page
from scipy.stats import chisquare

from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.report.proofs import weights
from tests.browser.all_words import SMALL, all_words
from tests.browser.same_words import (
    MECHANISMS,
    RESPONSES,
    SOURCE,
    TOP,
    answers,
    data,
    decimal,
    drawn,
    same_categories,
    same_words,
)

FALSE_ALARM = 1e-10
DRAWS, BINS = 30_000, 60

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


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with browser.new_context() as context:
        yield context.new_page()


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
