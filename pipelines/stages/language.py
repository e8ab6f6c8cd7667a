"""Stage ``language``: identifies the language of the main text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.linguistics.language import identify
from pipelines.stages.base import Stage

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Self

    from scrapy.crawler import Crawler

    from crawler.items import Page
    from crawler.page import PageModel


class LanguageStage(Stage):
    """Writes ``language`` and ``language_score``; drops ``other_language`` when some are asked for.

    Settings: ``LANGUAGE_KEEP``.
    """

    name = "language"

    def __init__(self, keep: Collection[str]):
        self.keep = frozenset(keep)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        stage = cls(crawler.settings.getlist("LANGUAGE_KEEP"))
        stage.attach(crawler)
        return stage

    def work(self, page: Page, model: PageModel) -> None:
        page.language, page.language_score = identify(page.text or "", model.declared_language)
        if self.keep and page.language not in self.keep:
            raise self.drop(page, "other_language")
