"""Read a release: from a released table and its card to what can be learned, and how surely."""

from __future__ import annotations

from compdp_core.estimates.summary.requests import Request
from pages.inputs.links import restore, share
from pages.sections.read_release.asked import ASKED
from pages.sections.read_release.column import column_step
from pages.sections.read_release.distribution import distribution_step
from pages.sections.read_release.file_and_card import file_step
from pages.sections.read_release.files import files_step
from pages.sections.read_release.groups import groups_step
from pages.sections.read_release.relations import relations_step
from pages.sections.read_release.settings import PAGE, SETTINGS
from pages.sections.read_release.source import last_was_asked
from pages.sections.read_release.truth import truth_step
from pages.shell.frame import framed
from pages.shell.panels import show_steps, step_bar

with framed("read_release"):
    restore(PAGE, SETTINGS + ASKED)
    last_was_asked()
    bar = step_bar()
    together: list[Request] = []
    groups: list[Request] = []
    drawn = False
    opened = file_step()
    if opened is not None:
        wanted, done = column_step(opened)
        drawn = distribution_step(wanted, done)
        together = relations_step(opened)
        groups = groups_step(opened)
        of_limit = [each for each in wanted.requests if each.option("above") is not None]
        files_step(opened, [*of_limit, *together, *groups])
        truth_step(opened)
    share(PAGE, SETTINGS + ASKED, "Open file and card as well.")
    steps = {
        "File and card": opened,
        "One column": opened,
        "Its distribution": drawn,
        "Columns together": together,
        "Groups": groups,
        "Files": opened,
    }
    show_steps(bar, steps)
