"""What can be set on the page, each declared once: widgets, link and file all read it here."""

from __future__ import annotations

from decimal import Decimal

from compdp_core.auditing.attacks import FAULTY
from compdp_core.mechanisms.baselines import DELTA
from compdp_core.parameters import EPSILON, INPUT_BOUND, SEED, SENSITIVITY
from pages.inputs import links
from pages.inputs.mechanisms import mechanism_choices

PAGE = "audit"
value = links.value
field = links.field
UNIT = "data units"
BROKEN = "broken_"
"""Before the keys of mechanisms that are broken on purpose."""

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


SUBJECT = links.choice(f"{PAGE}.subject", "mechanism", subjects, "A1B1")
BUDGET = links.number(f"{PAGE}.epsilon", "epsilon", EPSILON, Decimal(1))
LOWER = links.number(f"{PAGE}.lower", "lower", INPUT_BOUND, Decimal(0))
UPPER = links.number(f"{PAGE}.upper", "upper", INPUT_BOUND, Decimal(100))
DISTANCE = links.number(f"{PAGE}.sensitivity", "sensitivity", SENSITIVITY, None)
CHANCE = links.number(f"{PAGE}.delta", "delta", DELTA, Decimal("1e-6"))
PLACE = links.number(f"{PAGE}.place", "neighbour", INPUT_BOUND, Decimal(50))
CONFIDENCE = links.choice(f"{PAGE}.confidence", "confidence", tuple(CONFIDENCES), "0.999")
START = links.number(f"{PAGE}.seed", "seed", SEED, Decimal(1))
ATTACK = links.choice(f"{PAGE}.attack", "attack", tuple(ATTACKS), "bounds")

SETTINGS = (
    SUBJECT, BUDGET, LOWER, UPPER, DISTANCE, CHANCE, PLACE, CONFIDENCE, START, ATTACK,
)  # fmt: skip
