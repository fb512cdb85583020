"""The paper's experiments from the command line, without the app.

    python -m compdp_core.experiments --out results
    python -m compdp_core.experiments --out results --table my.csv --column score --bounds 0 100

Writes one CSV file a table. Without ``--table`` the queries run on a bundled sample, if it lies
beside the library, and on the sensitivities that the paper prints.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from compdp_core.errors import CompdpError, ParameterError
from compdp_core.experiments.paper.printed import REPETITIONS
from compdp_core.experiments.paper.queries import BoundedColumn
from compdp_core.experiments.paper.reproduction import TABLES, reproduce
from compdp_core.tables import read

SAMPLE = Path(__file__).parents[2] / "assets" / "running_watch.csv"
SAMPLE_COLUMN, SAMPLE_BOUNDS = "duration (min)", (0.0, 420.0)


def column_of(path: Path, name: str, bounds: tuple[float, float]) -> tuple[BoundedColumn, int]:
    """A column of a table by its name, and how many of its cells are missing and left out.

    Raises :class:`ParameterError` for a name that no column or several columns have.
    """
    table = read(path.read_bytes(), name=path.name)
    found = [each for each in table.columns if name in (each.label, each.header)]
    if len(found) != 1:
        known = ", ".join(repr(each.label) for each in table.columns if each.usable)
        raise ParameterError("column", name, f"must name one numeric column: {known}")
    values = table.numbers(found[0].position).values
    missing = int(np.count_nonzero(np.isnan(values)))
    return BoundedColumn.of(found[0].label, values[~np.isnan(values)], bounds), missing


def main(
    arguments: Sequence[str] | None = None, prog: str = "python -m compdp_core.experiments"
) -> int:
    """Run and write; 0 for success, 2 for a refusal, whose text goes to the error stream.

    ``prog``: what the help calls it.
    """
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Re-run the experiments of Zhang et al., IEEE S&P 2024, as CSV files.\n"
        "It takes about a minute, and less with fewer repetitions.",
        epilog=f"example:\n  {prog} --out results --repetitions 100\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for the CSV files")
    parser.add_argument("--table", type=Path, help="a CSV file with a numeric column")
    parser.add_argument("--column", help="name of the column")
    parser.add_argument(
        "--bounds", type=float, nargs=2, metavar=("A", "B"), help="its public bounds"
    )
    parser.add_argument(
        "--repetitions", type=int, default=REPETITIONS,
        help=f"runs behind each number (default: {REPETITIONS})",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=1, help="of the draws (default: 1)")
    asked = parser.parse_args(arguments)
    given = [asked.table is not None, asked.column is not None, asked.bounds is not None]
    if any(given) and not all(given):
        parser.error("--table, --column and --bounds go together")
    try:
        column, missing = None, 0
        if asked.table is not None:
            column, missing = column_of(asked.table, asked.column, tuple(asked.bounds))
        elif SAMPLE.exists():
            column, missing = column_of(SAMPLE, SAMPLE_COLUMN, SAMPLE_BOUNDS)
        progress = _overwritten if sys.stderr.isatty() else _SparseLines()
        done = reproduce(column, repetitions=asked.repetitions, seed=asked.seed, progress=progress)
        paths = done.write(asked.out)
    except (CompdpError, OSError) as refusal:
        sys.stderr.write(f"{refusal}\n")
        return 2
    what = "the sensitivities printed in the paper only" if column is None else column.name
    sys.stdout.write(f"Queries of {what}; {missing} missing cells left out.\n")
    for row in done["summary"].to_dict("records"):
        more = f", {row['explained']} explained ({row['note']})" if row["explained"] else ""
        sys.stdout.write(
            f"{row['what']}: {row['reproduced']} of {row['numbers']} reproduced{more}\n"
        )
    for path in paths:
        sys.stdout.write(f"{path}: {TABLES[path.stem]}\n")
    if asked.table is not None:
        sys.stdout.write("These tables hold true answers of your column: keep them private.\n")
    return 0


def _overwritten(share: float, text: str) -> None:
    """One line of the terminal, written over at each report."""
    sys.stderr.write(f"\r{100.0 * share:3.0f} % {text:<70.70}" + ("\n" if share >= 1.0 else ""))


class _SparseLines:
    """A line for each tenth that is done, where lines stay, as in a log."""

    def __init__(self) -> None:
        self._next = 0.1

    def __call__(self, share: float, text: str) -> None:
        if share >= self._next:
            self._next = share + 0.1
            sys.stderr.write(f"{100.0 * share:3.0f} % {text}\n")
            sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
