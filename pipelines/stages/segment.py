"""Stage ``segment``: numbers the segments that the atomic blocks of a page form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from pipelines.segmentation.block_fusion import BlockFusion
from pipelines.stages.base import Stage

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

    from crawler.items import Page
    from crawler.page import PageModel


class SegmentStage(Stage):
    """Numbers the atomic blocks by Block Fusion (Kohlschütter 2011, 4.2); they stay atomic.

    Settings: ``SEGMENT_METHOD``, ``SEGMENT_THETA``.
    """

    name = "segment"

    def __init__(self, fusion: BlockFusion):
        self.fusion = fusion

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        method = crawler.settings.get("SEGMENT_METHOD")
        if not method:
            raise NotConfigured("SEGMENT_METHOD is empty")
        theta = crawler.settings.getfloat("SEGMENT_THETA")
        stage = cls(BlockFusion(theta=theta, variant=method.removeprefix("BF-")))
        stage.attach(crawler)
        return stage

    def work(self, page: Page, model: PageModel) -> None:  # noqa: ARG002  the blocks are all it needs
        model.segments = self.fusion.segment(model.blocks)
