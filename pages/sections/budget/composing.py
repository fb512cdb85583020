"""Step 4: how costs add up."""

from __future__ import annotations

import streamlit as st

from pages.shell.panels import step

SEQUENTIAL = """**One after the other: costs add up.** Each release says a little about every row.
Two releases at ε = 0.5 say together as much as one at ε = 1 may, whatever they are about, for
they are about the same people. That also holds for two columns of one table, and for the same
question asked twice."""
PARALLEL = """**Side by side: the largest counts.** Releases about groups that share no row, such
as one answer for each class of a school, each speak about other people. When a row is *added or
removed*, it lies in one group: the dearest group is what it costs. When a row is *replaced*, it
may leave one group and enter another: the two dearest groups count. The groups must come from a
public list, and from one reading of the table: read in another encoding or with other rows left
out, a row may lie in other groups, too, and both costs add up."""
MIXED = """**Two kinds of neighbours.** A replacement is a removal and an addition. Once a table has
releases of both kinds, those for adding or removing a row count twice."""
PERSONS = """**Persons: each of their rows counts.** Once a release is for persons, the total is
theirs: one for a person counts as it is, one for a row as often as a person may have rows. Three
rows at ε = 1 are ε = 3. A person who is read in two groups of one answer costs the two dearest, and
one who is replaced the four dearest. Of two kinds of persons, such as patients and wards, releases
for one count twice for each row in the total of the other, since a row may leave one ward and enter
another; the dearer total holds."""


def composing() -> None:
    with step(4, "How costs add up"):
        left, right = st.columns(2, gap="large")
        left.markdown(SEQUENTIAL)
        right.markdown(PARALLEL)
        left, right = st.columns(2, gap="large")
        left.markdown(MIXED)
        right.markdown(PERSONS)
        st.caption(
            "Amounts are exact fractions, never rounded: three times 0.1 is 0.3. Amounts with ≈ "
            "have no short decimal; the file below holds them exactly."
        )
