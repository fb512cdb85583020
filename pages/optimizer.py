"""Optimizer: search for the parameters with the least variance, and watch."""

from __future__ import annotations

from pages.furniture.frame import framed
from pages.furniture.links import restore, share
from pages.furniture.panels import Mark, show_steps, step_bar
from pages.searching.choice import choice_step, collect
from pages.searching.convergence import convergence_step
from pages.searching.play import play_step
from pages.searching.problem import problem_step
from pages.searching.settings import PAGE, SETTINGS
from pages.searching.shelf import runs, searched

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
    after: Mark = "done" if own else "later"
    show_steps(
        bar,
        [
            ("Problem", "done"),
            ("Algorithms", "done" if own else "now"),
            ("Convergence", after),
            ("Play", after),
        ],
    )
