"""Small matrices on one thread.

Of many small products and systems, the threads of a BLAS wait longer for each other than they
work, and where other processes want the same cores, many times as long.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from threading import Lock
from typing import Any, ParamSpec, TypeVar

from threadpoolctl import OpenBLASController, ThreadpoolController

P = ParamSpec("P")
T = TypeVar("T")


@cache
def _libraries() -> Any:
    import scipy.linalg  # noqa: F401 - brings a BLAS of its own

    return ThreadpoolController()


class _OneThread:
    """The first that comes in sets the limit, which is one of the process, and the last that leaves
    takes it off: sessions work at the same time.
    """

    lock, inside = Lock(), 0
    held: Any = None

    def __enter__(self) -> None:
        with self.lock:
            if not _OneThread.inside:
                _OneThread.held = _libraries().limit(limits=1, user_api="blas")
                # Else only the thread that set it could take it off.
                OpenBLASController.clear_controlling_thread()
            _OneThread.inside += 1

    def __exit__(self, *_: object) -> None:
        with self.lock:
            _OneThread.inside -= 1
            if not _OneThread.inside:
                _OneThread.held.restore_original_limits()
                OpenBLASController.clear_controlling_thread()


def on_one_thread(function: Callable[P, T]) -> Callable[P, T]:
    """A function that is run with one thread of each BLAS."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        with _OneThread():
            return function(*args, **kwargs)

    return run
