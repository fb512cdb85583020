"""``compdp privatize``: columns of a file, with noise, into another file."""

from __future__ import annotations

import argparse
from pathlib import Path

from compdp_core.commands.card_file import CardFile
from compdp_core.commands.foresight import cost_lines, ledger_line, unchanged_lines
from compdp_core.commands.given import (
    EACH_ROW,
    RunLedger,
    check_targets,
    path_of,
    settings_of,
)
from compdp_core.commands.output import say
from compdp_core.commands.progress import ProgressBar
from compdp_core.commands.stopping import charged, untouched
from compdp_core.commands.table_runs import TableRun, planned_run
from compdp_core.commands.target_kind import kind_of
from compdp_core.commands.typed_runs import is_typed, typed_run
from compdp_core.report.settings import TableSettings
from compdp_core.text import count

HELP = "privatise columns of a file into another file"
DESCRIPTION = """\
Privatise columns of a file, as settings say that the page Privatize saves, into another file.

A CSV file of any size is released block by block; every other byte of it stays as it is, but for
an apostrophe in front of cells that a spreadsheet would run. Excel, OpenDocument, Parquet, Arrow,
JSON, Stata and SPSS files, and settings that say whose rows are one person's, are released in
memory; with --engine polars a Parquet file is released batch by batch, and is another data set to
the ledger than the same file without it. The ending of OUT says what kind of file is written.

The ledger is charged before anything is drawn. OUT and the card are put in their places at the end,
whole or not at all. A run that breaks leaves neither, and what it cost stays in the ledger with a
mark. What is refused changes nothing.
"""
EXAMPLES = """\
examples:
  compdp privatize patients.csv out.csv --settings settings.json --dry-run
  compdp ledger new ledger.json --limit 2
  compdp privatize patients.csv out.csv --settings settings.json \\
      --ledger ledger.json --card card.html

private: the input and the ledger. OUT, the card and the settings may be handed on, but for columns
in OUT that were not privatised, which are in it as they were; --omit leaves them out.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said."""
    parser.add_argument("source", type=Path, metavar="IN", help="the file to privatise")
    parser.add_argument("target", type=Path, metavar="OUT", help="the file to write")
    parser.add_argument(
        "--settings", type=Path, required=True, metavar="JSON",
        help="settings, as the page Privatize saves them: columns, bounds, epsilon, reading",
    )  # fmt: skip
    parser.add_argument(
        "--ledger", type=Path, metavar="JSON",
        help="charge this ledger (see compdp ledger); left out, nobody adds up what you release",
    )  # fmt: skip
    parser.add_argument(
        "--card", type=Path, metavar="FILE",
        help="also write the privacy card, as .html to read or .json for compdp estimate",
    )  # fmt: skip
    parser.add_argument(
        "--omit", action="append", default=[], metavar="COLUMN",
        help="leave a column out of OUT, by its name or as #3; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--keep-formulas", action="store_true",
        help="put no apostrophe in front of cells that a spreadsheet would run",
    )  # fmt: skip
    parser.add_argument(
        "--decimal", choices=(".", ","),
        help="the decimal mark, where the settings were made on rows that show none",
    )  # fmt: skip
    parser.add_argument(
        EACH_ROW, action="store_true", dest="each_row",
        help="no person has two rows; only needed for settings that do not say it",
    )  # fmt: skip
    parser.add_argument("--force", action="store_true", help="replace OUT and the card")
    parser.add_argument(
        "--engine", choices=("own", "polars"), default="own",
        help="what reads and writes: own keeps the bytes of any CSV file (default)",
    )  # fmt: skip
    parser.add_argument(
        "--processes", type=int, metavar="N", help="blocks at once (default: as many as cores)"
    )
    parser.add_argument(
        "--dry-run", action="store_true",
        help="say cost and error; nothing is drawn, charged or written",
    )  # fmt: skip
    parser.add_argument("--quiet", action="store_true", help="say nothing but what is refused")


def run(asked: argparse.Namespace) -> int:
    """Release once, or say what a release would be."""
    source = path_of("the input", asked.source)
    settings = settings_of(asked.settings, TableSettings, each_row=asked.each_row)
    read = (source, asked.settings, asked.ledger)
    check_targets(read, (asked.target, asked.card), force=asked.force or asked.dry_run)
    kind, place = kind_of(asked.target), CardFile(asked.card, replace=asked.force)
    book = RunLedger.at(asked.ledger)
    with untouched(), ProgressBar("looks at it", quiet=asked.quiet) as bar:
        planned: TableRun
        if is_typed(source, asked.engine):
            planned = typed_run(
                source,
                asked.target,
                settings,
                asked.omit,
                asked.processes,
                guard_formulas=not asked.keep_formulas,
            )
        else:
            planned = planned_run(
                source,
                settings,
                kind,
                asked.omit,
                asked.processes,
                bar,
                asked.engine,
                guard_formulas=not asked.keep_formulas,
                decimal=asked.decimal,
            )
    if asked.dry_run:
        _foretell(planned, book)
        return 0
    lost, out = "no file was written", f"{asked.target} was out"
    bar = ProgressBar("privatises", quiet=asked.quiet)
    with charged(planned.spends, asked.ledger, out, lost), place as card, bar:
        rows, ledger = planned.release(asked.target, book, bar, card)
    if not asked.quiet:
        lines = cost_lines(planned.planned, rows)
        say(f"{asked.target}: {count(rows, 'row')}; {lines[0]}")
        for line in unchanged_lines(planned.planned, planned.gone):
            say(line)
        say(ledger_line(ledger, planned.spends, "is"))
        if asked.card is not None:
            say(f"{asked.card}: the privacy card, to hand on with it")
    return 0


def _foretell(planned: TableRun, book: RunLedger | None) -> None:
    ledger = None if book is None else book.foresee(*planned.spends)
    rows = planned.planned.row_count
    say(f"a release of {count(rows, 'row')}, of which nothing was drawn, charged or written:")
    for line in cost_lines(planned.planned, rows):
        say(line)
    for line in unchanged_lines(planned.planned, planned.gone):
        say(line)
    say(ledger_line(ledger, planned.spends, "would be"))
