"""What a crawl tells its operator while it works, beside its progress."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from crawler.errors import tell

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.settings import BaseSettings

# What is said of a crawl whose log is on stderr, where its reader is.
SEEN_LOG = "the log says more"
# Seconds between two lines that say that something is still so.
AGAIN_SECS = 10.0
# Documents that are not read in a moment.
MANY_DOCUMENTS = 10_000


def where_more_is(settings: BaseSettings) -> str:
    """Return where a crawl by *settings* tells more of an error than its line: in its log, or with one."""
    if file := settings.get("LOG_FILE"):  # --nolog does not close it
        return f"the log {file} says more"
    return SEEN_LOG if settings.getbool("LOG_ENABLED") else "run it without --nolog to see more"


class Teller:
    """Tells by *logger*; in a crawl without a log (``--nolog``) on stderr, between the lines of progress.

    Settings: ``LOG_ENABLED``.
    """

    def __init__(self, settings: BaseSettings, logger: logging.Logger):
        self._has_log = settings.getbool("LOG_ENABLED")
        self._logger = logger
        self._told_at = float("-inf")

    def tell(self, text: str, *, level: int = logging.WARNING) -> None:
        """Tell *text*."""
        if self._has_log:
            self._logger.log(level, "%s", text)
        else:
            tell(text)

    def tell_again(self, text: str, *, level: int = logging.INFO) -> None:
        """Tell *text*, unless something was told so a moment ago."""
        if time.monotonic() - self._told_at >= AGAIN_SECS:
            self._told_at = time.monotonic()
            self.tell(text, level=level)


class ReadingTeller:
    """Has *tell* say how far *what* is that reads documents, of which there are many, at once and now and then."""

    def __init__(self, what: str, tell: Callable[[str], object]):
        self._what, self._tell = what, tell
        self._told_at = float("-inf")

    def __call__(self, n_behind: int, n: int) -> None:
        """Say that *n_behind* of *n* documents are read."""
        if n >= MANY_DOCUMENTS and time.monotonic() - self._told_at >= AGAIN_SECS:
            self._told_at = time.monotonic()
            self._tell(f"{self._what}: {n_behind:,} of {n:,} documents read")
