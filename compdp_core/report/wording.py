"""Sentences of the card."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from compdp_core.adjacency import Neighbours, PerPerson, Person
from compdp_core.tables.categories import Categories
from compdp_core.tables.joiners import joins
from compdp_core.text import count

ROWS_OF_A_TABLE = (
    "Two tables are neighbours if one turns into the other when, in a single row, the true values "
    "of the privatised columns are replaced by any others."
)
PERSONS_OF_A_TABLE = (
    "Two tables are neighbours if one turns into the other when the true values of the privatised "
    "columns of a single person, in all of their rows, are replaced by any others."
)
ROWS_OF_A_STATISTIC = {
    Neighbours.REPLACE_ONE: (
        "Two tables are neighbours if they have equally many rows and one turns into the other "
        "when a single row is replaced by any other row. The number of rows is public."
    ),
    Neighbours.ADD_OR_REMOVE_ONE: (
        "Two tables are neighbours if one turns into the other when a single row is added or "
        "removed. The number of rows is protected."
    ),
}
PERSONS_OF_A_STATISTIC = {
    Neighbours.REPLACE_ONE: (
        "Two tables are neighbours if they have equally many persons and one turns into the other "
        "when all rows of a single person are replaced by those of any other person. The number of "
        "persons is public."
    ),
    Neighbours.ADD_OR_REMOVE_ONE: (
        "Two tables are neighbours if one turns into the other when all rows of a single person "
        "are added or removed. The number of persons is protected."
    ),
}
ROWS_ARE_PUBLIC = {
    Neighbours.REPLACE_ONE: (
        "Neighbouring tables have equally many rows, so their number is public."
    ),
    Neighbours.ADD_OR_REMOVE_ONE: (
        "Neighbouring tables differ by a row, so how many there are is protected."
    ),
}
PERSONS_ARE_PUBLIC = {
    Neighbours.REPLACE_ONE: (
        "Neighbouring tables have equally many persons, so their number is public. How many rows "
        "there are is protected."
    ),
    Neighbours.ADD_OR_REMOVE_ONE: (
        "Neighbouring tables differ by a person, so how many persons there are is protected, and "
        "how many rows."
    ),
}
GUARANTEE = (
    " Of two neighbours, no result is more than e^ε times as likely from one as from the other, "
    "whatever else is known."
)

ROWS_ARE_SEEN = "The released table shows its rows one by one, so their number is public."
NO_ROWS = " Lines that were taken for no rows are not counted."
NO_NUMBER = " A cell that is no number, as the column was declared, counts as missing."
NO_VALUE = {
    "date": " A cell that is no date, written as the column was declared, counts as missing.",
    "time": " A cell that is no time, written as the column was declared, counts as missing.",
    "datetime": (
        " A cell that is no date with a time, written as the column was declared, counts as "
        "missing."
    ),
    "duration": (
        " A cell that is no duration, written as the column was declared, counts as missing."
    ),
}
"""What counts as missing in a column of another kind than numbers."""
COUNTED_FROM = {
    "date": ", counted from 1970-01-01",
    "time": ", counted from midnight",
    "datetime": ", counted from 1970-01-01 at midnight",
    "duration": "",
}
FILLED_CATEGORY = "Where a value was missing, a category was drawn in its place, each as likely."
SPREAD_EVENLY = " Rows without a value count as spread evenly over the categories."
RESPONSE = (
    "The true category is released with probability a/W and each of the other ones with "
    "probability b/W, in whole numbers."
)
SHARE = "(W f - b) / (a - b)"
SHARE_MEANING = (
    "f is the share of the category among the released cells that have one. The result is the "
    "true share on average; below 0 or above 1, it says that there were few rows for it."
)
SHARE_ERROR = "sqrt(f (1 - f) / n) W / (a - b)"
SHARE_ERROR_MEANING = (
    "The square root of f (1 - f) / n, times W / (a - b), where n is the number of released cells "
    "that have a category: 95 % of results lie within about twice that of the share in the "
    "population that the rows are drawn from."
)
_TOOLS = "use cdp.Estimates or the page Read a release, which also say how sure they are."
READ_NUMBERS = (
    "Means over many rows of this column are right on average where no value was missing or beyond "
    "the bounds: work them out, or " + _TOOLS + " Do not trust a single cell, which lies up to "
    "about {within} beside its true value, nor spread, extremes, medians, shares or correlations "
    "of the cells as they are: the noise changes all of these."
)
READ_CATEGORIES = (
    "Shares in this column are more alike than the true ones: work these out with the formula for "
    "shares, or " + _TOOLS + " Do not trust a single cell, which is the true category with a "
    "probability of {kept} %, nor counts and cross tables of the cells as they are."
)
"""How to read a released column, and where not to trust it."""
QUOTED_TEXTS = "A cell is in quotes where its text holds a quote or what separates cells."
QUOTED_BLANKS = " An empty one is, too."
MISSING_IN_A_TABLE = {
    "fill": (
        "Where a value was missing, the middle of the bounds was privatised in its place.",
        "Nothing: nobody can tell which values were missing, or whether any was.",
    ),
    "keep": (
        "Where a value was missing, the released cell is missing as well; all such cells are "
        "written alike.",
        "Which rows have no value in this column, and nothing of what stood there instead.",
    ),
    "drop": (
        "Rows without a value in this column were left out.",
        "That every released row had a value here; to someone who knows how many rows there were, "
        "how many had none.",
    ),
}
MISSING_IN_A_SAMPLE = (
    "Where a row was to answer this column and its value was missing, the released cell is blank, "
    "as those that are not answered.",
    "A row with fewer values than columns that it was to answer had none in one of these, and "
    "nothing of what stood there instead.",
)
"""Of missing values that are kept, where each row answers some of the columns."""
MISSING_IN_A_STATISTIC = {
    "fill": (
        "Where a value was missing, the middle of the bounds was used in its place. Every cell "
        "that is no number was missing.",
        "Nothing beyond the answer, which is drawn towards the middle of the bounds.",
    ),
    "leave out": (
        "Rows without a value in this column were not read; their number is protected. Every cell "
        "that is no number was missing.",
        "Nothing beyond the answer.",
    ),
}
MISSING_OF_A_PERSON = {
    "fill": (
        "Rows without a value in this column were skipped, and for a person without any value the "
        "middle of the bounds was used. Every cell that is no number was missing.",
        "Nothing beyond the answer, which is drawn towards the middle of the bounds.",
    ),
    "leave out": (
        "Rows without a value in this column were skipped, and so were persons without any value; "
        "the number of either is protected. Every cell that is no number was missing.",
        "Nothing beyond the answer.",
    ),
}
MISSING_TEXT = (
    "Rows with a blank cell in this column, which holds text, were not counted; their number is "
    "protected.",
    "Nothing beyond the answer.",
)

MISSING_IN_A_COUNT = (
    "A count reads no value, so rows without one were counted as well.",
    "Nothing beyond the answer.",
)

TYPICAL_OF_VALUES = "root mean square error for true values spread evenly between the bounds"
TYPICAL_OF_AN_ANSWER = "root mean square error for a true answer in the middle of its range"
WORST = "root mean square error for a true value at one of the ends, where it is largest"
WITHIN_95 = "95 % of releases lie this close to a true value in the middle"


def unlisted(categories: Categories) -> str:
    """What becomes of texts that a list does not name, and of blank cells.

    >>> unlisted(Categories.of(["yes", "no"]))
    ' A text that is not listed counts as missing.'
    >>> unlisted(Categories.of(["yes", "other"]))
    ' A text that is not listed counts as “other”. Blank cells and marks of missing ones count as \
missing.'
    >>> unlisted(Categories.of(["yes", "other", ""]))
    ' A text that is not listed counts as “other”. Blank cells and marks of missing ones are a \
category of their own.'
    """
    other = categories.other
    counts = "missing" if other is None else listed([categories.names[other]])
    said = f" A text that is not listed counts as {counts}."
    blank = next((i for i, texts in enumerate(categories.members) if "" in texts), None)
    if blank is not None:
        name = categories.names[blank]
        said += " Blank cells and marks of missing ones "
        said += f"count as {listed([name])}." if name else "are a category of their own."
    elif other is not None:
        said += " Blank cells and marks of missing ones count as missing."
    return said


def same_person(person: Person) -> str:
    """Whose rows are one person's, in a sentence.

    >>> same_person(Person("id", at_most=3))
    'Rows with the same text in “id” are one person’s, and so are those in which it is blank.'
    """
    one = len(person.by) == 1
    return (
        f"Rows with the same {'text' if one else 'texts'} in {listed(person.by)} are one person’s, "
        f"and so are those in which {'it is' if one else 'all of them are'} blank."
    )


def read_of_a_person(person: Person, counts: PerPerson, *, grouped: bool) -> str:
    """What a statistic read of a person. Never whether somebody has more.

    >>> read_of_a_person(Person("id", at_most=3), "total", grouped=False)
    'Of each person the total of all rows that were to be read counted, moved to the nearer bound.'
    """
    if counts == "total":
        said = "Of each person the total of all rows that were to be read counted, moved to the "
        said += "nearer bound."
    elif counts == "mean":
        said = "Of each person the mean of all rows that were to be read counted, of values moved "
        said += "to the nearer bound."
    elif person.beyond == "leave out":
        said = f"Of each person at most {count(person.at_most, 'row')} "
        said += f"{'was' if person.at_most == 1 else 'were'} read{' over all groups' * grouped}, "
        said += "drawn at random whatever stands in them. Whether anybody has more is not said."
    else:
        said = ""
    if person.beyond == "refuse":
        said = f"{rows_of_a_person(person)} {said}"
    if grouped:
        said += f" Each person was read in at most {count(person.groups, 'group')}, drawn at random"
        said += " as well."
    return said.strip()


def rows_of_a_person(person: Person) -> str:
    """How many rows of a person were released. Never whether somebody has more.

    >>> rows_of_a_person(Person("id", at_most=3, beyond="refuse"))
    'Nobody has more than 3 rows: a table in which somebody has is refused.'
    """
    most = count(person.at_most, "row")
    if person.beyond == "refuse":
        return f"Nobody has more than {most}: a table in which somebody has is refused."
    return (
        f"Of each person at most {most} {'was' if person.at_most == 1 else 'were'} released, drawn "
        "at random whatever stands in the rows. Whether anybody has more is not said."
    )


def sampled(answered: int, columns: int) -> str:
    """What blank cells say where each row answers so many of the columns."""
    return (
        f"Each row answers {answered} of {columns} columns. Which ones was drawn at random for "
        "each row, whatever stands in it, so a cell that is blank for it says nothing about its "
        "value or any other. A mean of this column is worked out from the cells that have a value."
    )


def listed(names: Sequence[str]) -> str:
    """Names in quotes, as a sentence has them.

    >>> listed(("a", "b", "c")), listed(("a", "b")), listed(("a",)), listed(())
    ('“a”, “b” and “c”', '“a” and “b”', '“a”', '')
    """
    quoted = [f"“{name}”" for name in names]
    return " and ".join(filter(None, (", ".join(quoted[:-1]), quoted[-1]))) if quoted else ""


def visible(words: str) -> str:
    """Words in which what would be invisible or turn the line around is named instead.

    Joiners stay where they join: between emoji, and in scripts that are written with them.

    >>> visible("a \u202e b")
    'a [U+202E] b'
    """
    return "".join(
        f"[U+{ord(c):04X}]"
        if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn")
        and c not in "\n\t "
        and not joins(words, i)
        else c
        for i, c in enumerate(words)
    )


def shortened(digits: str, kept: int = 8) -> str:
    """A long whole number by its first and last digits, and how many there are.

    >>> shortened("1" * 8 + "0" * 20 + "2" * 8), shortened("123456789012345678")
    ('11111111…22222222 (36 digits)', '123456789012345678')
    """
    if len(digits) <= 2 * kept + 2:
        return digits
    return f"{digits[:kept]}…{digits[-kept:]} ({len(digits)} digits)"


def quotes(numbers: bool, missing: bool | None) -> str:
    """Which cells of a column are in quotes; ``missing`` is None where none is missing.

    >>> quotes(False, None)
    'No cell is in quotes.'
    """
    why = "because the decimal mark is also what separates cells"
    if missing is None or missing == numbers:
        return f"Every cell is in quotes, {why}." if numbers else "No cell is in quotes."
    if numbers:
        return f"Every number is in quotes, {why}, and no missing cell is."
    return "Every missing cell is in quotes, and no number is."
