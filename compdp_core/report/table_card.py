"""The card of a privatised table."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from compdp_core.accounting import exact_text
from compdp_core.release import CertifiedColumn, Plan, Released
from compdp_core.report import card_parts, caveats, wording
from compdp_core.report.card import Card
from compdp_core.report.column_item import item_of
from compdp_core.report.statement import Statement
from compdp_core.report.version import NAME, version
from compdp_core.tables import Format
from compdp_core.tables.alignment import may_leave_out


def card_of_table(
    release: Released,
    statements: Mapping[int, Statement] | None = None,
    *,
    title: str = "",
    omit: Collection[int] = (),
) -> Card:
    """The card of a release. ``statements``: the owner's words by column position; ``omit``: the
    columns that the released file is without, as in :meth:`TableRelease.csv`.
    """
    said = statements or {}
    table, columns, person = release.table, release.columns, release.plan.person
    planned = {column.plan.position for column in columns}
    gone = release.omitted(omit)
    absent = planned | gone
    unchanged = tuple(c.label for c in table.columns if c.position not in absent)
    kept = [c.label for c in columns if c.plan.missing == "keep"]
    dropped = [c.label for c in columns if c.plan.missing == "drop"]
    labels = tuple(column.label for column in table.columns)
    alone = len(labels) - len(gone) == 1
    return Card(
        kind="table",
        title=title,
        identifier=release.identifier,
        released_at=release.when.isoformat(),
        made_with=f"{NAME} {version()}",
        privacy=_privacy(release, missing_stays=bool(kept or dropped)),
        rows=card_parts.Rows(
            public=True,
            count=release.row_count,
            at_most=None,
            meaning=wording.ROWS_ARE_SEEN
            + (wording.NO_ROWS if may_leave_out(table.format, len(labels)) else "")
            + (f" {wording.rows_of_a_person(person)}" if person is not None else ""),
            alignment=caveats.choices(table.format, labels),
        ),
        items=tuple(
            item_of(
                each,
                said.get(each.plan.position, Statement()),
                _cells(each, table.format, alone=alone, gaps=release.plan.answered is not None),
                _sampled(release.plan),
            )
            for each in columns
        ),
        unchanged_columns=unchanged,
        not_covered=caveats.of_a_table(
            table.format,
            len(labels),
            unchanged,
            kept,
            dropped,
            person,
            [c.label for c in columns if said.get(c.plan.position, Statement()).from_data],
            bounded=any(column.plan.kind not in ("category", "scale") for column in columns),
            lists=any(column.plan.categories is not None for column in columns),
        )
        + (caveats.KEYED,) * release.noise_is_keyed,
    )


def _privacy(release: Released, *, missing_stays: bool) -> card_parts.Privacy:
    person = release.plan.person
    means = wording.ROWS_OF_A_TABLE
    if person is not None:
        means = f"{wording.PERSONS_OF_A_TABLE} {wording.same_person(person)}"
    stays = " A value that is missing stays missing." if missing_stays else ""
    return card_parts.Privacy(
        epsilon=exact_text(release.epsilon),
        delta=0,
        neighbours="one row's values replaced"
        if person is None
        else "one person's values replaced",
        meaning=means + stays + wording.GUARANTEE,
        composition=_composition(release.plan),
        person=(
            None
            if person is None
            else card_parts.PersonPart(person.by, person.at_most, person.beyond, person.groups)
        ),
    )


def _composition(plan: Plan) -> str:
    parts = sorted((column.epsilon for column in plan.columns), reverse=True)
    row = exact_text(plan.row_epsilon)
    if plan.answered is not None:
        most = parts[: plan.answered]
        added = f"{' + '.join(map(exact_text, most))} = {row}" if len(most) > 1 else row
        same = parts[0] == parts[-1]
        said = (
            f"Each row answers {plan.answered} of {len(parts)} columns, drawn at random whatever "
            f"stands in it, and spends {'' if same else 'at most '}{added}."
        )
    elif len(parts) == 1:
        said = "One column was privatised, with the whole budget"
        said += "." if plan.rows == 1 else f" of a row, {row}."
    else:
        added = " + ".join(exact_text(column.epsilon) for column in plan.columns)
        said = f"The columns' budgets add up: {added} = {row}."
    if plan.rows > 1:
        whole = exact_text(plan.epsilon)
        said += f" A person spends that for each of at most {plan.rows} rows: "
        said += f"{plan.rows} × {row} = {whole}."
    return said


def _sampled(plan: Plan) -> card_parts.Sampled | None:
    if plan.answered is None:
        return None
    some, columns = plan.answered, len(plan.columns)
    meaning = wording.sampled(some, columns)
    return card_parts.Sampled(some, columns, exact_text(plan.share), meaning)


def _cells(
    column: CertifiedColumn, form: Format, *, alone: bool, gaps: bool
) -> card_parts.CellFormat:
    """``alone``: the file has no other column, so that an empty cell would be a blank line.
    ``gaps``: each row answers some of the columns only.
    """
    plan = column.plan
    kept = plan.missing_as if gaps or plan.missing == "keep" else None
    if plan.is_category or plan.is_written:
        said = wording.QUOTED_TEXTS + wording.QUOTED_BLANKS * _quoted("", form, alone=alone)
        quotes = said if form.quote else wording.quotes(False, None)
        return card_parts.CellFormat(None, None, kept, quotes)
    decimals = column.composite.decimals
    mark: Literal[".", ","] = "," if (plan.decimal or form.decimal) == "," else "."
    numbers = decimals > 0 and mark == form.separator
    blank = kept is not None and bool(form.quote) and _quoted(kept, form, alone=alone)
    quotes = wording.quotes(numbers, blank if kept is not None else None)
    digits = None if plan.digits == "0" else plan.digits
    return card_parts.CellFormat(mark, decimals, kept, quotes, digits)


def _quoted(text: str, form: Format, *, alone: bool) -> bool:
    alone = alone or form.separator == " "
    marks = (form.separator, form.quote, form.escape)
    return any(mark and mark in text for mark in marks) or (alone and not text)
