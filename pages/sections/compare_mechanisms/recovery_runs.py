"""What is recovered from each mechanism, simulated in the background. What is known of one stays
known when another is added."""

from __future__ import annotations

from dataclasses import dataclass, replace

from compdp_core.estimates.example_rows import example_rows
from compdp_core.estimates.recovery import Recovered, Recovery, recover
from compdp_core.mechanisms.baselines import Mechanism
from pages.inputs import links
from pages.sections.compare_mechanisms import settings as to
from pages.session import jobs
from pages.session.jobs import Job
from pages.session.state import keep, recall

JOB = f"{to.PAGE}.recovery_job"
WISH = f"{to.PAGE}.recovery_wish"
"""What the last job was asked: a fault of it is told, and not tried again at every run."""
FOUND = f"{to.PAGE}.recovered"
MOST_KEPT = 60
"""Results of single mechanisms."""
REPETITIONS = {"200": 200, "2000": 100, "20000": 40, "100000": 20}
"""By the number of rows."""


@dataclass(frozen=True)
class ReleasedRows:
    """Rows of a shape, and how they are released. The true value of the page plays no part."""

    asked: to.ComparedSettings
    rows: str
    shape: str

    def of(self, key: str) -> ReleasedRows:
        return replace(self, asked=replace(self.asked, keys=(key,)))

    def run(self, made: dict[str, Mechanism], job: Job[Outcome]) -> Outcome:
        found = recover(
            made,
            example_rows(self.shape, int(self.rows), self.asked.inputs),
            repetitions=REPETITIONS[self.rows],
            seed=self.asked.seed,
            progress=job.tell,
            cancelled=job.cancelled,
        )
        return {
            self.of(key): replace(found, found=tuple(r for r in found.found if r.mechanism == name))
            for name, key in self.asked.names.items()
            if name in made
        }


Outcome = dict[ReleasedRows, Recovery]


def wished(asked: to.ComparedSettings) -> ReleasedRows:
    return ReleasedRows(replace(asked, value=0.0), links.value(to.RELEASED), links.value(to.SHAPE))


def results(wish: ReleasedRows, made: dict[str, Mechanism]) -> Recovery | None:
    """What is recovered from all of them; None while it is worked out."""
    known: Outcome = recall(FOUND, {})
    places = {name: wish.of(wish.asked.names[name]) for name in made}
    missing = {name: made[name] for name, place in places.items() if place not in known}
    if not missing:
        parts = [known[place] for place in places.values()]
        found: list[Recovered] = [each for part in parts for each in part.found]
        return replace(parts[0], found=tuple(found))
    begin(wish, missing)
    return None


def begin(wish: ReleasedRows, missing: dict[str, Mechanism]) -> None:
    """Start the job, unless it was asked the same before: then it runs, or was stopped."""
    asked = (wish, tuple(missing))
    if recall(WISH) != asked:
        keep(WISH, asked)
        jobs.start(JOB, lambda job: wish.run(missing, job))


def collect() -> None:
    jobs.collect(JOB, _take)


def _take(outcome: Outcome) -> None:
    known: Outcome = recall(FOUND, {})
    keep(FOUND, dict(list((known | outcome).items())[-MOST_KEPT:]))
