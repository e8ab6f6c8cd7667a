"""Pages to several processes, each with a lane of its own; results in the order of the pages."""

from __future__ import annotations

import os
import signal
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.util import Finalize
from threading import Thread
from typing import TYPE_CHECKING

from crawler.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future

    from pipelines.evaluation.gold import GoldPage
    from pipelines.evaluation.harness.lane import Lane
    from pipelines.evaluation.harness.results import PageResult

# Pages that wait for each process.
WAITING = 4
# The lane of a process of the pool.
_LANE: list[Lane] = []


def in_processes(
    pages: Iterator[GoldPage], make_lane: Callable[[], Lane], jobs: int
) -> Iterator[PageResult]:
    """Give the results of *pages* by *jobs* processes, each of which makes its lane by *make_lane*.

    Raises InputError when one of them is ended from outside, as by a system without memory. Whoever stops before the end
    does not wait for the pages that they are at.
    """
    pool = ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=_start_process, initargs=(make_lane,)
    )

    def handed_in(n_pages: int) -> list[Future[PageResult]]:
        futures = []
        for page in islice(pages, n_pages):
            # A page that finds none of them idle starts another, up to so many.
            with _interrupts_wait():
                futures.append(pool.submit(_result, page))
        return futures

    try:
        waiting = deque(handed_in(jobs * WAITING))
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(handed_in(1))
    except BrokenProcessPool as error:
        raise InputError(
            "a process of the evaluation was ended, perhaps for lack of memory; give fewer --jobs"
        ) from error
    except (KeyboardInterrupt, GeneratorExit):
        # A terminal sends Ctrl-C to all, but SIGTERM comes to this process alone.
        for process in active_children():
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Have processes that are started in the block not hear Ctrl-C until they allow it.

    A terminal sends it to all, and each would print a traceback while it loads its modules.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_process(make_lane: Callable[[], Lane]) -> None:
    Thread(target=_end_with_parent, name="end with parent", daemon=True).start()
    # Without a word: the process that started this one tells of it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    lane = make_lane()
    _LANE[:] = [lane]
    Finalize(lane, lane.close, exitpriority=0)


def _end_with_parent() -> None:
    """End this process with the one that started it, as by ``kill -9``: it would wait for pages for ever."""
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel])
    # At once: the main thread may be in a page, and what it started ends by itself.
    os._exit(1)


def _result(page: GoldPage) -> PageResult:
    return _LANE[0].result(page, page.dataset)
