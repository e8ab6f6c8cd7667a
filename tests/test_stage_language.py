"""Stage ``language``: what it does beside the identification (tests/test_linguistics_language.py)."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
from scrapy.utils.defer import ensure_awaitable
from scrapy.utils.test import get_crawler

from crawler.items import Page
from crawler.page import build_page
from pipelines.linguistics import language
from pipelines.stages.language import LanguageStage

# Of no language that the first look is sure of; and of one.
UNSURE = "Ez egy rövid szöveg, amelyet senki sem ismer fel."
SURE = "東京タワーは高い塔です。とても高い塔です。みんなが見ています。"


@pytest.fixture
def _unloaded():
    language._classifier.cache_clear()
    yield
    language.load_classifier()


def page_of(text):
    page = Page(0, 0, "http://a.sample/", "a.sample", datetime.now(UTC), 200, text=text)
    page.attach(build_page(f"<p>{text}".encode(), url=page.url, content_type="text/html"))
    return page


async def worked_on(pages):
    """Put *pages* through the stage at once; return how often another task came round meanwhile."""
    stage = LanguageStage.from_crawler(get_crawler(settings_dict={"CORPUS_DIR": "unused"}))
    work = asyncio.gather(*[ensure_awaitable(stage.process_item(page)) for page in pages])
    n_rounds = 0
    while not work.done():
        await asyncio.sleep(0)
        n_rounds += 1
    await work
    return n_rounds


@pytest.mark.slow
@pytest.mark.usefixtures("_unloaded")
def test_the_crawl_goes_on_while_the_classifier_is_loaded():
    pages = [page_of(UNSURE), page_of(SURE), page_of(UNSURE)]
    assert language.is_unsure(UNSURE)
    assert not language.is_unsure(SURE)
    assert asyncio.run(worked_on(pages)) > 100  # each takes well below a hundredth of the loading
    expected = [language.identify(page.text) for page in pages]
    assert [(page.language, page.language_score) for page in pages] == expected


@pytest.mark.usefixtures("_unloaded")
def test_it_is_not_loaded_for_pages_that_need_it_not():
    asyncio.run(worked_on([page_of(SURE)]))
    assert not language.classifier_is_loaded()
