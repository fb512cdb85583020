"""One released thing on the page: pictures and tables."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from compdp_core.accounting import decimal_text
from compdp_core.intervals import Interval
from compdp_core.release.statistic import middle
from compdp_core.report.markup import facts, grid, name, paragraph, text
from compdp_core.report.wording import shortened
from compdp_core.text import count, number, plain, rounded_up, telling

if TYPE_CHECKING:
    from compdp_core.report.card import Cells, Item, Parameters, Proof

_MEANINGS = {
    "k": "height of the activation",
    "m": "width of the activation",
    "y": "height of the base in the middle",
    "t": "height of the base at the edge",
    "L": "half-width of the domain",
    "C": "half-width of the inputs in the domain",
    "mu": "μ = m / 2L",
    "kappa": "κ = k / y",
    "tau": "τ = t / y",
    "input_fraction": "width of the inputs over that of the outputs",
    "steps": "levels of the staircase",
    "gamma": "half the top level, in sensitivities",
}
_SYMBOLS = {"mu": "μ", "kappa": "κ", "tau": "τ", "gamma": "γ", "input_fraction": "r", "steps": "K"}
_OBJECTIVES = {
    "center": "least variance in the middle of the inputs",
    "mean": "least variance on average over the inputs",
    "worst": "least variance at the worst input",
    "given": "set by hand",
}


def item(each: Item) -> str:
    """The section of one item."""
    unit = f" {each.unit}" if each.unit else ""
    epsilon = decimal_text(Fraction(each.epsilon))
    exactly = "" if epsilon == each.epsilon else f" {epsilon}"
    parts = [
        f"<h3>{name(each.name)}</h3>",
        paragraph(f"ε = {each.epsilon}{exactly}", "quiet"),
        _answer(each, unit),
        _bars(each, unit),
        '<div class="columns">',
        f"<div>{_stated(each)}\n{_missing(each)}</div>",
        f"<div>{_error(each, unit)}\n{_sensitivity(each, unit)}</div>",
        "</div>",
        _proof(each.certificate, unit),
        _parameters(each.name, each.parameters),
    ]
    return '<section class="item">\n' + "\n".join(filter(None, parts)) + "\n</section>"


def _answer(each: Item, unit: str) -> str:
    if each.answer is None:
        return ""
    level = number(100 * each.answer.level)
    low, high = number(each.answer.lower, 6), number(each.answer.upper, 6)
    return (
        f'<p class="answer">{text(plain(each.answer.value) + unit)}</p>\n'
        + paragraph(f"With {level} % confidence the exact answer is from {low} to {high}{unit}.")
    )  # fmt: skip


def _bars(each: Item, unit: str) -> str:
    """Where true and released values can lie, on one scale."""
    low, high = each.outputs.lower, each.outputs.upper
    half = middle(Interval(each.inputs.lower, each.inputs.upper), whole=each.whole)
    near = max(low, half - each.error.within_95), min(high, half + each.error.within_95)
    what = "values" if each.answer is None else "answers"

    def span(ends: tuple[float, float], digits: int | None = None) -> str:
        shown = [plain(end) if digits is None else number(end, digits) for end in ends]
        return f"{shown[0]} … {shown[1]}{unit}"

    def bar(label: str, said: str, ends: tuple[float, float], kind: str, mark: str = "") -> str:
        start, stop = (100.0 * (end - low) / (high - low) for end in ends)
        style = f"left:{start:.3f}%;width:{max(stop - start, 0.0):.3f}%"
        return (
            f'<div class="bar"><p><span>{text(label)}</span> <span>{text(said)}</span></p>'
            f'<div class="track" aria-hidden="true"><i class="{kind}" style="{style}"></i>{mark}'
            "</div></div>"
        )

    inputs = (each.inputs.lower, each.inputs.upper)
    middle_shown = number(half, telling(*inputs, 6))
    rows = [
        bar(f"True {what} lie between", span(inputs), inputs, "true"),
        bar(f"Released {what} lie between", span((low, high)), (low, high), "all"),
        bar(
            f"95 % of releases of {middle_shown}{unit}, the middle, lie between",
            span(near, telling(*near, 4)),
            near,
            "near",
        ),
    ]
    if each.answer is not None:
        answer = each.answer
        place = 100.0 * (answer.value - low) / (high - low)
        rows.append(
            bar(
                "The released answer and its interval",
                plain(answer.value) + unit,
                (answer.lower, answer.upper),
                "all",
                f'<b style="left:{place:.3f}%"></b>',
            )
        )
    return '<div class="bars">\n' + "\n".join(rows) + "\n</div>"


def _stated(each: Item) -> str:
    rows = []
    if each.bounds is not None:
        of_values = f" {each.bounds.unit}" if each.bounds.unit else ""
        bounds = f"{plain(each.bounds.lower)} … {plain(each.bounds.upper)}{of_values}"
        source = each.bounds.source
        rows += [
            ("Bounds of the values", text(bounds)),
            ("Who chose them", text(each.bounds.origin)),
            ("Where they come from", text(source) if source else "<em>no source was given</em>"),
        ]
    rows.append(("Released", "whole numbers" if each.whole else "decimal numbers"))
    if each.cells is not None:
        rows.append(("How its cells are written", text(_written(each.cells))))
    rows.append(("Output bounds", text(each.outputs_are)))
    return facts("Bounds and outputs", rows)


def _written(cells: Cells) -> str:
    if cells.decimals:
        mark = "point" if cells.decimal == "." else "comma"
        numbers = f"with {count(cells.decimals, 'decimal')} and a {mark} as decimal mark"
    else:
        numbers = "without decimals"
    missing = ""
    if cells.missing is not None:
        missing = f"; missing cells {f'as “{cells.missing}”' if cells.missing else 'empty'}"
    return (
        f"All alike: {numbers}, without thousands marks, symbols or spaces{missing}. {cells.quotes}"
    )


def _missing(each: Item) -> str:
    rows = (
        ("Policy", text(each.missing.meaning)),
        ("What that reveals", text(each.missing.reveals)),
    )
    return facts("Missing values", rows)


def _error(each: Item, unit: str) -> str:
    error = each.error

    def said(value: str, meaning: str) -> str:
        return f"{text(value + unit)}<small>{text(meaning)}</small>"

    rows = (
        ("Typical error", said(number(error.typical), error.typical_meaning)),
        ("Worst error", said(number(error.worst), error.worst_meaning)),
        ("95 % within", said(f"± {number(error.within_95)}", error.within_95_meaning)),
        (
            "Bias, at most",
            said(
                rounded_up(each.certificate.worst_bias, 2),
                "distance of the mean of all releases from the true value",
            ),
        ),
    )
    return facts("Accuracy", rows)


def _sensitivity(each: Item, unit: str) -> str:
    rows = (
        ("Sensitivity Δ", text(number(each.sensitivity.value, 6) + unit)),
        ("Formula", text(each.sensitivity.formula)),
        ("Why", text(each.sensitivity.reason)),
    )
    return facts("Sensitivity", rows)


def _proof(proof: Proof, unit: str) -> str:
    ratio = Fraction(proof.ratio)
    above, below = (shortened(part) for part in proof.ratio.split("/"))
    rows = (
        ("Verdict", "the certificate holds" if proof.holds else "the certificate does not hold"),
        ("ε proved, at most", text(plain(proof.epsilon))),
        (
            "Largest ratio of probabilities",
            text(f"{_ratio(ratio)} = ")
            + f"<code>{text(above)}</code> / <code>{text(below)}</code>",
        ),
        ("Possible outputs", text(f"{proof.points:,}, {plain(proof.spacing)}{unit} apart")),
        ("Outputs", text(f"{plain(proof.lower)} … {plain(proof.upper)}{unit}")),
    )
    return facts("Certificate: proved in whole numbers for what was drawn from", rows)


def _ratio(ratio: Fraction) -> str:
    """A ratio as a decimal; those beyond floats have a logarithm instead."""
    try:
        return f"≈ {number(float(ratio), 6)}"
    except OverflowError:
        power = math.log(ratio.numerator) - math.log(ratio.denominator)
        return f"≈ e^{number(power, 6)}"


def _parameters(each: str, used: Parameters) -> str:
    values: dict[str, float | int | None] = {key: getattr(used, key) for key in _MEANINGS}
    rows = [
        (text(_SYMBOLS.get(key, key)), text(_MEANINGS[key]), text(number(value, 6)))
        for key, value in values.items()
        if value is not None
    ]
    return "\n".join(
        (
            "<h4>Design</h4>",
            paragraph(
                f"Pair {used.pair}. Activation: {_cut(used.activation)}. Base: {_cut(used.base)}. "
                f"Chosen for {_OBJECTIVES.get(used.objective, used.objective)}.",
            ),
            grid(f"Design of {each}", ("Symbol", "Meaning", "Value"), rows),
        )
    )


def _cut(words: str, longest: int = 240) -> str:
    """A formula, or the beginning of a long one; the JSON form of the card has it whole."""
    return words if len(words) <= longest else f"{words[:longest]} …"
