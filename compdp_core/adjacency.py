"""Which two datasets are to be told apart no better than e^ε: whose rows, and what changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from compdp_core.errors import ParameterError
from compdp_core.parameters import count
from compdp_core.validation import one_of


class Neighbours(Enum):
    """What one person's change does to the table.

    ``REPLACE_ONE``: one row is replaced by any other row; the number of rows is public.
    ``ADD_OR_REMOVE_ONE``: one row appears or disappears; the number of rows is private.

    Where a :class:`Person` is stated, it is all rows of one person that are replaced by those of
    any other person, appear or disappear; what is public then is the number of persons.

    A replacement is a removal followed by an addition, so a release that is ε-DP for
    ``ADD_OR_REMOVE_ONE`` is 2ε-DP for ``REPLACE_ONE``. Nothing follows the other way: a release
    of the number of rows costs nothing under replacement and has no finite cost under removal.

    >>> Neighbours("replace one").n_is_public
    True
    """

    REPLACE_ONE = "replace one"
    ADD_OR_REMOVE_ONE = "add or remove one"

    @classmethod
    def _missing_(cls, value: object) -> None:
        said = " or ".join(repr(each.value) for each in cls)
        raise ParameterError("neighbours", value, f"must be {said}")

    @property
    def n_is_public(self) -> bool:
        """Whether neighbouring tables have equally many rows."""
        return self is Neighbours.REPLACE_ONE

    @classmethod
    def of(cls, value: object) -> Neighbours:
        """A notion or that of its name, where ``value`` may be anything, also an array."""
        try:
            hash(value)
        except TypeError:  # would be compared with each notion, and say neither yes nor no
            cls._missing_(value)
        return cls(value)


Beyond: TypeAlias = Literal["leave out", "refuse"]
"""What becomes of a person's rows beyond the most there may be."""

PerPerson: TypeAlias = Literal["rows", "total", "mean"]
"""What of a person a statistic reads: so many rows at most, or one value, the total or the mean of
all rows."""

_MOST = 1e9
_ROWS = count("at_most", lower=1, upper=_MOST)
_GROUPS = count("groups", lower=1, upper=_MOST)


@dataclass(frozen=True)
class Person:
    """Whose privacy it is: all rows with the same texts in the columns ``by`` are one person.

    Texts are compared letter for letter, but for spaces around them; rows in which all of these
    cells are blank are one person, too.

    >>> Person("patient_id", at_most=3).by
    ('patient_id',)

    Raises :class:`~compdp_core.errors.ParameterError` that names the argument.
    """

    by: tuple[str, ...]
    """Labels of the columns; one label may be given as it is."""
    at_most: int
    """The most rows of a person that a release reads, k: public, from knowledge of how the table
    came about and not from its rows."""
    beyond: Beyond = "leave out"
    """What becomes of a person's other rows. ``leave out``: k of them are drawn at random, whatever
    stands in them, anew for each release. ``refuse``: nothing is released, which tells whoever
    hears of it that somebody has more, and a release that nobody has: it is for a k of which that
    is known to everybody."""
    groups: int = 1
    """The most groups of a grouping in which a person is read, drawn at random as well."""

    if TYPE_CHECKING:  # More is taken than what is kept.

        def __init__(
            self,
            by: str | Sequence[str],
            at_most: int,
            beyond: Beyond = "leave out",
            groups: int = 1,
        ) -> None: ...

    def __post_init__(self) -> None:
        given: object = self.by
        labels = (given,) if isinstance(given, str) else given
        requirement = "must be the label of a column, or a list of labels"
        if not isinstance(labels, tuple | list) or not labels:
            raise ParameterError("by", given, requirement)
        if not all(isinstance(each, str) for each in labels) or len(set(labels)) < len(labels):
            raise ParameterError("by", given, requirement + ", each once")
        object.__setattr__(self, "by", tuple(labels))
        object.__setattr__(self, "at_most", int(_ROWS.check(self.at_most)))
        object.__setattr__(self, "groups", int(_GROUPS.check(self.groups)))
        one_of("beyond", self.beyond, get_args(Beyond))

    @property
    def one_row(self) -> bool:
        """Whether a person has one row at most, so that a row and a person are the same."""
        return self.at_most == 1

    @property
    def text(self) -> str:
        """The columns in words.

        >>> Person(("school", "pupil"), at_most=2).text
        'school and pupil'
        """
        return " and ".join(self.by)
