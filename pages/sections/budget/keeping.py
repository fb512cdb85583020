"""Step 5: what is remembered and for how long; the ledger as files, and back."""

from __future__ import annotations

import streamlit as st

from compdp_core.accounting import Ledger, holds_hashes, is_label
from compdp_core.errors import CompdpError
from pages.inputs.json_file import json_file
from pages.session import faults
from pages.session.downloads import download
from pages.session.ledger import join, ledger, outlives_the_session
from pages.session.state import entered, keep, recall
from pages.shell.panels import step
from pages.text.wording import budget, count, literal

LARGEST = 5_000_000
OWN = "budget_keep_to_yourself.json"
NEWS = "budget.news"


def keeping(book: Ledger) -> None:
    with step(5, "Keep it", "The ledger is in this program's memory, never on disk."):
        _remembered()
        left, right = st.columns(2, gap="large")
        with left:
            st.markdown("**Save for yourself**")
            download("Ledger as JSON", book.to_json, OWN)
            st.caption(
                "Keep it to yourself. It can be opened again here and holds the key by which this "
                "program knows your tables again. With that key, whoever has all of a table but "
                "one cell can find the cell by trying."
            )
            st.markdown("**Save to hand on**")
            with st.container(horizontal=True):
                download("JSON to hand on", book.to_json_to_hand_on, "budget_to_hand_on.json")
                download("Ledger as CSV", lambda: book.to_csv().encode("utf-8-sig"), "budget.csv")
            st.caption(
                "In these are names of columns, conditions and groups as you typed them, what was "
                "spent, for whom, and when. No cell of a table, no answer and no key is in them: a "
                "table has a label that is random to everybody else and tests no guess. Releases "
                "that came with a file keep the labels of that file, and the CSV adds up each "
                "label by itself: that two are one table is told on this page only, to you. Opened "
                "here, their tables are not known again by content."
            )
        with right:
            about = (
                "Its releases join those above, each once. Nothing is ever taken away; of two "
                "limits the stricter one holds."
            )
            json_file("budget", "Open a saved ledger", _take, 5, about)
        if entered():
            keep(NEWS, None)  # said on the visit before
        if recall(NEWS):
            kind, text = recall(NEWS)
            faults.tell(text) if kind == "fault" else st.success(literal(text))


def _remembered() -> None:
    lasting = outlives_the_session()
    where = (
        "the same browser on the same running program, also after a reload of the page, in "
        "another window or after a lost connection"
        if lasting
        else "this session only: this browser cannot be told from others here. Save the ledger "
        "before you reload the page"
    )
    st.markdown(
        f"- **Remembered:** every release and the limit, for {where}. A table is known by its "
        "content, under a secret key, so opening the same file again finds its spent budget.\n"
        "- **Not remembered:** anything after the program has ended or, since a browser is known "
        "by its session token, after all its windows were closed; releases made in another "
        "browser or on another machine; uploads and results after a reload. A file that differs "
        "by a single character is another table: its releases add up only in your own account.\n"
        "- **Nobody else sees it.** No other browser, and no link."
    )


def _take(data: bytes) -> None:
    before = ledger()
    try:
        if len(data) > LARGEST:
            raise CompdpError("the file is too large for a ledger: open one saved on this page")
        given = Ledger.from_json(data)
        after = join(given)
    except CompdpError as refusal:
        keep(NEWS, ("fault", faults.sentence(str(refusal))))
        return
    new = len(after.entries) - len(before.entries)
    text = f"{count(new, 'release')} joined the ledger." if new else "All of it was known already."
    if after.limit is not None and after.limit != before.limit:
        text += f" The file's limit is stricter and holds from now on: {budget(after.limit)}."
    keep(NEWS, ("news", " ".join([text, *_about(data, given, after)])))


def _about(data: bytes, given: Ledger, after: Ledger) -> list[str]:
    said = []
    if holds_hashes(data):
        said.append(
            "An earlier version saved this file, with hashes of whole tables in it: whoever has "
            "it and all of a table but one cell finds the cell by trying. Save the ledger anew, "
            "and hand this file to nobody."
        )
    lost = sum(is_label(each) and not after.keys.made(each) for each in given.datasets)
    if lost:
        said.append(
            f"It is a file to hand on, without a key: {count(lost, 'table')} of it cannot be "
            "known again. What they cost is listed, but does not count for a table that you open."
        )
    return said
