"""Columns that stay as they are: those the file is without, and those that give others away."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import streamlit as st

from compdp_core.release import Plan
from compdp_core.tables import Table
from compdp_core.tables.derived_columns import DerivedColumn, find_derived
from pages.inputs.links import put
from pages.inputs.options import several
from pages.sections.shared.kept_release import omittable, omitted, omitted_name
from pages.session.state import memo
from pages.shell.panels import private
from pages.text.wording import count, literal


def ask_what_to_omit(table: Table, planned: Collection[int]) -> None:
    """A choice of the columns that are not privatised, and what is said of those that stay."""
    others = omittable(table, planned)
    if not others:
        return
    several(
        "Columns to leave out of the file",
        others,
        omitted_name(table),
        [],
        placeholder="None; type to search",
        help="Names, numbers of pupils, remarks. The card and the script leave them out, too. It "
        "costs nothing and draws no noise, so it can also be changed after a release.",
    )
    stay = len(others) - len(omitted(table, planned))
    if stay:
        one = stay == 1
        what = "The other column gets" if one else f"The other {stay:,} columns of the file get"
        st.markdown(
            f"{what} no noise: a name, a number or a rare combination in "
            f"{'it' if one else 'them'} can still point to a person."
        )


def omit_by_label(table: Table, labels: Collection[str], planned: Collection[int]) -> None:
    """Leave out the columns of these labels, as a settings file has them."""
    others = omittable(table, planned)
    put(omitted_name(table), [position for position, label in others.items() if label in labels])


_MOST, _MOST_NAMES = 8, 6


def warn_of_derived_columns(table: Table, plan: Plan) -> None:
    """Name them to the owner, with the way out. Nothing of it goes into a file."""
    chosen = frozenset(column.position for column in plan.columns)
    absent = frozenset(omitted(table, chosen))
    found: list[DerivedColumn] = memo(
        f"derived.{table.fingerprint}",
        (table.identity, chosen, absent),
        lambda: find_derived(table, chosen, absent),
    )
    if not found:
        return
    with private("derived", "columns that give private values away"):
        lines = [_sentence(table, each, chosen) for each in found[:_MOST]]
        if len(found) > _MOST:
            lines.append(f"And {count(len(found) - _MOST, 'relation')} more of this kind.")
        st.warning("\n\n".join(lines), icon=":material/link:")
        st.markdown(
            "Privatize these columns too, in step 2, or choose above which of them the file is to "
            "be without. This was found in your rows and is written to no download."
        )


def _sentence(table: Table, found: DerivedColumn, chosen: frozenset[int]) -> str:
    def named(places: Iterable[int]) -> str:
        names = [f"**{literal(table.columns[place].label)}**" for place in places]
        if len(names) > _MOST_NAMES:
            names = [*names[: _MOST_NAMES - 1], f"{len(names) - _MOST_NAMES + 1} more"]
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

    hidden = [place for place in found.columns if place in chosen]
    open_ = [place for place in found.columns if place not in chosen]
    if found.kind == "linear":
        relation = f"{named(open_)} holds the same as {named(hidden)}, or that in another unit."
    else:
        relation = f"{named([found.target])} is the {found.kind} of {named(found.parts)}."
    stays, them = ("stays as it is", "it") if len(open_) == 1 else ("stay as they are", "them")
    if len(hidden) == 1:
        told = f"the true values of {named(hidden)}"
    else:
        told = f"how the true values of {named(hidden)} add up or differ"
    return f"{relation} {named(open_)} {stays}, and {told} can be worked out from {them}."
