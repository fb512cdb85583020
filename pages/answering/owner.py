"""What only the owner may see of the rows that a question reads."""

from __future__ import annotations

import streamlit as st

from compdp_core.errors import CompdpError
from compdp_core.inquiry import Inquiry
from compdp_core.statistics import Count
from compdp_core.table import Table
from pages.answering.asked import Asked
from pages.furniture.panels import private
from pages.furniture.state import memo
from pages.furniture.wording import count


def owner_hints(asked: Asked) -> None:
    """How many rows the question reads, where that is not all of them."""
    inquiry = asked.inquiry
    if inquiry.where is None and inquiry.grouping is None:
        return
    read, total = memo(
        "statistic.rows_read",
        (asked.table.identity, inquiry.where, inquiry.grouping, inquiry.column),
        lambda: rows_read(inquiry, asked.table),
    )
    with private("rows-read", "rows that the question reads"):
        st.markdown(f"{count(read, 'row')} of {total:,}.")
        if read == 0:
            st.warning(
                "No row is read. The answer is then noise around a public number, and nobody can "
                "tell that from it. Check the spelling of the condition and the categories.",
                icon=":material/warning:",
            )
        elif inquiry.grouping is not None and read < total:
            st.caption("All others have another category, no category, or miss the condition.")


def rows_read(inquiry: Inquiry, table: Table) -> tuple[int, int]:
    """Rows that meet the condition and have a listed category, and all rows. Private."""
    counting = Inquiry(Count(), inquiry.column, where=inquiry.where, grouping=inquiry.grouping)
    try:
        if inquiry.grouping is None:
            return int(counting.ask(table).value), table.row_count
        return int(sum(q.value for q in counting.ask_each(table).values())), table.row_count
    except CompdpError:
        return 0, table.row_count
