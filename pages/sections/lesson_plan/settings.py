"""How long the lesson is: what a link says."""

from __future__ import annotations

from pages.inputs import links
from pages.sections.lesson_plan.plan import LENGTHS

PAGE = "lesson_plan"
MINUTES = links.choice(f"{PAGE}.minutes", "minutes", [str(n) for n in LENGTHS], str(LENGTHS[0]))
SETTINGS = (MINUTES,)
