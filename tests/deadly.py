"""A pipeline that ends the process, and a cleaner that ends, fills or holds its own, at pages that say so."""

from __future__ import annotations

import ctypes
import os
import re
import signal
from dataclasses import dataclass
from pathlib import Path

from pipelines.evaluation.foreign_cleaner import ForeignCleaner, Limits
from pipelines.evaluation.harness.specs import Subject
from pipelines.stages.foreign_clean import ForeignCleanStage

# Names the file that takes the bytes that could be allocated.
ALLOCATED = "TESTS_DEADLY_ALLOCATED"
_BLOCK_BYTES = 2**24


def allocate() -> None:
    """Allocate until there is nothing more."""
    blocks = []
    try:
        while True:
            blocks.append(bytearray(_BLOCK_BYTES))
    except MemoryError:
        n_bytes = _BLOCK_BYTES * len(blocks)
        del blocks
        if ALLOCATED in os.environ:
            Path(os.environ[ALLOCATED]).write_text(str(n_bytes), encoding="ascii")
        raise


def end_process(url: str) -> None:
    """End the process in the way that *url*, or any other name, says, if it says one."""
    if "exit" in url:
        os._exit(3)
    elif "segfault" in url:
        ctypes.string_at(0)
    elif "kill" in url:  # as the kernel does when memory runs out
        os.kill(os.getpid(), signal.SIGKILL)


class Deadly:
    """Stands before or behind the stages, as its number in ITEM_PIPELINES says."""

    def process_item(self, item):
        end_process(item.url)
        return item


@dataclass(frozen=True, slots=True)
class HostileSubject(Subject):
    """A cleaner that does what the page's title says: spin, in Python or in C (backtrack), allocate, die, raise."""

    def extractor(self):
        def run(page):
            title = page.html.partition("<title>")[2].partition("</title>")[0]
            if title == "spin":
                while True:
                    pass
            elif title == "backtrack":
                re.fullmatch("(a|a)*b", "a" * 100)
            elif title == "allocate":
                allocate()
            elif title == "raise":
                raise LookupError(title)
            end_process(title)
            return page.html.partition("<p>")[2].partition("</p>")[0]

        return run


class HostileCleanStage(ForeignCleanStage):
    """The stage with that cleaner."""

    @classmethod
    def from_crawler(cls, crawler):
        limits = Limits(
            page_secs=crawler.settings.getfloat("CLEAN_WORKER_SECS"),
            memory_bytes=crawler.settings.getint("CLEAN_WORKER_BYTES"),
        )
        subject = HostileSubject("peer/hostile", "peer/hostile")
        stage = cls("peer/hostile", ForeignCleaner(subject, limits))
        stage.attach(crawler)
        return stage
