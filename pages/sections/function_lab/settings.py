"""What can be set by hand, each declared once: controls, link and file all read it here."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from compdp_core.design.privacy_loss import DISTANCE
from compdp_core.parameters import (
    ACTIVATION_HEIGHT,
    ACTIVATION_WIDTH,
    BASE_HEIGHT,
    EPSILON,
    INPUT_BOUND,
    TAIL_RATIO,
    Parameter,
)
from compdp_core.shapes.staircase import GAMMA
from pages.inputs import links
from pages.sections.function_lab.shape_links import activation_choice, base_choice

PAGE = "function_lab"
value = links.value
STAIRCASE = "A4"

POSITION = Parameter(
    name="position",
    symbol="C_p / C",
    meaning="The input's place between the ends of the valid inputs, from -1 to 1. What lies "
    "beyond breaks a constraint.",
    unit="",
    lower=-1000.0,
    upper=1000.0,
    usual=(-1.2, 1.2),
)
STEPS = Parameter(
    name="steps",
    symbol="K",
    meaning="Number of levels of the staircase above the base.",
    unit="levels",
    lower=1.0,
    upper=1e6,
    usual=(1.0, 40.0),
    whole=True,
)


@dataclass(frozen=True)
class Control:
    setting: links.Setting
    parameter: Parameter
    label: str
    ladder: tuple[Decimal, ...]

    @property
    def value(self) -> Decimal:
        now: Decimal = value(self.setting)
        return now


def _steps(lower: str, upper: str, step: str) -> tuple[Decimal, ...]:
    first, last, width = Decimal(lower), Decimal(upper), Decimal(step)
    return tuple(first + i * width for i in range(int((last - first) / width) + 1))


def _control(
    key: str, parameter: Parameter, label: str, ladder: tuple[Decimal, ...], default: str
) -> Control:
    setting = links.number(f"{PAGE}.{key}", key, parameter, Decimal(default))
    return Control(setting, parameter, label, ladder)


ACTIVATION = activation_choice(f"{PAGE}.activation")
BASE = base_choice(f"{PAGE}.base")
SPENDS_ALL = links.switch(f"{PAGE}.spends_all", "tau_follows", False)
LOWER = links.number(f"{PAGE}.lower", "lower", INPUT_BOUND, Decimal(0))
UPPER = links.number(f"{PAGE}.upper", "upper", INPUT_BOUND, Decimal(100))
VIEWS = {
    "variance": "Variance over the inputs",
    "loss": "Where the privacy loss binds",
    "feasible": "What is feasible",
    "numbers": "All numbers",
}
VIEW = links.choice(f"{PAGE}.view", "view", tuple(VIEWS), "variance")

BUDGET = _control(
    "epsilon",
    EPSILON,
    "Privacy budget ε",
    (Decimal("0.05"), *_steps("0.1", "5", "0.1"), *_steps("5.5", "10", "0.5")),
    "1",
)
# The example in the paper's own program: feasible, and far from the best.
HEIGHT = _control(
    "k", ACTIVATION_HEIGHT, "Height of the activation k", _steps("0.01", "0.99", "0.01"), "0.5"
)
WIDTH = _control(
    "m", ACTIVATION_WIDTH, "Width of the activation m", _steps("0.02", "2", "0.02"), "0.4"
)
LEVEL = _control("y", BASE_HEIGHT, "Height of the base y", _steps("0.01", "0.99", "0.01"), "0.3")
TAIL = _control(
    "tau", TAIL_RATIO, "Tail ratio τ of the base", _steps("0.3", "0.99", "0.01"), "0.95"
)
PLACE = _control(
    "position", POSITION, "Input C_p, as a share of its limit C", _steps("-1.2", "1.2", "0.05"),
    "-0.4",
)  # fmt: skip
NEIGHBOURS = _control(
    "neighbours",
    DISTANCE,
    "Distance of neighbours Δ/R",
    tuple(Decimal(x) for x in ("0.01", "0.02", "0.05", "0.1", "0.2", "0.3", "0.5", "0.7", "1")),
    "1",
)
LEVELS = _control("steps", STEPS, "Levels of the staircase K", _steps("1", "40", "1"), "5")
TOP = _control(
    "gamma", GAMMA, "Half the top level γ, in sensitivities", _steps("0.02", "1", "0.02"), "0.4"
)
RATIO = _control(
    "ratio",
    DISTANCE,
    "Sensitivity over input width Δ/R",
    tuple(Decimal(x) for x in (
        "0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.3", "0.5", "0.7", "1",
    )),
    "0.1",
)  # fmt: skip

CONTROLS = (BUDGET, HEIGHT, WIDTH, LEVEL, TAIL, PLACE, NEIGHBOURS, LEVELS, TOP, RATIO)
SETTINGS = (
    ACTIVATION, BASE, *(control.setting for control in CONTROLS), SPENDS_ALL, LOWER, UPPER, VIEW,
)  # fmt: skip
