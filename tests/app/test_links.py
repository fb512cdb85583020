"""Settings as text: what is written is read again, and nothing else gets in."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from compdp_core.parameters import EPSILON
from pages.inputs import links
from pages.inputs.links import LARGEST_FILE, Setting, _settings_in, choice, choices, number
from pages.inputs.links import switch as on_off

NUMBER = number("x.epsilon", "epsilon", EPSILON, Decimal(1))
UNSET = number("x.tau", "tau", EPSILON, None)
WORD = choice("x.pair", "pair", lambda: ("A", "B"), "A")
WORDS = choices("x.many", "many", ("a", "b", "c"), ("a",))
SWITCH = on_off("x.on", "on", True)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        (NUMBER, Decimal("0.30")),
        (NUMBER, Decimal("1e-3")),
        (UNSET, None),
        (WORD, "B"),
        (WORDS, ["a", "c"]),
        (SWITCH, False),
    ],
)
def test_what_is_written_is_read_again(setting: Setting, value: object) -> None:
    assert setting.read(setting.write(value)) == value


@pytest.mark.parametrize(
    ("setting", "text", "says"),
    [
        (NUMBER, "nan", "must be a number"),
        (NUMBER, "1e9", "must be a number from 0.001 to 50"),
        (NUMBER, "", "must be a number"),
        (NUMBER, "<script>", "must be a number"),
        (WORD, "a", "one of A, B"),
        (WORDS, "", "only a, b, c"),
        (WORDS, "a,d", "only a, b, c"),
        (SWITCH, "True", "on or off"),
    ],
)
def test_nonsense_is_refused_with_what_is_allowed(setting: Setting, text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        setting.read(text)


def test_several_words_come_in_their_own_order_once() -> None:
    assert WORDS.read("c,a,c") == ["a", "c"]


def test_only_what_differs_from_its_default_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {"x.epsilon": Decimal(2), "x.many": ["a"], "x.pair": "B"}
    monkeypatch.setattr(links, "recall", lambda name, default=None: kept.get(name, default))
    said = links.spoken((NUMBER, UNSET, WORD, WORDS, SWITCH))
    assert said == {"epsilon": "2", "pair": "B"}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"[" * 60_000, "not JSON"),
        (b"[1]", "no settings of this page"),
        (b'{"page": "other", "settings": {}}', "no settings of this page"),
        (b'{"page": "mine", "settings": [1]}', "no settings of this page"),
        (b" " * (LARGEST_FILE + 1), "too large"),
    ],
)
def test_a_file_that_holds_no_settings_says_so(data: bytes, says: str) -> None:
    answer = _settings_in(data, "mine")
    assert isinstance(answer, str)
    assert says in answer
    assert "Save settings" in answer


def test_values_that_are_no_text_count_as_empty() -> None:
    data = json.dumps({"page": "mine", "settings": {"epsilon": 2, "pair": "B"}}).encode()
    assert _settings_in(data, "mine") == {"epsilon": "", "pair": "B"}
