"""How many cells get an apostrophe: as many as there are in the file that leaves, and no more."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from compdp_core.release import PlanError, TableRelease
from compdp_core.tables import Table, read
from compdp_core.tables.escaping import guarded
from tests.unit.release import made

CELLS = ["=1+1", "+a", "-b", "@c", "-5", "-", "plain", '"=2,5"', "", "'=x", "\t=1"]
NAMES = ["name", "=name", "@name", "-name"]


def released(table: Table, missing: str = "fill") -> TableRelease:
    return made.released(made.plan_of(1, missing=missing), data=table)


def count(drawn: TableRelease, omit: Collection[int] = ()) -> int:
    """As the page counts."""
    planned = [column.plan.position for column in drawn.columns]
    return guarded(drawn.table, planned, rows=drawn.kept, omit=drawn.omitted(omit))


def apostrophes(drawn: TableRelease, omit: tuple[int, ...]) -> int:
    """How many the guarded file has more than the other one, in all of its encodings."""
    codec = drawn.table.format.encoding
    with_, without = (
        drawn.csv(guard_formulas=guard, omit=omit).decode(codec) for guard in (True, False)
    )
    assert with_.replace("'", "") == without.replace("'", "")
    return with_.count("'") - without.count("'")


TABLES = st.builds(
    lambda names, rows: "\n".join([",".join([names[0], "score", *names[1:]]), *rows, ""]),
    st.lists(st.sampled_from(NAMES), min_size=3, max_size=3),
    st.lists(
        st.builds(
            lambda cells, score: ",".join([cells[0], score, *cells[1:]]),
            st.lists(st.sampled_from(CELLS), min_size=3, max_size=3),
            st.sampled_from(["-3", "4", "5.5", ""]),
        ),
        min_size=2,
        max_size=6,
    ),
)


@given(
    TABLES, st.sets(st.sampled_from([0, 2, 3])), st.sampled_from(["fill", "keep", "drop"]),
    st.sampled_from(["utf-8", "utf-16"]),
)  # fmt: skip
def test_as_many_are_counted_as_are_in_the_file(
    text: str, omit: set[int], missing: str, codec: str
) -> None:
    table = read(text.encode(codec), header=True)
    # A table of which no row would be left is refused.
    assume(missing != "drop" or not table.numbers(1).missing.all())
    drawn = released(table, missing)
    gone = tuple(sorted(omit))
    assert count(drawn, gone) == apostrophes(drawn, gone)


DATA = b"report of =1\n\n=name,score,@city\n=1+1,-3,+x\nAda,4,\n@Bo,5,-2\n"


def test_names_titles_and_cells_count_but_no_number_and_nothing_that_stays_behind() -> None:
    drawn = released(read(DATA, header=True))
    assert count(drawn) == apostrophes(drawn, ()) == 5
    assert count(drawn, [0]) == apostrophes(drawn, (0,)) == 2
    assert count(drawn, [0, 2]) == apostrophes(drawn, (0, 2)) == 0


def test_a_count_of_all_columns_is_found() -> None:
    """The twin that forgets which columns are left out tells of cells that do not leave."""
    drawn = released(read(DATA, header=True))
    assert guarded(drawn.table, [1]) != apostrophes(drawn, (0,))


def test_the_private_column_has_no_say() -> None:
    """Whatever stood in its cells, they are written anew."""
    counts = {
        count(released(read(DATA.replace(b",4,", cell), header=True)))
        for cell in (b",4,", b",=9,", b",-x,", b",,")
    }
    assert counts == {5}


def test_columns_with_noise_cannot_be_left_out() -> None:
    with pytest.raises(PlanError):
        count(released(read(DATA, header=True)), [1])
