"""What kind of file the table came in, and which of its tables it is."""

from __future__ import annotations

import streamlit as st

from compdp_core.tables import SeveralTablesError, Table
from compdp_core.tables.file_kinds import NAMES
from pages.inputs.links import put
from pages.sections.shared.format import understood
from pages.session.state import recall
from pages.text.wording import literal

TABLE = "reading.table"
_MOST = 30


def ask_which(refusal: SeveralTablesError) -> None:
    """One button for each table of the file."""
    st.markdown("**Which table of the file?**")
    with st.container(horizontal=True):
        for place, name in enumerate(refusal.names[:_MOST]):
            st.button(
                literal(name),
                key=f"table-{place}",
                icon=":material/table:",
                on_click=put,
                args=(TABLE, name),
            )
    if len(refusal.names) > _MOST:
        st.caption(f"The first {_MOST}. For another one, take it out of the file and upload it.")


def came_as(found: Table) -> str:
    """What was understood of the file, in one line."""
    container = found.container
    if not container.typed:
        return understood(found.format)
    parts = [NAMES[container.kind].removeprefix("an ").removeprefix("a ")]
    parts += [f"table {container.table}"] if container.table else []
    parts += [] if found.format.header else ["no header row"]
    return literal(" · ".join(parts))


def offer_another(found: Table) -> None:
    """A way back to the choice, where there was one."""
    if found.container.table is not None and recall(TABLE, None) is not None:
        st.button(
            "Another table of this file",
            key="table-another",
            icon=":material/table:",
            on_click=put,
            args=(TABLE, None),
        )
