"""Which command is asked for, and what the terminal is told of how it went."""

from __future__ import annotations

import argparse
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; its exit code."""
    parser = argparse.ArgumentParser(prog="compdp", description=__doc__)
    parser.parse_args(arguments)
    return 0
