"""Mechanisms as measurements of OpenDP: the map is the certificate's, chains and contexts count it.

Tests by chance: the seed of a release is the system's, so each states its rate of false alarms.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import opendp.prelude as prelude
import pytest
from opendp.context import constructors
from opendp.mod import GLOBAL_FEATURES, OpenDPException

import compdp_core as cdp
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.measurement import FEATURES, MeasuredMechanism, OpenDPError, measurement
from compdp_core.release import TableRelease
from compdp_core.report import card_of_table

INPUTS, ROWS = (0.0, 100.0), 50
LOCAL = cdp.CompositeMechanism(1.0, INPUTS)
NARROW = cdp.CompositeMechanism(1.0, INPUTS, sensitivity=2.5)
RESPONSE = RandomizedResponse(1.0, 3)
Map = Callable[[float], float]


@pytest.fixture(autouse=True)
def dp() -> Iterator[Any]:
    """OpenDP as somebody enables it who knows what the features mean."""
    before = set(GLOBAL_FEATURES)
    prelude.enable_features(*FEATURES)
    yield prelude
    GLOBAL_FEATURES.clear()
    GLOBAL_FEATURES.update(before)


def floats(dp: Any, size: int | None = ROWS) -> Any:
    return dp.vector_domain(dp.atom_domain(T=float, nan=False), size=size)


def mean(dp: Any) -> Any:
    """Clamped and averaged by OpenDP, of so many rows."""
    space = floats(dp), dp.symmetric_distance()
    return space >> dp.t.then_clamp(INPUTS) >> dp.t.then_mean()


# The map


def loss(mechanism: cdp.CompositeMechanism, one: float, other: float) -> float:
    """The largest logarithm of a ratio of probabilities, from the lattice that is drawn from."""
    first, second = mechanism.lattice.pmf(one), mechanism.lattice.pmf(other)
    return float(np.abs(np.log(first) - np.log(second)).max())


def holds(mechanism: cdp.CompositeMechanism, given: Map) -> bool:
    """Whether no pair of inputs tells more than the map says, but for the last digits of floats."""
    pairs = [(x, x + d) for d in (0.3, 1.0, 2.5, 20.0, 100.0) for x in (0.0, 33.3, 50.0, 97.5)]
    return all(
        loss(mechanism, one, other) <= given(abs(one - other)) * (1 + 1e-9)
        for one, other in pairs
        if other <= INPUTS[1]
    )


@pytest.mark.parametrize("mechanism", [LOCAL, NARROW], ids=["any two", "narrow"])
def test_the_map_is_the_certificate_up_to_the_sensitivity(
    mechanism: cdp.CompositeMechanism,
) -> None:
    proved, most = mechanism.certificate.epsilon, mechanism.sensitivity
    given: Map = mechanism.as_measurement().map
    assert [given(d) for d in (0.0, 1e-9, 1.0, most)] == [0.0, proved, proved, proved]
    beyond = [math.nextafter(most, math.inf), 2 * most, 1e300]
    assert {given(d) for d in beyond} == {proved if mechanism is LOCAL else math.inf}
    # What lies beyond the inputs is clamped: no two of them are further apart than they are wide.
    assert given(math.nan) == math.inf
    assert holds(mechanism, given)
    # The broken twin tells half of it.
    assert not holds(mechanism, lambda distance: given(distance) / 2)


def test_epsilon_is_never_rounded_down() -> None:
    """Three times 0.1 as floats is above 0.3, five times a third of one is below."""
    for mechanism in (LOCAL, RESPONSE, cdp.CompositeMechanism(0.1, INPUTS)):
        proved = mechanism.certificate.epsilon
        one = MeasuredMechanism(lambda values: values, proved, math.inf, whole=False)
        for rows in (1, 3, 5, 7, 10**6 + 3):
            assert Fraction(one.loss_of_rows(rows)) >= rows * Fraction(proved)
            assert one.loss_of_rows(rows) == pytest.approx(rows * proved, rel=1e-15)


def test_two_that_differ_are_any_two_under_the_discrete_distance(dp: Any) -> None:
    space = dp.atom_domain(T=float, nan=False), dp.discrete_distance()
    assert NARROW.as_measurement(*space).map(1) == math.inf
    assert LOCAL.as_measurement(*space).map(1) == LOCAL.certificate.epsilon
    response = RESPONSE.as_measurement()
    assert [response.map(d) for d in (0, 1)] == [0.0, RESPONSE.certificate.epsilon]


@pytest.mark.parametrize(
    ("metric", "rows", "changed"),
    [("hamming", 3, 3), ("change_one", 3, 3), ("symmetric", 6, 3), ("symmetric", 1, 0)],
)
def test_a_column_costs_epsilon_for_each_row_that_changes(
    dp: Any, metric: str, rows: int, changed: int
) -> None:
    given = LOCAL.as_measurement(floats(dp), getattr(dp, f"{metric}_distance")())
    assert given.map(rows) == changed * LOCAL.certificate.epsilon


# What is drawn


def test_what_lies_outside_the_inputs_is_clamped_and_nan_stops(dp: Any) -> None:
    one = LOCAL.as_measurement()
    low, high = LOCAL.outputs
    for value in (-math.inf, -1e300, 50, 1e300, math.inf):
        assert low <= one(float(value)) <= high
    column = LOCAL.as_measurement(floats(dp), dp.hamming_distance())
    for asked, given in ((one, math.nan), (column, [1.0, math.nan])):
        with pytest.raises(OpenDPException, match="NaN among the values"):
            asked(given)
    assert {RESPONSE.as_measurement()(code) for code in (-1, 0, 2, 3, 2**31 - 1)} <= {0, 1, 2}


def test_whole_numbers_of_opendp_are_taken(dp: Any) -> None:
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    count = space >> dp.t.then_count()
    mechanism = cdp.CompositeMechanism(2.0, (0, 50), sensitivity=1, spacing=1)
    made = count >> mechanism.as_measurement(count.output_domain, count.output_metric)
    assert made.map(1) == mechanism.certificate.epsilon
    assert made.map(2) == math.inf
    assert float(made([1, 2, 3])).is_integer()


def shares_fit(found: np.ndarray[Any, Any], wanted: list[float], rows: int) -> bool:
    """Within 6.5 standard errors each: false alarm below 1e-9 for all three together."""
    shares = np.bincount(found.astype(int), minlength=3) / rows
    return all(
        abs(share - p) < 6.5 * math.sqrt(p * (1 - p) / rows)
        for share, p in zip(shares, wanted, strict=True)
    )


def test_categories_come_out_as_often_as_the_weights_say(dp: Any) -> None:
    """False alarm below 1e-9; sees a share that is off by .02 of 40,000 rows."""
    rows = 40_000
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.hamming_distance()
    column = RESPONSE.as_measurement(*space)
    kept, other = RESPONSE.probability_kept, RESPONSE.probability_other
    found = np.array(column([1] * rows))
    assert shares_fit(found, [other, kept, other], rows)
    assert shares_fit(np.array(column([9] * rows)), [1 / 3] * 3, rows)
    # The broken twin draws nothing and hands on what it was given.
    assert not shares_fit(np.ones(rows), [other, kept, other], rows)


def test_order_tells_nothing_where_the_metric_knows_none(dp: Any) -> None:
    """Two orders of the same values are at no distance, so what comes out must be as one."""
    values = [0.0] * 25 + [100.0] * 25
    sharp = cdp.CompositeMechanism(20.0, INPUTS)
    for metric in (dp.change_one_distance(), dp.symmetric_distance()):
        found = sharp.as_measurement(floats(dp), metric)(values[::-1])
        assert found == sorted(found)
    # The broken twin leaves the order, which at this ε is that of what went in.
    found = sharp.as_measurement(floats(dp), dp.hamming_distance())(values[::-1])
    assert found != sorted(found)


# Chains and contexts


def test_chained_after_a_mean_the_map_is_the_certificate(dp: Any) -> None:
    chain = mean(dp)
    mechanism = cdp.CompositeMechanism(1.0, INPUTS, sensitivity=chain.map(2))
    assert mechanism.sensitivity == pytest.approx(100 / ROWS)
    made = chain >> mechanism.as_measurement()
    assert made.map(2) == mechanism.certificate.epsilon <= 1.0
    assert made.map(4) == math.inf
    low, high = mechanism.outputs
    assert low <= made([40.0, 60.0] * (ROWS // 2)) <= high
    again = chain >> mechanism.as_measurement(chain.output_domain, chain.output_metric)
    assert again.map(2) == made.map(2)


def test_after_a_transformation_the_sensitivity_is_that_of_its_map(dp: Any) -> None:
    chain = mean(dp)
    assert chain.map(2) == 2.000000000000265  # what the docstring says
    by_hand, from_it = (
        cdp.CompositeMechanism(1.0, INPUTS, sensitivity=most) for most in (100 / ROWS, chain.map(2))
    )
    assert (chain >> by_hand.as_measurement()).map(2) == math.inf
    assert (chain >> from_it.as_measurement()).map(2) == from_it.certificate.epsilon


def context_of(dp: Any, epsilon: float) -> Any:
    """A context of two queries on as many rows at the middle."""
    return dp.Context.compositor(
        data=[50.0] * ROWS,
        privacy_unit=dp.unit_of(contributions=2),
        privacy_loss=dp.loss_of(epsilon=epsilon),
        split_evenly_over=2,
        domain=floats(dp),
    )


def test_a_context_counts_it_and_refuses_what_no_longer_fits(dp: Any) -> None:
    context, chain = context_of(dp, 2.0), mean(dp)
    mechanism = cdp.CompositeMechanism(1.0, INPUTS, sensitivity=chain.map(2))
    low, high = mechanism.outputs
    assert low <= context(chain >> mechanism.as_measurement()) <= high
    dp.register(mechanism.as_measurement, "composite_of_a_test")
    try:
        query = context.query().clamp(INPUTS).mean()
        assert low <= query.composite_of_a_test().release() <= high
        with pytest.raises(OpenDPException, match="out of queries"):
            query.composite_of_a_test().release()
        with pytest.raises(ValueError, match="exhausted"):
            context.query()
    finally:
        del constructors["composite_of_a_test"]


def test_a_context_refuses_more_than_its_part(dp: Any) -> None:
    chain = mean(dp)
    mechanism = cdp.CompositeMechanism(1.0, INPUTS, sensitivity=chain.map(2))
    with pytest.raises(OpenDPException, match="insufficient budget"):
        context_of(dp, 1.9)(chain >> mechanism.as_measurement())
    # The broken twin tells half of ε, and is taken.
    half = MeasuredMechanism(
        mechanism.release, mechanism.certificate.epsilon / 2, mechanism.sensitivity, whole=False
    )
    context_of(dp, 1.9)(chain >> measurement(half))


# What is refused


def test_features_are_enabled_by_who_calls(dp: Any) -> None:
    for feature in FEATURES:
        GLOBAL_FEATURES.discard(feature)
        with pytest.raises(OpenDPError, match=r'enable_features\("contrib", "honest-but-curious"'):
            LOCAL.as_measurement()
        assert feature not in GLOBAL_FEATURES
        dp.enable_features(feature)


@pytest.mark.parametrize(
    ("mechanism", "space", "match"),
    [
        (LOCAL, lambda dp: (dp.atom_domain(T=float), dp.absolute_distance(T=float)), "allows NaN"),
        (
            LOCAL,
            lambda dp: (dp.vector_domain(dp.atom_domain(T=float)), dp.hamming_distance()),
            "allows NaN",
        ),
        (LOCAL, lambda dp: (floats(dp, None), dp.symmetric_distance()), "size must be public"),
        (LOCAL, lambda dp: (floats(dp), dp.insert_delete_distance()), "must be for a column"),
        (LOCAL, lambda dp: (floats(dp), dp.l1_distance(T=float)), "must be for a column"),
        (NARROW, lambda dp: (floats(dp), dp.hamming_distance()), "leave sensitivity out"),
        (LOCAL, lambda dp: (dp.atom_domain(T=str), dp.discrete_distance()), "must be of numbers"),
        (LOCAL, lambda dp: (dp.atom_domain(T=bool), dp.discrete_distance()), "must be of numbers"),
        (LOCAL, lambda dp: (floats(dp).element_domain, dp.l1_distance(T=float)), "for one number"),
        (LOCAL, lambda dp: (floats(dp), None), "give both"),
        (LOCAL, lambda dp: ("floats", dp.hamming_distance()), "must be a domain of OpenDP"),
        (LOCAL, lambda dp: (floats(dp), "hamming"), "must be a metric of OpenDP"),
    ],
)
def test_what_would_not_be_private_is_refused(
    dp: Any, mechanism: cdp.CompositeMechanism, space: Callable[[Any], Any], match: str
) -> None:
    with pytest.raises(CompdpError, match=match):
        mechanism.as_measurement(*space(dp))


def test_an_argument_is_named(dp: Any) -> None:
    with pytest.raises(ParameterError) as refusal:
        RESPONSE.as_measurement(dp.atom_domain(T=int), dp.symmetric_distance())
    assert refusal.value.name == "input_metric"


def test_a_map_that_is_wrong_is_opendps_to_believe(dp: Any) -> None:
    """The broken twin of the whole: half of ε in the map counts as half."""
    half = MeasuredMechanism(LOCAL.release, LOCAL.certificate.epsilon / 2, math.inf, whole=False)
    assert not holds(LOCAL, measurement(half).map)


# On the far side


def test_estimates_read_a_column_that_opendp_released(dp: Any) -> None:
    """The plan of a column gives the mechanism to OpenDP and the card to who receives the values.

    False alarm below 1e-9: 6.5 standard errors of the mean.
    """
    rows, plan = 2000, cdp.ColumnPlan(inputs=INPUTS, epsilon=4)
    true = np.linspace(20.0, 60.0, rows)
    mechanism = plan.composite()
    given = mechanism.as_measurement(floats(dp, rows), dp.hamming_distance())(true.tolist())
    table = cdp.read_csv(b"x\n" + b"0\n" * rows)
    stand_in = cdp.privatize(table, {"x": plan})  # settings and card, with no value of the data
    column = dataclasses.replace(stand_in.columns[0], values=np.array(given))
    drawn = TableRelease(
        table, stand_in.plan, (column,), stand_in.identifier, stand_in.when, stand_in.kept
    )
    estimates = cdp.Estimates(cdp.read_csv(drawn.csv()), card_of_table(drawn).as_dict())
    found = estimates.mean("x", about="rows")
    assert abs(found.value - true.mean()) < 6.5 * found.standard_error
    assert found.value == pytest.approx(np.mean(given))
    # The broken twin: values at another scale are not those of the card.
    scaled = dataclasses.replace(column, values=10 * np.array(given))
    wrong = dataclasses.replace(drawn, columns=(scaled,))
    with pytest.raises(CompdpError):
        cdp.Estimates(cdp.read_csv(wrong.csv()), card_of_table(wrong).as_dict())
