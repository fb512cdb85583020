"""The register of search algorithms, and how one is run: batch by batch, with a way to cancel."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from compdp_core.design.optimize.bisection import bisection
from compdp_core.design.optimize.enumeration import ITERATIONS, ROUNDS, enumeration
from compdp_core.design.optimize.evolution import GENERATIONS, POPULATION, evolution
from compdp_core.design.optimize.gradient import RATE, UPDATES, gradient
from compdp_core.design.optimize.problem import Problem
from compdp_core.design.optimize.target import LOOKS, STEP, TARGET, target
from compdp_core.design.optimize.trace import Batch, Trace
from compdp_core.errors import ParameterError
from compdp_core.parameters import Parameter
from compdp_core.randomness import ANY_SEED
from compdp_core.validation import one_of

Run = Callable[..., Generator[Batch, None, str]]
"""A generator of batches, called with the problem, a numpy generator and the options."""


@dataclass(frozen=True)
class Algorithm:
    """One way to search."""

    name: str
    title: str
    summary: str
    """One sentence: how it searches."""
    run: Run
    options: tuple[Parameter, ...] = ()
    """What can be set, each with its range and default."""
    seeded: bool = True
    """Whether the seed changes the search."""


ALGORITHMS: Mapping[str, Algorithm] = MappingProxyType(
    {
        algorithm.name: algorithm
        for algorithm in (
            Algorithm(
                "exact",
                "Exact",
                "One unknown is left when the budget is used up; bisection finds where the slope "
                "of its variance is zero.",
                bisection,
                seeded=False,
            ),
            Algorithm(
                "enumeration",
                "Enumeration (the paper's Algorithm 1)",
                "Looks at every point of a grid, then of finer grids around the best point.",
                enumeration,
                (ROUNDS, ITERATIONS),
            ),
            Algorithm(
                "target",
                "Search to a target (the paper's Algorithm 2)",
                "Walks through one grid from a random point until a variance is good enough.",
                target,
                (TARGET, STEP, LOOKS),
            ),
            Algorithm(
                "gradient",
                "Stochastic gradient",
                "Follows the slope along random directions, from a random point.",
                gradient,
                (RATE, UPDATES),
            ),
            Algorithm(
                "evolution",
                "Differential evolution (SciPy)",
                "Lets a random population of points mix and keeps the better ones.",
                evolution,
                (POPULATION, GENERATIONS),
            ),
        )
    }
)
"""Every search algorithm by name, the exact one first."""


class Search:
    """One run of one algorithm.

    Iterate over it for batches as they come (to show progress), or call :meth:`run`. ``cancelled``
    is asked after every batch. What was found so far is in :attr:`trace` at any time.

    >>> from compdp_core.shapes import pair_named
    >>> problem = Problem(1.0, pair_named("A1B1", 1.0))
    >>> trace = Search("enumeration", problem).run()
    >>> step = trace.step(trace.best_index)
    >>> round(step.k, 3), round(step.m, 3), round(step.y, 3), round(step.variance, 4)
    (0.481, 0.843, 0.28, 0.9179)
    >>> trace.stop
    'the last of 3 grids, step 0.001, is done'

    Raises :class:`ParameterError` for an unknown algorithm or option, and for an option or a seed
    outside its range.
    """

    def __init__(
        self,
        algorithm: str,
        problem: Problem,
        *,
        seed: int = 0,
        cancelled: Callable[[], bool] = lambda: False,
        **options: float,
    ) -> None:
        self.algorithm = ALGORITHMS[one_of("algorithm", algorithm, ALGORITHMS)]
        self.problem = problem
        number = int(ANY_SEED.check(seed))
        self._cancelled = cancelled
        self._batches: list[Batch] = []
        self._seconds = 0.0
        self._stop = "left before the end"
        self._steps = self.algorithm.run(
            problem, np.random.default_rng(number), **_checked(self.algorithm, options)
        )

    def __iter__(self) -> Iterator[Batch]:
        while True:
            begun = time.perf_counter()
            try:
                batch = next(self._steps)
            except StopIteration as end:
                if end.value is not None:
                    self._stop = end.value
                return
            finally:
                self._seconds += time.perf_counter() - begun
            self._batches.append(batch)
            yield batch
            if self._cancelled():
                self._steps.close()
                self._stop = "cancelled"
                return

    def run(self) -> Trace:
        """Search to the end."""
        for _ in self:
            pass
        return self.trace

    @property
    def trace(self) -> Trace:
        """Everything looked at so far."""
        k, m, y, variance = (
            np.concatenate([getattr(batch, name) for batch in self._batches] or [np.empty(0)])
            for name in ("k", "m", "y", "variance")
        )
        design = self._batches[-1].design if self._batches else None
        if design is None and variance.size and np.isfinite(variance).any():
            index = int(np.argmin(variance))
            design = self.problem.design(float(k[index]), float(m[index]), float(y[index]))
        return Trace(
            algorithm=self.algorithm.name,
            problem=self.problem,
            iteration=np.arange(variance.size),
            k=k,
            m=m,
            y=y,
            variance=variance,
            best=np.minimum.accumulate(variance),
            design=design,
            stop=self._stop,
            evaluations=sum(
                len(batch) if batch.evaluations is None else batch.evaluations
                for batch in self._batches
            ),
            seconds=self._seconds,
        )


def _checked(algorithm: Algorithm, options: Mapping[str, float]) -> dict[str, float]:
    known = {parameter.name: parameter for parameter in algorithm.options}
    for name in options:
        if name not in known:
            raise ParameterError(
                "option", name, f"must be one of {', '.join(known) or 'none'} for {algorithm.name}"
            )
    return {name: known[name].check(value) for name, value in options.items()}
