"""An estimated distribution as a picture of plain shapes, for a page without scripts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from compdp_core.estimates.likelihood.distribution import Distribution

WIDTH, HEIGHT = 440.0, 200.0
LEFT, TOP, BOTTOM = 52.0, 12.0, 44.0
LETTER = 7.5
"""How wide a letter is, with the space around words."""


@dataclass(frozen=True)
class PictureBar:
    """A bin: its bar and the band of its share, in the units of the picture."""

    x: float
    width: float
    y: float
    height: float
    middle: float
    band_top: float
    band_bottom: float
    said: str
    """The bin in words."""
    share: str
    band: str


@dataclass(frozen=True)
class Picture:
    """Bars, marks along the axes and what it shows in words."""

    bars: tuple[PictureBar, ...]
    marks: tuple[tuple[float, str], ...]
    """Along the values."""
    levels: tuple[tuple[float, str], ...]
    """Along the shares."""
    summary: str
    width: float = WIDTH
    height: float = HEIGHT
    left: float = LEFT
    base: float = HEIGHT - BOTTOM


def picture(found: Distribution, text: Callable[[float], str], *, whole: bool) -> Picture:
    """The picture of a distribution; ``text`` says a value. Where all are ``whole``, so is what is
    said of bins, in whose middles they stand.
    """
    edges, lower, upper = found.edges.tolist(), float(found.edges[0]), float(found.edges[-1])
    top = max(float(found.high.max()), float(found.shares.max()))
    base, tall = HEIGHT - BOTTOM, HEIGHT - BOTTOM - TOP

    def across(value: float) -> float:
        return LEFT + (WIDTH - LEFT) * (value - lower) / (upper - lower)

    def up(share: float) -> float:
        return base - tall * share / top

    def said(start: float, stop: float) -> str:
        ends = (math.ceil(start), math.floor(stop)) if whole else (start, stop)
        return " … ".join(dict.fromkeys(map(text, ends)))

    bars = tuple(
        PictureBar(
            across(start),
            across(stop) - across(start),
            up(share),
            base - up(share),
            (across(start) + across(stop)) / 2,
            up(high),
            up(low),
            said(start, stop),
            _percent(share),
            f"{_percent(low)} … {_percent(high)}",
        )
        for start, stop, share, low, high in zip(
            edges[:-1], edges[1:], found.shares.tolist(), found.low.tolist(), found.high.tolist(),
            strict=True,
        )
    )  # fmt: skip
    marks = tuple((across(place), said) for place, said in _marks(lower, upper, text, whole))
    levels = tuple((up(part * top), _percent(part * top)) for part in (0.0, 0.5, 1.0))
    most = max(bars, key=lambda bar: bar.height)
    summary = (
        f"Bars for the estimated shares of true values from {marks[0][1]} to {marks[-1][1]}, each "
        f"with its band. The tallest is {most.said}, with {most.share} of them ({most.band})."
    )
    return Picture(bars, marks, levels, summary)


def _marks(
    lower: float, upper: float, text: Callable[[float], str], whole: bool
) -> tuple[tuple[float, str], ...]:
    """As many along the values as do not lie on each other."""
    marks: tuple[tuple[float, str], ...] = ()
    for parts in (4, 2, 1):
        places = [lower + part / parts * (upper - lower) for part in range(parts + 1)]
        if whole:
            places = [min(max(round(each), math.ceil(lower)), math.floor(upper)) for each in places]
        marks = tuple((place, text(place)) for place in dict.fromkeys(places))
        # The first and the last begin and end at their places, the others stand around theirs.
        if 1.5 * LETTER * max(len(said) for _, said in marks) < (WIDTH - LEFT) / parts:
            break
    return marks


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
