"""Which command is asked for, and what the terminal is told of how it went."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from types import ModuleType

from compdp_core.commands import (
    answer,
    audit,
    estimate,
    experiments,
    inspect,
    ledger,
    privatize,
)
from compdp_core.commands.output import OutputError, open_streams, plainly, settle, warn
from compdp_core.commands.stopping import Stopping
from compdp_core.engines.files import BrokenRunError, LandedRunError
from compdp_core.errors import CompdpError
from compdp_core.report.version import NAME, version

DONE, BROKE, REFUSED = 0, 1, 2
DESCRIPTION = """\
Noise with hard bounds that is right on average, and a privacy guarantee that is checked before
anything is released.

Usually: inspect a file, decide on settings on the page Privatize, try them with --dry-run, make a
ledger, privatize. Who gets the result learns from it with estimate. Each command has --help with
examples.
"""
CODES = """\
exit codes:
  0    done
  1    broke while it ran: no half file is left, and the ledger keeps what the run cost, marked
  2    refused, with the way out: nothing was changed
  130  stopped from the keyboard (143: told to end by the system, 129: the terminal was closed)

Nothing leaves this machine. Terminals are often logged: no command shows cells of a private file
unless --show asks for them.
"""
COMMANDS: dict[str, ModuleType] = {
    "inspect": inspect,
    "privatize": privatize,
    "answer": answer,
    "estimate": estimate,
    "ledger": ledger,
    "audit": audit,
    "experiments": experiments,
}


def parser() -> argparse.ArgumentParser:
    """All commands, each with what can be said to it."""
    whole = argparse.ArgumentParser(
        prog="compdp",
        description=DESCRIPTION,
        epilog=CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    whole.add_argument("--version", action="version", version=f"{NAME} {version()}")
    commands = whole.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    for name, module in COMMANDS.items():
        made = commands.add_parser(
            name,
            help=module.HELP,
            description=module.DESCRIPTION,
            epilog=module.EXAMPLES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        module.add_arguments(made)
        made.add_argument(
            "--traceback", action="store_true", help="show where an error came from, to report it"
        )
        made.set_defaults(run=module.run)
    return whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; its exit code.

    >>> main(["inspect", "nowhere.csv"])
    2
    """
    open_streams()
    plainly()
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given[:1] == ["experiments"]:
        return experiments.handed_on(given[1:])
    whole = parser()
    asked = whole.parse_args(given)
    if asked.command is None:
        whole.print_help()
        return REFUSED
    stopping = Stopping()
    try:
        with stopping.heard():
            code: int = asked.run(asked)
            settle()
        return code
    except BrokenPipeError:
        _say_no_more()  # Whoever read the output has enough.
        return BROKE
    except OutputError as error:
        return _told(error, str(error), BROKE, asked)
    except KeyboardInterrupt as stop:
        return _told(stop, str(stop) or "stopped", stopping.code, asked)
    except (BrokenRunError, LandedRunError) as error:
        return _told(error, str(error), BROKE, asked)
    except (CompdpError, OSError) as error:
        return _told(error, _sentence(error), REFUSED, asked)
    except Exception as error:
        # Its words may quote data, so only its kind is shown.
        said = (
            f"something unexpected happened ({type(error).__name__}). Please run it again with "
            "--traceback and report what it shows; look for private values in it first"
        )
        return _told(error, said, BROKE, asked)


def _say_no_more() -> None:
    """Nothing may be written to the output at the end, either, where that cannot be done."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _told(error: BaseException, text: str, code: int, asked: argparse.Namespace) -> int:
    if asked.traceback:
        traceback.print_exception(error)
    warn(f"compdp {asked.command}: {text}")
    _say_no_more()
    return code


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError):
        place = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
        return f"{place}{error.strerror or type(error).__name__}"
    return str(error)
