"""Features of the page as a whole, the same for each of its blocks: how much of what, what kind of page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.byte_search import find_byte
from crawler.kernels.jit import lean_kernel
from pipelines.boilerplate.winnow.characters import CHARACTERS, DIGITS, OTHER_LETTERS, WIDE
from pipelines.boilerplate.winnow.keywords import GROUP_NAMES
from pipelines.boilerplate.winnow.measures import (
    BYLINE_WORDS,
    COMMENT_WORDS,
    FUNCTIONS,
    GOOD,
    LINKED,
    MARKUP,
    SHORT_BLOCKS,
    TEXT,
    WORDS,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from pipelines.boilerplate.winnow.elements import U8
    from pipelines.boilerplate.winnow.measures import F32, Measures

    I64 = npt.NDArray[np.int64]

# Kinds that og:type, JSON-LD's @type and itemtype name, and programs that the generator names.
_KINDS = {
    "article": b"article newsarticle blogposting reportagenewsarticle techarticle scholarlyarticle blog",
    "forum": b"discussionforumposting qapage question answer forum",
    "product": b"product productgroup offer aggregateoffer",
    "list": b"collectionpage itemlist searchresultspage website",
    "organisation": b"organization localbusiness service person webpage aboutpage",
    "recipe": b"recipe howto faqpage event book movie jobposting softwareapplication course",
}
_PROGRAMS = {
    "blog program": b"wordpress blogger movable typepad drupal joomla",
    "forum program": b"discourse vbulletin phpbb xenforo discuz invision simple machines mybb flarum",
    "shop program": b"woocommerce shopify magento prestashop",
    "documentation program": b"sphinx mkdocs docusaurus hugo jekyll mediawiki doxygen gitbook",
}
_KIND_OF = {word: number for number, words in enumerate(_KINDS.values()) for word in words.split()}
_PROGRAM_OF = {
    word: len(_KINDS) + number
    for number, words in enumerate(_PROGRAMS.values())
    for word in words.split()
}
_HEAD_BYTES = 60_000
_GENERATOR = b"generator"
# The place in each of these words of the letter that is looked for first: one that is rare in pages.
_RARE = {b"og:type": 2, b'"@type"': 1, b"schema.org/": 6, _GENERATOR: 0}
_SOUGHT = {place: (np.frombuffer(place, np.uint8), rare) for place, rare in _RARE.items()}
_WORD = re.compile(rb"[^a-zA-Z]+([a-zA-Z]{3,30})")
_MAX_FOUND = 12
NAMES = (
    *(
        "page blocks",
        "page words",
        "page link share",
        "page good share",
        "page good",
        "page good blocks",
    ),
    *(
        "page short blocks",
        "page markup",
        "page functions",
        "page comments",
        "page bylines",
        "page links",
    ),
    *(
        "page wide",
        "page other letters",
        "page digits",
        "page headings",
        "longest block",
        "bytes of source",
    ),
    *(f"page is {kind}" for kind in (*_KINDS, *_PROGRAMS)),
    *(
        f"page has {name}"
        for name in ("comment", "forum", "product", "list", "article", "main_text")
    ),
)
_ASKED = [
    GROUP_NAMES.index(name)
    for name in ("comment", "forum", "product", "list", "article", "main_text")
]


N_SUMMED = 18 + len(_ASKED)
_ASKED_BITS = np.array(_ASKED, np.uint32)


def page_features(page: PageModel, m: Measures, x: F32) -> None:
    """Fill in *x*, float32[len(NAMES), n]."""
    values = np.zeros(len(NAMES), np.float32)
    n_kinds = len(NAMES) - N_SUMMED
    values[18 : 18 + n_kinds] = _kinds(page.source)
    _page(m, len(page.references), len(page.source), n_kinds, values)
    x[:] = values[:, None]


@lean_kernel
def _page(m: Measures, n_references: int, n_source: int, n_kinds: int, values: F32) -> None:
    n = len(m.n_words)
    words = max(m.sums[WORDS, n], 1.0)
    text = max(m.sums[TEXT, n], 1.0)
    values[0] = n
    values[1] = words
    values[2] = m.sums[LINKED, n] / words
    values[3] = m.sums[GOOD, n] / words
    values[4] = m.sums[GOOD, n]
    values[6] = m.sums[SHORT_BLOCKS, n] / n
    values[7] = m.sums[MARKUP, n] / (m.sums[MARKUP, n] + text)
    values[8] = m.sums[FUNCTIONS, n] / words
    values[9] = m.sums[COMMENT_WORDS, n]
    values[10] = m.sums[BYLINE_WORDS, n]
    values[11] = n_references / n
    values[17] = n_source
    n_characters = 0
    for i in range(n):
        values[5] += m.sums[GOOD, i + 1] - m.sums[GOOD, i] >= 10
        values[16] = max(values[16], np.float32(m.n_words[i]))
        n_characters += m.counts[i, CHARACTERS]
        values[12] += m.counts[i, WIDE]
        values[13] += m.counts[i, OTHER_LETTERS]
        values[14] += m.counts[i, DIGITS]
    for k in range(12, 15):
        values[k] /= max(n_characters, 1)
    for element in range(len(m.elements.name)):
        name = m.elements.name[element]
        values[15] += 14 <= name <= 19
        keywords = m.elements.keywords[element]
        if keywords:
            for k in range(len(_ASKED_BITS)):
                values[18 + n_kinds + k] += keywords >> _ASKED_BITS[k] & np.uint32(1)


@lean_kernel
def find_words(source: U8, word: U8, rare: int, places: I64) -> int:
    """Fill *places* with the ends of the first *word* and those behind it; return how many there are."""
    n = 0
    start = 0
    while n < len(places):
        start = find_word(source, start, word, rare)
        if start < 0:
            break
        start += len(word)
        places[n] = start
        n += 1
    return n


@lean_kernel
def find_word(source: U8, start: int, word: U8, rare: int) -> int:
    """Return the first place of *word* from *start* on, -1 without; *rare* is looked for first."""
    place = start + rare
    end = len(source) - (len(word) - rare) + 1
    while True:
        place = find_byte(source, place, end, word[rare])
        if place >= end:
            return -1
        same = 0
        while same < len(word) and source[place - rare + same] == word[same]:
            same += 1
        if same == len(word):
            return place - rare
        place += 1


def _kinds(source: bytes) -> list[float]:
    found = [0.0] * (len(_KINDS) + len(_PROGRAMS))
    head = np.frombuffer(source, np.uint8)[:_HEAD_BYTES]
    ends = np.empty(_MAX_FOUND, np.int64)
    for place, (word, rare) in _SOUGHT.items():
        n = find_words(head, word, rare, ends if place != _GENERATOR else ends[:1])
        for end in ends[:n].tolist():
            if place == _GENERATOR:
                rest = source[end - 1 : end + 51].replace(b"content=", b"")
                _mark(found, _PROGRAM_OF, _WORD.search(rest))
                continue
            rest = source[end - 1 : end + 40]
            if place == b"og:type":
                rest = rest.replace(b"content=", b"")
            _mark(found, _KIND_OF, _WORD.match(rest))
    return found


def _mark(found: list[float], kinds: dict[bytes, int], match: re.Match[bytes] | None) -> None:
    kind = kinds.get(match[1].lower()) if match else None
    if kind is not None:
        found[kind] = 1.0
