"""A Jupyter notebook that works out the figures of a release from its file and card.

As in the notebooks that repeat a release, a text of a file stands in code alone, as a literal in
plain ASCII.
"""

from __future__ import annotations

from collections.abc import Sequence

from compdp_core.estimates.summary.requests import Estimator, Request
from compdp_core.estimates.summary.script import SHOW, calls_of, fields_of
from compdp_core.report.notebook_file import code, notebook_text, prose

_BEFORE = (
    prose(
        """
# Figures of a release

From the released table of release `$identifier` of $when, with $library.

The released file and the card as data are all that is read. Nothing is drawn and no privacy is
spent, however often this is run. It needs the library: in the folder of the app, `pip install .`
with the Python of its kernel.
"""
    ),
    code(
        """
RELEASED = "released.csv"
CARD = "card.json"
"""
    ),
    code(
        """
from collections.abc import Callable
from pathlib import Path

import compdp_core as cdp
from compdp_core.estimates.summary import requests
"""
    ),
    prose(
        """
## Which release

The card says how the noise was made, and without it nothing can be estimated: a card of another
release is refused. An interval holds what it is about as often as its level says.
"""
    ),
    code(
        """
RELEASE = $release
READING = $reading
LEVEL = $level

estimates = cdp.Estimates(cdp.read_csv(RELEASED, **READING), CARD, level=LEVEL)
if estimates.received.card.identifier != RELEASE:
    raise RuntimeError("This is the card of another release than the one this was written for.")
"""
    ),
    prose(
        """
## Figures

Each line has an estimate of the true table, in brackets between which ends it lies, and n, the
number of rows that it comes from. Where nothing can be said, it says why.
"""
    ),
    code(SHOW),
)

_AFTER = (
    prose(
        """
## Files

All figures as a table, and as a page to read or print. What is asked besides the figures of each
column by itself is listed here. Existing files are not written over.
"""
    ),
    code(
        """
ASKED: list[requests.Request] = $asked

for name, made in (
    ("figures.csv", estimates.summary(ASKED).csv().encode("utf-8-sig")),
    ("report.html", estimates.report_html(ASKED).encode()),
):
    if Path(name).exists():
        raise RuntimeError(f"{name} exists already: move it away.")
    Path(name).write_bytes(made)
"""
    ),
)


def notebook_of_estimates(estimates: Estimator, asked: Sequence[Request] = ()) -> str:
    """The notebook of all figures of the released columns, and of what was ``asked`` besides, as
    the text of an ``.ipynb`` file.
    """
    fields = fields_of(estimates, asked)
    calls = [code("\n".join(lines)) for lines in calls_of(estimates, asked)]
    before, after = ([cell.filled(fields) for cell in cells] for cells in (_BEFORE, _AFTER))
    return notebook_text([*before, *calls, *after])
