"""The memory that Python's allocators, numpy's too, hand out for a piece of work."""

from __future__ import annotations

import tracemalloc

TIMES = 3


def least_traced(work):
    """Do *work* some times; return what it returned last, the least bytes that it held at its end, and at most.

    What another thread of this process does meanwhile counts too, and so does a kernel that is compiled for the
    first time, some hundred megabytes: hardly each time.
    """
    held, most = [], []
    for _ in range(TIMES):
        result = None
        tracemalloc.start()
        try:
            result = work()
            at_the_end, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        held.append(at_the_end)
        most.append(peak)
    return result, min(held), min(most)
