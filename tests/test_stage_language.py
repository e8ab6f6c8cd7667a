"""Stage ``language``: what it does beside the identification (tests/test_linguistics_language.py)."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from datetime import UTC, datetime

import pytest
from scrapy.exceptions import DropItem
from scrapy.utils.defer import ensure_awaitable
from scrapy.utils.test import get_crawler

from crawler.errors import InputError
from crawler.items import Page
from crawler.page import build_page
from pipelines.linguistics import language, scripts
from pipelines.linguistics.language_codes import OTHER_CODES, TOLD_CODES
from pipelines.linguistics.trigram_models import TrigramModel
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


def stage_with(**settings):
    return LanguageStage.from_crawler(
        get_crawler(settings_dict={"CORPUS_DIR": "unused", **settings})
    )


async def worked_on(pages):
    """Put *pages* through the stage at once; return how often another task came round meanwhile."""
    stage = stage_with()
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


def test_codes_that_no_text_gets_are_refused():
    """Norwegian is ``no`` here: a crawl that was to keep ``nb`` kept no page."""
    assert not set(OTHER_CODES).intersection(language._classifier()[1])
    with pytest.raises(InputError, match="LANGUAGE_KEEP has 'nb', whose texts are 'no' here"):
        stage_with(LANGUAGE_KEEP="sv,nb")
    assert stage_with(LANGUAGE_KEEP="sv,no").keep == {"sv", "no"}
    # Countries' codes, and a language that the classifier does not know.
    for code in ("cz", "jp", "bo"):
        with pytest.raises(InputError, match=f"LANGUAGE_KEEP has '{code}', which no text gets"):
            stage_with(LANGUAGE_KEEP=f"sv,{code}")


def test_codes_that_texts_get_are_known_without_the_classifier():
    of_scripts = {name for name in scripts._NAMES if len(name) == 2}
    told = {*language._classifier()[1], *of_scripts, *language.GATE_LANGUAGES}
    assert told - {language._NO_LANGUAGE} == TOLD_CODES


@pytest.mark.parametrize(
    ("least", "kept"), [(0.6, [True, False]), (0, [True, True]), (1, [False, False])]
)
def test_texts_unlike_a_model_are_dropped(tmp_path, least, kept):
    path = tmp_path / "model"
    path.write_text("\n".join(TrigramModel.of([f"{UNSURE} Ez is."]).lines()), encoding="utf-8")
    stage = stage_with(LANGUAGE_MODEL=str(path), LANGUAGE_MODEL_MIN_SCORE=least)
    for text, is_kept in zip(
        (UNSURE, "A text in another language than the model's."), kept, strict=True
    ):
        page = page_of(text)
        with nullcontext() if is_kept else pytest.raises(DropItem, match="unlike_model"):
            stage.work(page, page.model)
        assert page.language is not None


def test_what_is_no_model_is_told_of_at_the_start(tmp_path):
    (tmp_path / "model").write_text("the\t5\n", encoding="utf-8")
    for name, told in (("model", "is no model of triples"), ("none", "cannot read ")):
        with pytest.raises(InputError, match=f"{told}.*, or change LANGUAGE_MODEL"):
            stage_with(LANGUAGE_MODEL=str(tmp_path / name))


@pytest.mark.usefixtures("_unloaded")
def test_it_is_not_loaded_for_pages_that_need_it_not():
    asyncio.run(worked_on([page_of(SURE)]))
    assert not language.classifier_is_loaded()
