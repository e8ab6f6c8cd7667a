"""LAMIS whole: pages of contents and articles of made sites, told by ``scrapy templates structure``."""

from __future__ import annotations

import gc
import json
import math
import random
from collections import Counter
from sys import getsizeof

import numpy as np
import pytest

from crawler.page import PageLimits, PageModel
from crawler.stored_pages import stored_pages
from pipelines.jobs.templates.lamis import LamisOptions, first_words, informative_structure
from tests.graph_commands import run_command
from tests.test_ranking_anchor_weights import found, slow_weights, store

SITE, OTHER = "http://news.sample", "http://other.sample"
ADVERTISEMENT = f"{SITE}/buy"
FIXED = [f"{SITE}/imprint", f"{SITE}/contact", ADVERTISEMENT]
ARTICLES = [f"{SITE}/article{n}" for n in range(12)]
WORDS = [chr(ord("a") + n) for n in range(12)]
TITLES = [f"{word}storm {word}river {word}bridge" for word in WORDS]
TEMPLATE = (
    "<div class=menu>"
    f"<a href={SITE}/imprint>Imprint</a> <a href={SITE}/contact>Contact</a></div>"
    f"<div class=offer>Our offer <a href={ADVERTISEMENT}>Buy now cheaply</a></div>"
)


def listed(numbers):
    return "".join(f"<li><a href={ARTICLES[n]}>{TITLES[n]}</a>" for n in numbers)


def told(number):
    """An article: its title and words of its own."""
    own = WORDS[number]
    return f"<h1>{TITLES[number]}</h1><div>{' '.join(f'{own}word{n}' for n in range(30))}</div>"


CONTENTS = {
    f"{SITE}/index": f"<ul>{listed(range(12))}</ul>",
    f"{SITE}/today": f"<ul>{listed(range(7))}</ul>",
}
PAGES = {
    url: f"<html><body>{TEMPLATE}{body}"
    for url, body in {
        **CONTENTS,
        **{url: told(number) for number, url in enumerate(ARTICLES)},
        **{url: f"<p>We say {url[-4:]}" for url in FIXED},
    }.items()
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    store(folder, {**PAGES, f"{OTHER}/": f"<p>See <a href={ARTICLES[0]}>this story</a>"})
    return folder


def structure(corpus, *options):
    done = run_command("templates", "structure", "--corpus", corpus, *options, "--json")
    assert done.code == 0, done.errors
    return json.loads(done.out)


def test_an_advertisement_of_the_template_loses_its_authority_and_is_no_article(corpus):
    _, authority, _ = found(corpus)
    best = sorted(authority, key=authority.get)[-3:]
    assert set(best) == set(FIXED)
    report = structure(corpus)
    assert (report["host"], report["pages"], report["links"]) == ("news.sample", len(PAGES), 19)
    assert {url for _, url in report["contents"]} == set(CONTENTS)
    assert {url for _, url in report["articles"]} == set(ARTICLES)
    _, weighed, _ = found(corpus, "--weights", "anchor-entropy")
    assert authority[ADVERTISEMENT] > 0.1
    assert weighed[ADVERTISEMENT] < 1e-9
    assert min(value for value, _ in report["articles"]) > 0.1


def entropy_of_blocks(blocks, pages):
    """The mean entropy of the words of each of *blocks* over *pages*, lists of words."""
    counts = [Counter(page) for page in pages]

    def entropy(word):
        total = sum(count[word] for count in counts)
        shares = [count[word] / total for count in counts if count[word]]
        return -sum(share * math.log(share, len(pages)) for share in shares)

    return [sum(map(entropy, set(block))) / len(set(block)) for block in blocks]


def test_the_threshold_is_that_of_pages_of_contents(corpus):
    """Titles are on two or three of 17 pages; over all pages, words of one article had set it to 0."""
    titles = [title.split() for title in TITLES]
    pages = [" ".join(TITLES[:n]).split() for n in (12, 7)]
    pages += [title + [f"{title[0]}{n}" for n in range(30)] for title in titles]
    pages += [["we", "say", url[-4:]] for url in FIXED]
    whole, part = entropy_of_blocks(pages[:2], pages)
    assert 0.2 < whole < part < 0.4
    report = structure(corpus)
    assert report["threshold"] == math.ceil(10 * whole) / 10


def test_slow_hubs(corpus):
    """The values are those of HITS by hand, over the links of the site alone."""
    names = sorted(PAGES)
    anchors = [
        (source, title.split(), ARTICLES[n])
        for source, numbers in ((f"{SITE}/index", range(12)), (f"{SITE}/today", range(7)))
        for n, title in enumerate(TITLES)
        if n in numbers
    ]
    links = np.zeros((len(names), len(names)))
    weights = slow_weights(anchors, len(PAGES))
    for (source, _, target), weight in zip(anchors, weights, strict=True):
        links[names.index(source), names.index(target)] = weight
    hub = np.ones(len(names))
    for _ in range(300):
        hub = links @ links.T @ hub
        hub /= np.linalg.norm(hub)
    values = {url: value for value, url in structure(corpus)["contents"]}
    expected = {
        name: value for name, value in zip(names, hub.tolist(), strict=True) if value > 0.01
    }
    assert values == pytest.approx(expected, abs=1e-6)


def test_another_host_and_how_many_hubs(corpus):
    assert [url for _, url in structure(corpus, "--hub-share", "1")["contents"]] == [
        f"{SITE}/index"
    ]
    done = run_command("templates", "structure", "--corpus", corpus)
    assert "contents    2\n         hub  url\n" in done.out
    assert "articles    12, the best 10\n   authority  url\n" in done.out
    for options, message in (
        (["--host", "other.sample"], "no link within other.sample has words that not all its"),
        (["--host", "gone.sample"], "--host 'gone.sample' is no host of the corpus; give one as"),
        (["--host", "a b"], "--host 'a b' is no host of the corpus; give one as"),
        (["--hub-share", "0"], "--hub-share is 0.0; give above 0, up to 1"),
        (["--hub-share", "x"], "--hub-share is 'x'; give a number"),
        (
            ["--method", "sst"],
            "--method is 'sst'; give info-discoverer-sections or info-discoverer",
        ),
    ):
        done = run_command("templates", "structure", "--corpus", corpus, *options)
        assert (done.code, done.out, done.errors.count("\n")) == (2, "", 1)
        assert message in done.errors


def test_tables_of_old_pages(tmp_path):
    """With `info-discoverer` blocks are tables, as published; links outside them stand in one block with all else."""

    pages = {
        url: body.replace("<ul>", "<table><tr><td>")
        .replace("</ul>", "</table>")
        .replace("<div class=menu>", "<table><tr><td>")
        .replace("</div><div class=offer>", "</table><table><tr><td>")
        .replace("cheaply</a></div>", "cheaply</a></table>")
        .replace("<li>", "<tr><td>")
        for url, body in PAGES.items()
    }

    store(tmp_path, pages)
    report = structure(tmp_path, "--method", "info-discoverer")
    assert {url for _, url in report["contents"]} == set(CONTENTS)
    assert {url for _, url in report["articles"]} == set(ARTICLES)


def test_nofollow_links_and_links_to_other_sites(tmp_path):
    """They make no article, nor a page that only a page of contents links back to."""
    pages = dict(PAGES)
    index = f"{SITE}/index"
    more = (
        f"<li><a href={SITE}/paid rel=nofollow>zpaid zlink</a><li><a href={OTHER}/>zother zsite</a>"
    )
    pages[index] = pages[index].replace(
        "</ul>", f"{more}<li><a href={SITE}/today>ztoday zpage</a></ul>"
    )
    store(tmp_path, {**pages, f"{SITE}/paid": "<p>paid", f"{OTHER}/": "<p>other"})
    report = structure(tmp_path, "--host", "news.sample")
    assert {url for _, url in report["contents"]} == set(CONTENTS)
    assert {url for _, url in report["articles"]} == set(ARTICLES)


def test_words_are_bounded_by_bytes(corpus):
    def found(n_bytes):
        options = LamisOptions(words_bytes=n_bytes)
        return informative_structure(
            corpus,
            lambda: stored_pages([corpus / "warc" / "a.warc.gz"], PageLimits()),
            options,
            limits=PageLimits(),
        )

    whole = found(2**40)
    assert found(LamisOptions().words_bytes) == whole
    assert {url for _, url in whole.articles} == set(ARTICLES)
    # Without a word learnt, those of the template are on no other page either.
    assert {url for _, url in found(0).articles} == {*ARTICLES, *FIXED}
    assert found(0).contents == whole.contents


def test_the_first_words_are_kept_in_their_blocks():
    rng = random.Random(7)
    for _ in range(300):
        sizes = [rng.randrange(4) for _ in range(rng.randrange(6))]
        blocks = [[rng.choice(["a", "mill", "müller"]) for _ in range(n)] for n in sizes]
        room = rng.randrange(800)
        kept = first_words(blocks, room)

        def taken(some):
            return sum(56 + sum(getsizeof(word) + 8 for word in block) for block in some)

        assert taken(kept) <= room
        assert [block[: len(mine)] for block, mine in zip(blocks, kept, strict=False)] == kept
        assert all(len(mine) == len(block) for block, mine in zip(blocks, kept[:-1], strict=False))
        if kept != blocks:
            last = kept[-1] if kept else []
            whole = len(last) == (len(blocks[len(kept) - 1]) if kept else 0)
            after = [*kept, []] if whole else [*kept[:-1], blocks[len(kept) - 1][: len(last) + 1]]
            assert taken(after) > room


def test_no_page_is_held_of_a_site_of_many_pages_of_contents(tmp_path):
    limits = PageLimits()
    lists = {f"{SITE}/list{n}": f"<ul>{listed(range(n % 5, 12))}</ul>" for n in range(40)}
    store(tmp_path, {**PAGES, **lists})
    held = []

    def answers():
        for answer in stored_pages([tmp_path / "warc" / "a.warc.gz"], limits):
            held.append(sum(isinstance(each, PageModel) for each in gc.get_objects()))
            yield answer

    gc.collect()
    found = informative_structure(tmp_path, answers, LamisOptions(), limits=limits)
    assert {url for _, url in found.contents} >= {*CONTENTS, *lists}
    assert max(held) <= held[0] + 2
