"""What can be set on the page, each declared once: widgets, link and file all read it here."""

from __future__ import annotations

from decimal import Decimal

from compdp_core.parameters import SEED, Parameter
from pages.inputs import links

PAGE = "paper"

REPETITIONS = Parameter(
    "repetitions",
    "repetitions",
    "How often each query is drawn; the paper draws 1,000 times.",
    "draws",
    100,
    10_000,
    whole=True,
)
SOURCES = {
    "printed": "the paper's own queries",
    "sample": "a column of the sample “running watch”",
    "table": "a column of my table",
}
MEASURES = {"RE": "RE", "MSE": "MSE"}


SOURCE = links.choice(f"{PAGE}.source", "source", tuple(SOURCES), "printed")
DRAWS = links.number(f"{PAGE}.repetitions", "repetitions", REPETITIONS, Decimal(1000))
START = links.number(f"{PAGE}.seed", "seed", SEED, Decimal(1))
MEASURE = links.choice(f"{PAGE}.measure", "measure", tuple(MEASURES), "RE")
SETTINGS = (SOURCE, DRAWS, START, MEASURE)
