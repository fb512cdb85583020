"""Parameters declared once: symbol, meaning, unit, domain and usual range.

Validation, help texts, widget limits and the draws of the tests all come from here, so that they
cannot drift apart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

from compdp_core.errors import ParameterError
from compdp_core.validation import real


@dataclass(frozen=True)
class Parameter:
    """One real parameter and the interval it must lie in."""

    name: str
    """Name of the argument, as in error messages."""
    symbol: str = ""
    """The symbol of the paper."""
    meaning: str = ""
    """One sentence for a help text."""
    unit: str = ""
    lower: float = 0.0
    upper: float = math.inf
    lower_open: bool = False
    upper_open: bool = False
    usual: tuple[float, float] | None = None
    """The range in which most people work: limits of sliders, draws of tests."""
    default: float | None = None
    whole: bool = False
    """Whether it counts: only whole numbers are of the domain."""

    @property
    def requirement(self) -> str:
        """The domain in words.

        >>> EPSILON.requirement
        'must be a number from 0.001 to 50'
        >>> SEED.requirement, positive("error").requirement
        ('must be a whole number from 0 to 1,000,000,000', 'must be a finite number above 0')
        """
        kind, form = ("whole number", ",.0f") if self.whole else ("number", "g")
        if math.isinf(self.upper):
            least = f"above {self.lower:g}" if self.lower_open else f"of at least {self.lower:g}"
            return f"must be a {'' if self.whole else 'finite '}{kind} {least}"
        low = f"{'above' if self.lower_open else 'from'} {self.lower:{form}}"
        high = f"{'below' if self.upper_open else 'to'} {self.upper:{form}}"
        join = " and " if self.lower_open or self.upper_open else " "
        return f"must be a {kind} {low}{join}{high}"

    def contains(self, value: float) -> bool:
        """Whether the value lies in the domain; NaN never does."""
        above = value > self.lower if self.lower_open else value >= self.lower
        bounded = not self.upper_open and math.isfinite(self.upper)
        below = value <= self.upper if bounded else value < self.upper
        return above and below and (not self.whole or value == math.floor(value))

    def check(self, value: object) -> float:
        """The value as a float.

        Raises :class:`ParameterError` for anything that is not a finite real number of the
        domain. ``True`` is refused: a flag passed in place of a number is a mistake.

        >>> EPSILON.check(1)
        1.0
        """
        number = real(value)
        # A float rounds a fraction of many digits away, so the value itself is compared as well.
        if number is None or not self.contains(number) or (self.whole and value != number):
            raise ParameterError(self.name, value, self.requirement)
        return number


positive = partial(Parameter, lower_open=True)
"""A number above 0, of any size or up to ``upper``."""

share = partial(Parameter, upper=1.0, lower_open=True, upper_open=True, usual=(0.01, 0.99))
"""A number strictly between 0 and 1, such as a probability."""

count = partial(Parameter, whole=True)
"""A whole number from 0 or ``lower`` on."""

EPSILON = Parameter(
    name="epsilon",
    symbol="ε",
    meaning="Privacy budget: smaller means more noise and more privacy.",
    # The float of 0.001 lies a hair above it; a proof for an exact budget of 0.001 must not.
    lower=math.nextafter(1e-3, 0.0),
    upper=50.0,
    usual=(0.1, 5.0),
    default=1.0,
)
INPUT_BOUND = Parameter(
    name="bound",
    symbol="The bound",
    meaning="An end of the interval in which true values can lie.",
    unit="data unit",
    lower=-1e12,
    upper=1e12,
)
SENSITIVITY = positive(
    "sensitivity",
    "Δ",
    "The most the true value can change between neighbouring datasets. Empty: any two inputs are "
    "neighbours, as for single values.",
    "data unit",
    upper=2e12,
)
SEED = count(
    "seed",
    "The seed",
    "Where a simulation or a random search begins. The same seed gives the same draws again. No "
    "release has one.",
    upper=1e9,
    usual=(0, 100),
    default=1,
)
TAIL_RATIO = share(
    "tail_ratio",
    "τ",
    "Height of base B2 at the edge of the domain over its height in the middle. It must also be "
    "above e^-ε.",
    usual=(0.5, 0.99),
    default=0.95,
)
RELATIVE_WIDTH = share(
    "mu",
    "μ",
    "Width of the activation over the width of the domain, m / 2L.",
    usual=(0.02, 0.98),
)
ACTIVATION_HEIGHT = share("k", "k", "Height of the activation function.", "1/domain unit")
ACTIVATION_WIDTH = positive(
    "m", "m", "Width of the activation function.", "domain unit", usual=(0.01, 2.0)
)
BASE_HEIGHT = share(
    "y", "y", "Height of the base function in the middle of the domain.", "1/domain unit"
)
PROBABILITY = share("p", "p", "A probability.")
