"""Columns privatised as a step of scikit-learn's pipelines.

**Each transform is a release and spends ε.** A pipeline transforms rows when it is fitted, and
again when it predicts or scores them; cross-validation and searches clone the step and transform
most rows once for each fold and each setting. Noise that is drawn anew for the same rows averages
out, so their budgets add up, and each clone has a ledger of its own, which knows nothing of the
others. Who wants to spend once calls ``fit_transform`` once, before anything is split, and hands on
what came out: what is done with it costs nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from compdp_core.accounting import Ledger, is_label
from compdp_core.engines.known_columns import KnownColumns
from compdp_core.engines.step_data import check_kind, like
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.release.column_plan import ColumnPlan, PlanError
from compdp_core.report.release import privatize
from compdp_core.tables.frame_kinds import is_pandas, is_polars
from compdp_core.tables.sources import position
from compdp_core.validation import of, one_of

if TYPE_CHECKING:
    SklearnStep: Any = object
else:
    try:
        from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
    except ModuleNotFoundError:

        class SklearnStep:
            """Says what to install."""

            def __new__(cls, *_: Any, **__: Any) -> Any:
                raise ModuleNotFoundError(
                    "Privatizer is a step of scikit-learn, which is not installed: "
                    "pip install composite-dp[sklearn]"
                )

    else:

        class SklearnStep(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
            """What scikit-learn asks of a step whose columns keep their names."""


_REPEATED = (
    "these rows were released before, or a column with their values, and other noise for them "
    "averages out: use what came out then, or repeat='spend' to spend their ε once more, as where "
    "other rows have the same values by chance"
)


class RepeatedReleaseError(CompdpError):
    """The same rows would be released a second time, with other noise."""


class Privatizer(SklearnStep):  # type: ignore[misc]
    """A step of a pipeline that privatises columns: **each transform is a release and spends ε**.

    Parameters
    ----------
    plans:
        What is to happen to each column, by its label or its position (from 0), as in
        :func:`~compdp_core.report.release.privatize`. Other columns stay as they are.
    inputs, epsilon:
        In the place of ``plans``: public bounds of every column (their unit) and the budget ε of
        each of its cells. A row then spends ε times the number of columns.
    ledger:
        What was spent before, with its limit. A ledger never changes: :attr:`ledger_` is the one
        to go on with.
    repeat:
        ``"refuse"`` stops before rows that were released already are released again, as where a
        pipeline scores the rows that it was fitted on; ``"spend"`` lets them, and counts them.
        Known again is a released column with the same values, in any order, place and type, beside
        whatever columns. One whose values other rows may have by chance (1 in 1000 or more), such
        as flags, is known alone in its order at most, or where all released columns are known.
        **Not** known again are parts of a table, such as folds that overlap, and tables with a
        changed row; by a copy or another object, all but whole tables of its ledger. As that adds
        up what is one table to it, ``"spend"`` counts another order or type as another table.

    Takes pandas and Polars frames and arrays, and gives back the same kind; missing cells are what
    their plan says. There is no ``random_state``: noise that somebody can draw again is none.

    ``fit`` looks at the columns' names and draws nothing. ``fit_transform`` releases once. Pickled,
    it holds plans, cards and what was spent, no value of the data, and not the keys of the ledger,
    by which guesses on the data could be tested: what was released before is then not known again,
    and nothing is released before ``set_params(ledger=...)`` brings the owner's ledger back.

    Attributes
    ----------
    ledger_:
        The ledger with every release of this object in it, over all calls of ``fit``.
    cards_:
        The privacy card of each release, in their order.
    plans_:
        The plans by position.

    >>> import numpy as np
    >>> heights = np.array([[151.0], [163.5], [172.0]])
    >>> step = Privatizer(inputs=(100, 220), epsilon=1)
    >>> released = step.fit_transform(heights)
    >>> released.shape, step.ledger_.entries[0].epsilon, step.cards_[0]["privacy"]["epsilon"]
    ((3, 1), Fraction(1, 1), '1')
    >>> step.transform(heights)
    Traceback (most recent call last):
        ...
    compdp_core.engines.scikit_learn.RepeatedReleaseError: these rows were released before...
    """

    def __init__(
        self,
        plans: Mapping[Any, ColumnPlan] | None = None,
        *,
        inputs: Any = None,
        epsilon: Any = None,
        ledger: Ledger | None = None,
        repeat: Literal["refuse", "spend"] = "refuse",
    ) -> None:
        # As scikit-learn wants it: kept as given, checked by fit.
        self.plans = plans
        self.inputs = inputs
        self.epsilon = epsilon
        self.ledger = ledger
        self.repeat = repeat

    def fit(self, X: Any, y: Any = None) -> Privatizer:
        """Place the plans on the columns and prove each mechanism; draws and spends nothing.

        Raises :class:`~compdp_core.errors.CompdpError` for plans that do not fit.
        """
        one_of("repeat", self.repeat, ("refuse", "spend"))
        names = self._labelled(X, reset=True).columns
        placed = dict(self._placed(X, len(names)))
        for plan in placed.values():
            plan.mechanism().certificate.require()
        self.ledger_ = self._ledger_now()
        self.cards_: tuple[dict[str, Any], ...] = getattr(self, "cards_", ())
        self.plans_ = placed
        self._known: KnownColumns = getattr(self, "_known", None) or KnownColumns()
        return self

    def transform(self, X: Any) -> Any:
        """Release these rows: new noise, and ε once more. Of the kind of ``X``.

        Raises :class:`RepeatedReleaseError` for rows that were released before, and what
        :func:`~compdp_core.report.release.privatize` does; then nothing is given out or charged.
        """
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        frame = self._labelled(X, reset=False)
        before = self._ledger_now()
        unknown = [s.dataset for s in before.entries if is_label(s.dataset)]
        if not all(before.keys.made(label) for label in unknown):
            raise RepeatedReleaseError(
                "the ledger is without the keys by which it knows tables again, as after pickling: "
                "set_params(ledger=...) with the owner's own, of ledger.to_json()"
            )
        # A copy has no key and begins anew.
        known = self._known = getattr(self, "_known", None) or KnownColumns()
        marks = known.marks(frame, self.plans_)
        if self.repeat == "refuse" and known.has(marks):
            raise RepeatedReleaseError(_REPEATED)
        release = privatize(frame, self.plans_, ledger=before)
        after = of("ledger", release.ledger, Ledger, "must be a Ledger")
        earlier = {spend.dataset for spend in after.known[: len(before.entries)]}
        if self.repeat == "refuse" and after.known[-1].dataset in earlier:
            # Known by the ledger alone. What was drawn is given to nobody.
            raise RepeatedReleaseError(_REPEATED)
        known.add(marks)
        self.ledger_, self.cards_ = after, (*self.cards_, release.card)
        return like(X, release.frame)

    def _labelled(self, data: Any, *, reset: bool) -> Any:
        """The data as a frame whose labels are texts; scikit-learn checks number and names."""
        import pandas as pd
        from sklearn.utils.validation import validate_data

        check_kind(data)
        if is_pandas(data) or is_polars(data):
            # Names alone: those of Polars are told, too, and no cell is looked at.
            names = pd.DataFrame(columns=list(data.columns))
            validate_data(self, names, reset=reset, skip_check_array=True)
        else:
            # No cell has a say in what is refused: what is no finite number counts as missing.
            data = validate_data(self, data, reset=reset, dtype=None, ensure_all_finite=False)
            data = pd.DataFrame(data)
        if is_polars(data):
            return data
        return data.set_axis(list(self.get_feature_names_out()), axis=1)

    def _placed(self, data: Any, columns: int) -> Iterator[tuple[int, ColumnPlan]]:
        """The plans by position, as fit is told them."""
        if self.plans is None:
            if self.inputs is None or self.epsilon is None:
                raise ParameterError("plans", None, "must be given, or both inputs and epsilon")
            plan = ColumnPlan(inputs=self.inputs, epsilon=self.epsilon)
            yield from ((place, replace(plan, position=place)) for place in range(columns))
            return
        if self.inputs is not None or self.epsilon is not None:
            raise ParameterError("plans", type(self.plans), "must be left out beside inputs")
        plans = of("plans", self.plans, Mapping, "must be a mapping, as {'bmi': ColumnPlan(...)}")
        if not plans:
            raise PlanError("plans must name at least one column, as in {'bmi': ColumnPlan(...)}")
        placed = set[int]()
        for label, plan in plans.items():
            plan = of(f"the plan of {label!r}", plan, ColumnPlan, "must be a ColumnPlan")
            is_frame = is_pandas(data) or is_polars(data)
            place = position(data if is_frame else self._labelled(data, reset=False), label)
            if plan.missing == "drop":
                raise PlanError(
                    f"the plan of column {place + 1} leaves rows out, and a step keeps all of "
                    "them: choose to fill or keep missing values"
                )
            if place in placed or plan.position not in (place, ColumnPlan.position):
                raise PlanError(f"the plans name column {place + 1} twice, or as another one")
            placed.add(place)
            yield place, replace(plan, position=place)

    def _ledger_now(self) -> Ledger:
        """What was spent so far: by this object, and in the ledger that it is given."""
        own: Ledger | None = getattr(self, "ledger_", None)
        given = self.ledger
        if given is not None:
            given = of("ledger", given, Ledger, "must be a Ledger, that of the last release")
        if own is None:
            return Ledger() if given is None else given
        return own if given is None else own.merge(given)

    def __getstate__(self) -> dict[str, Any]:
        """Without the keys: who has them can test guesses on what was released."""
        state: dict[str, Any] = super().__getstate__()
        return {
            name: Ledger(value.entries, value.limit) if isinstance(value, Ledger) else value
            for name, value in state.items()
            if name != "_known"
        }

    def __sklearn_tags__(self) -> Any:
        """Random by design; missing values and texts are what the plans say."""
        tags = super().__sklearn_tags__()
        tags.non_deterministic = True
        tags.input_tags.allow_nan = tags.input_tags.string = True
        tags.transformer_tags.preserves_dtype = []
        return tags
