"""Stage ``clean``: labels the atomic blocks and joins the kept ones to the main text."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from scrapy.utils.misc import load_object

from crawler.errors import InputError
from pipelines.boilerplate.registry import get
from pipelines.evaluation.peers import PREFIX
from pipelines.stages.base import Stage

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

    from crawler.items import Page
    from crawler.page import PageModel
    from pipelines.boilerplate.labels import Cleaner


class CleanStage(Stage):
    """Applies one cleaning method; labels that a spider asked the same method for are taken over.

    Methods of other projects are :class:`pipelines.stages.foreign_clean.ForeignCleanStage`'s.

    Settings: ``CLEAN_METHOD``, ``CLEAN_OPTIONS``, ``LINK_LABELLER``.
    """

    name = "clean"

    def __init__(self, method: str, cleaner: Cleaner, *, takes_over: bool = False):
        self.method = method
        self.cleaner = cleaner
        self.takes_over = takes_over

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        method, options = settings["CLEAN_METHOD"], settings.getdict("CLEAN_OPTIONS")
        if method.startswith(PREFIX):
            from pipelines.stages.foreign_clean import ForeignCleanStage

            return cast("Self", ForeignCleanStage.from_crawler(crawler))
        try:
            cleaner = get(method, **options)
        except (TypeError, ValueError) as error:
            raise InputError(f"{error}; change CLEAN_METHOD or CLEAN_OPTIONS") from error
        is_same = not options and _labeller(settings["LINK_LABELLER"]) is type(cleaner)
        stage = cls(method, cleaner, takes_over=is_same)
        stage.attach(crawler)
        return stage

    def work(self, page: Page, model: PageModel) -> None:
        if model.kept is None or not self.takes_over:
            labels = self.cleaner.label(model)
            model.kept, model.labels = labels.kept, labels.label
        self.take(page, model)

    def take(self, page: Page, model: PageModel) -> None:
        """Make the kept blocks the main text of *page*."""
        assert model.kept is not None
        page.method = self.method
        page.text = model.main_text(model.kept)
        page.n_words = int(model.blocks.n_words[model.kept].sum())
        if not page.text:
            raise self.drop(page, "no_main_text")


def _labeller(path: str) -> object:
    """Return what labels blocks for a focused crawl, None for nothing."""
    try:
        return load_object(path) if path else None
    except (ValueError, ImportError, NameError) as error:
        raise InputError(f"{error}; change LINK_LABELLER") from error
