"""The kernels of a crawl, compiled before its first request is sent.

After an install the first pages of a crawl would wait a minute or two for the kernels that they need, and
so would all that is fetched beside them: requests would time out and hosts seem dead.

*On disk*: beside the machine code of the scan, in numba's cache, a file ``rehearsed-<digest of the settings
and the compiler>``: a JSON object of the kernels that a rehearsal used (`crawler.rehearsal`), each with the
stamp of its sources (`crawler.kernels.jit`). It says nothing any more when one of those has changed.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numba
import xxhash
from llvmlite import binding
from scrapy import signals
from scrapy.exceptions import CloseSpider, NotConfigured
from twisted.internet.defer import Deferred

import crawler as package
from crawler.errors import tell
from crawler.kernels.compiling import FAULTY_REASON
from crawler.kernels.jit import are_unchanged, is_interpreted
from crawler.page.scanning.scan import scan
from crawler.rehearsal_folders import rehearsal_folder, remove_left_over

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Self

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)
# At DEBUG, the level of a new Scrapy project, numba logs what it does with each instruction: thousands of lines.
logging.getLogger("numba").setLevel(logging.INFO)

# What decides which kernels a page needs, besides the stages that are off.
SETTINGS = (
    *("SEGMENT_METHOD", "CLEAN_METHOD", "CLEAN_OPTIONS"),
    *("DEDUP_METHOD", "DEDUP_SHINGLE_WORDS", "DEDUP_BLOCKS_COVERAGE"),
)
# A rehearsal that takes longer is given up; several that start together wait for each other.
MOST_SECS = 1800.0
# The exit code of a rehearsal that kept no page for errors: of the crawl, too, each page would be
# rejected for good.
FAULTY = 3


class CompiledKernels:
    """Lets a crawl begin when all kernels that a page needs are in numba's cache.

    Where they are not, a process of its own compiles them and ends: what the compiler leaves in memory goes
    with it. Processes that start together wait for the first. What a crawl that was killed meanwhile has left of
    temporary files is removed.

    Settings: those that name methods, ``ITEM_PIPELINES``; ``PROGRESS_SECS`` and ``FLEET_…`` for whether
    to say so on stderr.
    """

    def __init__(self, crawler: Crawler, *, is_shown: bool):
        self.crawler = crawler
        self.is_shown = is_shown
        self.closed: Deferred[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if is_interpreted:
            raise NotConfigured("nothing is compiled")
        settings = crawler.settings
        # The parent of a fleet, which shows the progress of all, has no kernels.
        is_first = bool(settings["FLEET_ADDRESS"]) and settings.getint("FLEET_SHARD") == 0
        extension = cls(crawler, is_shown=settings.getfloat("PROGRESS_SECS") > 0 or is_first)
        crawler.signals.connect(extension.spider_opened, signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signals.spider_closed)
        return extension

    async def spider_opened(self) -> None:
        remove_left_over()
        wanted = wanted_kernels(self.crawler.settings)
        mark = mark_of(wanted)
        if is_rehearsed(mark):
            return
        if self.is_shown:
            tell("Compiling the kernels of a crawl once, a minute or two")
        started = time.monotonic()
        code, errors = await self._rehearse(mark, wanted)
        assert self.crawler.stats is not None
        self.crawler.stats.set_value("kernels/secs", time.monotonic() - started)
        if code == FAULTY:
            logger.error(
                "The rehearsal kept no page: %(errors)s",
                {"errors": errors},
                extra={"spider": self.crawler.spider},
            )
            raise CloseSpider(FAULTY_REASON)
        if code:
            logger.warning(
                "The kernels are compiled as pages come: the rehearsal ended with %(code)s",
                {"code": code},
                extra={"spider": self.crawler.spider},
            )

    def spider_closed(self) -> None:
        if self.closed is not None:
            self.closed.callback(None)

    async def _rehearse(self, mark: Path, wanted: str) -> tuple[int, str]:
        """Return the exit code and the last line of errors; raise `CloseSpider` when the crawl is to stop."""
        from twisted.internet import reactor

        events: Any = reactor
        told = b""
        with rehearsal_folder() as (folder, held):
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "crawler.rehearsal", str(mark), str(folder)),
                env=_environment(),
                pass_fds=(held,),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
            # Until the spider is open, Scrapy stops by stopping the reactor.
            at_stop = events.addSystemEventTrigger("before", "shutdown", self._stop, process)
            with suppress(TimeoutError):
                _, told = await asyncio.wait_for(process.communicate(wanted.encode()), MOST_SECS)
            if process.returncode is None:
                process.kill()
                await process.wait()
        if self.closed is not None:
            raise CloseSpider("shutdown")
        events.removeSystemEventTrigger(at_stop)
        last = told.decode(errors="replace").rstrip().rpartition("\n")[2]
        return process.returncode or 0, last

    def _stop(self, process: asyncio.subprocess.Process) -> Deferred[None]:
        """End *process*; return what the reactor waits for, the end of the crawl."""
        if process.returncode is None:
            process.kill()
        self.closed = Deferred()
        return self.closed


def wanted_kernels(settings: BaseSettings) -> str:
    """Return what of *settings* decides which kernels are needed, as JSON."""
    stages = settings.getdict("ITEM_PIPELINES")
    off = sorted(str(path) for path, place in stages.items() if place is None)
    wanted = {name: settings[name] for name in SETTINGS} | {"off": off}
    return json.dumps(wanted, sort_keys=True, default=repr)


def mark_of(wanted: str) -> Path:
    """Return the file that says that the *wanted* kernels are compiled."""
    parts = (wanted, sys.version, numba.__version__, binding.get_host_cpu_name())
    compiled: Any = scan
    digest = xxhash.xxh3_64_hexdigest("\n".join(parts).encode())
    return Path(compiled.stats.cache_path) / f"rehearsed-{digest}"


def is_rehearsed(mark: Path) -> bool:
    """Tell whether the kernels that *mark* names are compiled, as they are now."""
    try:
        kernels: Mapping[str, str] = json.loads(mark.read_bytes())
    except (OSError, ValueError):
        return False
    return are_unchanged(kernels)


def _environment() -> dict[str, str]:
    """Return the environment of a process that finds this package, wherever it is started."""
    paths = [str(Path(package.__path__[0]).parent), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
