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
    """Drops what is no readable page: ``content_type``, ``robots_txt``, ``empty``, ``noindex``, ``signal_<word>``.

    Settings: ``SIGNALS_OBEY``.
    """

    name = "admit"

    def __init__(self, obeyed_signals: frozenset[str]):
        self.obeyed_signals = obeyed_signals

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        stage = cls(frozenset(crawler.settings.getlist("SIGNALS_OBEY")))
        stage.attach(crawler)
        return stage

    def work(self, page: Page, model: PageModel) -> None:
        if model.reject is not None:
            raise self.drop(page, model.reject)
        if model.noindex:
            raise self.drop(page, "noindex")
        if signal := min(self.obeyed_signals & model.signals, default=""):
            raise self.drop(page, f"signal_{signal}")
        if not model.blocks.text:
            raise self.drop(page, "empty")
