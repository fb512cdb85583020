"""Draw a file twice, with other private cells, a plan for it, and what its release must be.

The file is put together from raw cells here, so what is expected owes nothing to the reader: rows
as they were drawn, with released numbers written by :mod:`decimal` in place of private cells.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Literal

from compdp_core.release import ColumnPlan, Plan
from compdp_core.tables import DEFAULT_MISSING, Affix
from tests.noninterference.cells import SPELLED, Kind, Paper, Words, anything, missing, number
from tests.noninterference.kinds import of_kind

ENCODINGS = ("cp1252", "latin-1", "utf-16-le", "utf-16-be")
BOMS = {"utf-8": "\ufeff", "utf-16-le": "\ufeff", "utf-16-be": "\ufeff"}
DESIGNS: tuple[dict[str, Any], ...] = (
    {"inputs": (0, 100), "epsilon": 1, "pair": "A1B1"},
    {"inputs": (-5, 5), "epsilon": "0.5", "pair": "A2B2"},
    {"inputs": (0, 10), "epsilon": 2, "whole": True},
    {"inputs": (1000, 9000), "epsilon": 3, "pair": "A3B1"},
    {"inputs": (0, 0.02), "epsilon": 1},
    {"inputs": (-100000, 100000), "epsilon": 4, "whole": True, "pair": "A1B2"},
)
"""Bounds, budgets and shapes of the columns, so few that each is worked out once."""
AFFIXES = (
    Affix(suffix="kg"), Affix(suffix="%"), Affix(prefix="$", thousands=","), Affix(thousands="'"),
    Affix(prefix="€", suffix="", thousands="."), Affix(parentheses=True), Affix(thousands=","),
    Affix(suffix="€", thousands="."),
)  # fmt: skip
MISSING_AS = ("", "", "NA", "-", "n.a.", 'say "no"', "none, sorry", "fehlt; oder", "ä", "(none)")
UNTOUCHED = (
    "Ada", "", " x ", "say \"hi\"", "=1+1", "@x", "007", "1,5", "12.50", "é", "five \"feet", "-3",
    "Smith, Bo", "a;b", "a|b", "line\nbreak", "NA", "+44 20", "'", "1582218195625938945",
)  # fmt: skip
FEW = ("", *SPELLED)
"""Missing spellings, fewer than the reader knows: it is quicker."""
Kept = Literal["row", "total", "gone", "stays"]


@dataclass(frozen=True)
class Line:
    """One record, or a blank line, in both files."""

    kept: Kept
    """``gone``: no row by what is said of rows of its kind. ``stays``: a line, and no row."""
    texts: tuple[str, str]
    end: str
    cells: tuple[str | None, ...] = ()
    """Raw cells of the released row; None where a released number stands."""
    tail: str = ""
    missing: frozenset[int] = frozenset()
    """Positions of the private cells that are missing in both files."""
    record: bool = True
    """Counts among the rows of the file."""
    wide: bool = False
    """Has cells too many in the first file."""


@dataclass(frozen=True)
class Case:
    """Two files, one plan, and what the released file consists of."""

    seed: object
    files: tuple[bytes, bytes]
    said: dict[str, Any]
    plan: Plan
    top: str
    lines: tuple[Line, ...]
    left_out: tuple[int, ...]
    encoding: str
    separator: str
    quote: str
    decimal: str
    omit: tuple[int, ...] = ()
    columns: int = 0
    whose: tuple[int, int] | None = None
    """The column that says whose a row is, and how many rows of one are released at most."""


@dataclass
class _Draft:
    """A case while it is drawn."""

    rng: Random
    paper: Paper
    count: int
    planned: dict[int, tuple[ColumnPlan, Kind | Words]]
    ends: Callable[[], str]
    lines: list[Line] = field(default_factory=list)
    blank_in_private: bool = True


def drawn(seed: object) -> Case:
    """The case of this seed: the same in every process."""
    rng = Random(repr(seed))
    separator = rng.choice((",", ",", ";", "\t", "|"))
    decimal = rng.choice((".", ".", ","))
    quote = '"' if rng.random() < 0.9 else ""
    encoding = rng.choice(
        ("utf-8", "utf-8", "utf-8", "cp1252", "latin-1", "utf-16-le", "utf-16-be")
    )
    count = rng.choice((1, 2, 3, 3, 4, 5))
    paper = Paper(separator, quote, encoding, alone=count == 1)
    ending = rng.choice(("\n", "\n", "\r\n", "\r", "mixed"))

    def end() -> str:
        return ending if ending != "mixed" else rng.choice(("\n", "\r\n"))

    private = sorted(rng.sample(range(count), rng.randint(1, max(1, min(3, count - 1)))))
    planned: dict[int, tuple[ColumnPlan, Kind | Words]]
    planned = {p: _plan(rng, p, decimal) for p in private}
    other = Random(repr((seed, "kinds")))  # so that all else is as it was drawn before
    for p in private:
        if other.random() < 0.4:
            planned[p] = of_kind(other, p, planned[p][0].missing, quoted=bool(quote))
    draft = _Draft(rng, paper, count, planned, end)
    said: dict[str, Any] = {
        "encoding": encoding, "separator": separator, "decimal": decimal, "quote": quote,
        "header": rng.random() < 0.85, "skip_lines": rng.choice((0, 0, 0, 1, 2)),
        "missing": rng.choice((FEW, FEW, FEW, DEFAULT_MISSING, (*FEW, "-99"))),
    }  # fmt: skip
    _policies(draft, said)
    top = _top(draft, said)
    left_out = _rows(draft, said)
    if 3 * sum(line.wide for line in draft.lines) > len(draft.lines):
        said["columns"] = count  # Else most rows of the first file would make a column more.
    if rng.random() < 0.4:
        last = draft.lines[-1]
        if count > 1 or all(text.strip() for text in last.texts):  # Else there would be no line.
            draft.lines[-1] = replace(last, end="")
    packed = rng.random() < 0.05
    bom = BOMS.get(encoding, "") if rng.random() < 0.4 else ""
    files = [_file(bom + top, draft.lines, world, encoding, packed) for world in (0, 1)]
    others = [p for p in range(count) if p not in planned]
    apart = Random(repr((seed, "persons")))  # so that all else is as it was drawn before
    some = apart.randint(1, len(planned)) if apart.random() < 0.4 else None
    whose = (apart.choice(others), apart.randint(1, 3)) if others else None
    return Case(
        seed,
        (files[0], files[1]),
        said,
        Plan(tuple(plan for plan, _ in planned.values()), answered=some),
        bom + top,
        tuple(draft.lines),
        left_out,
        encoding,
        separator,
        quote,
        decimal,
        tuple(rng.sample(others, 1)) if others and rng.random() < 0.3 else (),
        count,
        whose if apart.random() < 0.4 else None,
    )


def _plan(rng: Random, position: int, decimal: str) -> tuple[ColumnPlan, Kind]:
    own = rng.choice((None, None, ".", ","))
    mark = own or decimal
    affix = rng.choice(AFFIXES) if rng.random() < 0.35 else None
    if affix is not None and affix.thousands == mark:
        affix = None
    plan = ColumnPlan(
        position,
        **rng.choice(DESIGNS),
        missing=rng.choice(("fill", "fill", "keep", "drop")),
        missing_as=rng.choice(MISSING_AS),
        strip=affix,
        decimal=own,
    )
    return plan, Kind(mark, affix)


def _policies(draft: _Draft, said: dict[str, Any]) -> None:
    rng, count = draft.rng, draft.count
    said["short_rows"] = rng.choice((None, "complete", "complete", "leave out"))
    joins = ["leave out", None] + (list(range(count)) if draft.paper.quote else [])
    said["long_rows"] = rng.choice(joins)
    said["trailing_cells"] = rng.choice(["keep", "keep", *joins])
    # What is kept word for word must not begin with a private cell.
    keep = "leave out" if 0 in draft.planned else "keep"
    said["comment_rows"] = rng.choice((None, keep, "leave out", "row"))
    blank = [None, "skip"] + (["missing"] if draft.paper.quote else [])
    said["blank_lines"] = rng.choice(blank) if count == 1 else None
    draft.blank_in_private = count > 1 or said["blank_lines"] == "missing"
    if rng.random() < 0.5:
        said["columns"] = count


def _top(draft: _Draft, said: dict[str, Any]) -> str:
    rng, paper = draft.rng, draft.paper
    top = f"sep={paper.separator}{draft.ends()}" if rng.random() < 0.1 else ""
    for _ in range(said["skip_lines"]):
        top += rng.choice(("Report 2024", "all values", 'Height of 5" and more')) + draft.ends()
    if said["header"]:
        names = [rng.choice((f"c{i}", f"c {i} ", "score", "=2+5")) for i in range(draft.count)]
        raw = [f'"{n}"' if paper.quote and rng.random() < 0.2 else n for n in names]
        top += paper.separator.join(raw) + draft.ends()
    else:
        said["columns"] = draft.count
    return top


def _rows(draft: _Draft, said: dict[str, Any]) -> tuple[int, ...]:
    """Draw all lines; the rows, from 0, that the owner leaves out one by one."""
    rng, lines = draft.rng, draft.lines
    rows = rng.choice((1, 2, 5, 8, 12))
    lines.append(_row(draft))
    comments, noted = 0, said["comment_rows"] in ("keep", "leave out")
    for _ in range(rows):
        choice = rng.random()
        if choice < 0.1 and said["short_rows"] and draft.count > 1:
            lines.append(_short(draft, said["short_rows"]))
        elif choice < 0.2 and said["long_rows"] is not None:
            lines.append(_long(draft, said["long_rows"]))
        elif choice < 0.27 and noted and 4 * comments < rows:
            comments += 1
            kept: Kept = "stays" if said["comment_rows"] == "keep" else "gone"
            text = rng.choice(("# note", "#", f"# 1{draft.paper.separator}2", "#7"))
            if draft.count == 2 and text.endswith("2"):  # It looks like a row.
                kept = "gone"
            lines.append(Line(kept, (text, text), draft.ends()))
        elif choice < 0.33 and (draft.count > 1 or said["blank_lines"] == "skip"):
            lines.append(Line("stays", ("", ""), draft.ends(), record=False))
        elif choice < 0.38 and draft.count > 1 and said["trailing_cells"] is not None:
            lines.append(_trailing(draft, said["trailing_cells"]))
        else:
            lines.append(_row(draft, commented=said["comment_rows"] == "row"))
    # A file in which every line is blank has no rows, and is refused as such.
    if draft.paper.alone and not all(any(x.texts[i].strip() for x in lines) for i in (0, 1)):
        draft.blank_in_private = False
    lines.append(_row(draft))
    if rng.random() < 0.25:
        return _totals(draft)
    return ()


def _totals(draft: _Draft) -> tuple[int, ...]:
    """Make some rows totals, which are left out one by one."""
    number, out = -1, list[int]()
    for i, line in enumerate(draft.lines):
        number += line.record
        if line.kept == "row" and len(out) < 2 and draft.rng.random() < 0.3 and i > 0:
            out.append(number)
            draft.lines[i] = replace(line, kept="total")
    return tuple(out)


def _private(draft: _Draft, position: int) -> tuple[str, str, bool]:
    """A private cell in both files, and whether it is missing in both."""
    plan, kind = draft.planned[position]
    rng, paper = draft.rng, replace(draft.paper, first=position == 0)
    blank = draft.blank_in_private
    if plan.missing == "fill":
        one, two = (anything(rng, kind, paper, blank=blank) for _ in range(2))
        if paper.alone and not blank:
            one, two = (raw if raw.strip() else "x" for raw in (one, two))
        return one, two, False
    if rng.random() < 0.3:
        one, two = (missing(rng, paper, kind, blank=blank) for _ in range(2))
        return one, two, True
    one, two = (number(rng, kind, paper) for _ in range(2))
    return one, two, False


def _open(draft: _Draft) -> str:
    return draft.paper.written(draft.rng, draft.rng.choice(UNTOUCHED), spaced=False)


def _row(draft: _Draft, *, tail: str = "", commented: bool = False) -> Line:
    one: list[str] = []
    two: list[str] = []
    cells: list[str | None] = []
    gone = set()
    for position in range(draft.count):
        if position in draft.planned:
            a, b, empty = _private(draft, position)
            cells.append(None)
            gone |= {position} if empty else set()
        else:
            a = b = _open(draft)
            if commented and position == 0 and draft.rng.random() < 0.3:
                a = b = "#7"
            cells.append(a)
        one.append(a)
        two.append(b)
    join = draft.paper.separator.join
    texts = (join(one) + tail, join(two) + tail)
    return Line("row", texts, draft.ends(), tuple(cells), tail, frozenset(gone))


def _short(draft: _Draft, policy: str) -> Line:
    """A row that ends early in one file, and where it is completed perhaps not in the other."""
    rng, join = draft.rng, draft.paper.separator.join
    whole = _row(draft)
    absent = rng.randint(1, draft.count - 1)
    first = [_split(text, draft, whole) for text in whole.texts]
    kept = draft.count - absent
    if not draft.paper.quote and any(len(cells) != draft.count for cells in first):
        return whole
    tail_private = [p for p in range(kept, draft.count) if p in draft.planned]
    gone = set(whole.missing) | {p for p in tail_private if draft.planned[p][0].missing != "fill"}
    cells = tuple(cell if i < kept or cell is None else "" for i, cell in enumerate(whole.cells))
    one, two = (list(parts[:kept]) for parts in first)
    if kept == 1 and not (one[0].strip() and two[0].strip()):
        return whole  # It would be a blank line.
    if policy == "complete" and rng.random() < 0.6:  # Only the first file is short here.
        for position in range(kept, draft.count):
            if position not in draft.planned:
                two.append("")
            elif draft.planned[position][0].missing == "fill":
                two.append(first[1][position])
            else:
                two.append(missing(rng, draft.paper, draft.planned[position][1]))
    kind: Kept = "row" if policy == "complete" else "gone"
    if policy != "complete":
        cells = ()
    return Line(kind, (join(one), join(two)), draft.ends(), cells, "", frozenset(gone))


def _split(text: str, draft: _Draft, line: Line) -> list[str]:
    """The raw cells of a row again; quotes in the middle of a cell mean nothing."""
    cells, at, separator = [], 0, draft.paper.separator
    while True:
        stop = at
        if draft.paper.quote and text[at : at + 1] == '"':
            stop = at + 1
            while not (text[stop] == '"' and text[stop + 1 : stop + 2] != '"'):
                stop += 2 if text[stop] == '"' else 1
        stop = text.find(separator, stop)
        if stop < 0:
            cells.append(text[at:])
            return cells
        cells.append(text[at:stop])
        at = stop + 1


def _long(draft: _Draft, policy: str | int) -> Line:
    """A row with cells too many: left out, or joined into one column."""
    rng, separator = draft.rng, draft.paper.separator
    whole = _row(draft)
    if policy == "leave out":
        texts = [text + f"{separator}{rng.randrange(100)}" for text in whole.texts]
        return Line("gone", (texts[0], texts[1]), whole.end, wide=True)
    assert isinstance(policy, int)
    parts = [_split(text, draft, whole) for text in whole.texts]
    cells = list(whole.cells)
    last = draft.count - 1
    if policy != last:  # Behind the joined cell something must stand, or nothing tells its end.
        for each in parts:
            each[last] = each[last] if each[last].strip() else "x"
        if cells[last] is not None:
            parts[1][last] = parts[0][last]
            cells[last] = parts[0][last]
    pieces = [f"{rng.randrange(1, 99)}{separator}{rng.choice(('5', '250', 'x'))}" for _ in (0, 1)]
    wide = True
    if policy not in draft.planned:
        raw = f"Smith{separator} Bo"
        parts[0][policy] = parts[1][policy] = raw
        cells[policy] = '"' + raw + '"'
    elif draft.planned[policy][0].missing == "fill":
        for each, piece in zip(parts, pieces, strict=True):
            each[policy] = piece
        narrow = rng.choice((0, 1, None))  # Too long in one of the files alone, or in both.
        if narrow is not None:
            parts[narrow][policy] = _private(draft, policy)[:2][narrow]
        wide = narrow != 0
    else:
        return whole
    join = separator.join
    joined = (join(parts[0]), join(parts[1]))
    return replace(whole, texts=joined, cells=tuple(cells), wide=wide)


def _trailing(draft: _Draft, policy: str | int) -> Line:
    """A row with empty cells beyond the columns: kept so, left out, or joined into one column."""
    rng, separator = draft.rng, draft.paper.separator
    if policy == "keep":
        return _row(draft, tail=separator * rng.choice((1, 2)))
    whole, last = _row(draft), draft.count - 1
    if policy == "leave out":
        texts = (whole.texts[0] + separator, whole.texts[1] + separator)
        return Line("gone", texts, whole.end)
    assert isinstance(policy, int)
    if policy in draft.planned and draft.planned[policy][0].missing != "fill":
        return whole
    first, second = (_split(text, draft, whole) for text in whole.texts)
    cells, gone = list(whole.cells), set(whole.missing)
    if policy in draft.planned:
        first[policy], second[policy] = f"{rng.randrange(99)}{separator}5", f"x{separator}250"
    else:
        first[policy] = second[policy] = f"Smith{separator} Bo"
        cells[policy] = f'"{first[policy]}"'
    if policy != last:
        first[last] = second[last] = ""
        if last not in draft.planned:
            cells[last] = ""
        elif draft.planned[last][0].missing != "fill":
            gone.add(last)
    else:
        first[last], second[last] = f"Smith{separator}", f"{first[last][:1]}{separator}"
        if last not in draft.planned:
            second[last], cells[last] = first[last], f'"{first[last]}"'
    texts = (separator.join(first), separator.join(second))
    return replace(whole, texts=texts, cells=tuple(cells), missing=frozenset(gone))


def _file(top: str, lines: list[Line], world: int, encoding: str, packed: bool) -> bytes:
    text = top + "".join(line.texts[world] + line.end for line in lines)
    data = text.encode(encoding)
    return gzip.compress(data, mtime=0) if packed else data
