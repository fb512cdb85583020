"""How one private cell may be spelled: as a number, as missing, as anything at all.

A cell is drawn as raw text of the file, with its quotes and spaces.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from compdp_core.tables import Affix

UNFIT = (
    "x", "inf", "-inf", "1e400", "-1e400", "0x1A", "9007199254740999", "=1+1", "--5", "5 5 x",
    "@x", "five", "12:30", "<5", "1e", "+", "true",
)  # fmt: skip
"""No number under any plan, and no spelling of a missing value."""
SPELLED = ("NA", "na", "N/A", "n.a.", "NaN", "null", "-", "--", "?", "missing", "#N/A", "None")
ODD = (
    "−3.5", "1,234", "1.234,5", "1,234.5", "1'000", "12,5,3", "５", "5 kg", "$5", "(35)", "5%",
    "007", "+0", "-0", "-0.0", "1.", ",5", ".5", "1 234", "\u00a05", "6'1", "5\"", "a" * 300,
    "1e3", "1E-3", "00012", "1234567890123456789012345.5", " \t 7 \t ", "a\tb",
)  # fmt: skip
"""What one plan takes for a number, another one not."""


@dataclass(frozen=True)
class Paper:
    """What a cell is written on."""

    separator: str
    quote: str
    encoding: str
    alone: bool
    """The only cell of its row: blank text would be a blank line."""
    first: bool = False
    """The first cell of its row: one that begins with # would make the row a comment."""

    def fits(self, text: str) -> bool:
        try:
            text.encode(self.encoding)
        except UnicodeEncodeError:
            return False
        return True

    def written(self, rng: Random, text: str, *, spaced: bool = True) -> str:
        """The text as a cell: in quotes where it must, or by chance; spaces by chance."""
        if not self.fits(text):
            text = "x"
        must = any(mark in text for mark in (self.separator, "\n", "\r")) or text.startswith('"')
        must |= self.first and text.startswith("#") and text not in SPELLED
        if not self.quote:
            return "x" if must else text
        space = " " * rng.choice((0, 0, 0, 1, 2)) if spaced and self.separator != " " else ""
        if must or rng.random() < 0.25:
            inner = space + text.replace('"', '""') + space
            return f'"{inner}"'
        if self.alone and not (space + text).strip():
            return '""'
        return space + text + rng.choice(("", space))


@dataclass(frozen=True)
class Kind:
    """What the plan of a column takes for a number."""

    mark: str
    affix: Affix | None

    def number(self, rng: Random) -> str:
        """The text of a number that fits, in one of its many spellings."""
        whole = str(rng.choice((0, 7, 12, 50, 101, rng.randrange(10**6), 10**12)))
        affix = self.affix or Affix()
        if affix.thousands and rng.random() < 0.6:
            whole = f"{int(whole):,}".replace(",", affix.thousands)
        elif rng.random() < 0.15:
            whole = "0" * rng.choice((1, 2)) + whole
        text = whole
        if rng.random() < 0.5:
            digits = "".join(rng.choice("0123456789") for _ in range(rng.choice((1, 2, 2, 3, 9))))
            text = f"{whole}{self.mark}{digits}"
        elif rng.random() < 0.1 and not affix.thousands:
            text += rng.choice(("e2", "E+1", "e-2"))
        sign = rng.choice(("", "", "", "-", "+"))
        if self.affix is None:
            return sign + text
        if affix.parentheses and not sign and rng.random() < 0.4:
            return f"({text})"
        gap = rng.choice(("", " "))
        if affix.prefix and rng.random() < 0.7:
            text = affix.prefix + gap + text
        if affix.suffix and rng.random() < 0.7:
            text = text + gap + affix.suffix
        return sign + text

    def plain(self, rng: Random) -> str:
        """One that every file can hold."""
        return str(rng.randrange(1000))


@dataclass(frozen=True)
class Words:
    """What the plan of a column of another kind than numbers takes for its values."""

    fitting: tuple[str, ...]
    unfit: tuple[str, ...]
    """Missing under it, as blanks and spellings of missing ones are."""

    def number(self, rng: Random) -> str:
        """The text of a value that fits."""
        return rng.choice(self.fitting)

    def plain(self, rng: Random) -> str:
        """One that every file can hold."""
        return self.fitting[0]


def number(rng: Random, kind: Kind | Words, paper: Paper) -> str:
    """A cell that is a value under the plan, whoever reads it."""
    text = kind.number(rng)
    if not paper.fits(text) or (not paper.quote and paper.separator in text):
        text = kind.plain(rng)  # There is no way to write the other one.
    return paper.written(rng, text)


def missing(rng: Random, paper: Paper, kind: Kind | Words, *, blank: bool = True) -> str:
    """A cell that is missing: under every plan of numbers, or under that of the kind."""
    if isinstance(kind, Words):
        return paper.written(rng, rng.choice((*SPELLED, *kind.unfit)))
    choice = rng.random()
    if choice < 0.3 and blank:
        return rng.choice(("", "", "  ", " "))
    if choice < 0.4 and paper.quote:
        return rng.choice(('""', '"  "'))
    if choice < 0.7:
        return paper.written(rng, rng.choice(SPELLED))
    if choice < 0.8 and paper.quote:
        return rng.choice(('"a\nb"', f'"a{paper.separator} b"', '"say ""5"""', '"#5"'))
    return paper.written(rng, rng.choice(UNFIT))


def anything(rng: Random, kind: Kind | Words, paper: Paper, *, blank: bool = True) -> str:
    """Whatever may stand in a cell."""
    choice = rng.random()
    if choice < 0.5:
        return number(rng, kind, paper)
    if choice < 0.8:
        return missing(rng, paper, kind, blank=blank)
    return paper.written(rng, rng.choice(ODD)) or ("" if blank else "x")
