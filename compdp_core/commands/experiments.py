"""``compdp experiments``: the paper's, as ``python -m compdp_core.experiments`` runs them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from compdp_core.experiments.__main__ import main as run_experiments

HELP = "run the experiments of the paper again"
DESCRIPTION = "Run the experiments of Zhang et al., IEEE S&P 2024, again, as CSV files."
EXAMPLES = "example:\n  compdp experiments --out results\n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said is said by the experiments themselves."""


def run(asked: argparse.Namespace) -> int:
    """With nothing said."""
    return run_experiments([])


def handed_on(arguments: Sequence[str]) -> int:
    """All that was said behind the command."""
    return run_experiments(arguments, "compdp experiments")
