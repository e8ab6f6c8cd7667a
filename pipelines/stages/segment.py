"""Stage ``segment``: numbers the segments that the atomic blocks of a page form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from crawler.errors import InputError
from pipelines.segmentation.registry import get_block_method
from pipelines.stages.base import Stage

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

    from crawler.items import Page
    from crawler.page import PageModel
    from pipelines.segmentation.segmenter import BlockSegmenter


class SegmentStage(Stage):
    """Numbers the atomic blocks by a method of `pipelines.segmentation.registry`; they stay atomic.

    Settings: ``SEGMENT_METHOD``, ``SEGMENT_THETA`` (for Block Fusion).
    """

    name = "segment"

    def __init__(self, segmenter: BlockSegmenter):
        self.segmenter = segmenter

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        method = crawler.settings.get("SEGMENT_METHOD")
        if not method:
            raise NotConfigured("SEGMENT_METHOD is empty")
        is_set = crawler.settings["SEGMENT_THETA"] is not None
        theta = crawler.settings.getfloat("SEGMENT_THETA") if is_set else None
        try:
            stage = cls(get_block_method(method, theta=theta))
        except ValueError as error:
            raise InputError(f"{error}; change SEGMENT_METHOD or SEGMENT_THETA") from error
        stage.attach(crawler)
        return stage

    def work(self, page: Page, model: PageModel) -> None:  # noqa: ARG002  the blocks are all it needs
        model.segments = self.segmenter.segment(model.blocks)
