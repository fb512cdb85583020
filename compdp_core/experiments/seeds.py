"""One seed for a whole run, and from it one for every part, whatever the order of the parts."""

from __future__ import annotations

from zlib import crc32

import numpy as np

from compdp_core.randomness import ANY_SEED


def derived_seed(seed: object, *parts: str | int | float) -> int:
    """A seed for the part with these names.

    Adding a mechanism to a comparison leaves the draws of the others as they are, since a part's
    seed depends on its own names only.

    >>> derived_seed(1, "Laplace", 0) == derived_seed(1, "Laplace", 0)
    True
    >>> derived_seed(1, "Laplace", 0) == derived_seed(1, "Laplace", 1)
    False

    Raises :class:`ParameterError` for a seed that is not a whole number of at least 0.
    """
    number = int(ANY_SEED.check(seed))
    names = [crc32(repr(part).encode()) for part in parts]
    state = np.random.SeedSequence([number, *names]).generate_state(1, np.uint64)
    # Below 2^53, so that a seed survives every check that passes through a float.
    return int(state[0] >> np.uint64(11))
