"""Stage ``quality``: drops pages that are too small, or whose main text is too little, too damaged or too
repetitive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.linguistics.quality import QualityRules
from pipelines.stages.base import Stage

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

    from crawler.items import Page
    from crawler.page import PageModel


class QualityStage(Stage):
    """Settings: ``QUALITY_MIN_PAGE_BYTES``, ``QUALITY_MIN_WORDS``, ``QUALITY_MIN_KEPT_SHARE``,
    ``QUALITY_MAX_REPLACEMENT_SHARE``, ``QUALITY_MAX_REPEATED_LINE_SHARE``; each gives its reason, 0 turns it off.
    """

    name = "quality"

    def __init__(self, rules: QualityRules):
        self.rules = rules

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        rules = QualityRules(
            min_page_bytes=settings.getint("QUALITY_MIN_PAGE_BYTES"),
            min_words=settings.getint("QUALITY_MIN_WORDS"),
            min_kept_share=settings.getfloat("QUALITY_MIN_KEPT_SHARE"),
            max_replacement_share=settings.getfloat("QUALITY_MAX_REPLACEMENT_SHARE"),
            max_repeated_line_share=settings.getfloat("QUALITY_MAX_REPEATED_LINE_SHARE"),
        )
        stage = cls(rules)
        stage.attach(crawler)
        return stage

    def work(self, page: Page, model: PageModel) -> None:
        text = page.text or ""
        if model.code_texts and model.kept is not None:
            text = model.blocks.text.joined(model.kept)  # programs do repeat lines
        reason = self.rules.judge(
            text=text,
            n_bytes=page.raw_bytes,
            n_words=page.n_words,
            n_page_words=int(model.blocks.n_words.sum()),
            replacement_share=model.replacement_share,
        )
        if reason is not None:
            raise self.drop(page, reason)
