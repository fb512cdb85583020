"""What can be set on the page, each declared once: widgets, link and file all read it here."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from compdp_core.attacks import FAULTY
from compdp_core.baselines import DELTA
from compdp_core.parameters import EPSILON, Parameter
from pages.furniture import links
from pages.furniture.entry import exact, within
from pages.furniture.mechanisms import mechanism_choices
from pages.furniture.state import keep, recall
from pages.furniture.typed import plain

PAGE = "audit"
UNIT = "data units"
BROKEN = "broken_"
"""Before the keys of mechanisms that are broken on purpose."""

BOUND = Parameter(
    name="bound",
    symbol="The bound",
    meaning="An end of the interval in which true values can lie.",
    unit="data unit",
    lower=-1e9,
    upper=1e9,
)
WIDTH = Parameter(
    name="sensitivity",
    symbol="Δ",
    meaning="The most the true value can change between neighbouring datasets. Empty: any two "
    "inputs are neighbours, as for single values.",
    unit="data unit",
    lower=0.0,
    upper=2e9,
    lower_open=True,
)
SEED = Parameter(
    name="seed",
    symbol="seed",
    meaning="Where the simulated draws begin. The same seed gives the same draws again.",
    unit="",
    lower=0,
    upper=1e9,
    usual=(0, 100),
    default=1,
)
CONFIDENCES = {"0.95": "95 %", "0.99": "99 %", "0.999": "99.9 %", "0.999999": "99.9999 %"}
ATTACKS = {
    "bounds": "Bounds from the data",
    "repeats": "Repeats averaged",
    "bits": "Low-order bits",
    "outside": "Input outside",
}


def subjects() -> tuple[str, ...]:
    """Keys of all that can be audited: every mechanism, then those broken on purpose."""
    return (*mechanism_choices(), *(BROKEN + key for key in FAULTY))


def whole(parameter: Parameter) -> Any:
    """A check for a whole number in the range of its declaration."""

    def check(number: Decimal) -> str | None:
        if number != number.to_integral_value():
            return f"The {parameter.symbol} must be a whole number, not {plain(number)}."
        return within(parameter)(number)

    return check


SUBJECT = links.choice(f"{PAGE}.subject", "mechanism", subjects, "A1B1")
BUDGET = links.number(f"{PAGE}.epsilon", "epsilon", EPSILON, Decimal(1))
LOWER = links.number(f"{PAGE}.lower", "lower", BOUND, Decimal(0))
UPPER = links.number(f"{PAGE}.upper", "upper", BOUND, Decimal(100))
DISTANCE = links.number(f"{PAGE}.sensitivity", "sensitivity", WIDTH, None)
CHANCE = links.number(f"{PAGE}.delta", "delta", DELTA, Decimal("1e-6"))
PLACE = links.number(f"{PAGE}.place", "neighbour", BOUND, Decimal(50))
CONFIDENCE = links.choice(f"{PAGE}.confidence", "confidence", tuple(CONFIDENCES), "0.999")
START = links.number(f"{PAGE}.seed", "seed", SEED, Decimal(1), whole(SEED))
ATTACK = links.choice(f"{PAGE}.attack", "attack", tuple(ATTACKS), "bounds")

SETTINGS = (
    SUBJECT, BUDGET, LOWER, UPPER, DISTANCE, CHANCE, PLACE, CONFIDENCE, START, ATTACK,
)  # fmt: skip


def value(setting: links.Setting) -> Any:
    """What is set."""
    return recall(setting.name, setting.default)


def field(setting: links.Setting, label: str, **how: Any) -> None:
    """An exact entry of the setting, which starts from its default."""
    if recall(setting.name) is None and setting.default is not None:
        keep(setting.name, setting.default)
    exact(setting.name, label, **how)
