"""The segmenter that the settings name, for commands that show segments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.errors import InputError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from pipelines.segmentation.segmenter import BlockSegmenter


def segmenter_of(settings: BaseSettings) -> BlockSegmenter | None:
    """Return what ``SEGMENT_METHOD`` and ``SEGMENT_THETA`` name, None when that is empty; raise `InputError`."""
    from pipelines.segmentation.registry import get_block_method

    method, theta = settings["SEGMENT_METHOD"], settings["SEGMENT_THETA"]
    if not method:
        return None
    try:
        return get_block_method(method, theta=None if theta is None else float(theta))
    except ValueError as error:
        raise InputError(f"{error}; change SEGMENT_METHOD or SEGMENT_THETA") from error
