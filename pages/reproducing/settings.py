"""What can be set on the page, each declared once: widgets, link and file all read it here."""

from __future__ import annotations

from decimal import Decimal

from compdp_core.parameters import Parameter
from pages.furniture import links
from pages.furniture.entry import within
from pages.furniture.typed import plain

PAGE = "paper"

REPETITIONS = Parameter(
    name="repetitions",
    symbol="repetitions",
    meaning="How often each query is drawn; the paper draws 1,000 times.",
    unit="draws",
    lower=100,
    upper=10_000,
    usual=(1000, 5000),
    default=1000,
)
SEED = Parameter(
    name="seed",
    symbol="seed",
    meaning="The same seed gives the same draws again. Nothing here is a release.",
    unit="",
    lower=0,
    upper=1e9,
    usual=(0, 100),
    default=1,
)
SOURCES = {
    "printed": "the paper's own queries",
    "sample": "a column of the sample “running watch”",
    "table": "a column of my table",
}
MEASURES = {"RE": "RE", "MSE": "MSE"}


def whole(value: Decimal, parameter: Parameter) -> str | None:
    """What is wrong with a whole number in the range of its declaration, or None."""
    if value != value.to_integral_value():
        return f"{parameter.symbol} must be a whole number, not {plain(value)}."
    return within(parameter)(value)


SOURCE = links.choice(f"{PAGE}.source", "source", tuple(SOURCES), "printed")
DRAWS = links.number(
    f"{PAGE}.repetitions",
    "repetitions",
    REPETITIONS,
    Decimal(1000),
    lambda value: whole(value, REPETITIONS),
)
START = links.number(f"{PAGE}.seed", "seed", SEED, Decimal(1), lambda value: whole(value, SEED))
MEASURE = links.choice(f"{PAGE}.measure", "measure", tuple(MEASURES), "RE")
SETTINGS = (SOURCE, DRAWS, START, MEASURE)
