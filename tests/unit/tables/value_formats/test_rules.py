"""Limits and classes: which texts are taken for which numbers, and what is released of them."""

from __future__ import annotations

import numpy as np
import pytest

import compdp_core as cdp
from compdp_core.errors import ParameterError
from compdp_core.report.settings import TableSettings
from compdp_core.report.settings_reading import from_json
from compdp_core.tables import read
from compdp_core.tables.value_formats import FORMATS, Classes, Limits, ValueFormat, classes, limits

CRP = b"id,crp\n1,<5\n2,12\n3,>100\n4,8.5\n"

TAKEN = [
    (Limits(), "< 5", 5),
    (Limits(), "≤5", 5),
    (Limits(below="half"), "<0.5", 0.25),
    (Limits(below="half"), ">100", 100),
    (Limits(below=1, above=150), "<5", 1),
    (Limits(below=1, above=150), ">=1,000", 150),
    (Limits(decimal=","), "<0,5", 0.5),
    (Limits(), "<٥", 5),
    (Limits(), "−2", -2),
    (Limits(), "12345678901234567890", None),
    (Limits(), "<0,5", None),
    (Limits(), "10-19", None),
    (Classes(), "10–19", 14.5),
    (Classes(), "10,000 to 19,999", 14_999.5),
    (Classes(), "$10,000-$19,999", 14_999.5),
    (Classes(), "100 - 199 €", 149.5),
    (Classes(decimal=","), "0,5-1,5", 1),
    (Classes(), "[10, 20)", 15),
    (Classes(), "(65, inf]", 65),
    (Classes(above=80), "65 years and over", 80),
    (Classes(below=3), "under 5", 3),
    (Classes(below=3), "5 or less", 3),
    (Classes(), "18 bis 25 Jahre", 21.5),
    (Classes(), "-10--5", -7.5),
    (Classes(), "7", 7),
    (Classes(), "7a", None),
    (Classes(), "19-10", None),
    (Classes(), "1-2-3", None),
    (Classes(), "10-19 apples", None),
]


@pytest.mark.parametrize(("form", "text", "value"), TAKEN)
def test_a_rule_takes_a_text_for_a_number(
    form: ValueFormat, text: str, value: float | None
) -> None:
    assert form.value(text) == pytest.approx(np.nan if value is None else value, nan_ok=True)


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (["<5", "12", ">100", "8.5"], Limits()),
        (["<0,5", "1,25"], Limits(decimal=",")),
        (["12", "8.5"], None),
        (["<5", "Ana"], None),
        (["under 5", "5 to 9", "10-19", "65+", ""], Classes()),
        (["<5", "5-9", ">9"], Classes()),
        (["10.000-19.999", "20.000+"], Classes(decimal=",")),
        (["3-1", "2-2"], None),
        (["7a", "8b"], None),
        ([], None),
    ],
)
def test_a_rule_is_offered_where_it_takes_every_cell(
    texts: list[str], found: ValueFormat | None
) -> None:
    assert (limits.suggest(texts) or classes.suggest(texts)) == found
    assert found is None or (FORMATS[found.name] is type(found) and found.label)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Limits(below="middle"),
        lambda: Limits(above="half"),
        lambda: Limits(above=float("nan")),
        lambda: Classes(below="half"),
        lambda: Classes(above=float("inf")),
        lambda: Classes(decimal="'"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(wrong: object) -> None:
    with pytest.raises(ParameterError):
        wrong()  # type: ignore[operator]


@pytest.mark.parametrize("kind", ["number", "whole"])
def test_limits_are_released_as_plain_numbers(kind: str) -> None:
    form = Limits(below="half", above=150)
    plan = cdp.ColumnPlan(inputs=(0, 200), epsilon=1, kind=kind, format=form)  # type: ignore[arg-type]
    table = read(CRP)
    assert plan.placed(table, 1).read(table).values.tolist() == [2.5, 12, 150, 8.5]
    released = cdp.privatize(table, {"crp": plan})
    numbers = read(released.csv()).numbers(1).values
    assert released.columns[0].values == pytest.approx(numbers)
    assert released.epsilon == 1
    opened = from_json(released.settings())
    assert isinstance(opened.settings, TableSettings)
    assert not opened.notices
    assert [each.format for each in opened.settings.plan.columns] == [form]
