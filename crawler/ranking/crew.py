"""Threads that call kernels side by side, and wait for each other after each call."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Self

_Result = TypeVar("_Result")


class Crew:
    """*n_threads* threads, the caller's among them; 0 is as many as there are processors.

    Kernels run without the interpreter lock, so calls of one list run at the same time. A context
    manager: the threads end with it. Raises :exc:`ValueError` for a number below 0.
    """

    def __init__(self, n_threads: int = 0):
        if n_threads < 0:
            raise ValueError(f"n_threads must be at least 0, got {n_threads}")
        self.n_threads = n_threads or len(os.sched_getaffinity(0))
        others = self.n_threads - 1
        self._pool = ThreadPoolExecutor(others, "rank") if others else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def call(
        self, function: Callable[..., _Result], calls: Sequence[tuple[Any, ...]]
    ) -> list[_Result]:
        """Return the results of *function* of each of *calls*, in their order.

        A call on which another one waits would wait for ever; none may.
        """
        if self._pool is None:
            return [function(*arguments) for arguments in calls]
        waiting = [self._pool.submit(function, *arguments) for arguments in calls[1:]]
        first = [function(*arguments) for arguments in calls[:1]]
        return first + [future.result() for future in waiting]
