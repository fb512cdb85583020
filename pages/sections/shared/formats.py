"""In which format a column's dates and times stand, and by which rule limits count as numbers."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from compdp_core.tables import Table
from compdp_core.tables.value_formats import Classes, Limits, ValueFormat
from compdp_core.tables.value_formats.found import candidates, sample_of
from pages.inputs.entry import exact
from pages.inputs.options import select
from pages.sections.shared.proposed import formats_for, proposed
from pages.sections.shared.setup import setting
from pages.session.state import memo, recall
from pages.text.typed_numbers import as_decimal
from pages.text.wording import literal

LIMITS = {"limits": "Limits, such as <5 and >100", "classes": "Classes, such as 10-19 and 65+"}
BELOW = {
    "limit": "the limit itself",
    "half": "half of the limit",
    "stated": "a number that I state",
}
HALF = 0.5
"""Of the cells, which a format has to read where the owner says what they hold."""
ABOVE = {"limit": "the limit itself", "stated": "a number that I state"}


def format_setting(table: Table, position: int, kind: str) -> str:
    """Where the format is kept that its cells have as values of that kind."""
    return setting(table.fingerprint, position, f"format.{kind}")


def ask_format(table: Table, position: int, called: str, kind: str) -> ValueFormat | None:
    """The one format that fits, or the one that is chosen of several; None while it is open."""
    name = format_setting(table, position, kind)
    kept: ValueFormat | None = recall(name)
    fit = formats_for(proposed(table, position), kind) or _tried(table, position, kind)
    offered = tuple(dict.fromkeys([*fit, *([kept] if kept is not None else [])]))
    if not offered:
        st.warning(
            "Too few cells of this column are written in one form that is known for this. Choose "
            "what else it holds.",
            icon=":material/warning:",
        )
        return None
    if len(offered) == 1:
        st.caption(f"Read and written as {literal(offered[0].label)}.")
        return offered[0]
    chosen: ValueFormat | None = select(
        f"Written as, {called}",
        {each: each.label for each in offered},
        name,
        None,
        placeholder="It can be read in more than one way: choose",
    )
    return chosen


def _tried(table: Table, position: int, kind: str) -> tuple[ValueFormat, ...]:
    """Formats that are not proposed: the cells look like plain numbers, or many are written in
    another form, and then count as missing.
    """

    def found() -> tuple[ValueFormat, ...]:
        texts = sample_of(table, position)
        return tuple(candidates(texts, kind) or candidates(texts, kind, HALF))

    return memo(setting(table.fingerprint, position, f"tried.{kind}"), table, found)


def ask_rule(table: Table, position: int, called: str) -> ValueFormat | None:
    """By which public rule what is no plain number counts as one; None while a number is due."""
    named = partial(setting, table.fingerprint, position)
    fit = formats_for(proposed(table, position), "number")
    first = fit[0].name if fit else "limits"
    which = select(f"Cells that are no plain number, {called}", LIMITS, named("rule"), first)
    low, high = st.columns(2)
    with low:
        example = "<5" if which == "limits" else "under 5"
        options = BELOW if which == "limits" else ABOVE
        below = _end(named, "below", f"{example} counts as, {called}", options)
    with high:
        example = ">100" if which == "limits" else "65+"
        above = _end(named, "above", f"{example} counts as, {called}", ABOVE)
    if below is None or above is None:
        return None
    form: ValueFormat = (Limits if which == "limits" else Classes)(below=below, above=above)
    st.caption(f"Read as {literal(form.label)}; released as plain numbers.")
    return form


def _end(named: partial[str], end: str, label: str, options: dict[str, str]) -> str | float | None:
    rule: str = select(label, options, named(f"rule.{end}"), "limit")
    if rule != "stated":
        return rule
    number = exact(named(f"rule.{end}.number"), f"That number, {label}", optional=True)
    return None if number is None else float(number)


def rule_settings(form: Limits | Classes) -> dict[str, Any]:
    """What :func:`ask_rule` asks, by name, so that it makes this of it."""
    said: dict[str, Any] = {"rule": form.name}
    for end, rule in (("below", form.below), ("above", form.above)):
        stated = isinstance(rule, float)
        said[f"rule.{end}"] = "stated" if stated else rule
        said[f"rule.{end}.number"] = as_decimal(rule) if isinstance(rule, float) else None
    return said


def with_decimal(form: ValueFormat | None, mark: str) -> ValueFormat | None:
    """The rule for cells with this decimal mark."""
    return replace(form, decimal=mark) if isinstance(form, Limits | Classes) else form
