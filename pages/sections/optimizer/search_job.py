"""Searches in the background, one after the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from compdp_core.design.optimize import Search
from pages.sections.optimizer.runs import UNIT, PlannedSearch, Run, short
from pages.session.jobs import Job
from pages.text.wording import count, number


def search(plans: Sequence[PlannedSearch], job: Job[list[Run]]) -> list[Run]:
    """Run the searches one after the other; what a cancelled one found is kept."""
    done: list[Run] = []
    for index, plan in enumerate(plans):
        if job.cancelled():
            break
        steps = Search(
            plan.algorithm,
            plan.problem,
            seed=plan.seed,
            cancelled=job.cancelled,
            **dict(plan.options),
        )
        looked, best = 0, np.inf
        for batch in steps:
            looked += len(batch)
            best = min(best, float(batch.variance.min(initial=np.inf)))
            found = f"least variance {number(best)} {UNIT}" if best < np.inf else "none feasible"
            job.tell(
                (index + batch.progress) / len(plans),
                f"{short(steps.algorithm)}: {count(looked, 'point')}, {found}",
            )
        done.append(Run.of(plan, steps.trace))
    return done
