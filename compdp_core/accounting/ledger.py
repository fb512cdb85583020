"""The ledger itself: an immutable list of releases, and the limit they must stay within."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from compdp_core.accounting import composition, files
from compdp_core.accounting.amounts import Amount, exact
from compdp_core.accounting.identity import MOST_KEYS, Keys, is_hash
from compdp_core.accounting.merging import agreed, exactly_summable
from compdp_core.accounting.refusals import (
    BudgetExceededError,
    KnownSpendError,
    LedgerConflictError,
    LedgerTooLargeError,
)
from compdp_core.accounting.spend import Spend, by_name
from compdp_core.adjacency import Neighbours, Person
from compdp_core.errors import ParameterError
from compdp_core.validation import of, text

MOST_RELEASES = 5000
MOST_KINDS = 50
"""Of persons of one dataset: after each release it is found out anew for which of them the total is
the largest."""
_NO_KEYS = Keys()
_A_SPEND = "must be a Spend, as in Spend('mean of bmi', 'statistic', 'patients', ['bmi'], 0.5)"


@dataclass(frozen=True)
class Ledger:
    """All releases of a session and the limit per dataset. Methods return new ledgers.

    ``limit`` is the largest total ε for any one dataset; None keeps count without refusing.

    >>> ledger = Ledger(limit=1)
    >>> for column in "abc":
    ...     ledger = ledger.charge(Spend(column, "column", "file-1", [column], "1/3"))
    >>> ledger.remaining("file-1"), ledger.total_by_column("file-1")["a"]
    (Fraction(0, 1), Fraction(1, 3))
    >>> ledger.charge(Spend("d", "column", "file-1", ["d"], 0.1))
    Traceback (most recent call last):
        ...
    compdp_core.accounting.refusals.BudgetExceededError: epsilon 0.1 does not fit into the ...
    """

    entries: tuple[Spend, ...] = ()
    limit: Fraction | None = None
    keys: Keys = field(default=_NO_KEYS, compare=False)
    """By which it knows tables again. Whoever has them can test guesses on what is in a table."""
    known: tuple[Spend, ...] = field(init=False, repr=False, compare=False)
    """The ``entries``, each table at hand under one label: **for the owner only**. Which labels are
    one table is a right guess for whoever made one of them; see :meth:`recognise`."""
    _by_dataset: dict[str, list[Spend]] = field(init=False, repr=False, compare=False)

    def __init__(
        self, entries: Iterable[Spend] = (), limit: Amount | None = None, keys: Keys = _NO_KEYS
    ) -> None:
        """``limit`` may be a float, text, Decimal or Fraction; it is kept exactly.

        A dataset that is named by a hash, as in ``Spend(..., dataset=table.fingerprint, ...)``, is
        kept under a label that says nothing without the ``keys``; a key is drawn where there is
        none. Every method takes the hash and the label alike.

        Raises :class:`LedgerConflictError` for two different entries of one id; an entry that is
        repeated unchanged counts once, and is finished where one of them is.
        """
        given = _spends("entries", entries)
        keys = of("keys", keys, Keys, "must be the Keys of a ledger, or left out")
        if any(is_hash(text) for spend in given for text in spend.names):
            keys = keys.at_least_one()
            given = tuple(spend.renamed(keys.label) for spend in given)
        by_id: dict[str, Spend] = {}
        for spend in given:
            first = by_id.setdefault(spend.id, spend)
            if first.finished != spend.finished:
                raise LedgerConflictError(spend.id)
            if not spend.unfinished:
                by_id[spend.id] = first.finished
        entries = tuple(by_id.values())
        keys = keys.needed(text for spend in entries for text in spend.names)
        one_label = keys.one_label()
        known = tuple(spend.renamed(one_label) for spend in entries)
        object.__setattr__(self, "entries", entries)
        object.__setattr__(self, "known", known)
        object.__setattr__(self, "_by_dataset", by_name(known))
        object.__setattr__(self, "limit", None if limit is None else exact(limit, "limit"))
        object.__setattr__(self, "keys", keys)

    def check(self, *spends: Spend) -> None:
        """Whether all ``spends`` together fit; releases of one click are checked as one.

        Raises :class:`BudgetExceededError`, without any effect, for the first dataset whose limit
        would be passed, and :class:`KnownSpendError` for a release that is charged already.
        """
        self.charge(*spends)

    def charge(self, *spends: Spend) -> Ledger:
        """A new ledger that holds ``spends`` as well: all of them or, on refusal, none.

        Raises what :meth:`check` raises.
        """
        after = self.foresee(*spends)
        if self.limit is None:
            return after
        new = after.known[len(self.entries) :]
        for dataset in dict.fromkeys(spend.dataset for spend in new):
            if after.total_by_dataset(dataset) > self.limit:
                before = Ledger(after.entries[: len(self.entries)], self.limit, after.keys)
                asked = [spend for spend in new if spend.dataset == dataset]
                raise before._refusal(asked, dataset, self.limit)
        return after

    def foresee(self, *spends: Spend) -> Ledger:
        """What :meth:`charge` would give if there were no limit, which is kept but not heeded."""
        ids = {spend.id for spend in self.entries}
        for spend in _spends("spends", spends):
            if spend.id in ids:
                raise KnownSpendError(spend.id)
            ids.add(spend.id)
        after = Ledger((*self.entries, *spends), self.limit, self.keys)
        return after.recognise(*(text for spend in spends for text in spend.names))

    def finish(self, *ids: str) -> Ledger:
        """The same releases, those of these ids without the mark of a run that is not done.

        Raises :class:`ParameterError` for an id that no release has.
        """
        known = {spend.id for spend in self.entries}
        for each in ids:
            if text("ids", each) not in known:
                raise ParameterError("ids", each, "must be those of releases in the ledger")
        done = (each.finished if each.id in ids else each for each in self.entries)
        return Ledger(done, self.limit, self.keys)

    def recognise(self, *hashes: str) -> Ledger:
        """The same releases, with tables of these hashes known again under all their labels.

        Ledgers of several sessions have several labels for one table; only who has the table can
        tell that they are one. It is so for totals, limits and :attr:`datasets`, for as long as
        the ledger is in memory. The ``entries`` and all that is saved stay as they are.
        """
        for each in hashes:
            text("hashes", each)
        used = {text for spend in self.entries for text in spend.names}
        keys = self.keys.seeing(hashes, used)
        return self if keys is self.keys else Ledger(self.entries, self.limit, keys)

    def with_limit(self, limit: Amount | None) -> Ledger:
        """The same releases under another limit, which may lie below what is spent."""
        return Ledger(self.entries, limit, self.keys)

    def merge(self, other: Ledger) -> Ledger:
        """Both ledgers' releases, each counted once, under the stricter of the two limits.

        What a reload needs: a dataset that was charged in either keeps its spent budget, even
        where the sum passes the limit (nothing more is then released).

        Raises :class:`LedgerTooLargeError`: what is merged came from a file that anyone may have
        written.
        """
        other = of("other", other, Ledger, "must be a Ledger, as Ledger.from_json reads one")
        limits = [each for each in (self.limit, other.limit) if each is not None]
        keys = self.keys.joined(other.keys)
        merged = Ledger(agreed(self.entries, other.entries, keys), None, keys)
        if len(merged.entries) > MOST_RELEASES:
            raise LedgerTooLargeError(
                f"{len(merged.entries)} releases together are more than {MOST_RELEASES}"
            )
        if len(merged.keys.secrets) > MOST_KEYS:
            raise LedgerTooLargeError(
                f"{len(merged.keys.secrets)} keys together are more than {MOST_KEYS}"
            )
        of_each = (composition.Change.of(each).kinds for each in by_name(merged.entries).values())
        if (kinds := max(map(len, of_each), default=0)) > MOST_KINDS:
            raise LedgerTooLargeError(
                f"{kinds} kinds of persons together are more than {MOST_KINDS}"
            )
        exactly_summable(merged.entries)
        in_order = sorted(merged.entries, key=lambda spend: (spend.when, spend.id))
        return Ledger(in_order, min(limits, default=None), keys)

    def total_by_dataset(self, dataset: str) -> Fraction:
        """ε spent on any one row of ``dataset``, or on any one of the :meth:`persons` in it, under
        the notion that :meth:`protects` names.
        """
        return composition.total(self._of(dataset))

    def total_by_column(self, dataset: str) -> dict[str, Fraction]:
        """ε spent on each column: the releases that used it, composed alone, in order of use; for
        the same row or persons as the total.
        """
        spends = self._of(dataset)
        users: dict[str, list[Spend]] = {}
        for spend in spends:
            for name in spend.columns:
                users.setdefault(name, []).append(spend)
        change = composition.Change.of(spends)
        return {name: composition.total(each, change) for name, each in users.items()}

    def remaining(self, dataset: str) -> Fraction | None:
        """What is left of the limit for ``dataset``, never below 0; None without a limit."""
        text("dataset", dataset)
        if self.limit is None:
            return None
        return max(self.limit - self.total_by_dataset(dataset), Fraction(0))

    def room(self, spend: Spend) -> Fraction | None:
        """The largest ε at which ``spend`` would fit, its group considered; None without limit."""
        of("spend", spend, Spend, _A_SPEND)
        if self.limit is None:
            return None
        known = self.recognise(*spend.names)
        (asked,) = Ledger((spend,), keys=known.keys.at_least_one()).known
        return composition.room(known._of(asked.dataset), asked, self.limit)

    def protects(self, dataset: str) -> Neighbours:
        """The neighbour notion for which :meth:`total_by_dataset` holds."""
        return composition.Change.of(self._of(dataset)).neighbours

    def persons(self, dataset: str) -> tuple[Person, ...]:
        """For whom :meth:`total_by_dataset` holds: any one person of each of these kinds with at
        most so many rows; none for any one row. It says nothing of somebody with more rows, where
        a release is stated for one row or for another kind.

        >>> spend = Spend("mean of bmi", "statistic", "d", ["bmi"], 1, person=Person("id", 3))
        >>> Ledger().charge(spend).persons("d")[0].at_most
        3
        """
        return composition.Change.of(self._of(dataset)).persons

    @property
    def datasets(self) -> tuple[str, ...]:
        """Every dataset that was charged, in order of first use; those at hand under one label."""
        return tuple(self._by_dataset)

    def to_csv(self) -> str:
        """The releases as CSV text, for reading, with a running total for each label."""
        return files.to_csv(self.entries)

    def to_json(self) -> str:
        """Everything as JSON text that :meth:`from_json` reads back unchanged: **the owner's own**.

        With the keys in it this program knows the tables again, and whoever else has it can test
        guesses on what is in them. :meth:`to_json_to_hand_on` is for others.
        """
        return files.to_json(self.entries, self.limit, self.keys)

    def to_json_to_hand_on(self) -> str:
        """The same without the keys: nothing in it tests a guess, and no table is known again.

        Neither in it nor in :meth:`to_csv` does anything depend on which tables are at hand.
        """
        return files.to_json(self.entries, self.limit, Keys())

    @classmethod
    def from_json(cls, text: str | bytes) -> Ledger:
        """The ledger that one of the two wrote, now or in earlier versions.

        What comes from somebody else belongs into ``own.merge(Ledger.from_json(text))``: the first
        key of a file that is opened by itself makes the labels, and who wrote it has that key.

        Raises :class:`compdp_core.accounting.LedgerFormatError` for anything else.
        """
        return cls(*files.from_json(text))

    def _refusal(self, new: list[Spend], dataset: str, limit: Fraction) -> BudgetExceededError:
        before = self._of(dataset)
        change = composition.Change.of((*before, *new))
        spent = composition.total(before, change)
        if len(new) == 1:
            asked, left = new[0].epsilon, composition.room(before, new[0], limit)
        else:
            # Costs of one change are subadditive: what costs at most limit - spent by itself fits.
            asked, left = composition.total(new, change), max(limit - spent, Fraction(0))
        return BudgetExceededError(
            asked=asked,
            left=left,
            spent=spent,
            limit=limit,
            dataset=dataset,
            doubled=any(each.neighbours is not change.neighbours for each in (*before, *new)),
            together=len(new) > 1,
            persons=change.persons,
            crossed=len(change.kinds) > 1,
            by_row=any(each.person is None for each in (*before, *new)),
        )

    def _of(self, dataset: str) -> list[Spend]:
        labels = self.keys.labels(text("dataset", dataset))
        if len(labels) == 1:
            return self._by_dataset.get(self.keys.one_label()(labels[0]), [])
        return [spend for spend in self.known if spend.dataset in labels]


def _spends(name: str, spends: Any) -> tuple[Spend, ...]:
    """Releases that were said; :class:`ParameterError` for anything else, such as the limit."""
    try:
        given = (spends,) if isinstance(spends, str) else tuple(spends)
    except TypeError:
        requirement = "must be a list of Spend; a limit is said by its name, as in limit=1"
        raise ParameterError(name, spends, requirement) from None
    for each in given:
        of(name, each, Spend, _A_SPEND)
    return given
