"""What a release does not protect, said of this very release, and what became of uneven rows.

Of rows that do not line up with the columns the words are those of what the owner chose, never of
what is in the file: whether there are such rows at all, and how many, a single private cell may
decide.
"""

from __future__ import annotations

from collections.abc import Sequence

from compdp_core.adjacency import PerPerson, Person
from compdp_core.report.wording import listed
from compdp_core.tables import Format
from compdp_core.tables.alignment import OPTIONS
from compdp_core.text import count as counted

SETTINGS = (
    "The bounds, the budget and every other setting on this card are public. They protect nobody "
    "if they were read from the data, which this card cannot tell."
)
OTHER_SETTINGS = (
    "The budget, and bounds, lists and other settings on this card of which nothing else is said, "
    "are public. They protect nobody if they were read from the data, which this card cannot tell."
)
"""In the place of :data:`SETTINGS` where some are known to come from the data."""
LISTED = (
    "Texts that are not on the list of their column. They were read as missing or as the category "
    "that takes all others; how many there were is private and not stated."
)
REPEATED = (
    "Other releases of the same data. Their budgets add up, and whoever holds several noisy "
    "versions of one value can average the noise away."
)
SEVERAL_ROWS = (
    "People or households with more than one row. One row is protected by ε; somebody with k rows "
    "only by k times ε."
)
ROWS_OF_PERSONS = (
    "Who has how many of the released rows, and which. A person’s values are protected in all of "
    "their rows, and not that these are their rows."
)
SEVERAL_PERSONS = (
    "Families and other groups of people, and people who stand in {by} under several texts, which "
    "are compared letter for letter: each text is protected by ε for itself."
)
RELATED_ROWS = (
    "Rows that tell of somebody by other means than {by}, such as those of relatives: they count "
    "as rows of other people."
)
GENERAL = (
    "What follows about somebody from general patterns, which would show without their row as well."
)
MACHINE = (
    "The computer that made the release. The proof trusts that its random numbers cannot be "
    "foreseen, and says nothing about how long it ran or who could read its memory."
)
DEVICES = (
    "The devices on which people answered. The noise was added there, by the page that asked and "
    "the random numbers of its browser, and nothing else was sent; who could look at a device, or "
    "what its owner told somebody, is not covered. That a page or a device kept to it was not seen "
    "from outside: an answer that somebody made up without noise, or sent several times from "
    "several devices, looks like any other."
)
"""Of answers that got their noise where they were given, in the place of :data:`MACHINE`."""
OTHER_QUESTIONS = (
    "Other questions that the same people answered. Their budgets add up, person by person, and "
    "this card counts this question alone."
)
KEYED = (
    "Whoever can tell the noise from random numbers by its making: what made the release may "
    "compute a row again, so its noise is AES-256 under a key that BLAKE2b makes of a hash "
    "(SHA-256) of the data and of a secret of the system, which ended with the release. The "
    "guarantee holds as far as nobody can tell that from random words."
)
"""Of a release whose noise is a keyed function of the data."""
CLAMPED = (
    "True values outside the bounds were moved to the nearer bound first. What was released is "
    "right on average for the moved values; how many were moved is private and not stated."
)

GUARDED = " (text that a spreadsheet would run as a formula may have an apostrophe in front)"
"""Said whether there is such text or not, and whether it was asked for."""

_COMPLETED = "with empty cells, which count as missing"
_SAID = {
    ("short_rows", "complete"): f"Rows with fewer cells than columns were completed {_COMPLETED}.",
    ("short_rows", "leave out"): "Rows with fewer cells than columns were left out.",
    ("long_rows", "leave out"): "Rows with more cells than columns were left out.",
    ("trailing_cells", "keep"): (
        "In rows where cells beyond the columns are empty, these were read as separators too many: "
        "they stand in the released file."
    ),
    ("trailing_cells", "leave out"): (
        "Rows were left out where cells beyond the columns are empty."
    ),
    ("comment_rows", "keep"): (
        "Lines that begin with # were taken for comments, not for rows: they stand in the released "
        "file exactly as they came, but for those that look like a row, which were left out."
    ),
    ("comment_rows", "leave out"): "Lines that begin with # were left out.",
    ("comment_rows", "row"): "Lines that begin with # were read as rows like any other.",
    ("blank_lines", "skip"): (
        "Blank lines between the rows were taken for no rows: they stand in the released file "
        "where they were."
    ),
    ("blank_lines", "missing"): "Blank lines between the rows were read as rows without a value.",
}
_NO_ROWS = "Lines that begin with # were taken for comments, not for rows."
_SAID_OF_AN_ANSWER = {
    ("trailing_cells", "keep"): "Empty cells beyond the columns were not read.",
    ("comment_rows", "keep"): _NO_ROWS,
    ("comment_rows", "leave out"): _NO_ROWS,
    ("blank_lines", "skip"): "Blank lines were taken for no rows.",
}
_WHICH = {
    "long_rows": "with more cells than columns",
    "trailing_cells": "with empty cells beyond the columns",
}
_SHIFTED = "and columns without noise show them"
_OPEN = {
    ("short_rows", "leave out"): "has fewer cells than there are columns",
    ("long_rows", "leave out"): "has more cells than there are columns",
    ("trailing_cells", "leave out"): "has empty cells beyond the columns",
    ("comment_rows", "leave out"): "begins with #",
}


def choices(form: Format, labels: tuple[str, ...], *, file: bool = True) -> tuple[str, ...]:
    """What was chosen, one sentence for each kind of row; ``labels`` are those of the columns.

    ``file``: the rows are released as a file.
    """
    said, words = [], _SAID if file else _SAID | _SAID_OF_AN_ANSWER
    for name, choice in _chosen(form, len(labels)):
        if isinstance(choice, int):
            which = _WHICH[name]
            said.append(
                f"In rows {which}, the cell of "
                f"{listed(labels[choice : choice + 1])} and the surplus cells behind it were read "
                "as one cell."
            )
        else:
            said.append(words[name, choice].replace("#", form.comment_mark))
    return tuple(said)


def of_a_table(
    form: Format,
    count: int,
    unchanged: Sequence[str],
    kept: Sequence[str],
    dropped: Sequence[str],
    person: Person | None,
    from_data: Sequence[str],
    *,
    bounded: bool = True,
    lists: bool = False,
) -> tuple[str, ...]:
    """What a release of a file of ``count`` columns does not protect.

    ``unchanged`` columns, those whose missing cells were ``kept`` or rows ``dropped``, and those
    whose bounds or list came ``from_data``. Whether some are ``bounded`` and some have ``lists``.
    """
    said = []
    if unchanged:
        one = len(unchanged) == 1
        said.append(
            f"{'The column' if one else 'The columns'} {listed(unchanged)}, released "
            f"as {'it' if one else 'they'} came, without any noise{GUARDED}. Together with "
            f"{'it' if one else 'them'}, a row may still point to a person, and what "
            f"{'it tells' if one else 'they tell'} about a privatised value is not protected."
        )
    if form.skip_lines:
        said.append(
            f"{counted(form.skip_lines, 'line')} above the header, released as "
            f"{'it' if form.skip_lines == 1 else 'they'} came{GUARDED}."
        )
    if form.header_rows > 1:
        said.append(f"{form.header_rows} rows of names, released as they came{GUARDED}.")
    said += _of_uneven_rows(form, count, unchanged=bool(unchanged))
    said.append("How many rows were released, and in which order.")
    if kept:
        said.append(f"Which rows have no value in {listed(kept)}.")
    if dropped:
        said.append(f"That the released rows are those with a value in {listed(dropped)}.")
    if person is None:
        said.append(SEVERAL_ROWS)
    else:
        said += [ROWS_OF_PERSONS, SEVERAL_PERSONS.format(by=listed(person.by))]
    said += [REPEATED, GENERAL]
    if from_data:
        said.append(
            f"The bounds or the list of values of {listed(from_data)}, which were taken from the "
            "data: they tell something of the true values, such as the least and the greatest one "
            "or that somebody gave an answer, and no ε covers that."
        )
    said.append(OTHER_SETTINGS if from_data else SETTINGS)
    said += [CLAMPED] * bounded + [LISTED] * lists
    return (*said, MACHINE)


def _of_uneven_rows(form: Format, count: int, *, unchanged: bool) -> list[str]:
    """What rows that do not line up tell, where some columns are ``unchanged``."""
    chosen = _chosen(form, count)
    said = []
    if unchanged and ("short_rows", "complete") in chosen:
        said.append(
            "True values in rows with fewer cells than columns, where the cells that are not there "
            f"are not the last ones: the others stand too far to the left then, {_SHIFTED}."
        )
    for name, which in _WHICH.items():
        if unchanged and isinstance(getattr(form, name), int):
            said.append(
                f"True values in rows {which}, where the surplus cells belong to another column "
                f"than was chosen: some stand in a wrong column then, {_SHIFTED}."
            )
    if unchanged and ("trailing_cells", "keep") in chosen:
        said.append(
            f"True values in rows {_WHICH['trailing_cells']}, where a separator stands inside a "
            f"cell: some stand in a wrong column then, {_SHIFTED}."
        )
    if ("comment_rows", "keep") in chosen:
        said.append(
            f"Lines that begin with {form.comment_mark}, released exactly as they came, without "
            "any noise: whatever stands in them, also a true value."
        )
    if ("blank_lines", "skip") in chosen:
        said.append("How many blank lines are between the rows, and where.")
    mark = form.comment_mark
    wrong = [words.replace("#", mark) for pair, words in _OPEN.items() if pair in chosen]
    if wrong:
        said.append(
            f"That no row is released that {' or '.join(wrong)}; to someone who knows how many "
            "lines there were, how many such rows."
        )
    return said


def of_a_statistic(
    *,
    n_is_public: bool,
    bounded: bool,
    all_listed: bool,
    person: Person | None,
    per_person: PerPerson,
) -> tuple[str, ...]:
    """Whether the number of rows or of persons is public, values were clamped into bounds, and it
    was made sure that every row is in a group.
    """
    one = "row" if person is None else "person"
    said = [f"How many {one}s the table has."] if n_is_public else []
    if all_listed:
        said.append("That every row belongs to one of the groups.")
    if person is None:
        said.append(SEVERAL_ROWS)
    else:
        by = listed(person.by)
        if person.beyond == "refuse":
            most = counted(person.at_most, "row")
            said.append(f"That nobody has more than {most} with the same text in {by}.")
        said += [SEVERAL_PERSONS.format(by=by), RELATED_ROWS.format(by=by)]
    said += [REPEATED, GENERAL, SETTINGS]
    if bounded:
        moved = "True values" if per_person != "total" else "Totals of persons"
        said.append(CLAMPED.replace("True values", moved))
    return (*said, MACHINE)


def _chosen(form: Format, count: int) -> list[tuple[str, str | int]]:
    """Options that were set, by name, but for what has no effect on so many columns."""
    # Between rows of several columns a blank line is never a row.
    return [
        (name, choice)
        for kind, name in OPTIONS.items()
        if (choice := form.of(kind)) is not None and (count == 1 or choice != "missing")
    ]
