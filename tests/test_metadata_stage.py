"""The stage that writes the metadata of a page."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from scrapy.utils.test import get_crawler

from crawler.errors import InputError
from crawler.items import Page
from crawler.page import build_page
from pipelines.stages.metadata import MetadataStage

SOURCE = b"""<title>Rain - again</title><meta name=description content=Wet>
<meta property=article:published_time content=2024-03-05><meta name=author content="Jane Doe"><p>text"""


def done(source, **settings):
    """The page of *source* behind the stage, and the stats."""
    crawler = get_crawler(settings_dict={"METADATA_DATES": "declared", **settings})
    crawler.stats = crawler.settings["STATS_CLASS"] and _stats(crawler)
    stage = MetadataStage.from_crawler(crawler)
    model = build_page(source, url="http://a.example/", content_type="text/html")
    page = Page(
        host_id=1,
        local_id=2,
        url=model.url,
        host="a.example",
        fetched_at=datetime(2024, 5, 1, tzinfo=UTC),
        status=200,
        title=model.title,
        title_source=model.title_source,
        description=model.description,
    )
    page.attach(model)
    stage.process_item(page)
    return page, crawler.stats.get_stats()


def _stats(crawler):
    from scrapy.statscollectors import MemoryStatsCollector

    return MemoryStatsCollector(crawler)


def test_columns_are_written():
    page, stats = done(SOURCE)
    assert (page.title, page.title_source) == ("Rain - again", "title")
    assert (page.author, page.date, page.date_source) == ("Jane Doe", "2024-03-05", "meta")
    assert (page.author_source, page.description, page.description_source) == (
        "meta",
        "Wet",
        "meta",
    )
    assert stats["metadata/date/meta"] == stats["metadata/author"] == stats["metadata/pages"] == 1


def test_pages_that_say_nothing_pass():
    page, stats = done(b"")
    assert (page.title, page.author, page.date, page.date_source) == (None, None, None, None)
    assert (page.author_source, page.description, page.description_source) == (None, None, None)
    assert "metadata/author" not in stats


def test_what_editors_write_is_no_title():
    page, _ = done(b"<title>Untitled Document</title><p>text")
    assert (page.title, page.title_source) == (None, None)


def test_descriptions_without_a_letter_are_none():
    page, _ = done(b"<meta name=description content='#'><p>text")
    assert (page.description, page.description_source) == (None, None)


def test_wrong_setting():
    with pytest.raises(InputError, match="METADATA_DATES is 'guess'"):
        done(SOURCE, METADATA_DATES="guess")
