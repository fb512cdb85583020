"""Step 6 for answers: what was proved of them, and true shares beside released ones."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from compdp_core.accounting import decimal_text
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.release import ReleasedColumn, TableRelease
from compdp_core.text import rounded_up
from pages.sections.privatize.categories.shares import AnswerShares, show_shares


def certified_answers(mechanism: RandomizedResponse, epsilon: Fraction) -> dict[str, str]:
    certificate = mechanism.certificate
    return {
        "ε asked": decimal_text(epsilon),
        "ε proved": rounded_up(certificate.epsilon, 6),
        "largest ratio": rounded_up(float(certificate.ratio), 6),
        "answers": f"{certificate.categories:,}",
        "kept: weight a": f"{certificate.kept:,}",
        "each other: weight b": f"{certificate.each_other:,}",
        "of all: W": f"{mechanism.total:,}",
    }


def released_shares(
    key: str, release: TableRelease, column: ReleasedColumn, mechanism: RandomizedResponse
) -> None:
    plan = column.plan
    assert plan.categories is not None
    subject = AnswerShares(
        key,
        "Before and after this release",
        column.label,
        plan.categories.names,
        mechanism,
        "released",
    )

    def both() -> tuple[Any, Any]:
        # Rows that were left out, or drawn to answer other columns, are not compared.
        drawn = ~np.isnan(column.values)
        return plan.read(release.table).values[drawn], column.values[drawn]

    show_shares(subject, release, both)
