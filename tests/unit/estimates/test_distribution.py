"""The distribution of true values, quantiles and shares beyond limits, from a file and its card."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import compdp_core as cdp
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.estimates.estimate import EstimateError

TRUE = np.concatenate([np.linspace(20, 45, 1800), np.linspace(70, 80, 1200)])


def estimates(values: Any = TRUE, **plan: Any) -> cdp.Estimates:
    given: dict[str, Any] = {"inputs": (0, 100), "epsilon": 8, **plan}
    release = cdp.privatize(pd.DataFrame({"x": values}), {"x": cdp.ColumnPlan(**given)})
    return cdp.Estimates(release.csv(), release.card)


def test_the_picture_of_a_column_that_tells_much() -> None:
    found = estimates().distribution("x")
    assert found.told
    assert found.shares.sum() == pytest.approx(1)
    middles = 0.5 * (found.edges[1:] + found.edges[:-1])
    assert found.shares[middles > 60].sum() == pytest.approx(0.4, abs=0.06)
    assert (found.low <= found.shares).all()
    assert (found.shares <= found.high).all()


def test_shares_beyond_limits_and_quantiles() -> None:
    read = estimates()
    above = read.share("x", above=60)
    below = read.share("x", below=60)
    assert above.low < above.value < above.high
    assert above.value == pytest.approx(0.4, abs=0.06)
    assert below.value == pytest.approx(1 - above.value, abs=1e-6)
    assert read.quantile("x", 0.5).value == pytest.approx(40.8, abs=3)


def test_what_cannot_be_asked_is_refused() -> None:
    read = estimates()
    for limits in ({"above": 100}, {"at_least": 0}, {"below": -1}, {"at_most": "a"}):
        with pytest.raises(ParameterError, match=next(iter(limits))):
            read.share("x", **limits)
    with pytest.raises(ParameterError, match="one limit"):
        read.share("x", above=1, below=2)
    with pytest.raises(CompdpError, match="p must"):
        read.quantile("x", 1.5)
    with pytest.raises(EstimateError, match="no value"):
        estimates([np.nan] * 3, missing="keep").distribution("x")
