"""Planted resemblance, exact copies, quotations, and unrelated pages that share nothing."""

from __future__ import annotations

from itertools import combinations, islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page.words import density_tokens
from crawler.sampleweb.article import Article, Block
from crawler.sampleweb.layout import RESEMBLANCES
from crawler.sampleweb.resemblance import plant, resemblance, shingles
from crawler.sampleweb.web import SampleWeb

MILLION = (1, 10_000, 1_000_000)


def twins(web, hosts):
    """Yield (younger, elder) of the planted pairs whose younger lies on *hosts*."""
    for index in hosts:
        for page in web.library.layout(index).pages("near"):
            younger = web.truth(web.url(index, page))
            yield younger, web.truth(younger.partner)


def check_pairs(pairs):
    found = {level: [0, 0] for level in RESEMBLANCES}
    for younger, elder in pairs:
        measured = resemblance(younger.main_text, elder.main_text)
        assert measured == pytest.approx(younger.planted, abs=0.02), younger.url
        assert younger.language == elder.language
        same_host = younger.url.split("/")[2] == elder.url.split("/")[2]
        found[younger.planted][same_host] += 1
    return found


def test_resemblance_of_the_default_web():
    web = SampleWeb()
    pairs = list(twins(web, [h.index for h in web.hosts() if h.plain]))
    found = check_pairs(pairs)
    assert all(elsewhere >= 5 and here >= 5 for elsewhere, here in found.values())
    urls = [page.url for pair in pairs for page in pair]
    assert len(set(urls)) == len(urls)  # isolated pairs: no chains


def test_resemblance_of_a_million_pages():
    web = SampleWeb(*MILLION)
    plain = [index for index in range(5, 5000, 61) if web.table.host(index).plain]
    pairs = [pair for index in plain for pair in islice(twins(web, [index]), 2)]
    check_pairs(pairs)
    assert len(pairs) > 40
    assert {younger.language for younger, _ in pairs} >= {"zh", "ja", "ar", "ru"}


@given(st.integers(0, 2**32), st.sampled_from(RESEMBLANCES), st.integers(250, 400))
def test_planting_hits_any_target(seed, target, n_words):
    words = [f"w{number}" for number in range(n_words)]
    blocks = tuple(Block("p", " ".join(words[at : at + 40])) for at in range(0, n_words, 40))
    elder = Article("a title", blocks)
    younger = plant(Random(seed), elder, target, "other words than these")
    assert resemblance(elder.text, younger.text) == pytest.approx(target, abs=0.02)
    assert [len(b.text.split()) for b in younger.blocks] == [len(b.text.split()) for b in blocks]


def test_planting_keeps_the_units_of_scripts_without_spaces():
    text = "数据科学研究方法很重要。" * 30
    elder = Article("标题", (Block("p", text),))
    younger = plant(Random(1), elder, 0.8, "天地人和山水风云东南西北")
    assert len(younger.text) == len(elder.text)
    assert len(density_tokens(younger.text)) == len(density_tokens(elder.text))
    assert younger != elder


def test_resemblance_by_its_definition():
    a, b = "a b c d e f g", "a b c d e f h"
    assert shingles(a) == {tuple("abcde"), tuple("bcdef"), tuple("cdefg")}
    assert resemblance(a, b) == 2 / 4
    assert resemblance("a b", "c d") == 1.0  # no shingles at all
    assert resemblance(a, "") == 0.0


def test_unrelated_pages_share_no_text():
    web = SampleWeb(*MILLION)
    by_language = {}
    for index in range(0, 1300, 2):
        host = web.table.host(index)
        if host.content == index and len(by_language.setdefault(host.language, [])) < 24:
            text = web.library.article(index, 1 + index % 5).text
            by_language[host.language].append(shingles(text))
    for language, pages in by_language.items():
        assert len(pages) > 20, language
        shares = [len(a & b) / len(a | b) for a, b in combinations(pages, 2)]
        assert max(shares) < 0.01, language


def test_pages_of_one_host_share_no_main_text():
    web = SampleWeb()
    pages = [shingles(web.library.article(0, page).text) for page in range(40)]
    assert max(len(a & b) / len(a | b) for a, b in combinations(pages, 2)) < 0.01


def test_copies_and_mirrors_are_the_same_to_the_byte():
    web = SampleWeb()
    n_copies = 0
    for host in web.hosts():
        layout = web.library.layout(host.content)
        for page in layout.pages("copy"):
            truth = web.truth(web.url(host.index, page))
            original = web.truth(truth.cluster)
            assert truth.url != original.url
            assert original.cluster == original.url
            assert (truth.main_text, truth.boilerplate) == (
                original.main_text,
                original.boilerplate,
            )
            n_copies += 1
    assert n_copies > 20


def test_quotations_are_of_the_page_they_name():
    web = SampleWeb()
    index = next(h.index for h in web.hosts() if web.library.layout(h.index).pages("quote"))
    page = web.library.layout(index).pages("quote")[0]
    truth = web.truth(web.url(index, page))
    quoted = web.truth(truth.quoted)
    (block,) = [b for b in web.library.article(index, page).blocks if b.kind == "quote"]
    assert block.text in quoted.main_text
    assert block.text in truth.main_text
    assert 0 < resemblance(truth.main_text, quoted.main_text) < 0.4
