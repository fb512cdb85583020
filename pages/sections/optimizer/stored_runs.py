"""Searches in the background, and the runs of this session in the order of their first time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from compdp_core.design.optimize import Search
from pages.sections.optimizer.runs import UNIT, PlannedSearch, Run, short
from pages.sections.optimizer.settings import PAGE
from pages.session.jobs import Job
from pages.session.state import keep, recall
from pages.text.wording import count, number

KEPT = 12
CANCELLED = "cancelled"
SEARCHED = f"{PAGE}.searched"
RUNS, JOB, PLAYING, DROPPED = f"{PAGE}.runs", f"{PAGE}.job", f"{PAGE}.playing", f"{PAGE}.dropped"


def runs() -> list[Run]:
    found: list[Run] = recall(RUNS, [])
    return found


def add(found: Sequence[Run]) -> None:
    """Keep new runs. One with the very same settings takes the place of the earlier one.

    But for one that was cancelled before it looked as far: it would only hide what is known.
    """
    kept = {run.plan: run for run in runs()}
    following = max((run.number for run in kept.values()), default=0) + 1
    for run in found:
        earlier = kept.get(run.plan)
        if earlier is not None and run.trace.stop == CANCELLED and run.points < earlier.points:
            keep(PLAYING, earlier.number)
            continue
        mark = following if earlier is None else earlier.number
        following += earlier is None
        kept[run.plan] = Run(run.plan, run.trace, run.points, run.feasible, run.path, mark)
        keep(PLAYING, mark)
    ordered = sorted(kept.values(), key=lambda run: run.number)
    keep(DROPPED, [run.number for run in ordered[:-KEPT]])
    keep(RUNS, ordered[-KEPT:])


def searched() -> bool:
    """Whether a search was asked for, beside those that run by themselves."""
    return bool(recall(SEARCHED, False))


def forget(numbers: Sequence[int]) -> None:
    keep(RUNS, [run for run in runs() if run.number not in numbers])
    keep(DROPPED, [])


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
