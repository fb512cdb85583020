"""What Hypothesis draws: designs over the whole declared range of every parameter."""

from __future__ import annotations

import math

from hypothesis import strategies as st

from compdp_core.design.design import Design
from compdp_core.parameters import EPSILON, RELATIVE_WIDTH, TAIL_RATIO
from compdp_core.shapes import PAIR_NAMES, Pair, pair_named


def epsilons(
    lower: float = EPSILON.lower, upper: float = EPSILON.upper
) -> st.SearchStrategy[float]:
    """Evenly on a logarithmic scale, so that every order of magnitude gets its share."""
    return st.floats(math.log(lower), math.log(upper)).map(
        lambda x: min(max(math.exp(x), lower), upper)
    )


@st.composite
def pairs(draw: st.DrawFn, epsilon: float, names: tuple[str, ...] = PAIR_NAMES) -> Pair:
    """Any pair of the paper; B2 at any tail ratio that leaves some of ε to the activation."""
    name = draw(st.sampled_from(names))
    if name.endswith("B1"):
        return pair_named(name, epsilon)
    lowest = math.exp(-epsilon)
    share = draw(st.floats(0.02, 0.98))
    return pair_named(name, epsilon, TAIL_RATIO.check(lowest + share * (1.0 - lowest)))


@st.composite
def designs(
    draw: st.DrawFn,
    lower: float = 0.01,
    upper: float = 20.0,
    names: tuple[str, ...] = PAIR_NAMES,
) -> Design:
    """Any design, spending all of ε or only a part of it, on a domain of any scale."""
    epsilon = draw(epsilons(lower, upper))
    pair = draw(pairs(epsilon, names))
    low, high = RELATIVE_WIDTH.usual or (0.02, 0.98)
    mu = draw(st.floats(low, high))
    kappa = pair.largest_height(epsilon) * draw(st.floats(0.05, 1.0))
    return Design(epsilon, pair, mu, kappa, draw(st.floats(0.1, 10.0)))


positions = st.floats(-1.0, 1.0)
"""The input's place between the ends of the valid inputs, C_p/C."""
