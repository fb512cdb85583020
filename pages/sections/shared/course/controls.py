"""Controls of a lesson: a slider that is long on a phone, too, and a row of buttons."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

import streamlit as st

from pages.inputs import links
from pages.inputs.options import segments
from pages.session.framework import DeltaGenerator
from pages.session.state import edits
from pages.text.typed_numbers import parsed, plain


@dataclass(frozen=True)
class Dial:
    setting: links.Setting
    label: str
    low: float
    high: float
    step: float

    @property
    def value(self) -> float:
        return float(links.value(self.setting))

    def draw(self, place: DeltaGenerator | None = None) -> float:
        (place or st).slider(
            self.label,
            self.low,
            self.high,
            step=self.step,
            format=None if isinstance(self.step, int) else f"%.{_decimals(self.step)}f",
            **edits(self.setting.name, self.setting.default),
        )
        return self.value


def dial(key: str, label: str, low: float, high: float, default: float, *, step: float = 1) -> Dial:
    """A slider under that key, which begins with the key of its lesson.

    All numbers are whole, or none is: the framework wants one type. What a link says is moved to
    the nearest step.
    """
    whole = isinstance(step, int)
    kind = int if whole else float

    def read(text: str) -> float:
        number = parsed(text)
        if number is None or not low <= float(number) <= high:
            raise ValueError(f"it must be a number from {plain(low)} to {plain(high)}.")
        stop = low + round((float(number) - low) / step) * step
        return kind(round(min(stop, high), 9))

    setting = links.Setting(f"learn.{key}", key, kind(default), read, plain)
    return Dial(setting, label, kind(low), kind(high), kind(step))


def _decimals(step: float) -> int:
    return max(0, -math.floor(math.log10(step)))


@dataclass(frozen=True)
class Choice:
    setting: links.Setting
    label: str
    titles: Mapping[str, str]
    """What each button says, by its word in links."""

    @property
    def value(self) -> str:
        return str(links.value(self.setting))

    def draw(self, place: DeltaGenerator | None = None) -> str:
        with place or nullcontext():
            segments(self.label, self.titles, self.setting)
        return self.value


def choice(
    key: str, label: str, options: Mapping[str, str] | Sequence[str], default: str
) -> Choice:
    """Buttons under that key, which begins with the key of its lesson."""
    titles = dict(options) if isinstance(options, Mapping) else {each: each for each in options}
    return Choice(links.choice(f"learn.{key}", key, tuple(titles), default), label, titles)


@dataclass(frozen=True)
class RowCounts:
    """A slider over some numbers of rows, far apart."""

    setting: links.Setting
    label: str
    words: tuple[str, ...]

    @property
    def value(self) -> int:
        return int(links.value(self.setting))

    def draw(self, place: DeltaGenerator) -> int:
        place.select_slider(
            self.label,
            self.words,
            format_func=lambda text: f"{int(text):,}",
            **edits(self.setting.name, self.setting.default, allowed=self.words),
        )
        return self.value


def row_counts(key: str, label: str, counts: Sequence[int], default: int) -> RowCounts:
    """A slider under that key, which begins with the key of its lesson."""
    words = tuple(map(str, counts))
    return RowCounts(links.choice(f"learn.{key}", key, words, str(default)), label, words)
