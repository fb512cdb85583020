"""The course without a browser: opening a step, using its controls, reading what it shows."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np

from pages.sections.learn.lesson import Lesson, Option
from tests.app.driving import Driven

PAGE = "pages/learn.py"


def opened(**link: str) -> Driven:
    """The course, opened by a link that says this."""
    app = Driven()
    app.at.query_params.update(link)
    return app.go(PAGE)


def said(app: Driven) -> str:
    return " ".join(app.messages("markdown"))


def tile(app: Driven, label: str) -> str:
    return next(str(each.value) for each in app.at.metric if each.label == label)


def traces(app: Driven, key: str) -> dict[str, Any]:
    """The traces of a chart by name."""
    found = json.loads(app.chart(key).spec)["data"]
    return {each["name"]: {end: listed(each[end]) for end in ("x", "y")} for each in found}


def listed(values: Any) -> list[Any]:
    """Numbers of a trace; arrays travel packed."""
    if isinstance(values, dict):
        unpacked = np.frombuffer(base64.b64decode(values["bdata"]), dtype=values["dtype"])
        return list(unpacked.tolist())
    return list(values)


def press(app: Driven, label: str, value: str) -> Driven:
    app._of("button_group", label).set_value(value)
    return app.run()


def slide(app: Driven, label: str, value: Any) -> Driven:
    app._of("slider", label).set_value(value)
    return app.run()


def option(lesson: Lesson) -> Option:
    """The right one."""
    question = lesson.question()
    return question.options[question.right]
