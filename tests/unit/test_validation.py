"""Every taker of numbers gives every kind of input the same answer."""

from __future__ import annotations

import datetime as dt
import math
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from compdp_core import CompositeMechanism
from compdp_core.auditing.attacks import FAULTY, Faulty, lattice_fingerprints
from compdp_core.auditing.lower_bound import audit
from compdp_core.design.affine import Mapping
from compdp_core.design.density import Density
from compdp_core.design.privacy_loss import loss_curve
from compdp_core.errors import CompdpError, MissingValueError, ParameterError
from compdp_core.experiments import compare
from compdp_core.experiments.paper.queries import BoundedColumn
from compdp_core.intervals import Interval
from compdp_core.mechanisms.baselines import BASELINES
from compdp_core.shapes.custom import Points
from compdp_core.shapes.formula import Formula
from compdp_core.statistics import STATISTICS, Mean, Selection, Statistic, Sum, ValuesError
from compdp_core.statistics.describe import Bins, Clamping, Description
from compdp_core.validation import figures, floats, numbers, one_number

HIDDEN = "4711"
"""Stands where a private value could be quoted."""


class _Convertible:
    """Not a number, but something that ``float`` takes."""

    def __float__(self) -> float:
        return 2.0


def _masked(values: Any, mask: Any, **options: Any) -> Any:
    return np.ma.array(values, mask=mask, **options)


GONE = _masked(0.0, True)[()]
MASK = [False, True, False]

MISSING: dict[str, Callable[[], Any]] = {
    "NaN in a list": lambda: [1.0, math.nan, 3.0],
    "NaN in an array": lambda: np.array([1.0, math.nan, 3.0]),
    "short NaN": lambda: np.array([1.0, math.nan, 3.0], dtype=np.float16),
    "long NaN": lambda: np.array([1.0, math.nan, 3.0], dtype=np.longdouble),
    "None": lambda: [1.0, None, 3.0],
    "None in objects": lambda: np.array([1, None, 3], dtype=object),
    "Decimal NaN": lambda: [Decimal(1), Decimal("NaN"), Decimal(3)],
    "signaling NaN": lambda: [Decimal(1), Decimal("sNaN"), Decimal(3)],
    "masked floats": lambda: _masked([1.0, 2.0, 3.0], MASK),
    "masked whole numbers": lambda: _masked([1, 2, 3], MASK),
    "masked flags": lambda: _masked([True, False, True], MASK),
    "masked objects": lambda: _masked([1, Decimal(2), 3], MASK, dtype=object),
    "masked NaN": lambda: _masked([1.0, math.nan, 3.0], MASK),
    "masked in a list": lambda: [1.0, GONE, 3.0],
    "masked in objects": lambda: np.array([1.0, GONE, 3.0], dtype=object),
    "masked numbers in a list": lambda: [_masked(v, m) for v, m in zip((1, 2, 3), MASK)],  # noqa: B905
    "Int64 with NA": lambda: pd.Series([1, pd.NA, 3], dtype="Int64"),
    "Float64 with NA": lambda: pd.Series([1.5, pd.NA, 3.0], dtype="Float64"),
    "boolean with NA": lambda: pd.Series([True, pd.NA, False], dtype="boolean"),
    "NA in objects": lambda: pd.Series([1.0, pd.NA, 3.0], dtype=object),
    "category with NaN": lambda: pd.Series([1, None, 3], dtype="category"),
    "sparse column with NaN": lambda: pd.Series(pd.arrays.SparseArray([1.0, math.nan, 3.0])),
}

NO_NUMBERS: dict[str, Callable[[], Any]] = {
    "text": lambda: ["1", HIDDEN, "3"],
    "text of one value": lambda: HIDDEN,
    "array of text": lambda: np.array(["1", HIDDEN, "3"]),
    "text of numpy 2": lambda: np.array(["1", HIDDEN, "3"], dtype=np.dtypes.StringDType()),
    "objects of text": lambda: np.array(["1", HIDDEN, "3"], dtype=object),
    "column of text": lambda: pd.Series(["1", HIDDEN, "3"]),
    "category of text": lambda: pd.Series(["1", HIDDEN, "3"], dtype="category"),
    "text among numbers": lambda: [1.0, HIDDEN, 3.0],
    "text among objects": lambda: np.array([1, HIDDEN, None], dtype=object),
    "masked text": lambda: _masked(["1", HIDDEN, "3"], MASK),
    "bytes": lambda: HIDDEN.encode(),
    "list of bytes": lambda: [b"1", HIDDEN.encode(), b"3"],
    "bytearray": lambda: bytearray(b"\1\2\3"),
    "dates of numpy": lambda: np.array(["2024-01-01"] * 3, dtype="datetime64[D]"),
    "NaT": lambda: np.array(["NaT"] * 3, dtype="datetime64[s]"),
    "durations of numpy": lambda: np.array([1, 2, 3], dtype="timedelta64[s]"),
    "durations without unit": lambda: np.array([1, 2, 3], dtype="timedelta64"),
    "list of durations": lambda: [np.timedelta64(n, "s") for n in (1, 2, 3)],
    "objects of durations": lambda: np.array([np.timedelta64(1)] * 3, dtype=object),
    "dates": lambda: [dt.date(2024, 1, n) for n in (1, 2, 3)],
    "dates among numbers": lambda: [1.0, dt.datetime(2024, 1, 1, tzinfo=dt.UTC), 3.0],
    "durations": lambda: [dt.timedelta(seconds=n) for n in (1, 2, 3)],
    "column of dates": lambda: pd.Series(pd.to_datetime(["2024-01-01"] * 3)),
    "column of durations": lambda: pd.Series(pd.to_timedelta([1, 2, 3], unit="s")),
    "NaT of pandas": lambda: np.array([1.0, pd.NaT, 3.0], dtype=object),
    "complex": lambda: np.array([1.0, 2.0, 3.0], dtype=complex),
    "list of complex": lambda: [1, 2 + 0j, 3],
    "masked complex": lambda: _masked([1, 2 + 0j, 3], MASK),
    "objects of complex": lambda: np.array([1, 2 + 0j, 3], dtype=object),
    "records": lambda: np.array([(1.0,), (2.0,), (3.0,)], dtype=[("a", float)]),
    "masked records": lambda: _masked([(1.0,), (2.0,)], [(True,), (False,)], dtype=[("a", float)]),
    "rows of different lengths": lambda: [[1.0, 2.0], [3.0]],
    "a row among numbers": lambda: [1.0, [2.0, 3.0], 4.0],
    "sparse matrix": lambda: sparse.csr_matrix([[1.0, 2.0, 3.0]]),
    "sparse array": lambda: sparse.csr_array([[1.0, 2.0, 3.0]]),
    "set": lambda: {1.0, 2.0, 3.0},
    "mapping": lambda: {0: 1.0, 1: 2.0},
    "generator": lambda: (float(n) for n in (1, 2, 3)),
    "objects that float takes": lambda: [_Convertible()] * 3,
    "one object that float takes": _Convertible,
    "too large a whole number": lambda: [1, 10**400, 3],
    "too large a fraction": lambda: [1, Fraction(10**400, 3), 3],
    "too large a Decimal": lambda: [Decimal(1), Decimal("1e400"), Decimal(3)],
}
if np.finfo(np.longdouble).max > np.finfo(np.float64).max:
    NO_NUMBERS["too large a long float"] = lambda: np.array([1, np.longdouble("1e400"), 3])

PLAIN = [1.0, 2.0, 3.0]
TAKEN: dict[str, tuple[Callable[[], Any], list[float]]] = {
    "whole numbers": (lambda: [1, 2, 3], PLAIN),
    "tuple": (lambda: (1.0, 2.0, 3.0), PLAIN),
    "range": (lambda: range(1, 4), PLAIN),
    **{
        kind: (lambda kind=kind: np.array([1, 2, 3], dtype=kind), PLAIN)  # type: ignore[misc]
        for kind in ("int8", "uint64", "float16", "float32", ">f8", "longdouble")
    },
    "every other one": (lambda: np.array([1.0, 9.0, 2.0, 9.0, 3.0])[::2], PLAIN),
    "flags": (lambda: [True, False, True], [1.0, 0.0, 1.0]),
    "array of flags": (lambda: np.array([True, False, True]), [1.0, 0.0, 1.0]),
    "flags among objects": (lambda: np.array([True, np.False_, 3], object), [1.0, 0.0, 3.0]),
    "Decimal": (lambda: [Decimal(1), Decimal("2.1"), Decimal(3)], [1.0, 2.1, 3.0]),
    "Fraction": (lambda: [1, Fraction(1, 3), 3.0], [1.0, 1 / 3, 3.0]),
    "whole numbers beyond 2**53": (lambda: [1, 2**53 + 1, 3], [1.0, 2.0**53, 3.0]),
    "whole numbers beyond 2**64": (lambda: [1, 2**70 + 1, 3], [1.0, 2.0**70, 3.0]),
    "mask that hides nothing": (lambda: _masked([1.0, 2.0, 3.0], [False] * 3), PLAIN),
    "masked array without mask": (lambda: np.ma.asarray([1, 2, 3]), PLAIN),
    "column": (lambda: pd.Series([1, 2, 3], index=[7, 8, 9]), PLAIN),
    "index": (lambda: pd.Index([1, 2, 3]), PLAIN),
    "Int64": (lambda: pd.Series([1, 2, 3], dtype="Int64"), PLAIN),
    "category of numbers": (lambda: pd.Series([3, 1, 3], dtype="category"), [3.0, 1.0, 3.0]),
    "sparse column": (lambda: pd.Series(pd.arrays.SparseArray([0.0, 2.0, 0.0])), [0.0, 2.0, 0.0]),
}

INFINITE: dict[str, tuple[Callable[[], Any], list[float]]] = {
    "infinity": (lambda: [1.0, math.inf, -math.inf], [1.0, math.inf, -math.inf]),
    "infinite Decimal": (lambda: [1, Decimal("Infinity"), 3], [1.0, math.inf, 3.0]),
}


@dataclass(frozen=True)
class Taker:
    """Something that takes numbers, and what sets it apart from the others."""

    take: Callable[[Any], Any]
    figure: bool = False
    """It computes a figure without clamping: no infinite values, and at least one."""
    keeps: bool = False
    """It is there for values of which some are missing."""
    compared: bool = True
    """Two calls give the same result."""
    sized: bool = False
    """It needs so many values or a list of them, so that none at all is refused."""


BOUNDS = (0.0, 10.0)
MECHANISM = CompositeMechanism(1.0, BOUNDS)
DENSITY = MECHANISM.density()


def _of_mechanism(name: str, mechanism: Any) -> Iterator[tuple[str, Taker]]:
    yield f"{name} simulate", Taker(lambda v: mechanism.simulate(v, seed=1))
    yield f"{name} bias", Taker(mechanism.bias)
    yield f"{name} variance", Taker(mechanism.variance)
    yield f"{name} outside", Taker(lambda v: mechanism.probability_outside((0, 9), v))
    yield f"{name} pdf", Taker(lambda v: mechanism.pdf(v, value=5.0))
    if hasattr(mechanism, "pmf"):
        yield f"{name} pdf of values", Taker(lambda v: mechanism.pdf(5.0, value=v))
        yield f"{name} pmf", Taker(lambda v: mechanism.pmf(v, value=5.0))
    if hasattr(mechanism, "release"):
        yield f"{name} release", Taker(lambda v: mechanism.release(v).shape, compared=False)


def _of_statistic(statistic: Statistic) -> Iterator[tuple[str, Taker]]:
    yield statistic.name, Taker(lambda v: statistic.ask(v, BOUNDS).exact, sized=True)


def _density_of(broken: Faulty) -> Taker:
    return Taker(lambda v: broken.pdf(v, 5.0))


def _takers() -> Iterator[tuple[str, Taker]]:
    yield from _of_mechanism("composite", MECHANISM)
    yield "composite mean", Taker(MECHANISM.mean)
    for key, entry in BASELINES.items():
        yield from _of_mechanism(key, entry.build(1.0, BOUNDS, delta=1e-6))
    for name, broken in FAULTY.items():
        yield f"broken {name} pdf", _density_of(broken())
    for statistic in (kind() for name, kind in STATISTICS.items() if name != "count"):
        yield from _of_statistic(statistic)
    yield "description", Taker(Description.of, figure=True)
    yield "bins", Taker(Bins.covering(Interval(0, 10)).counts)
    yield "clamping", Taker(lambda v: Clamping.of(v, Interval(0, 10)), keeps=True)
    yield "interval", Taker(Interval(0, 10).clamp, keeps=True)
    yield "mapping", Taker(Mapping(Interval(0, 10), 1.0).to_domain)
    yield "mapping back", Taker(Mapping(Interval(0, 10), 1.0).to_data)
    yield "density", Taker(lambda v: Density(MECHANISM.design).pdf(v, 0.0))
    yield "distribution function", Taker(lambda v: DENSITY.cdf(v, 0.0))
    yield "loss at outputs", Taker(lambda v: loss_curve(MECHANISM.design, v))
    yield (
        "experiment",
        Taker(
            lambda v: compare([MECHANISM], v, repetitions=2, seed=1).bias.to_numpy(),
            figure=True,
        ),
    )
    yield (
        "column of an experiment",
        Taker(lambda v: BoundedColumn.of("a", v, BOUNDS).values, figure=True),
    )
    yield "formula", Taker(Formula("1 - abs(2*v - 1)"))
    yield "points of a shape", Taker(Points((0.0, 1.0), (0.0, 2.0)))
    yield "fingerprints", Taker(lambda v: lattice_fingerprints(v, 0))
    yield "validation", Taker(lambda v: floats("values", v))


TAKERS = dict(_takers())


def outcome(take: Callable[[Any], Any], values: Any) -> tuple[str, Any]:
    """What becomes of some values: how they are answered, and with what."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            result = take(values)
        except MissingValueError as error:
            return "missing", error
        except CompdpError as error:
            return "refused", error
        except Exception as error:  # what no caller can tell from a fault of the library
            return f"{type(error).__name__}: {error}", error
    if isinstance(result, float | np.ndarray | np.generic):
        return "taken", np.asarray(result).tobytes()
    return "taken", repr(result)


def _same(taker: Taker, junk: Any, plain: list[float]) -> bool:
    first, second = outcome(taker.take, junk), outcome(taker.take, np.array(plain))
    if first[0] != "taken" or not taker.compared:
        return first[0] == second[0] and first[0] in ("taken", "refused")
    return first == second


def faults(taker: Taker) -> list[str]:
    """The inputs to which something gives another answer than is agreed."""
    found = []
    for name, make in MISSING.items():
        if taker.keeps:
            kept = [float(v) for v in floats("values", make(), missing="keep")]
            wrong = not _same(taker, make(), kept)
        else:
            wrong = outcome(taker.take, make())[0] != "missing"
        found += [name] * wrong
    found += [
        name for name, make in NO_NUMBERS.items() if outcome(taker.take, make())[0] != "refused"
    ]
    found += [name for name, (make, plain) in TAKEN.items() if not _same(taker, make(), plain)]
    for name, (make, plain) in INFINITE.items():
        if taker.figure:
            wrong = outcome(taker.take, make())[0] != "refused"
        else:
            wrong = not _same(taker, make(), plain)
        found += [name] * wrong
    for name, nothing in {"no value": [], "empty array": np.empty(0)}.items():
        agreed = "refused" if taker.figure or taker.sized else "taken"
        found += [name] * (outcome(taker.take, nothing)[0] != agreed)
    return found


@pytest.mark.parametrize("name", TAKERS)
def test_every_taker_gives_the_agreed_answers(name: str) -> None:
    assert not faults(TAKERS[name])


def test_whoever_converts_on_its_own_is_caught() -> None:
    """What mechanisms, metrics and statistics did, each with its own holes."""

    def as_floats(values: Any) -> Any:
        return np.asarray(values, dtype=np.float64)

    def without_nan(values: Any) -> Any:
        array = as_floats(values)
        if np.isnan(array).any():
            raise MissingValueError("values", 1, 0)
        return array

    def of_a_kind(values: Any) -> Any:
        array = np.asarray(values)
        if array.dtype.kind not in "biuf":
            raise ParameterError("values", array.dtype, "must be numbers")
        return without_nan(array)

    def with_masks(values: Any) -> Any:
        return floats("values", values.data if isinstance(values, np.ma.MaskedArray) else values)

    masks = {"masked floats", "masked whole numbers", "masked flags", "masked objects"}
    holes = {"text", "dates of numpy", "list of durations", "too large a whole number", *masks}
    assert set(faults(Taker(as_floats))) >= {"NaN in a list", "complex", *holes}
    assert set(faults(Taker(without_nan))) >= holes
    assert set(faults(Taker(of_a_kind))) >= {
        "None",
        "Decimal",
        "Fraction",
        *masks - {"masked objects"},
    }
    assert set(faults(Taker(with_masks))) == masks


@pytest.mark.parametrize("name", [name for name, taker in TAKERS.items() if not taker.keeps])
def test_no_refusal_quotes_or_keeps_a_value(name: str) -> None:
    for make in NO_NUMBERS.values():
        _, error = outcome(TAKERS[name].take, make())
        assert HIDDEN not in f"{error} {vars(error)}"


def test_a_refusal_names_the_argument_the_kind_and_the_way_out() -> None:
    with pytest.raises(ParameterError, match=r"amounts must be real numbers: turn .* got dtype"):
        numbers("amounts", np.array(["a"]))
    with pytest.raises(ParameterError, match=r"amounts must be real numbers: .* 'complex'"):
        numbers("amounts", [1, None, Fraction(1, 2), 2j])
    with pytest.raises(
        MissingValueError, match=r"amounts contain 2 missing .* drop them"
    ) as caught:
        numbers("amounts", _masked([1, 2, 3], [False, True, True]))
    assert (caught.value.count, caught.value.first) == (2, 1)
    with pytest.raises(ValuesError, match="column 'age' must hold numbers only"):
        Mean().ask(["a"], (0, 1), column="age")
    with pytest.raises(ValuesError, match="one list of numbers"):
        Mean().ask(3.0, (0, 1))  # type: ignore[arg-type]


def test_an_array_of_numbers_is_not_copied() -> None:
    for array in (np.arange(3.0), np.arange(3), np.ones(3, dtype=np.float32)):
        assert np.shares_memory(numbers("values", array), array)
        assert np.shares_memory(numbers("values", np.ma.asarray(array)), array)
    assert np.shares_memory(floats("values", array := np.arange(3.0)), array)


def test_values_given_are_left_as_they_are() -> None:
    masked, objects = (
        _masked([1.0, 2.0], [True, False]),
        np.array([1, None, Decimal("NaN")], object),
    )
    for values in (masked, objects):
        assert np.isnan(floats("values", values, missing="keep")).any()
    assert masked.data.tolist() == [1.0, 2.0]
    assert objects[1] is None


def test_masks_deep_in_lists_hide_nothing() -> None:
    rows = [[_masked([1, 2], [False, True])], [_masked([3, 4], False)]]
    with pytest.raises(MissingValueError):
        numbers("values", rows)
    assert floats("values", rows, missing="keep").shape == (2, 1, 2)
    nested: list[Any] = []
    nested.append(nested)
    with pytest.raises(ParameterError):
        numbers("values", nested)


def test_a_masked_choice_of_rows_is_refused() -> None:
    with pytest.raises(ParameterError, match="yes or no for each row"):
        Sum().ask([1, 2], (0, 9), where=Selection(_masked([True, True], [False, True]), "some"))


def test_one_value_is_one_value() -> None:
    for take in (
        MECHANISM.mapped,
        MECHANISM.inputs_within,
        lambda v: MECHANISM.quantile(0.5, v),
        lambda v: MECHANISM.pdf([1.0], value=v),
    ):
        for value in ([1.0], np.ones((1, 1)), []):
            with pytest.raises(ParameterError, match="must be a single number"):
                take(value)  # type: ignore[arg-type]
        for text in (HIDDEN, HIDDEN.encode(), np.datetime64("2024-01-01"), 2j, _Convertible()):
            with pytest.raises(ParameterError, match="must be real numbers"):
                take(text)  # type: ignore[arg-type]
        for gone in (None, math.nan, GONE, pd.NA):
            with pytest.raises(MissingValueError):
                take(gone)  # type: ignore[arg-type]
    assert one_number("value", np.float32(2)) == one_number("value", np.array(2)) == 2.0


def test_figures_stay_within_a_limit() -> None:
    assert figures("values", [1e9], largest=1e9).tolist() == [1e9]
    for values in ([1.1e9], [-1.1e9], [math.inf]):
        with pytest.raises(ParameterError, match=r"must lie within ±1e\+09, got '1 beyond'"):
            figures("values", values, largest=1e9)


@pytest.mark.parametrize(
    "draws", [np.full(100, math.nan), [HIDDEN] * 100, _masked([1.0] * 100, True)]
)
def test_an_audit_takes_no_draws_that_are_none(draws: Any) -> None:
    """They come from a mechanism that may be anybody's."""
    with pytest.raises(CompdpError, match="simulate"):
        audit(lambda values, seed: draws, 1.0, (0.0, 1.0), draws=400, seed=1)
