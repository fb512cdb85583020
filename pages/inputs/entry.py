"""Number entries: exact text in, a checked number out; alone or joined with a slider.

The text is what counts, so 1e-6 stays readable and 0.1 + 0.2 never appears. A wrong entry is
refused beneath the field with what to do, and the last good value stays in force.

A field whose number is set from elsewhere (its slider, a button) is replaced by a new one, with
the next edition in its key. Were its text changed instead, the old text could still be on its way
from the browser, arrive later as if it had been typed, and undo the change. What an earlier
edition still reports is ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import streamlit as st

from compdp_core.errors import ParameterError
from compdp_core.intervals import Interval
from compdp_core.parameters import Parameter
from pages.session import faults
from pages.session.framework import DeltaGenerator
from pages.session.state import keep, kept, recall, renew, widget_key
from pages.text.typed_numbers import guesses, in_two_ways, plain, readings


def exact(
    name: str,
    label: str,
    *,
    check: Callable[[Decimal], str | None] = lambda value: None,
    then: Callable[[Decimal | None], object] = lambda value: None,
    optional: bool = False,
    placeholder: str | None = None,
    help: str | None = None,
    disabled: bool = False,
    faults_in: DeltaGenerator | None = None,
) -> Decimal | None:
    """A text field for one number. Returns the value in force, None while there is none.

    `check` answers what is wrong with a number, or None. An empty optional field means None.
    A refusal appears under the field, or in the container where the field is narrow.
    """
    typed, fault, meant = f"{name}.typed", f"{name}.fault", f"{name}.meant"
    key = widget_key(typed)
    now = recall(name)

    def read() -> None:
        if key != widget_key(typed):
            return
        text = str(st.session_state[key])
        keep(typed, text)
        value, either = _understood(text, check)
        if not text.strip():
            problem = None if optional else "Enter a number."
        elif either:
            refused = [check(each) for each in either]
            problem = refused[0] if all(refused) else in_two_ways(text)
        elif value is None:
            problem = f"“{text.strip()}” is not a finite number. Type one, such as 2.5."
        else:
            problem = check(value)
        keep(meant, [each for each in either if check(each) is None])
        keep(fault, problem)
        if problem is None:
            keep(name, value)
            then(value)

    st.text_input(
        label,
        recall(typed, "" if now is None else plain(now)),
        key=key,
        on_change=read,
        placeholder=placeholder,
        help=help,
        disabled=disabled,
    )
    if recall(fault):
        with faults_in or st.container():
            faults.tell(_with_value_in_force(recall(fault), recall(name)))
            _offer(name, label, recall(meant, []), then)
    result: Decimal | None = recall(name)
    return result


def _understood(
    text: str, check: Callable[[Decimal], str | None]
) -> tuple[Decimal | None, tuple[Decimal, ...]]:
    """The number, or both that it may be: nothing that can be read in two ways is taken silently.

    A point is the decimal mark of every field, so that with it thousands need only be asked about
    where they are allowed.
    """
    found = readings(text) or guesses(text)
    if len(found) == 2 and "," not in text and "." in text and check(found[1]) is not None:
        return found[0], ()
    return (found[0], ()) if len(found) == 1 else (None, found)


def _offer(
    name: str, label: str, meant: list[Decimal], then: Callable[[Decimal | None], object]
) -> None:
    """A press for each number that may be meant."""

    def take(value: Decimal) -> None:
        set_exact(name, value)
        then(value)

    for value in meant:
        st.button(
            f"{label}: {plain(value)}",
            key=widget_key(f"{name}.meant.{plain(value)}"),
            on_click=take,
            args=(value,),
        )


def set_exact(name: str, value: Decimal | None) -> None:
    """Put a number into an entry, and its slider if it has one, from a callback."""
    fill(name, value)
    renew(f"{name}.slider")


def fill(name: str, value: Decimal | None) -> None:
    # The field first: a run that is stopped in between finds the old number and does both again.
    renew(f"{name}.typed")
    text = "" if value is None else plain(value)
    kept().update({name: value, f"{name}.typed": text, f"{name}.fault": None, f"{name}.meant": []})


def _with_value_in_force(problem: str, value: Decimal | None) -> str:
    return problem if value is None else f"{problem} Until then {plain(value)} stays in force."


def within(parameter: Parameter) -> Callable[[Decimal], str | None]:
    """A check for `exact` out of a parameter's declaration."""

    def check(value: Decimal) -> str | None:
        try:
            parameter.check(value)
        except ParameterError:
            return f"{parameter.symbol} {parameter.requirement}, not {plain(value)}."
        return None

    return check


def between(lower: Decimal | None, upper: Decimal | None) -> Interval | None:
    """The interval, or None while a bound is missing or after saying what is wrong with both."""
    if lower is None or upper is None:
        return None
    if lower >= upper:
        faults.tell(
            f"Bounds must have lower below upper: {plain(lower)} does not lie below "
            f"{plain(upper)}. Change one of them."
        )
        return None
    return faults.attempt(lambda: Interval.checked("bounds", (float(lower), float(upper))))
