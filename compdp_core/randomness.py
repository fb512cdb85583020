"""The two sources of random bits: the system's, for releases, and a seeded one, for simulation.

A source hands out 64-bit words. Releases take :class:`SystemSource` and nothing else; a seed would
let anyone who learns it subtract the noise.
"""

from __future__ import annotations

import os
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import ParameterError
from compdp_core.validation import real

Words = NDArray[np.uint64]


class Source(Protocol):
    """Independent uniform 64-bit words."""

    def words(self, count: int) -> Words:
        """``count`` fresh words, shape ``(count,)``."""
        ...


class SystemSource:
    """An AES-256-CTR keystream under a key read from the operating system's generator.

    As safe as reading the operating system directly and about five times as fast. Every source
    has a key of its own, drawn when it is made, so nothing is shared between releases, threads or
    forked processes that each make their own.
    """

    def __init__(self) -> None:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

        key, nonce = os.urandom(32), os.urandom(16)
        self._stream = Cipher(algorithms.AES256(key), modes.CTR(nonce)).encryptor()

    def words(self, count: int) -> Words:
        """``count`` fresh words."""
        return np.frombuffer(self._stream.update(bytes(8 * count)), dtype=np.uint64)


class SeededSource:
    """Reproducible words for simulation and teaching. Never for a release.

    >>> bool((SeededSource(7).words(3) == SeededSource(7).words(3)).all())
    True
    """

    def __init__(self, seed: int) -> None:
        number = real(seed)
        if number is None or not number >= 0 or number != int(number):
            raise ParameterError("seed", seed, "must be a whole number of at least 0")
        self._bits = np.random.Philox(int(seed))

    def words(self, count: int) -> Words:
        """``count`` fresh words."""
        return self._bits.random_raw(count)
