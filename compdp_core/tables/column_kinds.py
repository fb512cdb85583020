"""What kind of column each one may be: proposals for the owner of the table, best first.

A proposal is made from the cells, so it is private: it may be shown to the owner, who takes it over
or not. What a plan takes over of it tells about the cells: a list of categories tells which texts
occur, unless it is ``usual`` and known beforehand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from compdp_core.tables import answer_lists
from compdp_core.tables.affix import Affix, Mixture
from compdp_core.tables.categories import Categories
from compdp_core.tables.column import Column
from compdp_core.tables.table import Table
from compdp_core.tables.value_formats import ValueFormat, classes, limits
from compdp_core.tables.value_formats.found import candidates

ProposedKind = Literal[
    "number", "whole", "category", "scale", "date", "time", "datetime", "duration", "none"
]
"""Kinds of plans, and ``none`` where a column is better left as it is, or out."""

MOST_DIFFERENT = 1000
"""Different texts that are counted."""
MOST_CATEGORIES = 200
"""Different texts that are proposed as categories."""
MANY_CATEGORIES = 20
RARE = 5
"""Rows that a text should have, at least."""
FEW_ROWS = 20
"""In a table of fewer, numbers may all be different by chance."""
_SLICES, _SLICE = 20, 100
_NAMES = re.compile(
    r"name|surname|street|address|e-?mail|phone|vorname|nachname|straße|adresse|nom\b|nombre|url",
    re.IGNORECASE,
)
_GRADES = re.compile(r"grade|mark|score|rating|note|nota|size|größe", re.IGNORECASE)
_NUMBERED = re.compile(r"\(?(\d{1,3})(?=[^\w,])\s*[).:=–-]*\s*(\D+)")
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}(\.0{1,2})?")


@dataclass(frozen=True)
class Proposal:
    """One kind a column may be."""

    kind: ProposedKind
    format: ValueFormat | None = None
    """Of dates, times and durations, and the rule of limits and classes; None for the others."""
    categories: tuple[str, ...] = field(default=(), repr=False)
    """The texts that occur, in order: a leak if they become the list of a plan."""
    why: str = field(default="", repr=False)
    """A sentence, which may tell the extremes."""
    doubt: str = field(default="", repr=False)
    """A sentence on what speaks against it, or empty."""
    usual: tuple[str, ...] = field(default=(), repr=False)
    """The known list that the texts are of, with the steps that do not occur; may be empty."""

    @property
    def merged(self) -> Categories | None:
        """The categories with texts as one that differ in case, dashes and spaces only."""
        texts: dict[str, list[str]] = {}
        for each in self.categories:
            texts.setdefault(answer_lists.plain(each), []).append(each)
        return Categories.of({each[0]: each for each in texts.values()}) if len(texts) > 1 else None


def proposals(table: Table, position: int) -> tuple[Proposal, ...]:
    r"""Kinds that a column may be, best first; one at least, which may be ``none``.

    >>> from compdp_core.tables.reading import read
    >>> table = read(b"asked,score\nYes,1.5\nno,2.5\nYes,3.5\n")
    >>> [each.kind for each in proposals(table, 0)], [each.kind for each in proposals(table, 1)]
    (['category'], ['number'])
    """
    sample = _sample(table, position)
    column = table.columns[position]
    if column.missing == column.rows:
        return (Proposal("none", why="Every cell is missing."),)
    decimal = column.numeric and not column.whole
    different = Counter[str]() if decimal else _different(table, position)
    look = _Look(column, sample, different, len(different) <= MOST_DIFFERENT)
    made = _of_numbers(look) if column.numeric else _of_texts(look, table)
    first: dict[tuple[str, ValueFormat | None], Proposal] = {}
    for each in made:
        first.setdefault((each.kind, each.format), each)
    return tuple(first.values())


@dataclass(frozen=True)
class _Look:
    """What is known of the cells of a column."""

    column: Column
    sample: list[str]
    different: Counter[str]
    """How often each text occurs, blank ones left out; of some rows where there are too many."""
    every: bool
    """Whether these are all."""

    @property
    def few(self) -> bool:
        """Whether most texts occur again and again, as categories do."""
        count, rows = len(self.different), self.different.total()
        repeated = count <= 2 < rows or 2 * count <= rows
        return self.every and count <= MOST_CATEGORIES and repeated

    @property
    def sentences(self) -> bool:
        """Whether the texts have more than five words on average."""
        return sum(len(each.split()) for each in self.sample) > 5 * len(self.sample)

    def category(self, seen: Iterable[str], why: str, kind: ProposedKind = "category") -> Proposal:
        """These texts as categories, with what speaks against them."""
        listed, doubt = tuple(seen), ""
        if len(listed) == 1:
            doubt = "All cells hold the same text: the list needs others, too."
        elif len(listed) > MANY_CATEGORIES:
            doubt = f"{len(listed)} categories are many: merge some, or the noise will be large."
        elif any(self.different[each] < RARE for each in listed):
            doubt = "Some of the texts are in few rows: a list made of the cells gives them away."
        return Proposal(kind, None, listed, why, doubt)


def _of_numbers(look: _Look) -> list[Proposal]:
    """For a column whose cells are all numbers or missing."""
    column, found = look.column, list[Proposal]()
    if column.identifier or column.too_long:
        if "dates" in column.identifier:
            found += _formats(look, ("date", "datetime"))
        why = column.identifier or "whole numbers of more than 15 digits"
        found.append(Proposal("none", why=f"It looks like an ID: {why}."))
        if column.too_long:
            return found
        if "name" in why and column.numbers < FEW_ROWS:
            found.clear()
    decimal = [text.replace(",", ".") for text in look.different]
    whole = column.whole and all(map(_WHOLE.fullmatch, decimal)) and look.few
    pairs = zip(decimal, look.different, strict=True) if whole else ()
    numbers = {int(float(each)): text for each, text in pairs}
    if len(numbers) < len(look.different) or len(numbers) > MANY_CATEGORIES:
        numbers = {}
    listed = [numbers[each] for each in sorted(numbers)]
    doubt = f"It may be an ID: {column.identifier}." if column.identifier else ""
    number = Proposal(
        "whole" if column.whole else "number",
        why="All numbers are whole." if column.whole else "All cells are numbers.",
        doubt="They are all equal." if column.constant else doubt,
    )
    ends = min(numbers, default=0), max(numbers, default=0)
    category = look.category(listed, "Few numbers occur, which may be codes.")
    scale = look.category(listed, f"Few whole numbers occur, from {ends[0]} to {ends[1]}.", "scale")
    if listed and set(numbers) <= {0, 1}:
        usual = tuple(text.replace(listed[0][0], d, 1) for text in listed[:1] for d in "01")
        why = "The numbers are 0 and 1, as for no and yes."
        found += [replace(category, why=why, usual=usual), number]
    elif set(numbers) == {1, 2}:
        found += [replace(category, why="The numbers are 1 and 2, as codes are."), number]
    elif top := _answers_to(ends):
        behind = listed[0].lstrip("+-0123456789")
        usual = tuple(f"{each}{behind}" for each in range(min(ends[0], 1), top + 1))
        scale = replace(scale, usual=usual)
        found += [scale, number] if ends[0] or len(numbers) > 9 else [number, scale]
        found.append(category)
    else:
        found += [number, *([category] if listed else [])]
    if column.whole:
        found.append(Proposal("number", why="Whole numbers may be released as decimal ones."))
    return found


def _answers_to(ends: tuple[int, int]) -> int:
    """The last step of the usual scale that numbers between these may be of; 0 for none."""
    if not (ends[0] in (0, 1, 2) and 2 < ends[1] <= 10):
        return 0
    return next(top for top in ((5, 7, 10) if ends[0] else (10,)) if ends[1] <= top)


def _of_texts(look: _Look, table: Table) -> list[Proposal]:
    """For a column with cells that are no numbers."""
    column, found = look.column, list[Proposal]()
    seen = list(look.different) if look.every else []
    spelled = {each.lower() for each in table.reading.spellings.texts}
    answers = _known_answers(look, seen, spelled)
    kept = [each for each in seen if each.lower() not in spelled]
    rules = _rules(look)
    category = look.category(_in_order(kept or seen), f"{len(kept or seen)} different texts occur.")
    if answers:
        letters = answers.kind == "scale" and all(len(each) == 1 for each in answers.categories)
        if letters and not _GRADES.search(column.label):
            found.append(replace(category, why="The texts are single letters."))
        found.append(answers)
    elif rules and rules[0][0] == "classes" and look.few:
        found.append(replace(category, why="The texts are classes of numbers."))
    found += _formats(look)
    found += [Proposal(kind, form, why=form.label) for _, form in rules for kind in _KINDS_OF_RULES]
    if isinstance(column.affix, Affix):
        found.append(Proposal("number", why=f"All are numbers if {column.affix} is taken off."))
    elif column.mostly_numbers and not (answers or rules):
        doubt = "Some cells are no numbers and count as missing."
        kind: ProposedKind = "whole" if column.whole else "number"
        found.append(Proposal(kind, why="Most cells are numbers.", doubt=doubt))
    return found + _listed(look, category, not found)


def _listed(look: _Look, category: Proposal, alone: bool) -> list[Proposal]:
    """The texts as categories, or why they are none; ``alone``: where nothing else is offered."""
    if look.few:
        first = [Proposal("none", why=_FREE)] if look.sentences and alone else []
        doubt = "Only if the texts have an order: bring them into it."
        scale = replace(category, kind="scale", doubt=doubt)
        return [*first, category, *([scale] if len(category.categories) > 2 else [])]
    if not alone:
        return []
    none = Proposal("none", why=_why_none(look))
    if not 1 < len(category.categories) <= MOST_CATEGORIES:
        return [none]
    doubt = "Most of the texts are in few rows: a list of them names persons, or nearly."
    return [none, replace(category, doubt=doubt)]


_KINDS_OF_RULES: tuple[ProposedKind, ...] = ("number", "whole")


def _known_answers(look: _Look, seen: list[str], spelled: set[str]) -> Proposal | None:
    """Answers of a known list, whichever of its steps occur."""
    sure = [each for each in seen if each.lower() not in spelled]
    steps = [each for each in sure if not answer_lists.is_no_answer(each)]
    for some in (seen, sure, steps):
        if some and (known := answer_lists.pair(some) or answer_lists.cycle(some)):
            why = "The texts are known answers, such as yes and no, or days and months."
            return replace(look.category(_by(known, some), why), usual=known.worded(some))
        if known := answer_lists.scale(some):
            beside = len(seen) - len(some)
            found = look.category(_by(known, some), "The texts are known steps.", "scale")
            doubt = "Texts that are no step count as missing." if beside else found.doubt
            return replace(found, doubt=doubt, usual=known.worded(some))
    numbers = {each: _NUMBERED.fullmatch(each) for each in sure}
    places = {each: int(m[1]) for each, m in numbers.items() if m}
    words = {m[2] for m in numbers.values() if m}
    if 2 < len(sure) <= MANY_CATEGORIES and len(set(places.values())) == len(sure) == len(words):
        listed = sorted(sure, key=places.__getitem__)
        return look.category(listed, "Each text begins with a number of its own.", "scale")
    return None


def _by(known: answer_lists.AnswerList, words: list[str]) -> list[str]:
    return sorted(words, key=lambda each: (known.places[answer_lists.plain(each)], each))


def _in_order(texts: list[str]) -> list[str]:
    """By the first number in each where all have one, else by the alphabet."""
    numbers = {each: re.search(r"\d+(?:[.,]\d+)?", each) for each in texts}
    if all(numbers.values()):
        first = {each: float(m[0].replace(",", ".")) for each, m in numbers.items() if m}
        # "<5" stands in front of "5", and "5+" behind it.
        return sorted(texts, key=lambda t: (first[t], t[:1] not in "<≤", t.endswith("+"), t))
    return sorted(texts, key=lambda t: (t.casefold(), t))


def _formats(look: _Look, kinds: tuple[ProposedKind | None, ...] = (None,)) -> list[Proposal]:
    """Dates, times and durations; plain numbers are such only where the kinds are said."""
    forms = [each for kind in kinds for each in candidates(look.sample, kind)]
    written: dict[str, ProposedKind] = {each: each for each in _WRITTEN}
    known = [(written[form.kind], form) for form in forms if form.kind in written]
    ways = Counter(kind for kind, _ in known)
    two = "The cells can be read in more than one way: say which one it is."
    return [
        Proposal(kind, form, why=form.label, doubt=two if ways[kind] > 1 else "")
        for kind, form in known
    ]


_WRITTEN: tuple[ProposedKind, ...] = ("date", "time", "datetime", "duration")


def _rules(look: _Look) -> list[tuple[str, ValueFormat]]:
    """Limits such as <5, and classes such as 10-19, as numbers by a rule."""
    both = (("limits", limits.suggest(look.sample)), ("classes", classes.suggest(look.sample)))
    return [(name, form) for name, form in both if form is not None]


_FREE = "It is free text: nothing of it can be released safely."


def _why_none(look: _Look) -> str:
    """Why texts are no categories."""
    words = [len(each.split()) for each in look.sample]
    one = [text for text, count in zip(look.sample, words, strict=True) if count == 1]
    if isinstance(look.column.affix, Mixture):
        return "Its cells carry different symbols or units: bring them to one unit first."
    if look.sentences:
        return _FREE
    if _NAMES.search(look.column.label):
        return "It names persons or places: leave it out of the file."
    if len(one) == len(words) and any(any(map(str.isdecimal, each)) for each in one):
        return "It looks like an ID: leave it out of the file."
    return "Almost every text is different, as names are: leave it out of the file."


def _sample(table: Table, position: int) -> list[str]:
    """Some of the cells that are not missing, from all over the table."""
    rows, found = table.row_count, list[str]()
    step = max(_SLICE, rows // _SLICES)
    for start in range(0, rows, step):
        found += table.texts(position, start, min(start + _SLICE, rows))
    spelled = {each.lower() for each in ("", *table.reading.spellings.texts)}
    texts = [each.strip() for each in found]
    return [each for each in texts if each.lower() not in spelled]


def _different(table: Table, position: int) -> Counter[str]:
    """How often each text occurs; of the first rows only where more than enough are different."""
    found: Counter[bytes] = Counter()
    for _, cells in table.cells(position, spellings=False):
        found.update(cells.tolist())
        if len(found) > MOST_DIFFERENT:
            break
    found.pop(b"", None)
    codec = table.reading.codec
    return Counter({each.decode(codec, "replace"): count for each, count in found.items()})
