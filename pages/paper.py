"""Paper: every number of it run again, beside what was printed."""

from __future__ import annotations

from pages.inputs.links import restore, share
from pages.sections.paper.errors import errors_step
from pages.sections.paper.losses import losses_step
from pages.sections.paper.rates import rates_step, reasons_step
from pages.sections.paper.run import collect, run_step
from pages.sections.paper.settings import PAGE, SETTINGS
from pages.shell.frame import framed

with framed(PAGE):
    restore(PAGE, SETTINGS)
    collect()
    found = run_step()
    if found is not None:
        rates_step(found)
        errors_step(found)
        losses_step(found)
        reasons_step(found)
    share(PAGE, SETTINGS)
