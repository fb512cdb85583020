"""``compdp ledger``: make one, and look at it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from compdp_core.accounting import UNFINISHED, Ledger, LedgerFile, decimal_text
from compdp_core.commands.output import aligned, safe, say

HELP = "make a ledger of what releases cost, or look at one"
DESCRIPTION = """\
A ledger adds up what releases of one table cost together, and refuses what would pass its limit.
The page Budget opens and saves the same files.
"""
EXAMPLES = """\
examples:
  compdp ledger new ledger.json --limit 2
  compdp ledger show ledger.json
  compdp ledger show ledger.json --csv > releases.csv

private: the file. It has the key by which tables are known again; with that key, whoever has all
of a table but one cell finds the cell by trying. What show says may be handed on.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said."""
    parser.add_argument("act", choices=("new", "show"), help="make one, or look at one")
    parser.add_argument("path", type=Path, metavar="JSON", help="the ledger's file")
    parser.add_argument(
        "--limit", metavar="EPSILON",
        help="new: the largest epsilon of all releases of one table, such as 2 or 1/3",
    )  # fmt: skip
    parser.add_argument("--csv", action="store_true", help="show: all releases as CSV")


def run(asked: argparse.Namespace) -> int:
    """Make or show."""
    if asked.act == "new":
        LedgerFile.new(asked.path, asked.limit)
        limit = "no limit" if asked.limit is None else f"limit {asked.limit} for each table"
        say(f"{asked.path}: a new ledger, {limit}. Keep it to yourself.")
        return 0
    book = LedgerFile(asked.path).ledger
    if asked.csv:
        lines = book.to_csv().replace("\r\n", "\n").rstrip("\n").split("\n")
        say("\n".join(map(safe, lines) if sys.stdout.isatty() else lines))
        return 0
    limit = "none" if book.limit is None else decimal_text(book.limit)
    noun = "entry" if len(book.entries) == 1 else "entries"
    say(f"{len(book.entries):,} {noun}; limit for each table: {limit}")
    for dataset in book.datasets:
        _table(book, dataset)
    return 0


def _table(book: Ledger, dataset: str) -> None:
    left = book.remaining(dataset)
    rest = "" if left is None else f", {decimal_text(left, rounding='down')} left"
    say(f"{safe(dataset)}: {decimal_text(book.total_by_dataset(dataset))} spent{rest}")
    rows = [
        (
            f"{each.when:%Y-%m-%d %H:%M}",
            decimal_text(each.epsilon),
            each.what,
            ", ".join(each.columns),
            UNFINISHED if each.unfinished else "",
        )
        for each in book.known
        if each.dataset == dataset
    ]
    say(aligned(rows))
