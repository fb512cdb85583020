"""Mechanisms side by side on the same true values: seeded draws, every figure with its error."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import ParameterError
from compdp_core.experiments.frames import frame
from compdp_core.experiments.metrics import LARGEST, Measured, Moments
from compdp_core.experiments.progress import Cancelled, Progress, Task
from compdp_core.experiments.seeds import derived_seed
from compdp_core.intervals import Interval
from compdp_core.mechanisms.baselines import Mechanism
from compdp_core.validation import figures, function, whole

if TYPE_CHECKING:
    import pandas as pd

Array = NDArray[np.float64]

BLOCK = 2**17
"""Draws at a time: enough to be fast, few enough to stay within tens of megabytes."""

RAW, CLAMPED = "raw", "clamped"
"""Released values as they are, and moved into the inputs afterwards."""


class Aggregate(Protocol):
    """A statistic along an axis, such as :func:`numpy.mean` or :func:`numpy.median`."""

    def __call__(self, values: Any, /, *, axis: int) -> Any: ...


def compare(
    mechanisms: Mapping[str, Mechanism] | Sequence[Mechanism],
    values: Any,
    *,
    repetitions: int,
    seed: int,
    statistic: Aggregate | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> pd.DataFrame:
    """Bias, RE, MSE, AL and the share outside the inputs, for each mechanism, raw and clamped.

    ``values``: the true values, shape (n,), data units. Each is released ``repetitions`` times.
    With a ``statistic`` the error is that of the statistic of the n released values; without one
    it is that of single values.

    Two rows a mechanism: ``treatment`` is ``raw``, or ``clamped`` where every released value is
    moved into the inputs afterwards, which costs no privacy and brings bias. Metrics are those of
    :mod:`compdp_core.experiments.metrics`, with the true values held fixed; ``…_se`` are standard
    errors (NaN for a single draw). ``bias_rate`` is the bias as a fraction of ``|mean of the true
    answers|``, NaN where that is 0. ``…_theory`` are the mechanism's own closed forms, for single
    raw values. ``AL_excluded`` counts true values of 0, where the accuracy loss is undefined.
    ``outside`` is the share of released values outside the inputs, also with a statistic.

    >>> from compdp_core.experiments import roster
    >>> pair = roster(1.0, (0, 100), keys=["A1B1", "clamped_laplace"])
    >>> table = compare(pair, [10.0, 90.0], repetitions=500, seed=1)
    >>> [name for name in table.columns if name.startswith("bias")]
    ['bias', 'bias_se', 'bias_theory', 'bias_rate', 'bias_rate_se']

    Raises :class:`ParameterError`, :class:`MissingValueError`, and :class:`CancelledError` where
    ``cancelled()`` says so.
    """
    named, truth = by_name(mechanisms), true_values(values)
    rounds = whole("repetitions", repetitions, 1)
    called = {"statistic": statistic, "progress": progress, "cancelled": cancelled}
    for argument, given in called.items():
        if given is not None:
            function(argument, given)
    task, rows = Task(progress, cancelled), []
    for index, (name, mechanism) in enumerate(named.items()):
        part = task.part(index / len(named), (index + 1) / len(named))
        rows += measured(name, mechanism, truth, rounds, seed, statistic, part)
    task.tell(1.0, "done")
    return frame(rows)


def by_name(mechanisms: Mapping[str, Mechanism] | Sequence[Mechanism]) -> dict[str, Mechanism]:
    """Mechanisms under distinct names. Raises :class:`ParameterError` for none or equal names."""
    given: Any = mechanisms.values() if isinstance(mechanisms, Mapping) else mechanisms
    listed: list[Any] = list(given) if isinstance(given, Iterable) else [None]
    if not all(hasattr(each, "simulate") for each in listed):
        raise ParameterError("mechanisms", mechanisms, "must be a list or mapping of mechanisms")
    if not listed:
        raise ParameterError("mechanisms", mechanisms, "must hold at least one mechanism")
    if isinstance(mechanisms, Mapping):
        return dict(mechanisms)
    named = {mechanism.name: mechanism for mechanism in listed}
    if len(named) < len(listed):
        names = ", ".join(mechanism.name for mechanism in listed)
        raise ParameterError(
            "mechanisms", names, "must have different names: pass a mapping of names"
        )
    return named


def true_values(values: Any) -> Array:
    """True values as floats, shape (n,), all finite."""
    array = np.atleast_1d(figures("values", values, largest=LARGEST))
    if array.ndim != 1:
        raise ParameterError("values", array.shape, "must be one list of at least one number")
    return array


def blocks(
    mechanism: Mechanism, truth: Array, repetitions: int, seed: int, *names: str | int | float
) -> Iterator[Array]:
    """Released values, shape ``(rows, n)`` a block, until each value was released so often."""
    rows = max(1, BLOCK // truth.size)
    for number, start in enumerate(range(0, repetitions, rows)):
        count = min(rows, repetitions - start)
        tiled = np.broadcast_to(truth, (count, truth.size))
        yield mechanism.simulate(tiled, seed=derived_seed(seed, *names, number))


def measured(
    name: str,
    mechanism: Mechanism,
    truth: Array,
    repetitions: int,
    seed: int,
    statistic: Aggregate | None,
    task: Task,
) -> list[dict[str, Any]]:
    """Both rows of one mechanism."""
    inputs = Interval.checked("inputs", mechanism.inputs)
    target = truth if statistic is None else np.atleast_1d(statistic(truth, axis=-1))
    tallies = {treatment: ErrorTally(target) for treatment in (RAW, CLAMPED)}
    outside = Moments(truth.size)
    done = 0
    for released in blocks(mechanism, truth, repetitions, seed, name):
        task.tell(done / repetitions, f"{name}: {done:,} of {repetitions:,} repetitions")
        done += len(released)
        clamped = inputs.clamp(released)
        outside.add((released != clamped).astype(np.float64))
        for treatment, seen in ((RAW, released), (CLAMPED, clamped)):
            answers = seen if statistic is None else statistic(seen, axis=-1)[:, None]
            tallies[treatment].add(answers)
    theory = _theory(mechanism, truth) if statistic is None else {}
    share = _share(outside.estimate())
    found = {
        RAW: (theory, (share.value, share.standard_error, theory.get("outside", math.nan))),
        CLAMPED: (_UNKNOWN, (0.0, 0.0, 0.0)),
    }
    return [
        {
            "mechanism": name,
            "treatment": treatment,
            "epsilon": mechanism.epsilon,
            "delta": mechanism.delta,
            "sensitivity": mechanism.sensitivity,
            **tallies[treatment].columns(known),
            **dict(zip(("outside", "outside_se", "outside_theory"), beyond, strict=True)),
            "values": truth.size,
            "repetitions": repetitions,
        }
        for treatment, (known, beyond) in found.items()
    ]


_UNKNOWN: dict[str, float] = {}
"""No closed form."""


class ErrorTally:
    """Errors against fixed true answers, and what becomes of them with standard errors."""

    def __init__(self, target: Array) -> None:
        self._target = target
        self._defined = target != 0.0
        size = target.size
        self._terms = {"bias": Moments(size), "RE": Moments(size), "MSE": Moments(size)}
        self._loss = Moments(int(np.count_nonzero(self._defined)))

    def add(self, answers: Array) -> None:
        """More answers, shape ``(rows, targets)``."""
        errors = answers - self._target
        sizes = np.abs(errors)
        for name, terms in (("bias", errors), ("RE", sizes), ("MSE", errors**2)):
            self._terms[name].add(terms)
        if self._loss.columns:
            with np.errstate(over="ignore"):
                relative = sizes[:, self._defined] / np.abs(self._target[self._defined])
            largest = float(relative.max())
            if not largest <= LARGEST:
                raise ParameterError(
                    "values", largest, "must not be so close to 0 that the accuracy loss overflows"
                )
            self._loss.add(relative)

    def columns(self, theory: Mapping[str, float]) -> dict[str, float]:
        """Estimates, standard errors and closed forms, in the order of the table."""
        found: dict[str, float] = {}
        for name, moments in self._terms.items():
            estimate = moments.estimate()
            found[name], found[f"{name}_se"] = estimate.value, estimate.standard_error
            if name != "RE":
                found[f"{name}_theory"] = theory.get(name, math.nan)
        centre = abs(float(self._target.mean())) or math.nan
        for end in ("", "_se"):
            found[f"bias_rate{end}"] = found[f"bias{end}"] / centre
        loss = self._loss.estimate()
        found["AL"], found["AL_se"] = loss.value, loss.standard_error
        found["AL_excluded"] = self._target.size - self._loss.columns
        return found


def _theory(mechanism: Mechanism, truth: Array) -> dict[str, float]:
    bias = np.asarray(mechanism.bias(truth), dtype=np.float64)
    variance = np.asarray(mechanism.variance(truth), dtype=np.float64)
    # The bias counts what clamping a true value into the inputs moves it, as the error does.
    outside = np.asarray(mechanism.probability_outside(mechanism.inputs, truth))
    return {
        "bias": float(bias.mean()),
        "MSE": float((variance + bias**2).mean()),
        "outside": float(outside.mean()),
    }


def _share(estimate: Measured) -> Measured:
    """A share with the standard error of Agresti and Coull: never 0, also at a share of 0."""
    softened = (estimate.value * estimate.n + 2.0) / (estimate.n + 4.0)
    error = math.sqrt(softened * (1.0 - softened) / (estimate.n + 4.0))
    return Measured(estimate.value, error, estimate.n)
