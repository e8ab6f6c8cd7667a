"""Labels of blocks by gold text: what is kept, in what order, and how often."""

from __future__ import annotations

import gzip
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import build_page
from crawler.page.words import evaluation_words
from pipelines.evaluation.gold import NodeLabel
from pipelines.evaluation.training.gold_labels import (
    _GoldIndex,
    _heaviest_chain,
    label_blocks,
    label_by_nodes,
)

ARTICLE = "the river rose by two metres in one night and the old bridge fell"
SECOND = "nobody was hurt, said the mayor of the town on Monday morning"


@pytest.mark.parametrize(
    ("blocks", "gold", "kept"),
    [
        ([], "some gold", []),
        (["some block"], "", [0]),
        (["", "--"], "some gold", [0, 0]),
        ([ARTICLE, "menu", SECOND], f"{ARTICLE} {SECOND}", [1, 0, 1]),
        # a word of a menu that the article happens to say
        (["bridge", ARTICLE, "Monday", SECOND], f"{ARTICLE}\n{SECOND}", [0, 1, 0, 1]),
        # a heading and an inline element of the main text
        (["Bridge", ARTICLE, "yesterday", SECOND], f"Bridge {ARTICLE} Yesterday {SECOND}", [1] * 4),
        # longer blocks in another order than the gold's, the heavier one in the chain
        ([SECOND, "note", ARTICLE], f"{ARTICLE} note {SECOND}", [1, 0, 1]),
        # a teaser that repeats the first sentence: the gold has it once
        ([ARTICLE, "menu", ARTICLE], ARTICLE, [1, 0, 0]),
        ([ARTICLE, ARTICLE], f"{ARTICLE} {SECOND} {ARTICLE}", [1, 1]),
        # half of the 4-grams: 5 of 10, and 4 of 10
        (["a b c d e f g h x1 x2 x3 x4 x5"], "a b c d e f g h", [1]),
        (["a b c d e f g x0 x1 x2 x3 x4 x5"], "a b c d e f g", [0]),
        # one token a character
        (["首页", "数据科学是一门学科", "首页"], "数据科学是一门学科。", [0, 1, 0]),
    ],
)
def test_label_blocks(blocks, gold, kept):
    assert label_blocks(blocks, gold).tolist() == [bool(keep) for keep in kept]


words = st.lists(st.sampled_from("abcde"), max_size=7).map(" ".join)


@given(st.lists(words, max_size=12))
def test_text_that_is_the_gold_is_kept_whole(blocks):
    kept = label_blocks(blocks, " ".join(blocks))
    assert kept.tolist() == [bool(block) for block in blocks]


def heaviest_chain_weight(places):
    """The weight by trying every subset of the places, as a plain recursion."""

    def best(at, block, position):
        if at == len(places):
            return 0
        number, start, end = places[at]
        without = best(at + 1, block, position)
        if number <= block or start < position:
            return without
        return max(without, end - start + best(at + 1, number, end))

    return best(0, -1, 0)


place = st.tuples(st.integers(0, 5), st.integers(0, 12), st.integers(1, 6))


@given(st.lists(place, max_size=9))
def test_chain_is_the_heaviest(drawn):
    places = sorted((number, start, start + length) for number, start, length in drawn)
    chain = _heaviest_chain(np.array(places, dtype=np.int64).reshape(-1, 3).T.copy(), 18)
    chosen = [places[at] for at in chain.tolist()]
    for one, two in itertools.pairwise(chosen):
        assert one[0] < two[0]
        assert one[2] <= two[1]
    assert sum(end - start for _, start, end in chosen) == heaviest_chain_weight(places)


def test_frequent_words_have_a_bounded_number_of_places():
    index = _GoldIndex(["a"] * 5_000)
    assert len(list(index.places(("a",)))) == 64
    assert len(list(index.places(("a",) * 100))) == 64


def test_labels_of_text_nodes():
    nodes = [
        NodeLabel("Home", "1"),
        NodeLabel("The river", "3"),
        NodeLabel("rose", "2"),
        NodeLabel("by two metres", "3"),
        NodeLabel("Home", "2"),
    ]
    blocks = ["Home", "The river rose by two metres", "elsewhere", "Home"]
    assert label_by_nodes(blocks, nodes) == ["1", "3", None, "2"]
    assert label_by_nodes(blocks, []) == [None] * 4


def test_recovers_the_gold_of_shared_pages(shared):
    folder = shared / "data" / "extraction" / "dev" / "zh-immortal"
    f1 = []
    for page_file in sorted((folder / "pages").iterdir())[:6]:
        name = page_file.name.removesuffix(".html.gz")
        gold = (folder / "gold" / f"{name}.txt").read_text(encoding="utf-8")
        page = build_page(gzip.decompress(page_file.read_bytes()), url="", content_type=None)
        kept = label_blocks(page.blocks.text, gold)
        text = " ".join(np.array(page.blocks.text, dtype=object)[kept])
        f1.append(len(evaluation_words(text)) / len(evaluation_words(gold)))
    assert np.mean(f1) > 0.97
