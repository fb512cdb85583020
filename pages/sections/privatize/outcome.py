"""A stored release: its certificate and files, and, apart from them, what only the owner sees."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.release import ReleasedColumn, TableRelease
from compdp_core.report import Statement
from pages.charts.histogram import Series
from pages.charts.theme import RELEASED, TRUE
from pages.sections.privatize.before_after import ComparedColumn, Pair, before_after
from pages.sections.privatize.categories.outcome import certified_answers, released_shares
from pages.sections.privatize.files import files
from pages.sections.shared.figures import records
from pages.sections.shared.kept_release import READ
from pages.sections.shared.release_panel import certified, released
from pages.sections.shared.words import words_of
from pages.session.state import keep
from pages.shell.page_list import page
from pages.shell.panels import private, publishable
from pages.text.wording import count, literal


def outcome(release: TableRelease, statements: dict[int, Statement], times: int) -> None:
    amount, person = count(release.row_count, "row"), release.plan.person
    released(release.when, amount, release.epsilon, "release", times, person)
    with publishable("release", "the released table and its certificate"):
        numbers = [each for each in release.columns if not each.plan.is_category]
        answers = [each for each in release.columns if each.plan.is_category]
        for columns, what in (
            (numbers, "released column"),
            (answers, "released column of answers"),
        ):
            if columns:
                rows = [_certified(column, statements) for column in columns]
                records(rows, f"Certificate of each {what}")
        st.caption(
            "Proved in whole numbers for the very distribution that was drawn from, not for an "
            "idealised one: for any two true values, no output is more than e^ε times as likely "
            "under one as under the other."
        )
        if answers:
            st.caption(
                "Of answers: of every W draws, a keep the true answer on average, and b give one "
                "particular other; so the largest ratio is a / b."
            )
        files(release, statements)
        _way_to_read()
    _before_and_after(release, statements)


def _way_to_read() -> None:
    if st.button(
        "Read this release",
        icon=":material/menu_book:",
        help="Open file and card as their receiver would: what they tell, and how surely.",
    ):
        keep(READ, True)
        st.switch_page(page("read_release").path)


def _certified(column: ReleasedColumn, statements: dict[int, Statement]) -> dict[str, str]:
    unit, name = statements[column.plan.position].unit, {"column": column.label}
    if isinstance(column.mechanism, RandomizedResponse):
        return name | certified_answers(column.mechanism, column.plan.epsilon)
    words = words_of(column.plan, unit)
    return name | certified(column.mechanism, column.plan.epsilon, unit, words)


def _before_and_after(release: TableRelease, statements: dict[int, Statement]) -> None:
    gone = release.table.row_count - release.row_count
    with private("outcome", "your values against the released ones"):
        if release.plan.person is not None:
            st.markdown(f"{count(gone, 'row')} of {release.table.row_count:,} left out.")
        for column in release.columns:
            key, plan = f"outcome-{column.plan.position}", column.plan
            if np.isnan(column.values).all():
                st.caption(f"No value of {literal(column.label)} was released.")
                continue
            if isinstance(column.mechanism, RandomizedResponse):
                released_shares(key, release, column, column.mechanism)
                continue
            subject = ComparedColumn(
                key,
                "Before and after this release",
                column.label,
                words_of(plan, statements[plan.position].unit),
                plan.whole,
                column.mechanism,
            )
            before_after(subject, release, partial(_series, release, column))


def _series(release: TableRelease, column: ReleasedColumn) -> Pair:
    true = column.plan.read(release.table)
    drawn = ~np.isnan(column.values)
    # Rows that were left out, or drawn to answer other columns, are not compared.
    before = Series("your values", true.values[drawn & ~true.missing], TRUE)
    return before, [Series("released", column.values[drawn], RELEASED)]
