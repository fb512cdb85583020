"""What a released column says when it is read as it stands, as if there were no noise in it.

These figures stand beside the estimates to show what noise does to them. A mean comes out right
even so; variances come out too large, correlations and slopes too small.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from compdp_core.estimates.received.table import ReceivedColumn, ReceivedTable
from compdp_core.estimates.summary.requests import Request
from compdp_core.validation import Array, one_of


def naive(request: Request, received: ReceivedTable) -> Mapping[str, float]:
    """The figures of a request, named as its estimates; NaN where the cells say nothing."""
    given, option = request.arguments, request.option
    with np.errstate(divide="ignore", invalid="ignore"):
        match request.method:
            case "share":
                return {"": read_off(request, as_it_stands(received, given))}
            case "correlation":
                return {"": _correlation(*(as_it_stands(received, each) for each in given))}
            case "regression":
                outcome, on = given
                columns = [as_it_stands(received, each) for each in on]
                return _regression(as_it_stands(received, outcome), columns)
            case "means":
                return _means(received, given[0], option("by"))
            case "difference":
                found = _means(received, given[0], option("by"))
                first, second = (found.get(each, np.nan) for each in option("groups"))
                return {"": first - second}
        return {"": read_off(request, as_it_stands(received, given[0]))}


def read_off(request: Request, values: Array) -> float:
    """The figure of one column, or of one of its categories, worked out from these very values."""
    values = values[~np.isnan(values)]
    if not values.size:
        return np.nan
    if request.method == "std":
        return float(values.std(ddof=1)) if values.size > 1 else np.nan
    if request.method == "quantile":
        return float(np.quantile(values, request.arguments[1]))
    return float(values.mean())


def as_it_stands(received: ReceivedTable, subject: Any) -> Array:
    """A column as numbers, or where one of its categories is 1; NaN where a cell has none."""
    column, name = subject if isinstance(subject, tuple) else (subject, None)
    found = received.find(column)
    if isinstance(found, ReceivedColumn):
        if name is None:
            return found.values
        place = found.names.index(one_of("category", name, found.names))
        there = (found.values == place).astype(np.float64)
        return np.where(np.isnan(found.values), np.nan, there)
    if name is None:
        return received.table.readings(found).values
    texts = (text.strip() for text in received.table.texts(found))
    return np.array([float(text == name) if text else np.nan for text in texts])


def _mean(values: Array) -> float:
    values = values[~np.isnan(values)]
    return float(values.mean()) if values.size else np.nan


def _correlation(first: Array, second: Array) -> float:
    both = ~(np.isnan(first) | np.isnan(second))
    if both.sum() < 2:
        return np.nan
    return float(np.corrcoef(first[both], second[both])[0, 1])


def _regression(outcome: Array, columns: list[Array]) -> dict[str, float]:
    """By place: the intercept, then each slope."""
    known = ~np.isnan(np.column_stack([outcome, *columns])).any(axis=1)
    design = np.column_stack([np.ones(known.sum()), *(each[known] for each in columns)])
    if known.sum() <= len(columns):
        found = np.full(design.shape[1], np.nan)
    else:
        found = np.linalg.lstsq(design, outcome[known], rcond=None)[0]
    return {str(place): value for place, value in enumerate(found.tolist())}


def _means(received: ReceivedTable, column: Any, by: Any) -> dict[str, float]:
    """By the names of the groups, as the estimates have them."""
    place, values = received.find(by), as_it_stands(received, column)
    if not isinstance(place, ReceivedColumn):
        return {name: _mean(values[each]) for name, each in received.groups(place).items()}
    return {name: _mean(values[place.values == at]) for at, name in enumerate(place.names)}
