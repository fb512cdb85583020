"""Categories of a column: a public list, and which text in a cell means which of them."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import ParameterError
from compdp_core.tables.cell_texts import LONGEST
from compdp_core.tables.missing import Spellings
from compdp_core.tables.value_formats.base import Texts

OTHER = "other"
"""The name in a plain list that stands for all texts that the list does not name."""

_WHOLE = re.compile(r"-?[0-9]{1,15}(\.0+)?")
_NUMBER = re.compile(r"[+-]?[0-9.,]*")
_LIST = "must be a list of texts in their order, or a dict of each name with its texts"
Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Categories:
    """A public list of categories; texts are compared letter for letter without spaces around.

    ``""`` among the texts makes blank cells and missing spellings a category of their own. A text
    that is listed is what the list says, even where it is a missing spelling elsewhere.

    >>> answers = Categories.of({"yes": ["yes", "Y"], "no": ["no", "N"], "other": []})
    >>> answers.codes(np.array([b"Y", b"no", b"perhaps", b""]), "utf-8").tolist()
    [0, 1, 2, -1]

    Raises :class:`ParameterError` for fewer than two names, for what stands for two of them, and
    for names that no cell can hold or that a spreadsheet would run as a formula.
    """

    names: tuple[str, ...]
    """What is written for each."""
    members: tuple[tuple[str, ...], ...]
    """The texts that mean it; empty for the one that takes all texts not named elsewhere."""

    def __post_init__(self) -> None:
        names, members = self.names, self.members
        if not (_is_list(names) and _is_list(members) and all(map(_is_list, members))):
            raise ParameterError("categories", names, _LIST)
        for text in [*names, *chain.from_iterable(members)]:
            _check_text(text)
        object.__setattr__(self, "names", tuple(name.strip() for name in names))
        stripped = (tuple(text.strip(" \t") for text in texts) for texts in members)
        object.__setattr__(self, "members", tuple(stripped))
        if len(names) != len(members):
            raise ParameterError("members", members, f"must be {len(names)}, one for each name")
        if len(names) < 2:
            raise ParameterError("categories", names, "must be two or more")
        _check_once(self.names, "must be named once")
        _check_once(self.texts, "must mean one category, and be listed for it once")
        if sum(not texts for texts in self.members) > 1:
            raise ParameterError("categories", names, "must have one for other texts at most")
        for name in self.names:
            _check_name(name)

    @property
    def texts(self) -> tuple[str, ...]:
        """All that are listed, whatever they mean."""
        return tuple(chain.from_iterable(self.members))

    @classmethod
    def of(cls, given: Any) -> Categories:
        """From a list of names, or from each name with the texts that mean it."""
        if isinstance(given, Categories):
            return given
        if isinstance(given, Mapping):
            for texts in given.values():
                if not _is_list(texts):
                    raise ParameterError("categories", given, _LIST)
            members = [tuple(map(_digits, texts)) for texts in given.values()]
            return cls(tuple(map(_digits, given)), tuple(members))
        if not _is_list(given):
            raise ParameterError("categories", given, _LIST)
        names = tuple(map(_digits, given))
        return cls(names, tuple(() if each == OTHER else (each,) for each in names))

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
        if all(map(_WHOLE.fullmatch, self.names)):
            own = tuple(map(float, self.names))
            if all(a < b for a, b in pairwise(own)):
                return own
        return tuple(float(place) for place in range(1, len(self) + 1))

    def codes(self, cells: Texts, codec: str, missing: Spellings | None = None) -> Codes:
        """Which category each cell is, from 0; -1 where it is none, so that it is missing.

        ``missing``: spellings that count as a blank cell where they are not listed.
        """
        numbers = _CodeOfText(-1 if self.other is None else self.other, missing)
        for i, texts in enumerate(self.members):
            numbers |= {cell: i for cell in map(_encoded(codec), texts) if cell is not None}
        blank, every = numbers[b""], cells.tolist()
        # Where unlisted texts are what blank cells are, nobody needs to look which of them it is.
        found = map(numbers.get, every, repeat(blank)) if blank == numbers.other else None
        return np.fromiter(found or map(numbers.__getitem__, every), np.int64, len(every))

    def write(self, codes: Codes, codec: str) -> Texts:
        """The cells of these categories."""
        return np.array([name.encode(codec) for name in self.names], dtype=np.bytes_)[codes]


class _CodeOfText(dict[bytes, int]):
    """The category of each text, also of one that is not listed."""

    def __init__(self, other: int, missing: Spellings | None) -> None:
        super().__init__()
        self.other, self.missing = other, missing

    def __missing__(self, cell: bytes) -> int:
        blank = not cell or (self.missing is not None and cell in self.missing)
        # Blank cells may be listed; else they are missing.
        self[cell] = found = self.get(b"", -1) if blank else self.other
        return found


def _encoded(codec: str) -> Callable[[str], bytes | None]:
    """How cells hold a text; None for one that they cannot hold in this encoding."""

    def encoded(text: str) -> bytes | None:
        try:
            return text.encode(codec)
        except UnicodeEncodeError:
            return None

    return encoded


def _is_list(given: object) -> bool:
    """A set has no order, and an array may be the data."""
    return isinstance(given, Sequence) and not isinstance(given, str | bytes | bytearray)


def _digits(text: object) -> Any:
    """A whole number as it is written, such as the steps of a scale."""
    return str(text) if type(text) is int else text


def _check_text(text: object) -> None:
    if not isinstance(text, str):
        raise ParameterError("categories", text, "must be texts, as in ['1', '2']")
    if any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in text.strip()):
        raise ParameterError("categories", text, "must be in one line without control characters")
    if len(text.encode()) > LONGEST:
        raise ParameterError("categories", text, f"must be of at most {LONGEST} bytes: shorten it")


def _check_once(texts: Iterable[str], requirement: str) -> None:
    for text, times in Counter(texts).items():
        if times > 1:
            raise ParameterError("categories", text, requirement)


def runs_as_formula(name: str) -> bool:
    """Whether a spreadsheet would run what is written; a sign alone and a number are none."""
    letters = any(map(str.isalnum, name))
    return name[:1] in tuple("=+-@") and letters and not _NUMBER.fullmatch(name)


def _check_name(name: str) -> None:
    """Refuse what a spreadsheet would run; the texts that mean it are never written."""
    if runs_as_formula(name):
        way = "must not begin as a formula does: name it otherwise, as in {'minus': ['-x']}"
        raise ParameterError("categories", name, way)
