"""The card as one HTML page: no script, no outside request, light and dark, fit for printing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cache
from typing import Literal

from jinja2 import Template

from compdp_core.accounting import decimal_text
from compdp_core.errors import ParameterError
from compdp_core.intervals import Interval
from compdp_core.release.accuracy import best_guess, odds_factor
from compdp_core.release.statistic import middle
from compdp_core.report.card_parts import CardContents, Category, CellFormat, Item
from compdp_core.report.html_page import template
from compdp_core.report.wording import shortened
from compdp_core.text import count, number, plain, rounded_up, telling

PARTS = ("summary", "released", "protected", "open", "items", "about")
PAPER = (
    "Zhang et al., Bounded and Unbiased Composite Differential Privacy, IEEE Symposium on Security "
    "and Privacy 2024"
)
_SYMBOLS = (
    ("k", "k", "height of the activation"),
    ("m", "m", "width of the activation"),
    ("y", "y", "height of the base in the middle"),
    ("t", "t", "height of the base at the edge"),
    ("L", "L", "half-width of the domain"),
    ("C", "C", "half-width of the inputs in the domain"),
    ("mu", "μ", "μ = m / 2L"),
    ("kappa", "κ", "κ = k / y"),
    ("tau", "τ", "τ = t / y"),
    ("input_fraction", "r", "width of the inputs over that of the outputs"),
    ("steps", "K", "levels of the staircase"),
    ("gamma", "γ", "half the top level, in sensitivities"),
)
_MOST_NAMES = 6
KINDS = {
    "number": "decimal numbers",
    "whole": "whole numbers",
    "category": "one of a list of categories",
    "scale": "whole numbers, the places of an ordered list",
    "date": "dates",
    "time": "times of day",
    "datetime": "dates with times",
    "duration": "durations",
}
_OBJECTIVES = {
    "center": "least variance in the middle of the inputs",
    "mean": "least variance on average over the inputs",
    "worst": "least variance at the worst input",
    "given": "set by hand",
}


def card_html(card: CardContents, *parts: str) -> str:
    """The HTML of a card, see :meth:`~compdp_core.report.card.Card.to_html`."""
    for part in parts:
        if part not in PARTS:
            raise ParameterError("parts", part, f"must be among {', '.join(PARTS)}")
    epsilon = Fraction(card.privacy.epsilon)
    usual = "A released table" if card.kind == "table" else "A released statistic"
    return _template().render(
        card=card,
        shown=parts or PARTS,
        heading=card.title or usual,
        guess=rounded_up(100 * best_guess(epsilon), 3),
        odds=rounded_up(odds_factor(epsilon), 3),
        when=datetime.fromisoformat(card.released_at),
    )


@cache
def _template() -> Template:
    return template(
        "compdp_core.report",
        "card.html",
        paper=PAPER,
        symbols=_SYMBOLS,
        objectives=_OBJECTIVES,
        decimal_text=lambda epsilon: decimal_text(Fraction(epsilon)),
        count=count,
        number=number,
        plain=plain,
        rounded_up=rounded_up,
        shortened=shortened,
        bars=_bars,
        ends_text=ends_text,
        names=names,
        meant=_meant,
        kinds=KINDS,
        written=_written,
        ratio_text=_ratio,
        cut=_cut,
    )


@dataclass(frozen=True)
class _Bar:
    """A stretch of the scale from the least to the greatest output; places in percent of it."""

    label: str
    said: str
    start: float
    width: float
    kind: str
    mark: float | None = None


def _bars(each: Item) -> Iterator[_Bar]:
    """Where true and released values can lie, on one scale; of categories what one turns into."""
    if each.response is not None:
        for label, share in (
            ("The true category is released in", each.response.probability_kept),
            ("Each of the other ones in", each.response.probability_other),
        ):
            percent = 100.0 * share
            yield _Bar(label, f"{number(percent, 3)} % of releases", 0.0, percent, "near")
        return
    assert each.inputs is not None
    assert each.outputs is not None
    assert each.error is not None
    low, high = each.outputs.lower, each.outputs.upper
    half = middle(Interval(each.inputs.lower, each.inputs.upper), whole=each.whole)
    near = max(low, half - each.error.within_95), min(high, half + each.error.within_95)
    what = "values" if each.answer is None else "answers"
    unit = f" {each.unit}" if each.unit else ""

    def bar(
        label: str, said: str, ends: tuple[float, float], kind: str, mark: float | None = None
    ) -> _Bar:
        start, stop = (100.0 * (end - low) / (high - low) for end in ends)
        return _Bar(label, said, start, max(stop - start, 0.0), kind, mark)

    inputs = (each.inputs.lower, each.inputs.upper)
    yield bar(f"True {what} lie between", ends_text(each, "inputs"), inputs, "true")
    yield bar(f"Released {what} lie between", ends_text(each, "outputs"), (low, high), "all")
    if each.written is not None:
        within = number(each.error.within_95)
        yield bar("95 % of releases of the middle lie within", f"± {within}{unit}", near, "near")
        return
    shown = number(half, telling(*inputs, 6))
    digits = telling(*near, 4)
    yield bar(
        f"95 % of releases of {shown}{unit}, the middle, lie between",
        " … ".join(number(end, digits) for end in near) + unit,
        near,
        "near",
    )
    if each.answer is not None:
        yield bar(
            "The released answer and its interval",
            f"{plain(each.answer.value)}{unit}",
            (each.answer.lower, each.answer.upper),
            "all",
            100.0 * (each.answer.value - low) / (high - low),
        )


def ends_text(item: Item, which: Literal["inputs", "outputs"], between: str = " … ") -> str:
    """Ends of an item of numbers, as they are written, or with their unit."""
    if item.written is not None:
        texts = getattr(item.written, which)
        return f"{texts.lower}{between}{texts.upper}"
    ends = getattr(item, which)
    unit = f" {item.unit}" if item.unit else ""
    return f"{plain(ends.lower)}{between}{plain(ends.upper)}{unit}"


def names(item: Item, most: int = _MOST_NAMES) -> str:
    """Categories of an item, or the first ones of a long list."""
    each = [each.name or "(blank)" for each in item.listed.categories] if item.listed else []
    said = ", ".join(each[:most])
    return said if len(each) <= most else f"{said} and {len(each) - most} more"


def _meant(category: Category) -> str:
    """Which texts mean a category."""
    if category.other:
        return "all texts that are not listed"
    return ", ".join(f"“{text}”" if text else "blank cells" for text in category.texts)


def _written(cells: CellFormat) -> str:
    missing = ""
    if cells.missing is not None:
        missing = f"; missing cells {f'as “{cells.missing}”' if cells.missing else 'empty'}"
    if cells.decimals is None:
        return f"Each of its value alone, without spaces around it{missing}. {cells.quotes}"
    if cells.decimals:
        mark = "point" if cells.decimal == "." else "comma"
        numbers = f"with {count(cells.decimals, 'decimal')} and a {mark} as decimal mark"
    else:
        numbers = "without decimals"
    if cells.digits is not None:
        numbers += f", in digits from {cells.digits} to {chr(ord(cells.digits) + 9)}"
    return (
        f"All alike: {numbers}, without thousands marks, symbols or spaces{missing}. {cells.quotes}"
    )


def _ratio(ratio: str) -> str:
    """A ratio as a decimal; those beyond floats have a logarithm instead."""
    exact = Fraction(ratio)
    try:
        return f"≈ {number(float(exact), 6)}"
    except OverflowError:
        power = math.log(exact.numerator) - math.log(exact.denominator)
        return f"≈ e^{number(power, 6)}"


def _cut(words: str, longest: int = 240) -> str:
    """A formula, or the beginning of a long one; the JSON form of the card has it whole."""
    return words if len(words) <= longest else f"{words[:longest]} …"
