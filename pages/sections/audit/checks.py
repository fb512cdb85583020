"""Step 4: the mechanism checks itself; a table, a sentence, and two files."""

from __future__ import annotations

import json

import pandas as pd
import streamlit as st

from compdp_core.auditing.self_check import DRAWS, Check, self_check
from pages.charts import export
from pages.sections.audit import settings as to
from pages.sections.audit.subject import AuditSubject
from pages.session.downloads import download
from pages.session.state import memo
from pages.text.wording import count, literal, number

_MET = {True: "✓", False: "✗ Not met:", None: "– Not promised:"}


def checks(subject: AuditSubject) -> None:
    seed = int(to.value(to.START))
    found: tuple[Check, ...] = memo(
        f"{to.PAGE}.checks",
        (*subject.question, seed),
        lambda: self_check(subject.mechanism, subject.neighbours, seed=seed),
    )
    failed = [check.name for check in found if check.met is False]
    promised = sum(check.met is not None for check in found)
    if failed:
        st.error(literal(f"Not met: {', '.join(failed)}."), icon=":material/gpp_bad:")
    else:
        st.success(f"All {count(promised, 'check')} met.", icon=":material/check_circle:")
    st.markdown("\n".join(f"- {_line(check)}" for check in found))
    st.caption(
        f"From {DRAWS:,} draws of each neighbour, seed {seed}. A sound mechanism fails a check "
        "that rests on draws once in 500 million."
    )
    _files(subject, found)


def _line(check: Check) -> str:
    """A list reads on a phone, where a table of as many words would not."""
    return (
        f"{_MET[check.met]} **{check.name}** · found {number(check.result)}, at most "
        f"{number(check.limit)} {check.unit}: {literal(check.checked)}"
    )


def _files(subject: AuditSubject, found: tuple[Check, ...]) -> None:
    with st.container(horizontal=True):
        download(
            "Self-check as JSON",
            lambda: as_json(subject, found),
            file_name="self-check.json",
            mime="application/json",
            key="audit.json",
        )
        download(
            "Self-check as CSV",
            lambda: export.as_csv(pd.DataFrame([check.row() for check in found])),
            file_name="self-check.csv",
            mime="text/csv",
            key="audit.csv",
        )


def as_json(subject: AuditSubject, found: tuple[Check, ...]) -> bytes:
    """The checks with what they are about: public settings only."""
    content = {
        "mechanism": subject.name,
        "epsilon": subject.claimed,
        "delta": subject.delta,
        "neighbours": subject.neighbours,
        "checks": [check.row() for check in found],
    }
    return json.dumps(content, indent=1, ensure_ascii=False).encode()
