"""What is folded up is told by the scan as by expressions."""

from __future__ import annotations

import random

import pytest

from crawler.page import PageRules, build_page
from crawler.page.folded import FOLDED, WITHHELD

WORDS = (*FOLDED, *WITHHELD)
PIECES = (
    *(*WORDS, *(word.upper() for word in WORDS)),
    *(*(word[:-1] for word in WORDS), *(word[1:] for word in WORDS)),
    *(b" ", b"-", b"x", b"t", b"\xc3\xa4"),
)


def is_folded(attributes):
    small = attributes.lower()
    return any(word in small for word in FOLDED) and not any(word in small for word in WITHHELD)


@pytest.mark.parametrize("seed", range(10))
def test_words_are_found_wherever_they_stand(seed):
    chosen = random.Random(seed)
    for _ in range(50):
        value = b"".join(chosen.choices(PIECES, k=chosen.randrange(4)))
        attributes = b" hidden class='%b'" % value
        source = b"<p>%b<div%b>more</div>" % (b"and so on " * 30, attributes)
        rules = PageRules(inline="phrasing", hidden="drop")
        page = build_page(source, url="http://a.example/", content_type="text/html", rules=rules)
        assert ("more" in page.blocks.text) == is_folded(attributes), value
