"""One button releases: what it costs, what is kept of it, its certificate and its files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from fractions import Fraction

import streamlit as st

from compdp_core.accounting import Spend, decimal_text
from compdp_core.adjacency import Person
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.text import plain, rounded_up
from pages.session.downloads import download
from pages.session.ledger import affordable
from pages.session.ledger import together as before_and_after
from pages.text.values import ValueWords
from pages.text.wording import WHO_SEES, budget, together

TITLE, HINT = "Release and download", "Noise is drawn once, by the system, and kept."
AGAIN = "Release once more"


def outdated(above: str, kept: str) -> None:
    st.info(f"The {above} changed since. What follows is the {kept}.", icon=":material/history:")


def released(
    when: datetime, amount: str, epsilon: Fraction, noun: str, number: int, person: Person | None
) -> None:
    again = "" if number == 1 else f". This is {noun} {number} of this table"
    whose = "" if person is None else " for one person"
    cost = f"{together(budget(epsilon))}{whose}"
    st.success(
        f"Released at {when:%H:%M:%S} UTC: {amount}, {cost}{again}.",
        icon=":material/verified:",
    )


def certified(
    mechanism: CompositeMechanism, epsilon: Fraction, unit: str, words: ValueWords | None = None
) -> dict[str, str]:
    """What was proved, with the outputs in the words of the column, or as numbers of the unit."""
    certificate, (low, high) = mechanism.certificate, mechanism.outputs
    form = None if words is None else words.format
    outputs = f"{plain(low)} … {plain(high)} {unit}".rstrip()
    if words is not None and form is not None:
        unit, outputs = form.unit, words.span(low, high)
    step = unit if form is None or certificate.spacing != 1 else unit.removesuffix("s")
    return {
        "ε asked": decimal_text(epsilon),
        "ε proved": rounded_up(certificate.epsilon, 6),
        "largest ratio": rounded_up(float(certificate.ratio), 6),
        "bias at most": f"{rounded_up(certificate.worst_bias, 2)} {unit}".rstrip(),
        "outputs": outputs,
        "spacing": f"{plain(certificate.spacing)} {step}".rstrip(),
    }


def offer_once_more(offer: Callable[[], None]) -> None:
    with st.expander(f"{AGAIN}: a second spend", icon=":material/replay:"):
        offer()


def confirmed(
    spends: Sequence[Spend], cost: str, repeated: str, label: str, key: str,
    more: Callable[[], None] = lambda: None,
) -> bool:  # fmt: skip
    """Whether the release was asked for just now, by who was told its cost.

    Each offer has a key of its own: a second click on the button of the one that was taken, while
    the page still shows it, must not take the next.
    """
    before, after, why = before_and_after(*spends)
    st.markdown(f"This spends {cost}.")
    if not affordable(*spends):
        return False
    if before:
        st.warning(
            f"{budget(before)} was already spent on this table; after this release it is "
            f"{budget(after)}. {why}{repeated}",
            icon=":material/warning:",
        )
    more()
    st.caption(WHO_SEES)
    return st.button(label, type="primary", icon=":material/lock_open:", key=key)


def file_button(
    prefix: str, label: str, content: Callable[[], str | bytes], name: str,
    help: str | None = None, *, first: bool = False,
) -> None:  # fmt: skip
    kind = "primary" if first else "secondary"
    download(label, content, name, f"{prefix}-{label}", type=kind, help=help)
