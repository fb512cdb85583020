"""What a release does not protect, said of this very release."""

from __future__ import annotations

from collections.abc import Sequence

from compdp_core.report.wording import listed
from compdp_core.text import count

SETTINGS = (
    "The bounds, the budget and every other setting on this card are public. They protect nobody "
    "if they were read from the data, which this card cannot tell."
)
REPEATED = (
    "Other releases of the same data. Their budgets add up, and whoever holds several noisy "
    "versions of one value can average the noise away."
)
SEVERAL_ROWS = (
    "People or households with more than one row. One row is protected by ε; somebody with k rows "
    "only by k times ε."
)
GENERAL = (
    "What follows about somebody from general patterns, which would show without their row as well."
)
MACHINE = (
    "The computer that made the release. The proof trusts that its random numbers cannot be "
    "foreseen, and says nothing about how long it ran or who could read its memory."
)
CLAMPED = (
    "True values outside the bounds were moved to the nearer bound first. What was released is "
    "right on average for the moved values; how many were moved is private and not stated."
)

GUARDED = " (text that a spreadsheet would run as a formula may have an apostrophe in front)"
"""Said whether there is such text or not, and whether it was asked for."""


def of_a_table(
    unchanged: Sequence[str],
    kept: Sequence[str],
    dropped: Sequence[str],
    title_lines: int,
    lines: Sequence[str] = (),
) -> tuple[str, ...]:
    """``unchanged`` columns, and those whose missing cells were ``kept`` or rows ``dropped``.

    ``lines``: what is not covered of rows that do not line up with the columns.
    """
    said = []
    if unchanged:
        one = len(unchanged) == 1
        said.append(
            f"{'The column' if one else 'The columns'} {listed(tuple(unchanged))}, released "
            f"as {'it' if one else 'they'} came, without any noise{GUARDED}. Together with "
            f"{'it' if one else 'them'}, a row may still point to a person, and what "
            f"{'it tells' if one else 'they tell'} about a privatised value is not protected."
        )
    if title_lines:
        said.append(
            f"{count(title_lines, 'line')} above the header, released as "
            f"{'it' if title_lines == 1 else 'they'} came{GUARDED}."
        )
    said += lines
    said.append("How many rows were released, and in which order.")
    if kept:
        said.append(f"Which rows have no value in {listed(tuple(kept))}.")
    if dropped:
        said.append(f"That the released rows are those with a value in {listed(tuple(dropped))}.")
    said += [SEVERAL_ROWS, REPEATED, GENERAL, SETTINGS, CLAMPED, MACHINE]
    return tuple(said)


def of_a_statistic(*, n_is_public: bool, bounded: bool, all_listed: bool) -> tuple[str, ...]:
    """Whether the number of rows is public, values were clamped into bounds, and it was made sure
    that every row is in a group.
    """
    said = ["How many rows the table has."] if n_is_public else []
    if all_listed:
        said.append("That every row belongs to one of the groups.")
    said += [SEVERAL_ROWS, REPEATED, GENERAL, SETTINGS]
    if bounded:
        said.append(CLAMPED)
    return (*said, MACHINE)
