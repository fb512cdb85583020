"""What of Privatize a link says: the budget and the shape of the noise, and no column."""

from __future__ import annotations

from compdp_core.parameters import EPSILON, SEED, TAIL_RATIO, count
from pages.inputs import links
from pages.inputs.custom_shapes import pair_choices
from pages.sections.privatize import rehearsal
from pages.sections.privatize.budget import PER, UNITS, USUAL
from pages.sections.privatize.shape import OBJECTIVES
from pages.sections.privatize.split import ANSWERED, EQUAL, WAYS
from pages.sections.shared.setup import EPSILON_NAME, SPLIT

PAGE = "privatize"
WITHOUT = (
    "It says the budget and the shape of the noise. Columns, their bounds and lists are not in it: "
    "the file “Settings” beside a release carries them."
)


def _seed(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not SEED.contains(float(text)):
        raise ValueError(f"it {SEED.requirement}.")
    return int(text)


SETTINGS = (
    links.number(EPSILON_NAME, "epsilon", EPSILON, USUAL),
    links.choice(PER, "per", tuple(UNITS), "person"),
    links.choice(SPLIT, "split", tuple(WAYS), EQUAL),
    links.number(ANSWERED, "answered", count("answered", lower=1), None),
    links.choice("privatize.pair", "pair", pair_choices, "A1B1"),
    links.choice("privatize.objective", "objective", tuple(OBJECTIVES), "center"),
    links.number("privatize.tail_ratio", "tail_ratio", TAIL_RATIO, None),
    links.Setting(rehearsal.SEED, "seed", 1, _seed),
)
