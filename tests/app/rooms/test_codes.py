"""Codes and keys: few letters to type, and what nobody guesses."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pages.rooms.codes import LENGTH, LETTERS, new_code, new_key, spoken, typed


def test_a_code_is_six_letters_that_are_no_word_and_no_digit() -> None:
    assert len(LETTERS) == len(set(LETTERS)) == 20
    assert not set(LETTERS) & set("AEIOUY0123456789")
    for _ in range(200):
        assert re.fullmatch(f"[{LETTERS}]{{6}}", new_code())


@pytest.mark.parametrize(
    ("process", "number"),
    [("", ""), ("app", ""), ("2", "2"), ("app-12", "12"), ("app-123", "23"), ("7b", ""), ("٣", "")],
)
def test_the_process_stands_in_front_of_its_codes(process: str, number: str) -> None:
    code = new_code(process)
    assert code[:-LENGTH] == number
    assert typed(code) == (code, "")
    assert typed(spoken(code)) == (code, "")


def test_all_letters_are_as_likely_at_every_place() -> None:
    """False alarm: 1e-9 a run, of chi-square with 19 degrees of freedom for each of six places; a
    letter that comes half as often again is found out as surely.
    """
    draws, most = 12_000, 92.0  # The probability beyond is 1.1e-11 for each place.
    codes = [new_code() for _ in range(draws)]

    def statistic(letters: list[str]) -> float:
        counts, mean = [letters.count(letter) for letter in LETTERS], draws / 20
        return sum((count - mean) ** 2 for count in counts) / mean

    for place in range(LENGTH):
        assert statistic([code[place] for code in codes]) < most
    one = [code[0] for code in codes]
    twin = [
        LETTERS[0] if letter == LETTERS[1] and n % 2 else letter for n, letter in enumerate(one)
    ]
    assert statistic(twin) > most


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("ktrpmx", ("KTRPMX", "")),
        ("  ktr pmx\n", ("KTRPMX", "")),
        ("KTR-PMX", ("KTRPMX", "")),
        ("2 KTR PMX", ("2KTRPMX", "")),
        ("12ktrpmx.a_b-C9", ("12KTRPMX", "a_b-C9")),
        ("KTRPMX.", ("KTRPMX", "")),
        ("KTRPM", None),
        ("KTRPMXX", None),
        ("AEIOUY", None),
        ("123KTRPMX", None),
        ("٢KTRPMX", None),
        ("KTRPMX.a.b", None),
        ("KTRPMX.é", None),
        ("KTRPMX.\ud800", None),
        ("KTRPMX.a b", None),
        ("KTRPMX.a\n", ("KTRPMX", "a")),
        ("KTRPMX\x00", None),
        ("", None),
        ("." * 50, None),
        ("K" * 10**6, None),
        (" " * 101, None),
        (None, None),
        (b"KTRPMX", None),
        (["KTRPMX"], None),
        (123456, None),
    ],
)
def test_what_is_typed_is_a_code_or_none(given: Any, found: Any) -> None:
    assert typed(given) == found


def test_keys_are_long_and_never_the_same() -> None:
    keys = {new_key() for _ in range(1000)}
    assert len(keys) == 1000
    for key in keys:
        assert len(key) >= 22
        assert typed(f"KTRPMX.{key}") == ("KTRPMX", key)
