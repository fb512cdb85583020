"""Paper: every number of it run again, beside what was printed."""

from __future__ import annotations

from pages.furniture.frame import framed
from pages.furniture.links import restore, share
from pages.reproducing.errors import errors_step
from pages.reproducing.losses import losses_step
from pages.reproducing.rates import rates_step
from pages.reproducing.reasons import reasons_step
from pages.reproducing.run import collect, run_step
from pages.reproducing.settings import PAGE, SETTINGS

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
