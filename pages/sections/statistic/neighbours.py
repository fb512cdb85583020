"""Who is protected: which two tables are to look alike, and how many rows are public."""

from __future__ import annotations

from compdp_core.adjacency import Neighbours
from pages.inputs.entry import exact, within
from pages.inputs.options import radio
from pages.sections.statistic import settings as said
from pages.sections.statistic.settings import value
from pages.text.wording import NEIGHBOURS


def neighbours() -> tuple[Neighbours, int | None]:
    """Which two tables must look alike, and, where rows come and go, how many there may be."""
    notion = Neighbours(
        radio(
            "Two tables that must look alike differ in this:",
            NEIGHBOURS,
            said.NOTION.name,
            said.NOTION.default,
            captions=list(said.NEIGHBOURS_MEAN.values()),
        )
    )
    if notion is Neighbours.REPLACE_ONE:
        return notion, None
    exact(
        said.MAX_ROWS.name,
        "Rows there could be at most (public)",
        check=within(said.ROWS),
        optional=True,
        placeholder="such as the number of pupils of all schools asked",
        help="Not the number of rows of this table: that is protected now. If there are more "
        "rows after all, they are counted as this many.",
    )
    return notion, said.number(said.MAX_ROWS)


def least_rows() -> int | None:
    """Rows that a mean surely reads, where their number is protected."""
    exact(
        said.AT_LEAST.name,
        "Rows that are surely read (public)",
        check=within(said.ROWS),
        optional=True,
        placeholder="a number that anyone may know",
        help="The mean divides by this number of rows or more. With fewer rows, middles of the "
        "bounds fill up, so privacy holds even if the statement is wrong.",
    )
    least: int | None = said.number(said.AT_LEAST)
    return least if value(said.AT_LEAST) is not None else None
