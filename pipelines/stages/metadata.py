"""Stage ``metadata``: takes from the page who wrote it, when, and what it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.errors import InputError
from pipelines.metadata import metadata
from pipelines.metadata.guessed_dates import SOURCE, guess_date, is_installed
from pipelines.stages.base import Stage

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

    from crawler.items import Page
    from crawler.page import PageModel

DECLARED, GUESSED = "declared", "htmldate"


class MetadataStage(Stage):
    """Writes ``title``, ``author``, ``date`` and ``description`` with their sources; drops nothing.

    Settings: ``METADATA_DATES``. Stats: ``metadata/date/<source>``, ``metadata/author``.
    """

    name = "metadata"

    def __init__(self, *, guesses_dates: bool):
        self.guesses_dates = guesses_dates

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        dates = crawler.settings["METADATA_DATES"]
        if dates not in {DECLARED, GUESSED}:
            raise InputError(f"METADATA_DATES is {dates!r}; set {DECLARED} or {GUESSED}")
        if dates == GUESSED and not is_installed():
            raise InputError("METADATA_DATES is 'htmldate'; install winnow-crawler[dates]")
        stage = cls(guesses_dates=dates == GUESSED)
        stage.attach(crawler)
        return stage

    def work(self, page: Page, model: PageModel) -> None:
        found = metadata(model, fetched_at=page.fetched_at)
        page.title, page.title_source = found.title, found.title_source
        page.author, page.author_source = found.author, found.author_source
        page.date, page.date_source = found.date, found.date_source
        page.description, page.description_source = found.description, found.description_source
        if page.date is None and self.guesses_dates:
            page.date = guess_date(model, fetched_at=page.fetched_at)
            page.date_source = page.date and SOURCE
        if page.date is not None:
            self.stats.inc_value(f"metadata/date/{page.date_source}")
        if page.author is not None:
            self.stats.inc_value("metadata/author")
