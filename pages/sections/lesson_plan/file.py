"""The lesson plan as a file of its own: a page that needs nothing else, to keep and to print."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, StrictUndefined, Template

from pages.sections.lesson_plan.sheet import LessonSheet, unbroken


def as_html(sheet: LessonSheet) -> str:
    return _template().render(sheet=sheet)


@cache
def _template() -> Template:
    text = Path(__file__).with_name("sheet.html").read_text(encoding="utf-8")
    making = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    making.filters["words"] = unbroken
    return making.from_string(text)
