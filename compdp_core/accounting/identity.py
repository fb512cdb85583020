r"""How a ledger knows a table again without telling anybody else what is in it.

A hash of a file's content tests guesses: whoever has the file but one cell tries the values that
the cell may have, until the hash fits. So a ledger never keeps one. It keeps a label,

.. math:: \text{label} = \mathrm{BLAKE2b}_k(\text{hash of the content}),

under a random key ``k`` that stays with the session or in the owner's own file. Without the key a
label says nothing, and fits no guess better than any other. A name that the owner gives to a table
is kept as it is: it is made of no cell.

Ledgers of several sessions have labels of several keys for one table, and whoever has the table can
tell that they are one. That must not be told on: anybody may write a file with a label for each
guess under a key of his own, and the guess whose label is said to be the owner's table is right. So
a release keeps the label under which it came, and that two labels are one table is known in memory
alone.
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
import secrets
import uuid
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from compdp_core.validation import of

if TYPE_CHECKING:
    from compdp_core.tables import Table

KEY_BYTES = 32
MOST_KEYS = 1000
"""Of a ledger: each of them is tried for each table. Every session that opens the ledger of the one
before and releases something adds its own."""
HASH = re.compile(r"[0-9a-fA-F]{16,}")
_LABEL = re.compile(r"(?:table|rows)(?:-[0-9a-f]{4,12}){5}-([0-9a-f]{8})")


def is_hash(text: str) -> bool:
    """Whether a text may be a hash of content: 16 hexadecimal digits or more stand in a row.

    >>> is_hash(16 * "0f"), is_hash("sha256:" + 16 * "0f"), is_hash("grades 2026")
    (True, True, False)
    """
    return HASH.search(text) is not None


def is_label(text: str) -> bool:
    """Whether it is a label that some key made."""
    return key_of(text) is not None


def key_of(label: str) -> str | None:
    """The mark of the key that made a label; None for any other text."""
    found = _LABEL.fullmatch(label)
    return None if found is None else found[1]


def read_as(table: Table, by: str, *rule: object) -> str:
    """Equal where the same rows of the same file are sorted by the same column, read the same way.

    ``rule``: what else says which row is in which group, such as the edges of bins.

    It is a hash of content: a ledger keeps it as a label only.
    """
    stripped = [(column.position, column.stripped) for column in table.columns if column.stripped]
    return _hash(table.fingerprint, _form(table), table.left_out, stripped, by, *rule)


def persons_read_as(table: Table) -> str:
    """Equal where the cells of the same file have the same texts, so that one column tells the same
    persons: whatever is a number in them or missing, and whichever rows are left out one by one.

    It is a hash of content: a ledger keeps it as a label only.
    """
    return _hash("persons", table.fingerprint, _form(table, "decimal", "missing", "gzip"))


def _form(table: Table, *unused: str) -> list[tuple[str, object]]:
    """How a table's file was read. Found or said, it is read in the same way."""
    names = {each.name for each in dataclasses.fields(table.format)} - {"assumed", *unused}
    return [(name, getattr(table.format, name)) for name in sorted(names)]


def _hash(*said: object) -> str:
    text = repr(said).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=32).hexdigest()


@dataclass(frozen=True)
class Keys:
    """The secret keys of a ledger. The first one makes its labels; with the others it knows the
    labels again that other sessions made.

    >>> keys = Keys((bytes(32),))
    >>> keys.label("grades 2026"), keys.label(32 * "0f") in keys.labels(32 * "0f")
    ('grades 2026', True)
    """

    secrets: tuple[bytes, ...] = field(default=(), repr=False)
    seen: frozenset[str] = field(default=frozenset(), repr=False, compare=False)
    """Hashes of tables at hand: in memory and in no file, nor in what depends on it."""

    def __post_init__(self) -> None:
        for each in of("secrets", self.secrets, tuple, "must be a tuple of keys"):
            of("secrets", each, bytes, "must be keys, of bytes")

    def at_least_one(self) -> Keys:
        """These, or a new one from the system's randomness."""
        return self if self.secrets else Keys((secrets.token_bytes(KEY_BYTES),), self.seen)

    def joined(self, others: Keys) -> Keys:
        """These and others. Others never come first: whoever wrote a file knows the keys in it."""
        mine = self.at_least_one() if others.secrets else self
        every = tuple(dict.fromkeys((*mine.secrets, *others.secrets)))
        return Keys(every, self.seen | others.seen)

    def seeing(self, hashes: Iterable[str], used: Collection[str]) -> Keys:
        """With those tables at hand, so far as any of their labels is among the ``used`` ones."""
        new = {text for text in hashes if is_hash(text)} - self.seen
        news = {text for text in new if not self._every(text).isdisjoint(used)}
        return Keys(self.secrets, self.seen | news) if news else self

    def _every(self, text: str) -> set[str]:
        return {*self.labels(text, "table"), *self.labels(text, "rows")}

    def one_label(self) -> Callable[..., str]:
        """What turns a label that any of these made of a table at hand into the first key's."""
        same: dict[str, str] = {}
        for text in self.seen if len(self.secrets) > 1 else ():
            for kind in ("table", "rows"):
                first, *others = self.labels(text, kind)
                same.update(dict.fromkeys(others, first))

        def one(label: str, kind: str = "") -> str:
            return same.get(label, label)

        return one

    def needed(self, labels: Iterable[str]) -> Keys:
        """Without those, the first apart, that made none of the labels."""
        marks = {key_of(each) for each in labels}
        rest = [each for each in self.secrets[1:] if _mark(each) in marks]
        return Keys((*self.secrets[:1], *rest), self.seen)

    @property
    def marks(self) -> frozenset[str | None]:
        """By which a label tells that one of these made it."""
        return frozenset(_mark(each) for each in self.secrets)

    def made(self, label: str) -> bool:
        """Whether one of these made a label, so that its table can be known again."""
        return key_of(label) in self.marks

    def label(self, text: str, kind: str = "table") -> str:
        """What a ledger keeps for a hash of content; any other text stays as it is."""
        return _label(self.secrets[0], text, kind) if is_hash(text) else text

    def labels(self, text: str, kind: str = "table") -> tuple[str, ...]:
        """All labels under which a ledger with these keys may know it."""
        if not is_hash(text):
            return (text,)
        return tuple(_label(each, text, kind) for each in self.secrets)


def _label(key: bytes, text: str, kind: str) -> str:
    hashed = hashlib.blake2b(
        text.lower().encode("utf-8", "surrogatepass"),
        key=key,
        person=f"compdp {kind}".encode(),
        digest_size=16,
    )
    return f"{kind}-{uuid.UUID(bytes=hashed.digest())}-{_mark(key)}"


def _mark(key: bytes) -> str:
    """Tells which key made a label, and nothing about the key that could be used."""
    return hashlib.blake2b(key=key, person=b"compdp mark", digest_size=4).hexdigest()
