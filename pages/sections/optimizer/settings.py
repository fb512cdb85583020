"""What can be set on the page, each declared once: widgets, link and file all read it here."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from compdp_core.design.design import Design
from compdp_core.design.optimize import ALGORITHMS, Algorithm, Problem, optimize
from compdp_core.parameters import EPSILON, SEED, TAIL_RATIO, Parameter
from compdp_core.shapes import Constant, Pair, pair_named
from pages.inputs import links
from pages.inputs.custom_shapes import chosen_pair, pair_choices

PAGE = "optimizer"
value = links.value
OBJECTIVES = {
    "center": "at the middle input",
    "mean": "on average over the inputs",
    "worst": "at the worst input",
}
TAILS = {"fixed": "stays where I set it", "free": "goes free, as in the paper"}


SHAPES = links.choice(f"{PAGE}.pair", "pair", pair_choices, "A1B1")
BUDGET = links.number(f"{PAGE}.epsilon", "epsilon", EPSILON, Decimal(1))
OBJECTIVE = links.choice(f"{PAGE}.objective", "objective", tuple(OBJECTIVES), "center")
TAIL = links.choice(f"{PAGE}.tail", "tail", tuple(TAILS), "fixed")
TAU = links.number(f"{PAGE}.tau", "tau", TAIL_RATIO, None)
CHOSEN = links.choices(
    f"{PAGE}.algorithms", "algorithms", tuple(ALGORITHMS), ("exact", "enumeration", "gradient")
)
MEASURE = links.choice(f"{PAGE}.measure", "upwards", ("variance", "excess"), "variance")
COST = links.choice(f"{PAGE}.cost", "across", ("points", "evaluations"), "points")
LOG_Y = links.switch(f"{PAGE}.log_y", "logy", True)
LOG_X = links.switch(f"{PAGE}.log_x", "logx", True)
START = links.number(f"{PAGE}.seed", "seed", SEED, Decimal(1))


def option(algorithm: Algorithm, parameter: Parameter) -> links.Setting:
    name = f"{algorithm.name}.{parameter.name}"
    return links.number(f"{PAGE}.{name}", name, parameter, None)


def _all() -> Iterator[links.Setting]:
    yield from (
        SHAPES, BUDGET, OBJECTIVE, TAIL, TAU, CHOSEN, START, MEASURE, COST, LOG_Y, LOG_X
    )  # fmt: skip
    for algorithm in ALGORITHMS.values():
        yield from (option(algorithm, parameter) for parameter in algorithm.options)


SETTINGS = tuple(_all())


def problem() -> Problem:
    """The problem as set. Raises what the library refuses, with what to change."""
    epsilon, pair, tau = float(value(BUDGET)), str(value(SHAPES)), value(TAU)
    free = pair.endswith("B2") and value(TAIL) == "free"
    tail = float(tau) if pair.endswith("B2") and not free and tau is not None else None
    chosen = chosen_pair(pair)
    shapes = pair_named(chosen, epsilon, tail) if isinstance(chosen, str) else chosen
    return Problem(epsilon, shapes, value(OBJECTIVE), free_tail=free)


def optimum(problem: Problem) -> Design:
    """The exact best design; with a free tail that of B1, which is approached."""
    pair = problem.pair
    if problem.free_tail:
        pair = Pair(pair.activation, Constant())
    return optimize(problem.epsilon, pair, problem.objective)


def options(algorithm: Algorithm) -> dict[str, float]:
    said = {each.name: value(option(algorithm, each)) for each in algorithm.options}
    return {name: float(number) for name, number in said.items() if number is not None}
