"""Privatize: from a table to its privatized copy, top to bottom."""

from __future__ import annotations

from pages.inputs.links import restore, share
from pages.sections.privatize.columns import columns_step
from pages.sections.privatize.compare import compare_step
from pages.sections.privatize.link import PAGE, SETTINGS, WITHOUT
from pages.sections.privatize.privacy import privacy_step, see_step
from pages.sections.privatize.release import release_step, released_at
from pages.sections.shared.data import data_step, sample_was_asked
from pages.sections.shared.person_answer import person_of
from pages.shell.frame import framed
from pages.shell.panels import arrive, show_steps, step_bar

with framed("privatize"):
    restore(PAGE, SETTINGS)
    sample_was_asked()
    bar = step_bar()
    columns = ready = released = None
    table = data_step("privatize")
    if table is not None:
        person = person_of(table)
        columns = columns_step(table, person)
        ready = privacy_step(columns, table.row_count, person) if columns else None
        if ready is not None:
            passed = released_at(table) > 0
            see_step(ready.focus, ready.mechanism, passed)
            compare_step(table, ready, passed)
        released = release_step(table, ready)
        arrive(PAGE, ".st-key-step-6 h2", released_at(table))
    share(PAGE, SETTINGS, WITHOUT)
    seen = {"Privacy": ready, "See it": ready, "Compare": ready}
    show_steps(bar, {"Data": table, "Columns": columns} | seen | {"Release": released})
