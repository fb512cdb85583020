"""Optimizer: search for the parameters with the least variance, and watch."""

from __future__ import annotations

from pages.inputs.links import restore, share
from pages.sections.optimizer.choice import choice_step, collect
from pages.sections.optimizer.convergence import convergence_step
from pages.sections.optimizer.play import play_step
from pages.sections.optimizer.problem import problem_step
from pages.sections.optimizer.settings import PAGE, SETTINGS
from pages.sections.optimizer.stored_runs import runs, searched
from pages.shell.frame import framed
from pages.shell.panels import show_steps, step_bar

with framed("optimizer"):
    restore(PAGE, SETTINGS)
    collect()
    bar = step_bar()
    problem_step()
    choice_step()
    convergence_step()
    play_step()
    share(PAGE, SETTINGS)
    # What runs by itself on a first visit is no search of one's own.
    own = searched() and bool(runs())
    show_steps(bar, {"Problem": True, "Algorithms": own, "Convergence": own, "Play": own})
