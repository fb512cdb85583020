"""The card of a privatised table."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from compdp_core.accounting import exact_text
from compdp_core.release import ReleasedColumn, TableRelease
from compdp_core.release.accuracy import Meaning
from compdp_core.release.statistic import half_width, middle
from compdp_core.report import card_parts, caveats, wording
from compdp_core.report.card import Card
from compdp_core.report.proofs import parameters, proof
from compdp_core.report.statement import Statement
from compdp_core.report.version import NAME, version
from compdp_core.tables import Format
from compdp_core.tables.alignment import may_leave_out
from compdp_core.text import plain


def card_of_table(
    release: TableRelease,
    statements: Mapping[int, Statement] | None = None,
    *,
    title: str = "",
    omit: Collection[int] = (),
) -> Card:
    """The card of a release. ``statements``: the owner's words by column position; ``omit``: the
    columns that the released file is without, as in :meth:`TableRelease.csv`.
    """
    said = statements or {}
    table, columns = release.table, release.columns
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
            + (wording.NO_ROWS if may_leave_out(table.format, len(labels)) else ""),
            alignment=caveats.choices(table.format, labels),
        ),
        items=tuple(
            _item(
                each,
                said.get(each.plan.position, Statement()),
                _cells(each, table.format, alone=alone),
            )
            for each in columns
        ),
        unchanged_columns=unchanged,
        not_covered=caveats.of_a_table(table.format, len(labels), unchanged, kept, dropped),
    )


def _privacy(release: TableRelease, *, missing_stays: bool) -> card_parts.Privacy:
    parts = [exact_text(column.plan.epsilon) for column in release.columns]
    whole = exact_text(release.epsilon)
    stays = " A value that is missing stays missing." if missing_stays else ""
    return card_parts.Privacy(
        epsilon=whole,
        delta=0,
        neighbours="one row's values replaced",
        meaning=wording.ROWS_OF_A_TABLE + stays + wording.GUARANTEE,
        composition=(
            "One column was privatised, with the whole budget."
            if len(parts) == 1
            else f"The columns' budgets add up: {' + '.join(parts)} = {whole}."
        ),
    )


def _cells(column: ReleasedColumn, form: Format, *, alone: bool) -> card_parts.CellFormat:
    """``alone``: the file has no other column, so that an empty cell would be a blank line."""
    plan, decimals = column.plan, column.mechanism.decimals
    mark: Literal[".", ","] = "," if (plan.decimal or form.decimal) == "," else "."
    kept = plan.missing_as if plan.missing == "keep" else None
    numbers = decimals > 0 and mark == form.separator
    gaps = kept is not None and bool(form.quote) and _quoted(kept, form, alone=alone)
    return card_parts.CellFormat(
        mark, decimals, kept, wording.quotes(numbers, gaps if kept is not None else None)
    )


def _quoted(text: str, form: Format, *, alone: bool) -> bool:
    return form.separator in text or '"' in text or (alone and not text)


def _item(
    column: ReleasedColumn, statement: Statement, cells: card_parts.CellFormat
) -> card_parts.Item:
    # Of the column only what the plan and the mechanism say: the rest of it is private.
    plan, mechanism = column.plan, column.mechanism
    lower, upper = plan.inputs.as_tuple()
    means, reveals = wording.MISSING_IN_A_TABLE[plan.missing]
    meaning = Meaning(mechanism)
    return card_parts.Item(
        name=column.label,
        epsilon=exact_text(plan.epsilon),
        unit=statement.unit,
        answer=None,
        bounds=card_parts.Bounds(lower, upper, statement.unit, card_parts.STATED, statement.source),
        inputs=card_parts.Ends(lower, upper),
        outputs=card_parts.Ends(*mechanism.outputs),
        outputs_are="derived from the inputs" if plan.outputs is None else "set by the owner",
        whole=plan.whole,
        sensitivity=card_parts.Sensitivity(
            mechanism.sensitivity,
            f"Δ = b − a = {plain(mechanism.sensitivity)}",
            "any two values between the bounds are made indistinguishable, row by row",
        ),
        parameters=parameters(mechanism),
        certificate=proof(mechanism),
        error=card_parts.Error(
            typical=meaning.typical_error,
            worst=meaning.worst_error,
            within_95=half_width(mechanism, middle(plan.inputs, whole=plan.whole)),
            typical_meaning=wording.TYPICAL_OF_VALUES,
            worst_meaning=wording.WORST,
            within_95_meaning=wording.WITHIN_95,
        ),
        missing=card_parts.Missing(plan.missing, means + wording.NO_NUMBER, reveals),
        cells=cells,
    )
