"""What is estimated of a column, beside what a naive reading would say."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import CompdpError
from compdp_core.estimates.estimate import About, Estimate
from compdp_core.validation import Array
from pages.sections.read_release.naive import ReadFigure
from pages.sections.read_release.subject import OpenRelease
from pages.session.faults import attempted
from pages.text.values import ValueWords

QUARTILES = {"lower quartile": 0.25, "median": 0.5, "upper quartile": 0.75}


def figures_of(
    opened: OpenRelease, place: int, about: About, limit: float | None
) -> list[ReadFigure]:
    """Of a column of numbers: mean, standard deviation, quartiles, and the share above a limit; of
    categories: the share of each. Where nothing can be said, why not."""
    estimates, column = opened.estimates, opened.columns[place]
    cells = column.values[~np.isnan(column.values)]
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
    found = [
        ReadFigure(
            "mean", "value", attempted(lambda: estimates.mean(place, about=about)), _mean(cells)
        ),
        ReadFigure(
            "standard deviation",
            "amount",
            attempted(lambda: estimates.std(place, about=about)),
            float(cells.std(ddof=1)) if cells.size > 1 else 0.0,
        ),
    ]
    for name, share in QUARTILES.items():
        quantile = attempted(partial(estimates.quantile, place, share))
        found.append(ReadFigure(name, "value", quantile, float(np.quantile(cells, share))))
    if limit is not None:
        above = attempted(lambda: estimates.share(place, above=limit, about=about))
        words = opened.words[place]
        found.append(_share(above, cells > limit, f"lie {beyond(words)} {words.value(limit)}"))
    return found


def beyond(words: ValueWords) -> str:
    """How a value is on the other side of a limit."""
    dated = words.format is not None and words.format.kind in ("date", "datetime")
    return "after" if dated else "above"


def _share(found: Estimate | CompdpError, there: NDArray[np.bool_], of: str) -> ReadFigure:
    verb, _, rest = of.partition(" ")
    name = f"share of {rest}" if verb == "are" else f"share {rest}"
    return ReadFigure(name, "share", found, float(there.mean()), of)


def _mean(values: Array) -> float:
    return float(values.mean())
