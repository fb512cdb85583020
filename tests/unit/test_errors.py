"""Refusals: typed, caught as ValueError, short, and with the way out in their text."""

from __future__ import annotations

import importlib
import pickle
import pkgutil
import re

import numpy as np
import pandas as pd
import pytest

import compdp_core
from compdp_core.errors import (
    BoundsError,
    CompdpError,
    InfeasibleOutputsError,
    MissingValueError,
    ParameterError,
    UnknownPairError,
    shown,
)

MODULES = [each.name for each in pkgutil.walk_packages(compdp_core.__path__, "compdp_core.")]
TYPES = [
    kind
    for name in MODULES
    for kind in vars(importlib.import_module(name)).values()
    if isinstance(kind, type) and issubclass(kind, Exception) and kind.__module__ == name
    if kind.__name__ != "UnresolvedError"  # caught where shapes are folded, raised to nobody
]


def infeasible(**changed: object) -> InfeasibleOutputsError:
    attributes: dict[str, object] = {
        "epsilon": 1.0,
        "inputs": (0.0, 1.0),
        "outputs": (-0.1, 1.1),
        "needed_fraction": 0.8333333,
        "largest_fraction": 0.2449187,
        "smallest_epsilon": 4.7957905,
        "narrowest_outputs": (-1.5414941, 2.5414941),
        "widest_inputs": (0.3530488, 0.6469512),
    }
    return InfeasibleOutputsError(**{**attributes, **changed})  # type: ignore[arg-type]


EXAMPLES: list[tuple[CompdpError, dict[str, object], str]] = [
    (
        ParameterError("epsilon", -1, "must be a number from 0.001 to 50"),
        {"name": "epsilon", "value": -1},
        "epsilon must be a number from 0.001 to 50, got -1",
    ),
    (
        BoundsError("inputs", 5, 5, "must have lower below upper, both finite"),
        {"name": "inputs", "lower": 5, "upper": 5},
        "inputs must have lower below upper, both finite, got (5, 5)",
    ),
    (
        MissingValueError("values", 2, 7),
        {"name": "values", "count": 2, "first": 7},
        "values contain 2 missing (NaN) of which the first is at position 7: drop them or fill "
        "them with a public constant first",
    ),
    (
        UnknownPairError("A9B9", ["A1B1", "A2B1"]),
        {"known": ("A1B1", "A2B1")},
        "pair 'A9B9' is unknown: choose one of A1B1, A2B1",
    ),
    (infeasible(), {"epsilon": 1.0}, str(infeasible())),
]


@pytest.mark.parametrize("kind", TYPES, ids=lambda t: t.__name__)
def test_all_are_value_errors_of_this_library_with_a_docstring(kind: type) -> None:
    assert len(TYPES) >= 40
    assert issubclass(kind, CompdpError)
    assert issubclass(kind, ValueError)
    assert (kind.__doc__ or "").strip()


@pytest.mark.parametrize(("error", "attributes", "text"), EXAMPLES)
def test_values_are_attributes_and_stand_in_the_text(
    error: CompdpError, attributes: dict[str, object], text: str
) -> None:
    assert str(error) == text
    assert text
    assert "\n" not in text
    assert attributes.items() <= vars(error).items()


def test_the_three_ways_out_stand_in_the_text_with_their_numbers() -> None:
    text = str(infeasible())
    assert "(-0.1, 1.1) are too narrow for inputs (0.0, 1.0) at epsilon 1" in text
    for way in (
        "raise epsilon to at least 4.7958",
        "widen the outputs to at least (-1.54",
        "narrow the inputs to at most (0.353",
    ):
        assert way in text


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("smallest_epsilon", "raise epsilon"),
        ("narrowest_outputs", "widen the outputs"),
        ("widest_inputs", "narrow the inputs"),
    ],
)
def test_ways_that_do_not_exist_are_not_offered(way: str, words: str) -> None:
    error = infeasible(**{way: None})
    assert words in str(infeasible())
    assert words not in str(error)
    assert getattr(error, way) is None


@pytest.mark.parametrize("offset", [0.0, 1e9, -1e9, 1e15])
@pytest.mark.parametrize("width", [1e-3, 1.0, 1234.5678])
def test_printed_ways_work_as_printed_and_keep_their_digits(offset: float, width: float) -> None:
    """Rounded to the side on which they work, so that they can be typed in."""
    bounds = (offset, offset + width)
    if offset == 1e15 and width < 1.0:
        return
    text = str(
        infeasible(smallest_epsilon=4.79579051, narrowest_outputs=bounds, widest_inputs=bounds)
    )
    found = re.search(r"epsilon to at least ([\d.e+-]+),", text)
    assert found is not None
    assert float(found[1]) >= 4.79579051
    outer, inner = (
        tuple(float(x) for x in pair)
        for pair in re.findall(r"(?:least|most) \(([^,]+), ([^)]+)\)", text)
    )
    rounding = 2.0 * np.spacing(abs(offset) + width)
    assert outer[0] - rounding <= bounds[0] <= inner[0] + rounding
    assert inner[1] - rounding <= bounds[1] <= outer[1] + rounding
    assert outer[1] - outer[0] <= 1.0001 * width + 2 * rounding
    assert inner[1] - inner[0] >= 0.9999 * width - 2 * rounding


@pytest.mark.parametrize(
    "value",
    [
        10**400,
        10**5000,
        -(10**5000),
        "x" * 10**6,
        b"x" * 10**6,
        list(range(10**6)),
        {i: i for i in range(10**5)},
        np.zeros(10**6),
        [[[[[[[1] * 100] * 100]]]]],
        (10**5000,),
    ],
    ids=lambda value: type(value).__name__,
)
def test_long_values_are_shown_short(value: object) -> None:
    assert len(shown(value)) <= 120
    for error in (
        ParameterError("epsilon", value, "must be a number"),
        BoundsError("inputs", value, value, "must be a pair"),
        UnknownPairError(value, ["A1B1"]),
    ):
        assert len(str(error)) <= 320


@pytest.mark.parametrize(
    "value", [5, -1.5, "abc", None, True, (1, 2), float("nan"), [1, 2], 1j, np.float64(1), (), int]
)
def test_short_values_are_shown_as_they_are(value: object) -> None:
    assert shown(value) == repr(value)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ([1, 2, 3], "a list of 3"),
        (("Ada", "Ben"), "a tuple of 2"),
        ([[1], [2]], "a list of 2"),
        ({"Ada": 1}, "a dict"),
        (b"Ada", "bytes"),
        (np.array([1.0]), "an array"),
        (pd.Series([1.0]), "a Series"),
        (pd.Index([1.0]), "an Index"),
    ],
)
def test_what_may_be_data_is_named_by_its_kind(value: object, kind: str) -> None:
    assert shown(value) == kind
    for error in (
        ParameterError("epsilon", value, "must be a number"),
        BoundsError("inputs", value, value, "must be a pair"),
        UnknownPairError(value, ["A1B1"]),
    ):
        assert kind in str(error)
        assert not [each for each in vars(error).values() if each is value]


def test_refusals_of_one_process_can_be_raised_in_another() -> None:
    """As a worker of a pool does it: by pickling."""
    for error, *_ in EXAMPLES:
        copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - made one line above
        assert type(copy) is type(error)
        assert isinstance(copy, CompdpError)
        assert str(copy) == str(error)
        assert vars(copy) == vars(error)
