"""The two sources of random bits: the system's, for releases, and a seeded one, for simulation.

A source hands out 64-bit words. Releases take :class:`SystemSource` and nothing else; a seed would
let anyone who learns it subtract the noise.
"""

from __future__ import annotations

import os
import threading
from hashlib import blake2b
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import ParameterError
from compdp_core.parameters import count

ANY_SEED = count("seed")
"""Of a simulation: no release has one."""

Words = NDArray[np.uint64]

KEY_BYTES = 32
"""Of the key of a :class:`KeyedSource`."""

ROUNDS = 256
"""Every round of a rejection ends with a probability of more than one half, so this many fail to
finish with a probability below 2^-240: the source of words is broken then."""


class Source(Protocol):
    """Independent uniform 64-bit words."""

    def words(self, count: int) -> Words:
        """``count`` fresh words, shape ``(count,)``."""
        ...


def checked(source: Source) -> Source:
    """The source itself; :class:`ParameterError` for what is none."""
    if isinstance(source, type) or not callable(getattr(source, "words", None)):
        raise ParameterError("source", source, "must be a source of random words, or left out")
    return source


def largest_fair(bound: int) -> int:
    """The largest word whose remainder by ``bound`` is still uniform."""
    return 2**64 // bound * bound - 1


def below(bounds: Words, fair: Words, source: Source) -> NDArray[np.int64]:
    """A whole number from 0 below each of the bounds, all of them exactly as likely.

    ``fair``: what :func:`largest_fair` says of each bound. Larger words are drawn again.
    """
    return remainders(source.words(bounds.size), bounds, fair, source)


def remainders(words: Words, bounds: Words, fair: Words, source: Source) -> NDArray[np.int64]:
    """:func:`below` of words that the source gave already, one for each bound."""
    for _ in range(ROUNDS):
        rejected = np.flatnonzero(words > fair)
        if rejected.size == 0:
            return np.remainder(words, bounds).view(np.int64)
        words = words.copy()
        words[rejected] = source.words(rejected.size)
    raise RuntimeError("the source of random words keeps repeating itself")


class SystemSource:
    """An AES-256-CTR keystream under a key read from the operating system's generator.

    As safe as reading the operating system directly and about five times as fast. No word is given
    out twice, by whatever way an instance comes to be shared:

    - every source has a key of its own, drawn when it is made;
    - a process that a fork made draws a new key before its first word;
    - threads may share a source: they take turns;
    - ``copy``, ``deepcopy`` and ``pickle`` give a source with a key of its own. No key is written.
    """

    def __init__(self) -> None:
        self._stream = _Keystream()

    def words(self, count: int) -> Words:
        """``count`` fresh words."""
        while True:
            stream = self._stream
            if stream.is_own():
                words = stream.words(count)
                # Looked at once more: what a signal sets off may fork in the midst of a draw.
                if stream.is_own():
                    return words
            # Only a new stream is ever taken, lock and all: in the thread that forked nobody is
            # left who could open the old lock.
            self._stream = _Keystream()

    def __reduce__(self) -> tuple[type[SystemSource], tuple[()]]:
        return type(self), ()


class _Keystream:
    """One key and how much of its stream is used; of no use to any process but its own."""

    def __init__(self) -> None:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

        self._owner = _process()
        self._lock = threading.RLock()  # what a signal sets off may draw in the midst of a draw
        key, nonce = os.urandom(32), os.urandom(16)
        self._cipher = Cipher(algorithms.AES256(key), modes.CTR(nonce)).encryptor()

    def is_own(self) -> bool:
        """Whether this very process drew the key."""
        return self._owner == _process()

    def words(self, count: int) -> Words:
        """The next words of the stream."""
        size = 8 * count
        zeros = _ZEROS[:size] if size <= len(_ZEROS) else bytes(size)
        stream = np.empty(size + 15, dtype=np.uint8)  # as much as the cipher asks for
        with self._lock:
            self._cipher.update_into(zeros, stream.data)
        return stream[:size].view(np.uint64)


_ZEROS = memoryview(bytes(2**19))
"""What a keystream is added to: new zeros for each draw would take longer than the cipher."""

_forks = 0
"""Forks on the way to this process: systems use the numbers of ended processes again."""


def _forked() -> None:
    global _forks
    _forks += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def _process() -> tuple[int, int]:
    """Tells this process from all that it was forked from, also where a library forked past
    Python, which counts no fork then.
    """
    return os.getpid(), _forks


class SeededSource:
    """Reproducible words for simulation and teaching. Never for a release.

    A copy goes on with the same words, also in a process that a fork made.

    >>> bool((SeededSource(7).words(3) == SeededSource(7).words(3)).all())
    True
    """

    def __init__(self, seed: int) -> None:
        ANY_SEED.check(seed)
        self._bits = np.random.Philox(int(seed))

    def words(self, count: int) -> Words:
        """``count`` fresh words."""
        return self._bits.random_raw(count)


class KeyedSource:
    """Words that are a keyed function of what was read: same key and content, same words.

    For engines that may compute a part of a release again, where two noises for one row would
    average. The words are an AES-256-CTR keystream under ``BLAKE2b(content, key=key)``, each part
    of the content with its length in front; that these look independent to whoever lacks the key
    is the usual assumption on a keyed function. The ``key`` is drawn by the system for one release
    (:func:`new_key`), is never written, and ends with the release.

    ``content`` must tell every draw from every other one: what the values are, all of them, and
    where they stand. Two places with equal rows must never share a source.

    >>> key = bytes(32)
    >>> first = KeyedSource(key, b"column 3", b"rows 0 to 9", b"the rows").words(3)
    >>> bool((first == KeyedSource(key, b"column 3", b"rows 0 to 9", b"the rows").words(3)).all())
    True
    >>> bool((first == KeyedSource(key, b"column 3", b"rows 0 to 9", b"The rows").words(3)).any())
    False
    """

    def __init__(self, key: bytes, *content: bytes | memoryview) -> None:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

        if len(key) != KEY_BYTES:
            raise ParameterError("key", len(key), f"must be {KEY_BYTES} bytes, as new_key() draws")
        state = blake2b(key=key, digest_size=48, person=b"compdp noise")
        for part in content:
            size = memoryview(part).nbytes
            state.update(size.to_bytes(8, "little"))
            state.update(part)
        drawn = state.digest()
        cipher = Cipher(algorithms.AES256(drawn[:32]), modes.CTR(drawn[32:]))
        self._cipher = cipher.encryptor()

    def words(self, count: int) -> Words:
        """``count`` fresh words."""
        return np.frombuffer(self._cipher.update(bytes(8 * count)), dtype=np.uint64)


def new_key() -> bytes:
    """The key of one release, from the operating system's generator."""
    return os.urandom(KEY_BYTES)
