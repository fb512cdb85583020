"""Number entries: exact text in, a checked number out; alone or joined with a slider.

The text is what counts, so 1e-6 stays readable and 0.1 + 0.2 never appears. A wrong entry is
refused beneath the field with what to do, and the last good value stays in force.

A field whose number is set from elsewhere (its slider, a button) is replaced by a new one, with
the next edition in its key. Were its text changed instead, the old text could still be on its way
from the browser, arrive later as if it had been typed, and undo the change. What an earlier
edition still reports is ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from compdp_core.errors import ParameterError
from compdp_core.parameters import Parameter
from pages.furniture import faults
from pages.furniture.state import keep, recall, widget_key

_TIDY = str.maketrans({"−": "-", "\u00a0": None, "\u202f": None, " ": None, "_": None})


def parsed(text: str) -> Decimal | None:
    """The finite number that was typed, exactly; None where it is none.

    >>> parsed(" 0,5 "), parsed("1e-6"), parsed("abc"), parsed("nan")
    (Decimal('0.5'), Decimal('0.000001'), None, None)
    """
    tidy = text.strip().translate(_TIDY)
    if "," in tidy and "." not in tidy and tidy.count(",") == 1:
        tidy = tidy.replace(",", ".")
    try:
        value = Decimal(tidy)
    except InvalidOperation:
        return None
    return value if value.is_finite() and abs(value) < Decimal("1e300") else None


def plain(value: Decimal | float) -> str:
    """The number as one would type it.

    >>> plain(Decimal("1.50")), plain(100.0), plain(1e-6), plain(Decimal("1e2"))
    ('1.5', '100', '0.000001', '100')
    """
    exact = value if isinstance(value, Decimal) else Decimal(repr(float(value)))
    if exact != 0 and not -12 < exact.adjusted() < 15:
        return f"{exact.normalize():e}"
    text = f"{exact:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"


def exact(
    name: str,
    label: str,
    *,
    check: Callable[[Decimal], str | None] = lambda value: None,
    then: Callable[[Decimal | None], None] = lambda value: None,
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
    typed, fault = f"{name}.typed", f"{name}.fault"
    key = _edition(typed)
    if key not in st.session_state:
        value = recall(name)
        st.session_state[key] = recall(typed, "" if value is None else plain(value))

    def read() -> None:
        if key != _edition(typed):
            return
        text = str(st.session_state[key])
        keep(typed, text)
        value = parsed(text)
        if not text.strip():
            problem = None if optional else "Enter a number."
        elif value is None:
            problem = f"“{text.strip()}” is not a finite number. Type one, such as 2.5."
        else:
            problem = check(value)
        keep(fault, problem)
        if problem is None:
            keep(name, value)
            then(value)

    st.text_input(
        label, key=key, on_change=read, placeholder=placeholder, help=help, disabled=disabled
    )
    if recall(fault):
        with faults_in or st.container():
            faults.tell(_with_value_in_force(recall(fault), recall(name)))
    result: Decimal | None = recall(name)
    return result


def set_exact(name: str, value: Decimal | None) -> None:
    """Put a number into an entry, and its slider if it has one, from a callback."""
    _fill(name, value)
    _renew(f"{name}.slider")


def _fill(name: str, value: Decimal | None) -> None:
    keep(name, value)
    keep(f"{name}.typed", "" if value is None else plain(value))
    keep(f"{name}.fault", None)
    _renew(f"{name}.typed")


def _edition(widget: str) -> str:
    return f"{widget_key(widget)}.{recall(f'{widget}.edition', 0)}"


def _renew(widget: str) -> None:
    keep(f"{widget}.edition", recall(f"{widget}.edition", 0) + 1)


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


def with_slider(
    name: str,
    label: str,
    ladder: Sequence[Decimal],
    *,
    default: Decimal,
    check: Callable[[Decimal], str | None],
    entry_label: str,
    help: str | None = None,
) -> Decimal:
    """A slider over the ladder beside an exact entry; each follows the other."""
    if recall(name) is None:
        keep(name, default)
    slider = _edition(f"{name}.slider")
    st.session_state.setdefault(slider, nearest(ladder, recall(name)))

    def from_slider() -> None:
        if slider == _edition(f"{name}.slider"):
            _fill(name, st.session_state[slider])

    def from_entry(_: Decimal | None) -> None:
        _renew(f"{name}.slider")

    left, right = st.columns([3, 1], vertical_alignment="bottom")
    below = st.container()
    with right:
        value = exact(name, entry_label, check=check, then=from_entry, faults_in=below)
    with left:
        st.select_slider(
            label, ladder, key=slider, on_change=from_slider, help=help, format_func=plain
        )
    return default if value is None else value


def nearest(ladder: Sequence[Decimal], value: Decimal) -> Decimal:
    """The rung closest to the value.

    >>> nearest([Decimal(1), Decimal(2), Decimal(5)], Decimal("3.4"))
    Decimal('2')
    """
    return min(ladder, key=lambda rung: abs(rung - value))
