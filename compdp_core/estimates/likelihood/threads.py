"""Small matrices on one thread.

Of many small products and systems, the threads of a BLAS wait longer for each other than they
work, and where other processes want the same cores, many times as long.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

from threadpoolctl import OpenBLASController, ThreadpoolController

P = ParamSpec("P")
T = TypeVar("T")


@cache
def _libraries() -> Any:
    import scipy.linalg  # noqa: F401 - brings a BLAS of its own

    return ThreadpoolController()


def on_one_thread(function: Callable[P, T]) -> Callable[P, T]:
    """A function that is run with one thread of each BLAS."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            with _libraries().limit(limits=1, user_api="blas"):
                return function(*args, **kwargs)
        finally:
            # The limit is one of the process, and without this nobody else could set it as long as
            # this thread lives.
            OpenBLASController.clear_controlling_thread()

    return run
