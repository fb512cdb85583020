"""What outputs give away about the inputs they were derived from."""

from __future__ import annotations

from compdp_core.intervals import Interval


def guess_inputs(outputs: tuple[float, float], input_fraction: float) -> tuple[float, float]:
    """The input interval behind derived outputs: the same middle, ``r`` times as wide.

    ``r`` follows from ε and the pair, which are public. So whoever sets the bounds to the data's
    own minimum and maximum publishes both, to within a spacing.

    >>> from compdp_core import CompositeMechanism
    >>> m = CompositeMechanism(epsilon=1.0, inputs=(37, 91))
    >>> low, high = guess_inputs(m.outputs, m.design.input_fraction)
    >>> round(low), round(high)
    (37, 91)

    Raises :class:`~compdp_core.errors.BoundsError`.
    """
    interval = Interval.checked("outputs", outputs)
    half = 0.5 * interval.width * input_fraction
    return interval.midpoint - half, interval.midpoint + half
