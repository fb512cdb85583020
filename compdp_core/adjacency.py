"""Which two datasets are to be told apart no better than e^ε: the neighbour notions."""

from __future__ import annotations

from enum import Enum

from compdp_core.errors import ParameterError


class Neighbours(Enum):
    """What one person's change does to the table.

    ``REPLACE_ONE``: one row is replaced by any other row; the number of rows is public.
    ``ADD_OR_REMOVE_ONE``: one row appears or disappears; the number of rows is private.

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
