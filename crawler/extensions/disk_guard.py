"""The disk guard: a crawl pauses while its disk is nearly full, and goes on by itself."""

from __future__ import annotations

from pathlib import Path
from shutil import disk_usage
from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from crawler.extensions.pausing import PausingGuard

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler


class DiskGuard(PausingGuard):
    """Pauses the engine while less than *min_bytes* are free on the disk of the corpus.

    Pages that are out are taken, no more are asked for. Settings: ``DISK_MIN_FREE_BYTES``,
    ``CORPUS_DIR``. Stats: ``disk/pauses``.
    """

    WHAT = "disk"
    # At 100 MB a second, which no crawl writes, the default room lasts longer.
    CHECK_SECS = 2.0
    LOOKS_AT_ONCE = True

    def __init__(self, crawler: Crawler, folder: Path, min_bytes: int):
        super().__init__(crawler)
        self.folder = folder
        self.min_bytes = min_bytes

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        min_bytes = crawler.settings.getint("DISK_MIN_FREE_BYTES")
        if not min_bytes:
            raise NotConfigured("DISK_MIN_FREE_BYTES is 0")
        return cls(crawler, Path(crawler.settings["CORPUS_DIR"]), min_bytes)

    def check(self) -> None:
        """Pause or go on as the free bytes say."""
        try:
            free = disk_usage(self.folder).free
        except OSError:
            return  # there is no corpus, of which its writer will tell
        free_mib, least_mib = free >> 20, self.min_bytes >> 20
        self.turn(
            is_wanted=free < self.min_bytes,
            why=f"Only {free_mib} MiB are free for {self.folder}: the crawl pauses until there are {least_mib}",
            why_not="There is room on the disk: the crawl goes on",
        )
