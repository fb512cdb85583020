"""Release a statistic: from a question about a column to one private answer."""

from __future__ import annotations

from pages.inputs.links import restore, share
from pages.sections.shared.data import data_step, sample_was_asked
from pages.sections.shared.person_answer import person_of
from pages.sections.statistic.distribution import see_step
from pages.sections.statistic.local import local_step
from pages.sections.statistic.privacy import privacy_step
from pages.sections.statistic.query import remembered
from pages.sections.statistic.question import question_step
from pages.sections.statistic.release import release_step, released_at
from pages.sections.statistic.settings import PAGE, SETTINGS
from pages.shell.frame import framed
from pages.shell.panels import arrive, show_steps, step_bar

with framed("statistic"):
    restore(PAGE, SETTINGS)
    sample_was_asked()
    bar = step_bar()
    asked = ready = released = None
    table = data_step("answer")
    if table is not None:
        asked = question_step(table, person_of(table))
        ready = privacy_step(asked) if asked else None
        if ready is not None:
            see_step(ready, bool(remembered(table)))
        released = release_step(table, ready)
        arrive(PAGE, ".st-key-step-5 h2", released_at(table))
        if ready is not None:
            local_step(table, ready)
    share(PAGE, SETTINGS)
    steps = {"Data": table, "Question": asked, "Privacy": ready, "See it": ready}
    show_steps(bar, steps | {"Release": released, "Row by row?": ready})
