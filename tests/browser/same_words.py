"""The draw on a student's device and the library's, given the same words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from playwright.sync_api import Page

from compdp_core import CompositeMechanism
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.lattice import Lattice, Sampler
from compdp_core.randomness import Words, largest_fair
from compdp_core.report.proofs import lattice_part, weights
from pages.sections.room.phone import DRAW, script

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


def agree(found: Sequence[Any], expected: Sequence[Any], *what: object) -> None:
    """AssertionError with the first difference; to lay out all of them takes minutes."""
    pairs = zip(found, expected, strict=True)
    different = [(place, *pair) for place, pair in enumerate(pairs) if pair[0] != pair[1]]
    if different:
        first = "number {}: {}, not {}".format(*different[0])
        raise AssertionError(f"{len(different)} of {len(found)} differ {what}, first {first}")


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
        agree(drawn(page, source, lattice, cases, bounds), expected, name)


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
        agree(drawn(page, source, mechanism, cases), expected)
