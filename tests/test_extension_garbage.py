"""The collector while a crawl runs: what was there is left out, cycles of pages are still freed."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref

import pytest

from crawler.extensions.garbage import THRESHOLDS, GarbageCollection


class Cycle:
    def __init__(self):
        self.itself = self


@pytest.fixture
def extension():
    before = gc.get_threshold()
    extension = GarbageCollection()
    extension.spider_opened()
    yield extension
    extension.spider_closed()
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


@pytest.mark.usefixtures("extension")
def test_cycles_are_freed_while_a_crawl_runs():
    assert gc.get_freeze_count() > 0
    assert gc.get_threshold() == THRESHOLDS
    cycle = weakref.ref(Cycle())
    kept = [[] for _ in range(2 * THRESHOLDS[0])]
    assert cycle() is None
    assert len(kept) == 2 * THRESHOLDS[0]


def test_nothing_is_looked_through_when_the_process_ends():
    # The last to be registered is the first to be called.
    code = (
        "import atexit, gc; atexit.register(lambda: print(gc.get_freeze_count() > 0));"
        "import crawler.extensions.garbage"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "True\n"
