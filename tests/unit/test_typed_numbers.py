"""What a person may mean by a typed number: one reading, both, or none."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.text import number
from pages.text.typed_numbers import guesses, parsed, plain, readings


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("12,000", ["12000", "12"]),
        ("3,000", ["3000", "3"]),
        ("-1,250", ["-1250", "-1.25"]),
        ("1.234", ["1.234", "1234"]),
        ("0.125", ["0.125"]),
        ("0,125", ["0.125"]),
        ("1,5", ["1.5"]),
        ("12.5", ["12.5"]),
        ("1,234,567", ["1234567"]),
        ("12,000.5", ["12000.5"]),
        ("1.234.567,5", ["1234567.5"]),
        ("12 000", ["12000"]),
        ("12\u202f000,5", ["12000.5"]),
        ("1'234.5", ["1234.5"]),
        ("1_000", ["1000"]),
        ("1_0", []),
        ("1 0", []),
        ("−3", ["-3"]),
        ("٣٤", ["34"]),
        ("\ufeff5\u200b", ["5"]),
        ("1,2,3", []),
        ("12,00,0", []),
        ("inf", []),
        ("12abc", []),
        ("", []),
    ],
)
def test_readings_of_a_typed_number(text: str, meant: list[str]) -> None:
    assert readings(text) == tuple(map(Decimal, meant))


def test_stray_signs_between_digits_are_guessed_and_never_taken() -> None:
    assert guesses("1_0") == guesses("1 0") == (Decimal(10), Decimal("1.0"))
    assert guesses("abc") == guesses("1_0_0") == ()
    assert parsed("1_0") is None


@given(st.decimals(-(10**9), 10**9, places=3) | st.integers(-(10**12), 10**12).map(Decimal))
def test_what_the_app_writes_is_read_as_it_is_written(value: Decimal) -> None:
    assert parsed(plain(value)) == value
    shown = number(value, 15)
    assert parsed(shown) == parsed(shown.replace(",", "")) == readings(shown)[0]
