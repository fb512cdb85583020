"""An entry for one date, time or duration, typed as its column writes it and kept as its steps."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal

import streamlit as st

from compdp_core.tables.value_formats import ValueFormat
from pages.session import faults
from pages.session.framework import DeltaGenerator
from pages.session.state import keep, recall, renew, widget_key
from pages.text.values import written as as_written


def written(
    name: str, label: str, form: ValueFormat, example: float, faults_in: DeltaGenerator,
    *, check: Callable[[Decimal], str | None] | None = None,
) -> Decimal | None:  # fmt: skip
    """The steps in force; None while the field is empty. A refusal names an example, a public one,
    and the last good value stays in force. ``check`` says what else is wrong.
    """
    typed, fault, said = f"{name}.typed", f"{name}.fault", f"{name}.written"
    now, (then, text, of) = recall(name), recall(said, (None, "", form))
    if of != form:
        renew(typed)
    if (then, of) != (now, form):  # set from elsewhere since
        text = "" if now is None else as_written(form, float(now))
    key, such = widget_key(typed), as_written(form, example)

    def read() -> None:
        if key != widget_key(typed):
            return
        text = str(st.session_state[key])
        steps = form.value(text) if text.strip() else math.nan
        if math.isfinite(steps) or not text.strip():
            found = Decimal(steps) if math.isfinite(steps) else None
            wrong = None if found is None or check is None else check(found)
            keep(fault, wrong)
            if wrong is None:
                keep(name, found)
        else:
            keep(fault, f"“{text.strip()}” is not written as this column is. Type it like {such}.")
        keep(said, (recall(name), text, form))

    st.text_input(label, text, key=key, on_change=read, placeholder=f"such as {such}")
    if recall(fault):
        kept = recall(name)
        until = "" if kept is None else f" Until then {as_written(form, float(kept))} is in force."
        with faults_in:
            faults.tell(recall(fault) + until)
    found: Decimal | None = recall(name)
    return found
