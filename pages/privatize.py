"""Privatize: from a table to its privatized copy, top to bottom."""

from __future__ import annotations

from pages.furniture.frame import framed
from pages.privatizing.columns import columns_step
from pages.privatizing.compare import compare_step
from pages.privatizing.data import data_step, sample_was_asked
from pages.privatizing.privacy import privacy_step
from pages.privatizing.release import release_step
from pages.privatizing.see import see_step

with framed("privatize"):
    sample_was_asked()
    table = data_step()
    if table is not None:
        columns = columns_step(table)
        ready = privacy_step(columns, table.row_count) if columns else None
        if ready is not None:
            see_step(ready.focus, ready.mechanism)
            compare_step(table, ready)
        release_step(table, ready)
