"""What can be set on the page, each declared once: widgets, link and file all read it here."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from compdp_core.estimates.example_rows import SHAPES
from compdp_core.experiments import GOALS
from compdp_core.experiments.mechanism_list import Factory
from compdp_core.intervals import Interval
from compdp_core.mechanisms.baselines import DELTA, Mechanism
from compdp_core.parameters import EPSILON, INPUT_BOUND, SEED, SENSITIVITY, Parameter
from pages.inputs import links
from pages.inputs.mechanisms import built, mechanism_choices, mechanism_factories, mechanism_label
from pages.text.wording import placed

PAGE = "compare_mechanisms"
value = links.value
field = links.field
UNIT = "units"
"""There is no data, so the unit has no name of its own."""

ROWS = Parameter(
    "rows", "The number of rows", "How many rows the example table has.", "rows", 1, 1e6, whole=True
)


def mechanisms(name: str, key: str, default: tuple[str, ...]) -> links.Setting:
    """Several mechanisms, joined by commas; those with own shapes only while they exist."""

    def read(text: str) -> list[str]:
        offered = mechanism_choices()
        words = [word for word in text.split(",") if word]
        unknown = [word for word in words if word not in offered]
        if unknown or not words:
            raise ValueError(f"it must hold only {', '.join(offered)}, joined by commas.")
        return [each for each in offered if each in words]

    return links.Setting(name, key, list(default), read, ",".join)


VIEWS = {
    "error": "Error against ε",
    "bias": "Bias",
    "range": "Where outputs land",
    "draws": "Draw by draw",
    "figures": "All figures",
    "rows": "Many rows",
    "recovery": "What is recovered",
}
RELEASED_ROWS = ("200", "2000", "20000", "100000")

CHOSEN = mechanisms(
    f"{PAGE}.chosen",
    "mechanisms",
    ("A1B1", "laplace", "analytic_gaussian", "clamped_laplace", "piecewise"),
)
BUDGET = links.number(f"{PAGE}.epsilon", "epsilon", EPSILON, Decimal(1))
LOWER = links.number(f"{PAGE}.lower", "lower", INPUT_BOUND, Decimal(0))
UPPER = links.number(f"{PAGE}.upper", "upper", INPUT_BOUND, Decimal(100))
DISTANCE = links.number(f"{PAGE}.sensitivity", "sensitivity", SENSITIVITY, None)
CHANCE = links.number(f"{PAGE}.delta", "delta", DELTA, Decimal("1e-6"))
VALUE = links.number(f"{PAGE}.value", "value", INPUT_BOUND, Decimal(30))
START = links.number(f"{PAGE}.seed", "seed", SEED, Decimal(1))
GOAL = links.choice(f"{PAGE}.goal", "goal", tuple(GOALS), "bounded and unbiased")
VIEW = links.choice(f"{PAGE}.view", "view", tuple(VIEWS), "error")
OTHER = links.number(f"{PAGE}.other", "other_epsilon", EPSILON, Decimal(30))
TABLE_ROWS = links.number(f"{PAGE}.rows", "rows", ROWS, Decimal(1000))
RELEASED = links.choice(f"{PAGE}.released", "released_rows", RELEASED_ROWS, "2000")
SHAPE = links.choice(f"{PAGE}.shape", "shape", tuple(SHAPES), "humps")

SETTINGS = (
    CHOSEN, BUDGET, LOWER, UPPER, DISTANCE, CHANCE, VALUE, START, GOAL, VIEW, OTHER, TABLE_ROWS,
    RELEASED, SHAPE,
)  # fmt: skip


@dataclass(frozen=True)
class ComparedSettings:
    keys: tuple[str, ...]
    epsilon: float
    inputs: tuple[float, float]
    sensitivity: float | None
    delta: float
    value: float
    """The true value, within the inputs."""
    seed: int

    @property
    def names(self) -> dict[str, str]:
        """Key of each mechanism by the name that tables give it."""
        return {mechanism_label(key): key for key in self.keys}

    @property
    def true_value(self) -> str:
        return placed(self.value, self.inputs)

    @property
    def factories(self) -> dict[str, Factory]:
        return mechanism_factories(
            self.keys, self.inputs, sensitivity=self.sensitivity, delta=self.delta
        )


def question() -> ComparedSettings:
    """The question as set. Raises what the library refuses, with what to change."""
    inputs = Interval.checked("inputs", (float(value(LOWER)), float(value(UPPER))))
    distance = value(DISTANCE)
    offered = mechanism_choices()
    return ComparedSettings(
        keys=tuple(key for key in offered if key in value(CHOSEN)),
        epsilon=float(value(BUDGET)),
        inputs=inputs.as_tuple(),
        sensitivity=None if distance is None else float(distance),
        delta=float(value(CHANCE)),
        value=float(inputs.clamp(float(value(VALUE)))),
        seed=int(value(START)),
    )


def build(asked: ComparedSettings) -> tuple[dict[str, Mechanism], list[str]]:
    """The mechanisms by name, and for each that cannot be had here a sentence why."""
    return built(asked.factories, asked.epsilon)
