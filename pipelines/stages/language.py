"""Stage ``language``: identifies the language of the main text."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawler.disk import ended_by_errors
from crawler.errors import InputError
from crawler.items import Page
from pipelines.linguistics.language import (
    classifier_is_loaded,
    identify,
    is_unsure,
    load_classifier,
)
from pipelines.linguistics.language_codes import check_told
from pipelines.linguistics.trigram_models import MIN_SCORE, read_model
from pipelines.stages.base import Stage

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Self

    from scrapy.crawler import Crawler

    from crawler.page import PageModel
    from pipelines.linguistics.trigram_models import TrigramModel


class LanguageStage(Stage):
    """Writes ``language`` and ``language_score``; drops ``other_language`` when some are asked for.

    Drops ``unlike_model`` what scores below the least by a model of one's own
    (`pipelines.linguistics.trigram_models`), where one is given.

    The first page that the classifier is asked for waits while a thread loads it: the crawl goes on.
    What keeps it from being loaded ends the crawl: each page that needs it would be rejected for it.
    Settings: ``CORPUS_DIR``, ``LANGUAGE_KEEP``, ``LANGUAGE_MODEL``, ``LANGUAGE_MODEL_MIN_SCORE``.
    """

    name = "language"

    def __init__(
        self,
        keep: Collection[str],
        folder: Path,
        *,
        model: TrigramModel | None = None,
        min_score: float = MIN_SCORE,
    ):
        self.keep = frozenset(keep)
        self.folder = folder
        self.model = model
        self.min_score = min_score

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        keep = settings.getlist("LANGUAGE_KEEP")
        check_told("LANGUAGE_KEEP", keep)
        stage = cls(
            keep,
            Path(settings["CORPUS_DIR"]),
            model=_model(settings["LANGUAGE_MODEL"]),
            min_score=settings.getfloat("LANGUAGE_MODEL_MIN_SCORE"),
        )
        stage.attach(crawler)
        return stage

    def process_item(self, item: Any) -> Any:
        is_page = isinstance(item, Page) and item.model is not None
        if is_page and not classifier_is_loaded() and is_unsure(item.text or ""):
            return self._when_loaded(item)
        return super().process_item(item)

    async def _when_loaded(self, item: Any) -> Any:
        if item.model.capture is not None:
            item.model.capture.end_work()
        with ended_by_errors(self.folder):
            await asyncio.to_thread(load_classifier)
        return super().process_item(item)

    def work(self, page: Page, model: PageModel) -> None:
        page.language, page.language_score = identify(page.text or "", model.declared_language)
        if self.keep and page.language not in self.keep:
            raise self.drop(page, "other_language")
        if self.model is not None and self.model.score(page.text or "") < self.min_score:
            raise self.drop(page, "unlike_model")


def _model(name: str) -> TrigramModel | None:
    """Return the model in the file *name*, None for ""."""
    try:
        return read_model(Path(name)) if name else None
    except InputError as error:
        raise InputError(f"{error}, or change LANGUAGE_MODEL") from error
