"""Stage ``admit``: lets through what is a page with text that may be kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.stages.base import Stage

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

    from crawler.items import Page
    from crawler.page import PageModel


class AdmitStage(Stage):
    """Drops what is no readable page: ``content_type``, ``empty``, ``noindex``."""

    name = "admit"

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        stage = cls()
        stage.attach(crawler)
        return stage

    def work(self, page: Page, model: PageModel) -> None:
        if model.reject is not None:
            raise self.drop(page, model.reject)
        if model.noindex:
            raise self.drop(page, "noindex")
        if not model.blocks.text:
            raise self.drop(page, "empty")
