"""boilerpipe's extractors against its Python port, on made blocks (all equal) and on real pages."""

from __future__ import annotations

import difflib

import lxml.html
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import PageRules, build_page
from crawler.page.words import evaluation_words
from pipelines.boilerplate.boilerpipe.blocks import text_blocks
from pipelines.boilerplate.boilerpipe.extractors import (
    ArticleExtractor,
    CanolaExtractor,
    DefaultExtractor,
    LargestContentExtractor,
)
from pipelines.boilerplate.numwords_tree import NumWordsTree
from pipelines.evaluation.readers import open_dataset
from tests.made_blocks import made_blocks, page_of

boilerpy3 = pytest.importorskip("boilerpy3.extractors")
document = pytest.importorskip("boilerpy3.document")

EXTRACTORS = {
    DefaultExtractor: boilerpy3.DefaultExtractor,
    ArticleExtractor: boilerpy3.ArticleExtractor,
    LargestContentExtractor: boilerpy3.LargestContentExtractor,
    CanolaExtractor: boilerpy3.CanolaExtractor,
}
TITLE = "Storm hits the coast"


def kept_by_the_port(extractor, page):
    """Which blocks of *page* the filters of boilerpy3 keep, run on the same blocks."""
    blocks = page.blocks
    rows = zip(
        blocks.text,
        blocks.n_words.tolist(),
        blocks.linked_words.tolist(),
        blocks.n_lines.tolist(),
        blocks.last_line_tokens.tolist(),
        strict=True,
    )
    theirs = document.TextDocument(
        [
            document.TextBlock(
                text,
                {number},
                n_words,
                linked,
                n_words - last * (n_lines > 1),
                n_lines - (n_lines > 1),
                number,
            )
            for number, (text, n_words, linked, n_lines, last) in enumerate(rows)
        ],
        page.title,
    )
    filters = vars(extractor).get("_filter_chain") or extractor._filter
    filters.process(theirs)
    kept = [False] * len(blocks)
    for block in theirs.text_blocks:
        for number in block.contained_text_elements:
            kept[number] = block.is_content
    return kept


# Lines of tokens around the thresholds of all rules; share of linked tokens; what the block says.
block = st.tuples(
    st.lists(st.integers(1, 22), min_size=1, max_size=5),
    st.sampled_from([0, 0, 0, 1, 3, 5, 9]),
    st.sampled_from(["text"] * 6 + [TITLE, "Reader comments", "12 comments"]),
)


@pytest.mark.parametrize("extractor", EXTRACTORS)
@given(drawn=st.lists(block, max_size=14))
def test_keeps_what_the_port_keeps(extractor, drawn):
    linked = [sum(lines) * ninths // 9 for lines, ninths, _ in drawn]
    page = page_of(made_blocks([lines for lines, _, _ in drawn], linked=linked))
    page.blocks.text = [text for _, _, text in drawn]
    page.title = f"{TITLE} | News"
    labels = extractor().label(page)
    assert labels.kept.tolist() == kept_by_the_port(EXTRACTORS[extractor], page)


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_pages_without_text(extractor):
    for page in (
        page_of(made_blocks([])),
        build_page(b"", url="http://a.example/", content_type=None),
        build_page(b"no tags at all", url="http://a.example/", content_type=None),
    ):
        labels = extractor().label(page)
        assert labels.kept.dtype == np.bool_
        assert len(labels.kept) == len(labels.label) == len(page.blocks)


def test_blocks_of_equal_density_are_one():
    # the second of the two would be content by itself, following a block of more than 4 words a line
    page = page_of(made_blocks([[3], [8], [8], [4]]))
    assert DefaultExtractor().label(page).kept.tolist() == [False, False, False, True]


def test_text_in_noscript_is_neither_kept_nor_a_neighbour():
    words = " ".join(["word"] * 30)
    html = f"<body><p>one</p><noscript><p>{words}</p></noscript><p>two</p><p>three</p></body>"
    page = build_page(html.encode(), url="http://a.example/", content_type=None)
    assert "word" in page.blocks.text[1]
    assert [block.parts for block in text_blocks(page)] == [[0], [2], [3]]
    assert not LargestContentExtractor().label(page).kept.any()


def test_many_blocks_take_linear_time():
    page = page_of(made_blocks([[20], [3]] * 20_000))
    assert ArticleExtractor().label(page).kept.sum() == 40_000


def compared(page):
    """(blocks, blocks with a counterpart in boilerpy3's, those of them labelled alike).

    The port takes tags as they come: an ``option`` that is not closed mutes the rest of the page,
    and text outside of ``body`` is none. The program that it was made from had a parser to mend
    that; here lxml does.
    """
    source = lxml.html.tostring(page.tree.root, encoding="unicode")
    port = boilerpy3.NumWordsRulesExtractor(raise_on_failure=False).get_doc(source)
    theirs = [(said(block.text), block.is_content) for block in port.text_blocks]
    theirs = [block for block in theirs if block[0]]
    kept = NumWordsTree().label(page).kept.tolist()
    ours = list(zip(map(said, page.blocks.text), kept, strict=True))
    matches = difflib.SequenceMatcher(
        None, [text for text, _ in ours], [text for text, _ in theirs], autojunk=False
    ).get_matching_blocks()
    same = sum(match.size for match in matches)
    alike = sum(
        ours[match.a + place][1] == theirs[match.b + place][1]
        for match in matches
        for place in range(match.size)
    )
    return len(ours), same, alike


def said(text):
    """The words of *text*; spaces apart, which the port sets elsewhere at inline elements."""
    return "".join(evaluation_words(text))


def agreement(shared, names, max_pages):
    counts = []
    for name in names:
        pages = open_dataset(shared / "data" / "extraction" / "dev" / name)
        for number, gold in enumerate(pages):
            if number == max_pages:
                break
            page = build_page(
                gold.body,
                url=gold.url,
                content_type=gold.content_type,
                rules=PageRules(inline="transparent"),
            )
            # the comparison of the two lists takes the square of their length
            if len(page.blocks) <= 2_500:
                counts.append(compared(page))
    return np.array(counts).sum(axis=0)


def test_numwords_tree_labels_shared_pages_as_the_port_does(shared):
    n_blocks, same, alike = agreement(shared, ("dragnet", "krdwrd-canola"), 4)
    assert same / n_blocks > 0.98
    assert alike / same > 0.99


@pytest.mark.long
def test_numwords_tree_labels_all_shared_pages_as_the_port_does(shared):
    names = ("cleaneval-dev", "daniel", "dragnet", "krdwrd-canola", "wcxb-dev")
    n_blocks, same, alike = agreement(shared, names, 10_000)
    assert same / n_blocks > 0.99
    # words of Chinese are two characters to us, and a whole run to the port
    assert alike / same > 0.985
