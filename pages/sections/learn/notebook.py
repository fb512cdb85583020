"""The course as a Jupyter notebook: the text of each step, and its experiment with the library."""

from __future__ import annotations

from collections.abc import Iterator

from compdp_core.report.notebook_file import NotebookCell, code, notebook_text, prose
from pages.sections.learn.experiments_of_noise import OF_NOISE
from pages.sections.learn.experiments_of_releases import OF_RELEASES
from pages.sections.learn.settings import LESSONS
from pages.sections.shared.course.examples.noise import INPUTS, UNIT

EXPERIMENTS = OF_NOISE | OF_RELEASES

_BEGIN = f"""
# Differential privacy in {len(LESSONS)} steps

Each step: read, try. What the page of the course moves with a slider is a number at the top of a
cell here: change it, and run the cell again. Results lie between {INPUTS[0]:g} and {INPUTS[1]:g}
{UNIT}. All pupils are invented, and what has a seed is a simulation: never release anything so.

It needs the library: in the folder of the app, `pip install .` with the Python of its kernel.
"""

_IMPORTS = f"""
import math

import numpy as np

import compdp_core as cdp

INPUTS = {INPUTS}
"""


def course() -> str:
    """All steps, as the text of an ``.ipynb`` file; the same at every call."""
    return notebook_text([prose(_BEGIN), code(_IMPORTS), *_steps()])


def _steps() -> Iterator[NotebookCell]:
    for place, lesson in enumerate(LESSONS, 1):
        task, experiment = EXPERIMENTS[lesson.key]
        yield prose(f"## {place} · {lesson.title}\n\n{lesson.text.strip()}\n\n**Try it.** {task}")
        yield code(experiment)
