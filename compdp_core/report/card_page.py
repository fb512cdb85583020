"""The card as one HTML page: no script, no outside request, light and dark, fit for printing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from fractions import Fraction
from importlib import resources
from string import Template
from typing import TYPE_CHECKING

from compdp_core.accounting import decimal_text
from compdp_core.errors import ParameterError
from compdp_core.release.accuracy import best_guess, odds_factor
from compdp_core.report.item import item
from compdp_core.report.markup import facts, grid, name, paragraph, text, tiles
from compdp_core.text import count, number, plain, rounded_up

if TYPE_CHECKING:
    from compdp_core.report.card import Card

PAPER = (
    "Zhang et al., Bounded and Unbiased Composite Differential Privacy, IEEE Symposium on Security "
    "and Privacy 2024"
)
_NOISE = (
    "The noise stays between public bounds and is zero on average, and how private it is was "
    "proved before it was drawn."
)


def card_html(card: Card, *parts: str) -> str:
    """The HTML of a card, see :meth:`~compdp_core.report.card.Card.to_html`."""
    sections: dict[str, Callable[[Card], str]] = {
        "released": _released,
        "protected": _protected,
        "open": _open,
        "items": _items,
        "about": _about,
    }
    known = ("summary", *sections)
    for part in parts:
        if part not in known:
            raise ParameterError("parts", part, f"must be among {', '.join(known)}")
    shown = parts or known
    template = resources.files("compdp_core.report").joinpath("card.html").read_text("utf-8")
    # Written as UTF-8, which has no half of a pair of surrogates.
    return Template(template).substitute(
        heading=text(_heading(card)),
        summary=_summary(card) if "summary" in shown else "",
        body="\n".join(make(card) for part, make in sections.items() if part in shown),
    )


def _heading(card: Card) -> str:
    return card.title or ("A released table" if card.kind == "table" else "A released statistic")


def _summary(card: Card) -> str:
    epsilon = Fraction(card.privacy.epsilon)
    decimal = decimal_text(epsilon)
    exactly = "" if decimal == card.privacy.epsilon else f"exactly {card.privacy.epsilon}"
    when = datetime.fromisoformat(card.released_at)
    return "\n".join(
        (
            paragraph(_what(card), "lead"),
            paragraph(
                "Somebody who knows everything else, and thinks two neighbouring tables equally "
                "likely, guesses the right one in at most "
                f"{rounded_up(100 * best_guess(epsilon), 3)} of 100 cases after seeing the release."
            ),
            tiles(
                (
                    ("Privacy budget ε", decimal, exactly),
                    ("Odds shift by at most", f"× {rounded_up(odds_factor(epsilon), 3)}", "e^ε"),
                    ("Rows", *_rows(card)),
                    ("Released", f"{when:%Y-%m-%d}", f"{when:%H:%M:%S} UTC"),
                )
            ),
        )
    )


def _what(card: Card) -> str:
    amount = len(card.items)
    if card.kind == "table":
        were = "was" if amount == 1 else "were"
        assert card.rows.count is not None
        return (
            f"{count(amount, 'column')} of a table of {count(card.rows.count, 'row')} {were} "
            f"released with random noise. {_NOISE}"
        )
    things = "One number" if amount == 1 else f"{amount} numbers, one for each group,"
    were = "was" if amount == 1 else "were"
    return f"{things} about a table {were} released with random noise. {_NOISE}"


def _rows(card: Card) -> tuple[str, str]:
    if card.rows.count is not None:
        return plain(card.rows.count), "public"
    limit = card.rows.at_most
    return "protected", "" if limit is None else f"at most {plain(limit)}"


def _released(card: Card) -> str:
    if card.kind == "table":
        heads = ["Column", "True values between", "Typical error", "ε"]
    else:
        heads = ["Question", "Answer", "95 % interval", "ε"]
    rows = []
    for each in card.items:
        unit = f" {each.unit}" if each.unit else ""
        if each.answer is None:
            between = f"{plain(each.inputs.lower)} and {plain(each.inputs.upper)}{unit}"
            cells = (between, f"{number(each.error.typical)}{unit}")
        else:
            answer = each.answer
            digits = 6
            cells = (
                f"{plain(answer.value)}{unit}",
                f"{number(answer.lower, digits)} to {number(answer.upper, digits)}{unit}",
            )
        epsilon = decimal_text(Fraction(each.epsilon))
        rows.append((name(each.name), *(text(cell) for cell in (*cells, epsilon))))
    unchanged = ""
    if card.unchanged_columns:
        names = ", ".join(name(each) for each in card.unchanged_columns)
        unchanged = f"<p>Released <strong>without noise</strong>: {names}.</p>"
    return f"<h2>What was released</h2>\n{grid('What was released', heads, rows)}\n{unchanged}"


def _protected(card: Card) -> str:
    return "\n".join(
        (
            "<h2>What is protected</h2>",
            paragraph(card.privacy.meaning),
            paragraph(card.privacy.composition),
            paragraph(" ".join((card.rows.meaning, *card.rows.alignment))),
        )
    )


def _open(card: Card) -> str:
    points = "\n".join(f"<li>{text(point)}</li>" for point in card.not_covered)
    return f'<h2>What is not protected</h2>\n<div class="open"><ul>\n{points}\n</ul></div>'


def _items(card: Card) -> str:
    title = "The columns one by one" if card.kind == "table" else "How it was answered"
    return "\n".join((f"<h2>{title}</h2>", *(item(each) for each in card.items)))


def _about(card: Card) -> str:
    rows = (
        ("Identifier of the release", f"<code>{text(card.identifier)}</code>"),
        ("Released at", text(card.released_at)),
        ("Made with", text(card.made_with)),
        ("Mechanism", text(PAPER)),
        ("Kind of privacy", "pure ε-differential privacy (δ = 0)"),
    )
    return "\n".join(
        (
            "<footer>",
            facts("About this card", rows),
            paragraph(
                "This card holds public settings and what was proved about them. No true value is "
                "on it, and nothing counted or measured in the true values. Its JSON form has "
                "every number in full.",
                "quiet",
            ),
            "</footer>",
        )
    )
