"""A Python script that works out the figures of a release from its file and card.

As in the scripts that repeat a release, every text of a file enters as a literal in plain ASCII.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from string import Template

from compdp_core.estimates.summary.requests import Estimator, Request, columns, subject_name
from compdp_core.report.script import literal, literals
from compdp_core.report.version import NAME, version

SHOW = '''\
def show(figure: str, ask: Callable[[], object]) -> None:
    """Print an estimate, or several by their names, or why there is none."""
    try:
        found = ask()
    except cdp.errors.CompdpError as refusal:
        print(f"  {figure}: {refusal}")
        return
    for name, each in found.items() if isinstance(found, dict) else [("", found)]:
        said = each.written or (each.value, each.low, each.high)
        print(f"  {figure}{name and ' '}{name}: {said[0]} ({said[1]} to {said[2]}), n = {each.n}")
'''

_SCRIPT = Template(
    '''\
"""Figures from the released table of release $identifier
of $when, with $library.

    python THIS_FILE.py RELEASED_FILE CARD.json [FIGURES.csv REPORT.html]

The released file and the card as data are all that is read. Nothing is drawn and no privacy is
spent, however often it is run. It needs the library: in the folder of the app, `pip install .`
with the Python that runs this.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import compdp_core as cdp
from compdp_core.estimates.summary import requests

# The release that this was written for, and how its file is laid out.
RELEASE = $release
READING = $reading
# How often intervals hold what they are about.
LEVEL = $level
# What is asked besides the figures of each column by itself.
ASKED: list[requests.Request] = $asked


$show

def main(file: str, card: str, figures: str = "", report: str = "") -> None:
    """Read, estimate, print, and write where it is asked for."""
    sys.stdout.reconfigure(errors="backslashreplace")
    table = cdp.read_csv(file, **READING)
    estimates = cdp.Estimates(table, card, level=LEVEL)
    if estimates.received.card.identifier != RELEASE:
        sys.exit("This is the card of another release than the one this script was written for.")
$calls
    if figures:
        Path(figures).write_text(estimates.summary(ASKED).csv(), encoding="utf-8-sig")
    if report:
        Path(report).write_text(estimates.report_html(ASKED), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4, 5):
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except (cdp.errors.CompdpError, OSError) as refusal:
        sys.exit(str(refusal))
'''
)


def script_of_estimates(estimates: Estimator, asked: Sequence[Request] = ()) -> str:
    """The script of all figures of the released columns, and of what was ``asked`` besides."""
    calls = "\n".join(f"    {line}" for lines in calls_of(estimates, asked) for line in lines)
    return _SCRIPT.substitute(fields_of(estimates, asked), show=SHOW, calls=calls)


def fields_of(estimates: Estimator, asked: Sequence[Request]) -> dict[str, str]:
    """What script and notebook of figures are filled with."""
    received = estimates.received
    return {
        "identifier": received.card.identifier,
        "when": received.card.released_at,
        "library": f"{NAME} {version()}",
        "release": literal(received.card.identifier),
        "reading": literals(received.table.format.options),
        "level": repr(estimates.level),
        "asked": _listed(asked),
    }


def calls_of(estimates: Estimator, asked: Sequence[Request]) -> Iterable[list[str]]:
    """The lines that show all figures, together what is of one subject."""
    received = estimates.received
    requests = (*columns(received), *asked)
    for name, some in groupby(requests, lambda each: subject_name(received, each.arguments[0])):
        shown = [f"show({literal(r.method)}, lambda: estimates.{r.call})" for r in some]
        yield [f"print({literal(name)})", *shown]


def _listed(asked: Sequence[Request]) -> str:
    if not asked:
        return "[]"
    return "[\n" + "".join(f"    requests.{each.call},\n" for each in asked) + "]"
