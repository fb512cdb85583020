"""One release, as the ledger remembers it."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction

from compdp_core.accounting.amounts import Amount, exact
from compdp_core.adjacency import Neighbours, Person
from compdp_core.errors import ParameterError
from compdp_core.validation import flag, of

_WRITABLE = "without halves of surrogate pairs, which no file can hold"
_A_PERSON = "must be a Person, as in Person('patient_id', at_most=3), or None for one row"


@dataclass(frozen=True)
class Group:
    """One class of a public partition of the rows, such as column ``class``, value ``9a``.

    Groups of one grouping share no row, which is what parallel composition needs: the same ``by``
    and ``read_as`` must always mean the same public rule for sorting the same rows into groups.
    """

    by: str
    value: str
    read_as: str = ""
    """Which rows are sorted, and how their texts were read, as
    :func:`~compdp_core.accounting.read_as` says it of a table. Groups that differ in it may share
    rows: their costs add up."""
    draw: str = ""
    """Where a person is read in so many groups only: the draw of them, under a name that is random
    itself, as :func:`new_draw` makes it, and made of nothing in the table. Groups of two draws may
    share persons: their costs add up."""

    def __post_init__(self) -> None:
        _check_text("group.by", self.by)
        for name in ("value", "read_as", "draw"):
            text = getattr(self, name)
            if not _can_be_written(text):
                raise ParameterError(f"group.{name}", text, f"must be text, {_WRITABLE}")

    @property
    def rule(self) -> tuple[str, str, str]:
        """Equal for groups that surely share no row, if they differ, and that read each person in
        the same few of them.
        """
        return self.by, self.read_as, self.draw


def new_draw() -> str:
    """A name for the draw of the groups in which persons are read, from the system's randomness."""
    return uuid.uuid4().hex


@dataclass(frozen=True, init=False)
class Spend:
    """A release and its exact privacy cost. Immutable.

    >>> Spend("mean of score", "statistic", "grades 2026", ["score"], 0.1).epsilon
    Fraction(1, 10)
    """

    what: str
    """What was released, for people: ``column score``, ``mean of score``."""
    kind: str
    """Sort of release, for filtering: ``column``, ``statistic``, …"""
    dataset: str
    """A name that the owner gives, or ``table.fingerprint``: no ledger keeps that, see
    :mod:`compdp_core.accounting.identity`. What is equal here shares one budget."""
    columns: tuple[str, ...]
    """Columns whose values were used, conditions and groupings included."""
    epsilon: Fraction
    """Privacy cost under ``neighbours``, of one row or, with a ``person``, of a person."""
    group: Group | None
    """The group whose rows alone were used; None for all rows."""
    neighbours: Neighbours
    """The neighbour notion for which ``epsilon`` holds."""
    when: datetime
    """Moment of the release, UTC."""
    id: str
    """Unique name of this release, so that reloading a ledger never counts it twice."""
    person: Person | None
    """For whom ``epsilon`` holds: None for one row, else for a person of that kind, of whom at most
    ``person.at_most`` rows in at most ``person.groups`` groups were read."""
    persons_read_as: str
    """With a ``person``: how the texts that tell persons were read, as
    :func:`~compdp_core.accounting.persons_read_as` says it of a table. What is one person in one
    reading may be two in another: their costs add up as those of two kinds of persons."""
    unfinished: bool
    """Whether the run that drew it is still running, or broke off: nobody knows how much of it is
    out, so it costs as much as if all of it were."""

    def __init__(
        self,
        what: str,
        kind: str,
        dataset: str,
        columns: Iterable[str],
        epsilon: Amount,
        *,
        group: Group | None = None,
        neighbours: Neighbours = Neighbours.REPLACE_ONE,
        when: datetime | None = None,
        id: str | None = None,
        person: Person | None = None,
        persons_read_as: str = "",
        unfinished: bool = False,
    ) -> None:
        """Raise :class:`ParameterError` for an ε that is no budget, empty text, text that no file
        can hold (half of a surrogate pair), a reading of persons where there is no ``person``, or a
        time without a zone or outside years 1 to 9999 of UTC.
        """
        for name, text in (("what", what), ("kind", kind), ("dataset", dataset)):
            _check_text(name, text)
        if isinstance(columns, str) or not isinstance(columns, Iterable):
            raise ParameterError("columns", columns, "must be a list of names, not one text")
        names = tuple(columns)
        if not all(_can_be_written(name) for name in names):
            raise ParameterError("columns", names, f"must be a list of names, {_WRITABLE}")
        if group is not None and not isinstance(group, Group):
            raise ParameterError("group", group, "must be a Group or None")
        if id is not None:
            _check_text("id", id)
        _check_person(person, persons_read_as)
        fields = {
            "what": what,
            "kind": kind,
            "dataset": dataset,
            "columns": tuple(dict.fromkeys(names)),
            "epsilon": exact(epsilon),
            "group": group,
            "neighbours": Neighbours.of(neighbours),
            "when": datetime.now(UTC) if when is None else _in_utc(when),
            "id": id or uuid.uuid4().hex,
            "person": person,
            "persons_read_as": persons_read_as,
            "unfinished": flag("unfinished", unfinished),
        }
        for field, value in fields.items():
            object.__setattr__(self, field, value)

    @property
    def names(self) -> tuple[str, ...]:
        """What a ledger keeps as labels: of the dataset and, if there are groups or persons, of
        their rows.
        """
        of_groups = () if self.group is None else (self.group.read_as,)
        of_persons = () if self.person is None else (self.persons_read_as,)
        return (self.dataset, *of_groups, *of_persons)

    @property
    def whose(self) -> tuple[frozenset[str], str]:
        """Equal for releases that surely tell the same persons; for rows it names no column."""
        return frozenset(() if self.person is None else self.person.by), self.persons_read_as

    @property
    def begun(self) -> Spend:
        """The same release, with the mark of one that is not all out yet."""
        return self if self.unfinished else replace(self, unfinished=True)

    @property
    def finished(self) -> Spend:
        """The same release without that mark.

        >>> spend = Spend("mean of score", "statistic", "grades 2026", ["score"], 0.1)
        >>> spend.begun == spend, spend.begun.finished == spend, spend.begun.epsilon
        (False, True, Fraction(1, 10))
        """
        return replace(self, unfinished=False) if self.unfinished else self

    def renamed(self, name: Callable[[str, str], str]) -> Spend:
        """The same release with other :attr:`names`, by what they name: ``table``, ``rows``."""
        group, dataset = self.group, name(self.dataset, "table")
        if group is not None:
            group = replace(group, read_as=name(group.read_as, "rows"))
        persons = "" if self.person is None else name(self.persons_read_as, "rows")
        if (dataset, group, persons) == (self.dataset, self.group, self.persons_read_as):
            return self
        return replace(self, dataset=dataset, group=group, persons_read_as=persons)


def by_name(spends: Iterable[Spend]) -> dict[str, list[Spend]]:
    """Those of each dataset, by the name that they have for it, in order of first use."""
    found: dict[str, list[Spend]] = {}
    for spend in spends:
        found.setdefault(spend.dataset, []).append(spend)
    return found


def _check_text(name: str, text: object) -> None:
    if not isinstance(text, str) or not text.strip():
        raise ParameterError(name, text, "must be text that is not empty")
    if not _can_be_written(text):
        raise ParameterError(name, text, f"must be text, {_WRITABLE}")


def _check_person(person: Person | None, read_as: str) -> None:
    if not _can_be_written(read_as):
        raise ParameterError("persons_read_as", read_as, f"must be text, {_WRITABLE}")
    if person is None:
        if read_as:
            requirement = "must be left out where no person is stated"
            raise ParameterError("persons_read_as", read_as, requirement)
        return
    for label in of("person", person, Person, _A_PERSON).by:
        if not _can_be_written(label):
            raise ParameterError("person", label, f"must have labels, {_WRITABLE}")


def _can_be_written(text: object) -> bool:
    """Whether it is text that a file in UTF-8 can hold: all but halves of surrogate pairs."""
    try:
        return isinstance(text, str) and text.encode() is not None
    except UnicodeEncodeError:
        return False


def _in_utc(when: object) -> datetime:
    if not isinstance(when, datetime) or when.utcoffset() is None:
        raise ParameterError("when", when, "must be a datetime that carries its time zone")
    try:
        return when.astimezone(UTC)
    except OverflowError:
        raise ParameterError("when", when, "must be within years 1 to 9999 of UTC") from None
