"""The ledger itself: an immutable list of releases, and the limit they must stay within."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from compdp_core.errors import CompdpError
from compdp_core.ledger import composition, files
from compdp_core.ledger.amounts import Amount, decimal_text, exact
from compdp_core.ledger.spend import Spend
from compdp_core.neighbours import Neighbours

MOST_RELEASES = 5000
MOST_DIGITS = 300
"""Of the common denominator of all amounts: exact sums of finer ones would grow without end."""

_DOUBLED = (
    ". Releases for adding or removing a row count twice here, because this dataset also has "
    "releases for replacing a row"
)


class BudgetExceededError(CompdpError):
    """A release would pass the limit. Nothing was charged and nothing may be released.

    Attributes, amounts exact: ``asked`` (ε of the refused releases together), ``left`` (the most
    that would fit in its place), ``spent``, ``limit``, ``dataset``, and ``doubled`` (some release
    counts twice, being stated for adding or removing a row beside others for replacing one), and
    ``together`` (several releases were asked for at once, and amounts are about all of them).
    """

    def __init__(
        self,
        *,
        asked: Fraction,
        left: Fraction,
        spent: Fraction,
        limit: Fraction,
        dataset: str,
        doubled: bool = False,
        together: bool = False,
    ) -> None:
        self.asked = asked
        self.left = left
        self.spent = spent
        self.limit = limit
        self.dataset = dataset
        self.doubled = doubled
        self.together = together
        raising = "raise the limit, which weakens the promise made for these data"
        if left > 0:
            text = decimal_text(left, rounding="down")
            way_out = (
                f"{text} is left. Ask for epsilon {text.removeprefix('≈ ')} or less"
                f"{' for all of them together' if together else ''}, release fewer things, or "
                f"{raising}"
            )
        else:
            way_out = f"nothing is left. Keep to what was released already, or {raising}"
        super().__init__(
            f"epsilon {decimal_text(asked)} does not fit into the budget: of the limit "
            f"{decimal_text(limit)} for this dataset {decimal_text(spent)} is spent, {way_out}"
            + (_DOUBLED if doubled else "")
        )


class LedgerConflictError(CompdpError):
    """Two ledgers record different releases under one id, so at least one was altered."""

    def __init__(self, id: str) -> None:
        self.id = id
        super().__init__(
            f"release {id!r} is recorded twice with different content: use the ledger that was "
            "saved by this program and not edited"
        )


class LedgerTooLargeError(CompdpError):
    """Ledgers that are too much together: adding them up would take too long. Nothing is merged."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"{reason}: open a ledger that this program saved")


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
    compdp_core.ledger.book.BudgetExceededError: epsilon 0.1 does not fit into the budget: of ...
    """

    entries: tuple[Spend, ...] = ()
    limit: Fraction | None = None
    _by_dataset: dict[str, list[Spend]] = field(init=False, repr=False, compare=False)

    def __init__(self, entries: Iterable[Spend] = (), limit: Amount | None = None) -> None:
        """``limit`` may be a float, text, Decimal or Fraction; it is kept exactly.

        Raises :class:`LedgerConflictError` for two different entries of one id; an entry that is
        repeated unchanged counts once.
        """
        by_id: dict[str, Spend] = {}
        for spend in entries:
            if by_id.setdefault(spend.id, spend) != spend:
                raise LedgerConflictError(spend.id)
        by_dataset: dict[str, list[Spend]] = {}
        for spend in by_id.values():
            by_dataset.setdefault(spend.dataset, []).append(spend)
        object.__setattr__(self, "entries", tuple(by_id.values()))
        object.__setattr__(self, "_by_dataset", by_dataset)
        object.__setattr__(self, "limit", None if limit is None else exact(limit, "limit"))

    def check(self, *spends: Spend) -> None:
        """Whether all ``spends`` together fit; releases of one click are checked as one.

        Raises :class:`BudgetExceededError`, without any effect, for the first dataset whose limit
        would be passed.
        """
        after = Ledger((*self.entries, *spends))
        if self.limit is None:
            return
        for dataset in dict.fromkeys(spend.dataset for spend in spends):
            new = [spend for spend in spends if spend.dataset == dataset]
            if after.total_by_dataset(dataset) > self.limit:
                raise self._refusal(new, dataset, self.limit)

    def charge(self, *spends: Spend) -> Ledger:
        """A new ledger that holds ``spends`` as well: all of them or, on refusal, none."""
        self.check(*spends)
        return Ledger((*self.entries, *spends), self.limit)

    def with_limit(self, limit: Amount | None) -> Ledger:
        """The same releases under another limit, which may lie below what is spent."""
        return Ledger(self.entries, limit)

    def merge(self, other: Ledger) -> Ledger:
        """Both ledgers' releases, each counted once, under the stricter of the two limits.

        What a reload needs: a dataset that was charged in either keeps its spent budget, even
        where the sum passes the limit (nothing more is then released).

        Raises :class:`LedgerTooLargeError`: what is merged came from a file that anyone may have
        written.
        """
        limits = [each for each in (self.limit, other.limit) if each is not None]
        merged = Ledger((*self.entries, *other.entries))
        if len(merged.entries) > MOST_RELEASES:
            raise LedgerTooLargeError(
                f"{len(merged.entries)} releases together are more than {MOST_RELEASES}"
            )
        _exactly_summable(merged)
        in_order = sorted(merged.entries, key=lambda spend: (spend.when, spend.id))
        return Ledger(in_order, min(limits, default=None))

    def total_by_dataset(self, dataset: str) -> Fraction:
        """ε spent on the rows of ``dataset``, under the notion :meth:`protects` names."""
        return composition.total(self._of(dataset))

    def total_by_column(self, dataset: str) -> dict[str, Fraction]:
        """ε spent on each column: the releases that used it, composed alone, in order of use."""
        spends = self._of(dataset)
        users: dict[str, list[Spend]] = {}
        for spend in spends:
            for name in spend.columns:
                users.setdefault(name, []).append(spend)
        notion = composition.protects(spends)
        return {name: composition.total(each, notion) for name, each in users.items()}

    def remaining(self, dataset: str) -> Fraction | None:
        """What is left of the limit for ``dataset``, never below 0; None without a limit."""
        if self.limit is None:
            return None
        return max(self.limit - self.total_by_dataset(dataset), Fraction(0))

    def room(self, spend: Spend) -> Fraction | None:
        """The largest ε at which ``spend`` would fit, its group considered; None without limit."""
        if self.limit is None:
            return None
        return composition.room(self._of(spend.dataset), spend, self.limit)

    def protects(self, dataset: str) -> Neighbours:
        """The neighbour notion for which :meth:`total_by_dataset` holds."""
        return composition.protects(self._of(dataset))

    @property
    def datasets(self) -> tuple[str, ...]:
        """Every dataset that was charged, in order of first use."""
        return tuple(self._by_dataset)

    def to_csv(self) -> str:
        """The releases as CSV text with a running total per dataset, for reading."""
        totals = {name: iter(composition.running(own)) for name, own in self._by_dataset.items()}
        running = [next(totals[spend.dataset]) for spend in self.entries]
        return files.to_csv(self.entries, running)

    def to_json(self) -> str:
        """Everything as JSON text that :meth:`from_json` reads back unchanged."""
        return files.to_json(self.entries, self.limit)

    @classmethod
    def from_json(cls, text: str | bytes) -> Ledger:
        """The ledger that :meth:`to_json` wrote.

        Raises :class:`compdp_core.ledger.LedgerFormatError` for anything else.
        """
        entries, limit = files.from_json(text)
        return cls(entries, limit)

    def _refusal(self, new: list[Spend], dataset: str, limit: Fraction) -> BudgetExceededError:
        before = self._of(dataset)
        notion = composition.protects((*before, *new))
        spent = composition.total(before, notion)
        if len(new) == 1:
            asked, left = new[0].epsilon, composition.room(before, new[0], limit)
        else:
            # Costs are subadditive, so anything whose own cost is at most limit - spent fits.
            asked, left = composition.total(new, notion), max(limit - spent, Fraction(0))
        return BudgetExceededError(
            asked=asked,
            left=left,
            spent=spent,
            limit=limit,
            dataset=dataset,
            doubled=any(each.neighbours is not notion for each in (*before, *new)),
            together=len(new) > 1,
        )

    def _of(self, dataset: str) -> list[Spend]:
        return self._by_dataset.get(dataset, [])


def _exactly_summable(ledger: Ledger) -> None:
    common = 1
    for denominator in {spend.epsilon.denominator for spend in ledger.entries}:
        common = math.lcm(common, denominator)
        if common > 10**MOST_DIGITS:
            raise LedgerTooLargeError(
                "the amounts have no common denominator that is short enough to add them exactly"
            )
