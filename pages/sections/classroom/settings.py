"""What a teacher sets before a room opens; all of it is public and travels as a link."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import streamlit as st

from compdp_core.parameters import INPUT_BOUND, Parameter
from compdp_core.survey.clamped import InventedClass
from compdp_core.survey.question import LONGEST_QUESTION, LONGEST_UNIT, MOST_CATEGORIES
from compdp_core.survey.templates import TEMPLATES, Template, template
from compdp_core.survey.wording import MOST_EPSILON
from pages.inputs import links
from pages.rooms.room import LONGEST_MINUTES, MOST_ANSWERS
from pages.session.state import keep, recall
from pages.text.typed_numbers import parsed

PAGE = "classroom"
FIRST = TEMPLATES[0]
EPSILON_OF_A_ROOM = Parameter("epsilon", "ε", lower=0.1, upper=MOST_EPSILON)
SPREAD = Parameter("spread", "The spread", lower=0.0, upper=INPUT_BOUND.upper)
_MINUTES = Parameter("minutes", "The time", lower=1, upper=LONGEST_MINUTES, whole=True)
_ANSWERS = Parameter("answers", "The number", lower=1, upper=MOST_ANSWERS, whole=True)


def _words(longest: int) -> Callable[[str], str]:
    def read(text: str) -> str:
        if len(text) > longest or not "".join(text.splitlines()).isprintable():
            raise ValueError(f"it must be text of at most {longest} characters.")
        return text

    return read


def _whole(name: str, key: str, parameter: Parameter, default: int) -> links.Setting:
    def read(text: str) -> int:
        value = parsed(text)
        if value is None or not parameter.contains(float(value)):
            raise ValueError(f"it {parameter.requirement}.")
        return int(value)

    return links.Setting(f"{PAGE}.{name}", key, default, read)


KIND = links.choice(f"{PAGE}.kind", "kind", ("number", "category"), "number")
TEXT = links.Setting(f"{PAGE}.text", "question", FIRST.question.text, _words(LONGEST_QUESTION))
LOW = links.number(f"{PAGE}.low", "low", INPUT_BOUND, Decimal(0))
HIGH = links.number(f"{PAGE}.high", "high", INPUT_BOUND, Decimal(20))
UNIT = links.Setting(f"{PAGE}.unit", "unit", FIRST.question.unit, _words(LONGEST_UNIT))
OPTIONS = links.Setting(f"{PAGE}.options", "options", "yes\nno", _words(70 * MOST_CATEGORIES))
EPSILON = links.number(f"{PAGE}.epsilon", "epsilon", EPSILON_OF_A_ROOM, Decimal(4))
TYPICAL = links.number(f"{PAGE}.typical", "typical", INPUT_BOUND, Decimal("17.5"))
AROUND = links.number(f"{PAGE}.around", "around", SPREAD, Decimal(2))
MINUTES = _whole("minutes", "minutes", _MINUTES, 45)
MOST = _whole("most", "most", _ANSWERS, 60)
SETTINGS = (KIND, TEXT, LOW, HIGH, UNIT, OPTIONS, EPSILON, TYPICAL, AROUND, MINUTES, MOST)


def begin_with(given: Template) -> None:
    """Put a template into the fields."""
    asked = given.question
    links.put(TEXT.name, asked.text)
    links.put(EPSILON.name, Decimal(str(float(asked.epsilon))))
    links.put(KIND.name, "category" if asked.categories else "number")
    if asked.categories:
        links.put(OPTIONS.name, "\n".join(asked.categories))
        return
    links.put(UNIT.name, asked.unit)
    for setting, value in zip((LOW, HIGH), asked.plan.inputs.as_tuple(), strict=True):
        links.put(setting.name, Decimal(str(value)).normalize())
    if isinstance(given.expected, InventedClass):
        links.put(TYPICAL.name, Decimal(str(given.expected.mean)))
        links.put(AROUND.name, Decimal(str(given.expected.std)))


def chosen() -> str | None:
    """The key of the template whose question stands in the fields; None for one's own."""
    return next((each.key for each in TEMPLATES if _stands(each)), None)


def _stands(given: Template) -> bool:
    asked, kind = given.question, links.value(KIND)
    if (asked.text, asked.epsilon) != (links.value(TEXT), Fraction(links.value(EPSILON))):
        return False
    if asked.categories:
        return bool(kind == "category" and links.value(OPTIONS) == "\n".join(asked.categories))
    ends = float(links.value(LOW)), float(links.value(HIGH))
    same = asked.unit == links.value(UNIT) and asked.plan.inputs.as_tuple() == ends
    return bool(kind == "number" and same)


def arrive() -> None:
    """Take over what the address says: a template by its key, or single settings."""
    name = st.query_params.get("template")
    if name is None:
        links.arrive(PAGE, SETTINGS)
    elif recall(f"{PAGE}.arrived") != name:
        keep(f"{PAGE}.arrived", name)
        found = template(name)
        if found is not None:
            begin_with(found)
        else:
            known = ", ".join(each.key for each in TEMPLATES)
            said = f"“template={name[:40]}” is not used: it must be one of {known}."
            keep(f"{PAGE}.notices", [said])
