"""An audit that looks again and again while the draws grow, and shares its confidence honestly.

Whoever looks ``K`` times and stops at the first conviction is wrong up to ``K`` times as often as
each look says. So each of the ``K`` looks is held at ``1 - α/K``: by Boole's inequality all bounds
hold together with confidence ``1 - α``, and so does the largest of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from compdp_core.auditing.lower_bound import CONFIDENCE, Audit, Simulate, audit
from compdp_core.errors import ParameterError

DRAWS = (400, 1000, 2500, 6000, 16_000, 40_000, 100_000, 250_000, 600_000, 1_000_000)
"""How many draws each look takes; every look takes new ones."""


@dataclass(frozen=True)
class Growth:
    """The looks so far."""

    claimed: float
    confidence: float
    """Of all looks together, those still to come included."""
    looks: tuple[Audit, ...] = field(default=())

    @property
    def lower_bound(self) -> float:
        """ε is at least this; 0 while nothing is proved."""
        return max((look.lower_bound for look in self.looks), default=0.0)

    @property
    def refuted(self) -> bool:
        """Whether some look refutes the claim."""
        return self.lower_bound > self.claimed

    @property
    def refuted_after(self) -> int | None:
        """Draws of the look that first refutes it."""
        return next((look.draws for look in self.looks if look.refuted), None)


def audit_growth(
    simulate: Simulate,
    claimed: float,
    inputs: tuple[float, float],
    *,
    draws: Sequence[int] = DRAWS,
    seed: int,
    confidence: float = 0.999,
    delta: float = 0.0,
    look: Callable[[Growth], None] = lambda growth: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Growth:
    """Audits with more and more draws; ``look`` sees each, and ``cancelled`` stops before one.

    >>> from compdp_core.auditing.attacks import FAULTY
    >>> broken = FAULTY["half"]()
    >>> seen = audit_growth(
    ...     broken.simulate, broken.claimed, broken.neighbours, draws=(400, 40_000), seed=1
    ... )
    >>> seen.refuted, seen.refuted_after
    (True, 40000)

    Raises :class:`ParameterError` as :func:`~compdp_core.auditing.lower_bound.audit` does, and
    where no number of draws is given.
    """
    if not len(draws):
        raise ParameterError("draws", draws, "must hold at least one number of draws")
    level = CONFIDENCE.check(confidence)
    each = 1.0 - (1.0 - level) / len(draws)
    growth = Growth(claimed, level)
    for place, amount in enumerate(draws):
        if cancelled():
            break
        found = audit(
            simulate,
            claimed,
            inputs,
            draws=amount,
            # Clear of the seeds that one audit uses, which lie up to 3 · 7919 above its own.
            seed=seed + 100_003 * place,
            confidence=each,
            delta=delta,
        )
        growth = Growth(found.claimed, level, (*growth.looks, found))
        look(growth)
    return growth
