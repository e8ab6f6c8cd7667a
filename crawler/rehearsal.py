"""A crawl of a few made pages without network: it has the kernels of a crawl compiled before one.

``python -m crawler.rehearsal MARK FOLDER`` is run by `crawler.extensions.compiled_kernels`, which says what
for, and what the file MARK is; the corpus goes to FOLDER. Without arguments it does so for the default
settings, unless that was done.
"""

from __future__ import annotations

import asyncio
import fcntl
import importlib
import json
import os
import sys
import threading
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numba.core import errors as numba_errors
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Request, Response
from scrapy.responsetypes import responsetypes
from scrapy.settings import Settings

from crawler.addon import Winnow
from crawler.durable.files import write_atomic
from crawler.extensions.compiled_kernels import (
    FAULTY,
    SETTINGS,
    CompiledKernels,
    is_rehearsed,
    mark_of,
    wanted_kernels,
)
from crawler.kernels.jit import used_kernels
from crawler.rehearsal_folders import rehearsal_folder
from crawler.sampleweb.web import SampleWeb
from crawler.scheduler import FrontierScheduler
from crawler.seeds import Seed
from crawler.spiders.base import WinnowSpider

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping
    from typing import Self

    from scrapy.crawler import Crawler

    from crawler.items import Page

_LOOK_SECS = 0.5
# More hosts than the frontier leases one by one; so many pages are fetched in all, of the first hosts
# before the others, and by requests of the spider's own.
SAMPLE = SampleWeb(n_hosts=80, n_pages=240)
MAX_PAGES = 100
FEW_HOSTS, FEW_PAGES, FEW_LOOKS, N_OWN = 40, 20, 2_000, 3
# The sample web has no comments, notices of cookies, nor parts that are sent later, for which there are kernels of
# their own.
BESIDE = (
    b"<div class=comments><p>Such a page was never seen before, says one who has seen many.</div>"
    b"<div class=cookies><p>Such a page has cookies.</div>"
    b'<template id="B:0"></template><div hidden id="S:0">This came later.</div>'
)
# One home page of so many (all are seeds, so they are fetched) has the text of the one before it, with
# this at the end of each paragraph.
NEAR_EVERY, NEAR_ADDED = 4, b" Late.</p>"
# Before robots and addresses are asked for.
ANSWERS_AT = 65


def rehearse(wanted: Mapping[str, Any], folder: Path) -> str:
    """Crawl some pages with the *wanted* settings into *folder*.

    Returns the compiler's errors that left no page to keep, where they did, else "".
    """
    settings = {
        **{name: wanted[name] for name in SETTINGS},
        "ADDONS": {"crawler.addon.Winnow": 500},
        "ITEM_PIPELINES": dict.fromkeys(wanted["off"]),
        "EXTENSIONS": {CompiledKernels: None},
        "DOWNLOADER_MIDDLEWARES": {SampleAnswers: ANSWERS_AT},
        "SCHEDULER": RehearsalScheduler,
        "CORPUS_DIR": str(folder),
        "CONCURRENT_REQUESTS": 4,
        # Pages wait for kernels here, and are not to fail by that, nor to be waited for.
        "DOWNLOAD_TIMEOUT": 3600,
        "IDLE_END_SECS": 1,
        "COMMIT_GROUP_PAGES": 10,
        "SEAL_ROWS": 20,
        "HOST_DELAY_SECS": 0.05,
        "DOMAIN_DELAY_SECS": 0.5,
        "IP_DELAY_SECS": 0.05,
        "PROGRESS_SECS": 0,
        "LOG_ENABLED": False,
    }
    process = AsyncCrawlerProcess(Settings(settings))
    rehearsal = process.create_crawler(RehearsalSpider)
    process.crawl(rehearsal, max_pages=MAX_PAGES)
    process.start()
    stats = rehearsal.stats.get_stats() if rehearsal.stats else {}
    if stats.get("store/pages"):
        return ""
    reasons = {name.partition("/dropped/error_")[2] for name in stats}
    return ", ".join(sorted(name for name in reasons if hasattr(numba_errors, name)))


class SampleAnswers:
    """Answers every request with what the sample web has there, and comments on it.

    Some home pages are almost as the ones before them, so that the closing pass has pairs to decide over.
    """

    def process_request(self, request: Request) -> Response:
        place = SAMPLE.place(request.url)
        if place is None:
            return Response(request.url, status=404)
        answer = SAMPLE.replies.answer(place)
        body = answer.body
        if place.page == 0 and place.host.index % NEAR_EVERY == 1:
            before = SAMPLE.place(SAMPLE.url(place.host.index - 1, 0))
            assert before is not None
            answer = SAMPLE.replies.answer(before)
            body = answer.body.replace(b"</p>", NEAR_ADDED)
        headers = {b"Content-Type": answer.content_type.encode()}
        if answer.location:
            headers[b"Location"] = answer.location.encode()
        kind = responsetypes.from_args(headers=headers, url=request.url, body=body)
        if answer.content_type.startswith("text/html"):
            body += BESIDE
        return kind(request.url, status=answer.status, headers=headers, body=body)


class RehearsalScheduler(FrontierScheduler):
    """Packs the page table as soon as a large crawl does, by its size."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        scheduler = super().from_crawler(crawler)
        scheduler.commit_policy = replace(
            scheduler.commit_policy, seal_pages=100, snapshot_pages=200, thread_pages=1
        )
        return scheduler


class RehearsalSpider(WinnowSpider):
    """Begins on a few hosts of the sample web, goes on to many, and ends with priorities.

    The frontier has kernels for each of these, and for requests that a spider makes.
    """

    name = "rehearsal"
    n_pages = 0

    async def start(self) -> AsyncIterator[Any]:
        seeds = [Seed(url, (category,)) for category, url in SAMPLE.seeds()]
        await self.plant(seeds[:FEW_HOSTS])
        for _ in range(FEW_LOOKS):  # of which none comes while a kernel is compiled
            if self.n_pages >= FEW_PAGES:
                break
            await asyncio.sleep(0.01)
        await self.plant(seeds)
        for host in range(N_OWN):
            yield Request(SAMPLE.url(host, 1), self.parse)

    def parse(self, response: Response, **arguments: Any) -> Iterator[Page]:
        for page in super().parse(response, **arguments):
            self.n_pages += 1
            if self.n_pages > MAX_PAGES / 2 and page.model is not None:
                page.model.links.priority[:] = self.n_pages
            yield page


def compile_kernels(mark: Path, folder: Path, wanted: str) -> None:
    """Compile what is *wanted* and write *mark*, or wait while another process does so.

    Ends the process with the exit code `FAULTY` when they cannot be compiled.
    """
    mark.parent.mkdir(parents=True, exist_ok=True)
    before = _written(mark)
    fcntl.flock(os.open(mark.parent, os.O_RDONLY), fcntl.LOCK_EX)
    if _written(mark) == before:
        with ends_without(folder):
            errors = rehearse(json.loads(wanted), folder)
        if errors:
            sys.stderr.write(f"{errors}\n")
            sys.exit(FAULTY)
        write_atomic(mark, json.dumps(used_kernels()).encode())


@contextmanager
def ends_without(folder: Path) -> Iterator[None]:
    """End the process when *folder* goes: a crawl that cannot write waits, and the others for this one."""
    is_done = threading.Event()

    def watch() -> None:
        while not is_done.wait(_LOOK_SECS):
            if not folder.exists():
                os._exit(1)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_done.set()
        thread.join()


def _is_done(mark: Path) -> bool:
    """Tell whether all kernels that *mark* names are compiled, as they are now."""
    try:
        for name in json.loads(mark.read_bytes()):
            # One that is not imported would be taken for unchanged.
            importlib.import_module(name.rpartition(".")[0])
    except (OSError, ValueError, ImportError):
        return False
    return is_rehearsed(mark)


def _written(path: Path) -> int:
    return path.stat().st_mtime_ns if path.exists() else 0


def main(arguments: list[str]) -> None:
    """Compile what the input, or without *arguments* what the default settings ask for, if it is not yet."""
    if arguments:
        mark, folder = map(Path, arguments)
        compile_kernels(mark, folder, sys.stdin.read())
        return
    settings = Settings()
    Winnow().update_settings(settings)
    wanted = wanted_kernels(settings)
    mark = mark_of(wanted)
    if not _is_done(mark):
        with rehearsal_folder() as (folder, _):
            compile_kernels(mark, folder, wanted)


if __name__ == "__main__":
    main(sys.argv[1:])
