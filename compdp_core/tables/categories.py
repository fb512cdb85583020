"""Categories of a column: a public list, and which text in a cell means which of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import ParameterError
from compdp_core.tables.value_formats.base import Texts

OTHER = "other"
"""The name in a plain list that stands for all texts that the list does not name."""

_WHOLE = re.compile(r"-?[0-9]{1,15}")
Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Categories:
    """A public list of categories; texts are compared letter for letter without spaces around.

    ``""`` among the names makes blank cells a category of their own.

    >>> answers = Categories.of({"yes": ["yes", "Y"], "no": ["no", "N"], "other": []})
    >>> answers.codes(np.array([b"Y", b"no", b"perhaps", b""]), "utf-8").tolist()
    [0, 1, 2, -1]

    Raises :class:`ParameterError` for fewer than two names, and what stands for two of them.
    """

    names: tuple[str, ...]
    """What is written for each."""
    members: tuple[tuple[str, ...], ...]
    """The texts that mean it; empty for the one that takes all texts not named elsewhere."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "members", tuple(map(tuple, self.members)))
        if len(self.names) < 2 or len(set(self.names)) < len(self.names):
            raise ParameterError("categories", self.names, "must be two or more, each once")
        every = [text for texts in self.members for text in texts]
        if len(set(every)) < len(every):
            twice = max(every, key=every.count)
            raise ParameterError("categories", twice, "must mean one category, not two")
        if sum(not texts for texts in self.members) > 1:
            raise ParameterError("categories", self.names, "must have one for other texts at most")

    @classmethod
    def of(cls, given: Any) -> Categories:
        """From a list of names, or from each name with the texts that mean it."""
        if isinstance(given, Categories):
            return given
        if isinstance(given, Mapping):
            texts = {name: tuple(each) for name, each in given.items()}
        elif isinstance(given, Sequence) and not isinstance(given, str | bytes):
            texts = {}
            for each in given:
                if each in texts:
                    raise ParameterError("categories", each, "must be named once")
                texts[each] = () if each == OTHER else (each,)
        else:
            raise ParameterError("categories", given, "must be a list of texts")
        every = [*texts, *(text for each in texts.values() for text in each)]
        if not all(isinstance(each, str) for each in every):
            raise ParameterError("categories", given, "must be a list of texts")
        named = {name.strip(): tuple(map(str.strip, each)) for name, each in texts.items()}
        return cls(tuple(named), tuple(named.values()))

    def __len__(self) -> int:
        return len(self.names)

    @property
    def other(self) -> int | None:
        """Which of them takes the texts that are named nowhere; None where those are missing."""
        return next((i for i, texts in enumerate(self.members) if not texts), None)

    @property
    def as_mapping(self) -> dict[str, list[str]]:
        """What :meth:`of` makes the same of."""
        return {name: list(each) for name, each in zip(self.names, self.members, strict=True)}

    @property
    def scores(self) -> tuple[float, ...]:
        """The number that each stands for on a scale: its own where all are whole and rise, else
        its place in the list, from 1.
        """
        numbers = [int(each) if _WHOLE.fullmatch(each) else None for each in self.names]
        own = [float(each) for each in numbers if each is not None]
        if len(own) == len(numbers) and all(a < b for a, b in pairwise(own)):
            return tuple(own)
        return tuple(float(place) for place in range(1, len(numbers) + 1))

    def codes(self, cells: Texts, codec: str) -> Codes:
        """Which category each cell is, from 0; -1 where it is none, so that it is missing."""
        numbers = {
            text.encode(codec, "replace"): i for i, each in enumerate(self.members) for text in each
        }
        other = -1 if self.other is None else self.other
        found, place = np.unique(cells, return_inverse=True)
        known = [numbers.get(cell, other if cell else -1) for cell in found.tolist()]
        return np.array(known, dtype=np.int64)[place]

    def write(self, codes: Codes, codec: str) -> Texts:
        """The cells of these categories."""
        return np.array([name.encode(codec) for name in self.names], dtype=np.bytes_)[codes]
