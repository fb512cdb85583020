"""Running a page without a browser: going there, finding widgets by label, reading messages.

Every action checks that the script ended without an uncaught error, and that what it has sent
would show each widget as it is set: a run that a click stops, or whose messages are dropped for
those of the next, may show nothing, so no run can rely on what an earlier one has said.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from compdp_core.accounting import Ledger
from compdp_core.release import TableRelease
from pages.session.jobs import Job

ROOT = Path(__file__).parents[2]
TIMEOUT = 120
WORDS = ("markdown", "info", "warning", "error", "success", "caption")


def _said(proto: Any) -> Any:
    return proto.default if proto.HasField("default") else None


STARTS: dict[str, Callable[[Any], bool]] = {
    "toggle": lambda each: each.proto.default == each.value,
    "slider": lambda each: list(each.proto.default) == [each.value],
    "select_slider": lambda each: (
        [each.options[int(place)] for place in each.proto.default]
        == [str(each.format_func(each.value))]
    ),
    "number_input": lambda each: _said(each.proto) == each.value,
    "text_input": lambda each: each.proto.default == (each.value or ""),
    "text_area": lambda each: each.proto.default == (each.value or ""),
    "selectbox": lambda each: _said(each.proto) == each.index,
    "radio": lambda each: _said(each.proto) == each.index,
    "multiselect": lambda each: list(each.proto.default) == list(each.indices),
    "button_group": lambda each: list(each.proto.default) == list(each.indices),
}
"""Whether a widget's message starts from its value, by kind."""


def elements(at: AppTest, kind: str) -> list[Any]:
    """All of a kind; what each has depends on the kind."""
    return list(at.get(kind))


def wrong_starts(at: AppTest) -> list[str]:
    """Widgets that edit a setting and whose message alone would not show its value."""
    every: list[Any] = [each for each in at._tree if each.type in STARTS]
    return [
        f"{each.type} {each.label}"
        for each in every
        if str(each.key).startswith("edit.")
        if each.proto.set_value or not STARTS[each.type](each)
    ]


def listed(values: Any) -> list[Any]:
    """Numbers of a trace; arrays travel packed."""
    if isinstance(values, dict):
        return list(np.frombuffer(b64decode(values["bdata"]), values["dtype"]).tolist())
    return list(values)


class Driven:
    """One session on the app."""

    def __init__(self, page: str = "app.py", **link: str) -> None:
        """Open a page, by a link that says this."""
        self.at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=TIMEOUT)
        if page != "app.py":
            self.at.switch_page(page)
        self.at.query_params.update(link)
        self.run()

    def run(self) -> Driven:
        self.at.run()
        assert not self.at.exception, [e.value for e in self.at.exception]
        assert not wrong_starts(self.at), wrong_starts(self.at)
        return self

    def go(self, page: str) -> Driven:
        self.at.switch_page(page)
        return self.run()

    def every(self, kind: str) -> list[Any]:
        return elements(self.at, kind)

    def _of(self, kind: str, label: str) -> Any:
        found = [widget for widget in self.every(kind) if widget.label == label]
        assert len(found) == 1, f"{len(found)} of {kind} {label!r}: {self.labels(kind)}"
        return found[0]

    def labels(self, kind: str) -> list[str]:
        return [widget.label for widget in self.every(kind)]

    def set(self, kind: str, label: str, value: Any) -> Driven:
        self._of(kind, label).set_value(value)
        return self.run()

    def text(self, label: str, value: str) -> Driven:
        return self.set("text_input", label, value)

    def written(self, label: str) -> str:
        return str(self._of("text_input", label).value)

    def bounds(self, column: int, lower: str, upper: str) -> Driven:
        """Set the bounds of the column of that number, whatever its name, in one run."""
        for end, value in (("lower", lower), ("upper", upper)):
            place = rf"\.{column - 1}\.(total\.)?{end}\.typed"
            found = [box for box in self.every("text_input") if re.search(place, str(box.key))]
            assert len(found) == 1, f"{len(found)} fields {place}"
            found[0].set_value(value)
        return self.run()

    def press(self, label: str) -> Driven:
        self._of("button", label).click()
        return self.run()

    def awaited(self) -> Driven:
        """The page once all its long work is over; a browser would look again by itself."""
        running = [each for each in self.kept.values() if isinstance(each, Job)]
        assert all(job.done(wait=TIMEOUT) for job in running)
        return self.run() if running else self

    def toggle(self, label: str, on: bool = True) -> Driven:
        return self.set("toggle", label, on)

    def pick(self, label: str, value: Any) -> Driven:
        """Press one of a row of buttons, or several."""
        return self.set("button_group", label, value)

    def slide(self, label: str, value: Any) -> Driven:
        return self.set("slider", label, value)

    def select(self, label: str, value: Any) -> Driven:
        return self.set("selectbox", label, value)

    def choose(self, label: str, values: Sequence[Any]) -> Driven:
        return self.set("multiselect", label, list(values))

    def options(self, label: str) -> list[str]:
        return list(self._of("multiselect", label).options)

    def upload(self, name: str, data: bytes) -> Driven:
        self.every("file_uploader")[0].set_value((name, data, "text/csv"))
        return self.run()

    def bar(self) -> dict[str, str | None]:
        """The steps in the bar as they are said, each with where its link leads."""
        (bar,) = [each.proto.body for each in self.every("html") if "<nav" in each.proto.body]
        return {
            re.sub(r"<[^>]+>", "", item): link[1]
            if (link := re.search(r'href="([^"]+)"', item))
            else None
            for item in re.findall(r"<li>(.*?)</li>", bar)
        }

    @property
    def kept(self) -> dict[str, Any]:
        """What the session remembers."""
        remembered: dict[str, Any] = self.at.session_state["kept"]
        return remembered

    @property
    def spent(self) -> Fraction:
        """What the first table in the ledger has cost."""
        book: Ledger = self.kept["ledger"]
        return book.total_by_dataset(book.datasets[0])

    def messages(self, kind: str) -> list[str]:
        """Texts of the messages of that kind, as they read on the screen."""
        texts = [str(message.value) for message in self.every(kind)]
        return [text.replace("\\", "").replace("`", "") for text in texts]

    def said(self, *kinds: str) -> str:
        """All of these messages; without a kind all words of the page but those of its widgets."""
        return "\n".join(text for kind in kinds or WORDS for text in self.messages(kind))

    def metric(self, start: str) -> str:
        """The number under that heading, or the one that begins so."""
        shown = [(each.label, str(each.value)) for each in self.at.metric]
        found = [value for label, value in shown if label == start]
        found = found or [value for label, value in shown if label.startswith(start)]
        assert len(found) == 1, f"{len(found)} of {start!r}"
        return found[0].replace("\\", "").replace("`", "")

    @property
    def releases(self) -> list[TableRelease]:
        """The tables that were released in this session and are kept."""
        kept = [value for name, value in self.kept.items() if name.startswith("release.")]
        return [each.release for each in kept if hasattr(each, "release")]

    def spec(self, key: str) -> dict[str, Any]:
        """Traces and layout of the chart of that key."""
        content: dict[str, Any] = json.loads(self.chart(key).spec)
        return content

    def traces(self, key: str) -> list[dict[str, Any]]:
        """The traces of the chart of that key, with their numbers as lists."""
        ends = ("x", "y")
        return [
            each | {end: listed(each[end]) for end in ends if end in each}
            for each in self.spec(key)["data"]
        ]

    @property
    def charts(self) -> dict[str, Any]:
        """What was sent to the browser for each chart, by its key."""
        sent = [element.proto for element in self.every("plotly_chart")]
        found = {proto.id.partition("-plot-")[2]: proto for proto in sent}
        assert len(found) == len(sent), [proto.id for proto in sent]
        return found

    def chart(self, key: str) -> Any:
        return self.charts[key]
