"""Stage ``quality``: what it takes from settings and pages (the rules: tests/test_linguistics_quality.py)."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import UTC, datetime

import numpy as np
import pytest
from scrapy.exceptions import DropItem
from scrapy.utils.test import get_crawler

from crawler.items import Page
from crawler.page import build_page
from pipelines.stages.quality import QualityStage

TEXT = "A text of a few words, which are all that is here. " * 4


def page_of(body):
    page = Page(0, 0, "http://a.sample/", "a.sample", datetime.now(UTC), 200, raw_bytes=len(body))
    page.attach(build_page(body, url=page.url, content_type="text/html"))
    page.text, page.n_words = TEXT, 44
    page.model.kept = np.ones(len(page.model.blocks.text), np.bool_)
    return page


@pytest.mark.parametrize(
    ("settings", "n_bytes", "reason"),
    [
        ({}, 300, None),  # off by default
        ({"QUALITY_MIN_PAGE_BYTES": "5000"}, 4999, "small_page"),
        ({"QUALITY_MIN_PAGE_BYTES": "5000"}, 5000, None),
        ({"QUALITY_MIN_WORDS": 45}, 5000, "short_text"),
    ],
)
def test_bounds_are_those_of_the_settings(settings, n_bytes, reason):
    stage = QualityStage.from_crawler(get_crawler(settings_dict=settings))
    page = page_of(f"<p>{TEXT}".encode().ljust(n_bytes))
    with nullcontext() if reason is None else pytest.raises(DropItem, match=reason):
        stage.process_item(page)
