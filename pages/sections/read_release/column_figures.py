"""What is estimated of a column, beside what a naive reading would say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import CompdpError
from compdp_core.estimates.estimate import About, Estimate
from compdp_core.estimates.received.table import ReceivedColumn
from compdp_core.validation import Array
from pages.sections.read_release.naive import ReadFigure
from pages.sections.read_release.subject import OpenRelease
from pages.sections.read_release.worked_out import QUARTILES, SHARE, Wanted
from pages.session.faults import attempted


def quick_figures(opened: OpenRelease, place: int, about: About) -> list[ReadFigure]:
    """Of a column of numbers mean and standard deviation, of categories the share of each: where
    nothing can be said, why not. None of a column without any value.
    """
    estimates, column = opened.estimates, opened.columns[place]
    cells = _cells(column)
    if not cells.size:
        return []
    if column.is_category:
        shares = attempted(lambda: estimates.shares(place, about=about))
        return [
            _share(
                shares if isinstance(shares, CompdpError) else shares[name],
                cells == at,
                f"are {name}",
            )
            for at, name in enumerate(column.names)
        ]
    mean = attempted(lambda: estimates.mean(place, about=about))
    std = attempted(lambda: estimates.std(place, about=about))
    spread = float(cells.std(ddof=1)) if cells.size > 1 else 0.0
    return [
        ReadFigure("mean", "value", mean, float(cells.mean())),
        ReadFigure("standard deviation", "amount", std, spread),
    ]


def slow_figures(wanted: Wanted, done: Mapping[str, Any]) -> list[ReadFigure]:
    """Quartiles and the share beyond the limit, also while they are worked out."""
    cells = _cells(wanted.opened.columns[wanted.place])
    found = [
        ReadFigure(name, "value", done.get(name), float(np.quantile(cells, share)))
        for name, share in QUARTILES.items()
    ]
    if wanted.limit is not None:
        words = wanted.opened.words[wanted.place]
        of = f"lie {words.beyond} {words.value(wanted.limit)}"
        found.append(_share(done.get(SHARE), cells > wanted.limit, of))
    return found


def _cells(column: ReceivedColumn) -> Array:
    """Those with a value."""
    found: Array = column.values[~np.isnan(column.values)]
    return found


def _share(found: Estimate | CompdpError | None, there: NDArray[np.bool_], of: str) -> ReadFigure:
    verb, _, rest = of.partition(" ")
    name = f"share of {rest}" if verb == "are" else f"share {rest}"
    return ReadFigure(name, "share", found, float(there.mean()), of)
