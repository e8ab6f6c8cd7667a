"""The collector while a crawl runs: what was there is left out, cycles of pages are still freed."""

from __future__ import annotations

import gc
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
