"""``compdp estimate``: what a released file tells, from it and its card alone."""

from __future__ import annotations

import argparse
import json
from collections.abc import Container, Iterator
from pathlib import Path

from compdp_core.commands.foresight import stand_in
from compdp_core.commands.given import GivenError, check_targets, path_of
from compdp_core.commands.output import aligned, safe, say
from compdp_core.estimates.estimates import Estimates
from compdp_core.estimates.summary.rows import SummaryRow
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.tables.file_replacement import FileReplacement
from compdp_core.text import alike

HELP = "estimate true figures from a released file and its card"
DESCRIPTION = """\
Estimate means, spreads, quantiles and shares of the true values from a released file and its card,
with intervals that hold them. It costs no privacy, whatever is asked and how often.
"""
EXAMPLES = """\
examples:
  compdp estimate out.csv card.json
  compdp estimate out.csv card.json --column bmi --level 0.99
  compdp estimate out.csv card.json --html report.html

public: everything here is made of the released file and the card alone.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said."""
    parser.add_argument("released", type=Path, metavar="OUT", help="the released file")
    parser.add_argument("card", type=Path, metavar="CARD", help="its card, the .json one")
    parser.add_argument(
        "--column", action="append", default=[], metavar="NAME",
        help="these columns only; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--level", type=float, default=0.95, help="how often intervals hold (default: 0.95)"
    )
    parser.add_argument("--json", action="store_true", help="figures as JSON, with all digits")
    parser.add_argument("--html", type=Path, metavar="FILE", help="also write a page of all of it")
    parser.add_argument("--force", action="store_true", help="replace that page")


def run(asked: argparse.Namespace) -> int:
    """Work out and say."""
    released, card = path_of("the file", asked.released), path_of("the card", asked.card)
    if card.suffix.lower() in (".html", ".htm"):
        raise GivenError(f"{card} is the card to read: take the one that ends with .json")
    check_targets((released, card), (asked.html,), force=asked.force)
    estimates = Estimates(released, card, level=asked.level)
    rows = list(estimates.summary())
    known = dict.fromkeys(row.column for row in rows)
    for name in asked.column:
        if name not in known:
            names = ", ".join(map(safe, known))
            raise GivenError(f"no figures are about {name!r}: choose one of {names}")
    rows = [row for row in rows if not asked.column or row.column in asked.column]
    if asked.html is not None:
        with FileReplacement(asked.html, replace=asked.force) as page:
            page.file.write(estimates.report_html().encode())
            page.land()
    if asked.json:
        said = [row.as_dict() for row in rows]
        say(json.dumps(said, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        told = [row for row in rows if row.estimate is not None]
        level = f"{100 * estimates.level:g} % interval"
        head = ("column", "figure", "of", "estimate", level, "unit")
        say(aligned([head, *map(_cells, told)], ""))
        for row in rows:
            if row.estimate is None:
                say(f"{safe(row.column)}, {row.figure}: not told, {row.refusal}")
        for line in _filled(estimates, {row.column for row in rows}):
            say(line)
    return 0


def _filled(estimates: Estimates, shown: Container[str]) -> Iterator[str]:
    """What stood in for missing values is in the figures; nobody can tell in how many rows."""
    for column in estimates.received.columns:
        if column.item.missing.policy != "fill" or column.label not in shown:
            continue
        channel, plain = column.channel, column.format is None
        middle = None if isinstance(channel, RandomizedResponse) else channel.inputs.midpoint
        what = f"a missing value counts as {stand_in(middle, plain=plain)}"
        yield f"{safe(column.label)}: {what}; the figures are of the column with these in it"


def _cells(row: SummaryRow) -> tuple[str, ...]:
    found = row.estimate
    if found is None:
        return ("",) * 6
    if found.written is not None:
        value, low, high = found.written
    else:
        within = 0.5 * (found.high - found.low)
        value, low, high = alike(within, found.value, found.low, found.high)
    about = "these rows" if found.about == "rows" else "the population"
    return row.column, row.figure, about, value, f"{low} … {high}", row.unit
