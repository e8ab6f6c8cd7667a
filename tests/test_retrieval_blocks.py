"""Search with and without short blocks: a tiny corpus in which boilerplate misleads, end to end."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter

import pytest

from crawler.page import build_page
from crawler.page.words import evaluation_words
from pipelines.boilerplate.numwords_tree import NumWordsTree
from pipelines.evaluation.readers import open_dataset
from pipelines.retrieval.block_index import BlockIndex, IndexedPage, Selection
from pipelines.retrieval.experiment import selections, shown, swept
from tests.story_pages import STORIES, indexed_page, story_pages


@pytest.fixture(scope="module")
def pages():
    return story_pages()


JUDGEMENTS = {name: {name: 1} for name in STORIES}


def test_short_blocks_mislead(pages):
    index = BlockIndex(pages, selections((1, 10), (1, 9), with_kept=True))
    points = {
        point.selection: point.scores
        for point in swept(index, {name: name for name in STORIES}, JUDGEMENTS, k=1)
    }
    # the page that a query is about has its word once, all others three times
    assert points[Selection("words", 1)] == (0, 0, 0.25)
    assert points[Selection("density", 1)] == points[Selection("words", 1)]
    for selection in (Selection("words", 10), Selection("density", 9), Selection("kept")):
        assert points[selection] == (1, 1, 1)
    assert index.ranking("about", Selection("words", 10), 9) == []
    assert len(index.ranking("about", Selection("words", 1), 9)) == 4
    assert index.n_pages == 4


def bm25(pages, query, n_words):
    """The scores of a plain BM25 over the blocks of at least *n_words* words."""
    bags = {
        page.page_id: Counter(
            word
            for text, n in zip(page.texts, page.n_words, strict=True)
            if n >= n_words
            for word in evaluation_words(text)
        )
        for page in pages
    }
    mean_length = sum(bag.total() for bag in bags.values()) / len(bags) or 1
    scores = dict.fromkeys(bags, 0.0)
    for word in dict.fromkeys(evaluation_words(query)):
        df = sum(word in bag for bag in bags.values())
        idf = math.log(1 + (len(bags) - df + 0.5) / (df + 0.5))
        for page, bag in bags.items():
            length = 1.2 * (0.25 + 0.75 * bag.total() / mean_length)
            scores[page] += idf * bag[word] * 2.2 / (bag[word] + length)
    return scores


@pytest.mark.parametrize("query", ["the river", "who gets the hall", "goal, goal of others", "x"])
@pytest.mark.parametrize("n_words", [1, 10, 30])
def test_ranks_as_a_plain_bm25_of_the_selected_text(pages, query, n_words):
    index = BlockIndex(pages, [Selection("words", n_words)])
    scores = bm25(pages, query, n_words)
    expected = sorted((page for page in scores if scores[page]), key=lambda page: -scores[page])
    assert index.ranking(query, Selection("words", n_words), 10) == expected


def test_index_in_a_folder(pages, tmp_path):
    index = BlockIndex(pages, [Selection("words", 10)], tmp_path / "index")
    assert index.ranking("Comet", Selection("words", 10), 3) == ["comet"]
    assert any((tmp_path / "index").iterdir())


def test_edges():
    index = BlockIndex([IndexedPage("a", ["数据 one été"], [3], [3.0])], [Selection("kept")])
    assert index.ranking("据", Selection("kept"), 1) == ["a"]
    # Accents behind their letters, as files of queries have them that were written on a Mac.
    assert index.ranking(unicodedata.normalize("NFD", "été"), Selection("kept"), 1) == ["a"]
    assert index.ranking("", Selection("kept"), 1) == []
    with pytest.raises(ValueError, match=r"selection \('words', 3\) is not in the index"):
        index.ranking("one", Selection("words", 3), 1)
    with pytest.raises(ValueError, match="n_pages must be at least 1, got 0"):
        index.ranking("one", Selection("kept"), 0)
    with pytest.raises(ValueError, match="must be of words, density, kept"):
        BlockIndex([], [Selection("colour", 1)])
    with pytest.raises(ValueError, match="none of the queries was judged"):
        swept(index, {"q": "one"}, {})
    assert BlockIndex([], [Selection("words", 1)]).ranking("one", Selection("words", 1), 1) == []


def test_table(pages):
    index = BlockIndex(pages, [Selection("words", 10), Selection("kept")])
    lines = shown(swept(index, {"flood": "flood"}, JUDGEMENTS)).split("\n")
    assert lines[0].split() == ["selection", "minimum", "P@10", "NDCG@10", "MAP"]
    assert lines[1].split() == ["words", "10", "0.1000", "1.0000", "1.0000"]
    assert lines[2].split() == ["kept", "0.1000", "1.0000", "1.0000"]


def known_items(folders, max_pages):
    """(pages, queries, judgements): of each page with a title of its own, its title finds it."""
    pages, titles = [], {}
    tree = NumWordsTree()
    for folder in folders:
        for number, gold in enumerate(open_dataset(folder)):
            if number == max_pages:
                break
            page = build_page(gold.body, url="http://a.example/", content_type=gold.content_type)
            name = f"{gold.dataset}/{gold.page_id}"
            pages.append(indexed_page(name, page, tree))
            titles[name] = page.title or ""
    times = Counter(titles.values())
    queries = {name: title for name, title in titles.items() if title and times[title] == 1}
    return pages, queries, {name: {name: 1} for name in queries}


def test_known_items_of_shared_pages(shared):
    folder = shared / "data" / "extraction" / "dev" / "daniel"
    pages, queries, judgements = known_items([folder], 20)
    points = swept(BlockIndex(pages, selections((1, 10), ())), queries, judgements)
    assert len(queries) > 10
    assert points[0].scores.average_precision > 0.5
    assert points[1].scores.average_precision > 0.5
