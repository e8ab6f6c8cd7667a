# ruff: noqa: SIM110 - the compiler takes no generators
"""What kind of page its head names: the types of schema.org, the program that made it.

Not og:type, which is ``article`` on shops and services, too: trees that know it do no better.

The words that such names stand behind are looked for in one pass over the begin of the source, 64 bytes at a
time, by two letters of each that seldom stand side by side.

Shapes: one number for each of KIND_NAMES, 1 where the page names it. Cost: O(n) in bytes, at most
60,000 of them.
"""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.ascii_masks import WIDTH, first_bit, pair_mask
from crawler.kernels.jit import lean_kernel, part

if TYPE_CHECKING:
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]
    U32 = npt.NDArray[np.uint32]

# Kinds that JSON-LD's @type and itemtype name, and programs that the generator names.
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
KIND_NAMES = (*_KINDS, *_PROGRAMS)
_KIND_OF = {word: number for number, words in enumerate(_KINDS.values()) for word in words.split()}
_PROGRAM_OF = {
    word: len(_KINDS) + number
    for number, words in enumerate(_PROGRAMS.values())
    for word in words.split()
}
_HEAD_BYTES = 60_000
AT_TYPE, SCHEMA_ORG, GENERATOR, CAPITAL_GENERATOR = range(4)
LANDMARKS = (b'"@type"', b"schema.org/", b"generator", b"Generator")
# The place in each word of its rare pair of letters.
_RARE = (0, 6, 0, 0)
_WORD = re.compile(rb"[^a-zA-Z]+([a-zA-Z]{3,30})")
# Places looked at, of each word.
_MOST = (12, 12, 4, 1)
# Bytes of a tag that names a generator, before and behind that word.
_TAG_BYTES = 200
# The words in one array, with room to compare nothing behind them.
_LETTERS = np.frombuffer(b"".join(LANDMARKS), np.uint8)
_SIZES = np.array([len(word) for word in LANDMARKS], np.uint32)
_STARTS = np.concatenate(([0], np.cumsum(_SIZES)[:-1])).astype(np.uint32)
_BEFORE = np.array(_RARE, np.uint32)
_ROOM = np.array(_MOST, np.uint32)
_PAIRS = np.array(
    [tuple(word[at : at + 2]) for word, at in zip(LANDMARKS, _RARE, strict=True)], np.uint8
)
_PADDING = bytes(WIDTH + 1)


class _Last(threading.local):
    """The source that a thread has looked through last, and what was found in it."""

    source: bytes | None = None
    ends: list[list[int]]


_last = _Last()


def kinds_named(source: bytes) -> list[float]:
    """Return for each of KIND_NAMES whether *source* names it."""
    found = [0.0] * len(KIND_NAMES)
    ends = _ends_in_head(source)
    for end in ends[AT_TYPE] + ends[SCHEMA_ORG]:
        _mark(found, _KIND_OF, _WORD.match(source[end - 1 : end + 40]))
    for end in ends[GENERATOR][:1]:
        rest = source[end - 1 : end + 51].replace(b"content=", b"")
        _mark(found, _PROGRAM_OF, _WORD.search(rest))
    return found


def generator_tags(source: bytes) -> list[bytes]:
    """Return the tags around ``generator`` in the begin of *source*, in small letters, the first few."""
    ends = _ends_in_head(source)
    tags = []
    for end in ends[GENERATOR] + ends[CAPITAL_GENERATOR]:
        start = source.rfind(b"<", max(0, end - _TAG_BYTES), end)
        if start >= 0:
            tags.append(source[start : end + _TAG_BYTES].partition(b">")[0].lower())
    return tags


def _mark(found: list[float], kinds: dict[bytes, int], match: re.Match[bytes] | None) -> None:
    kind = kinds.get(match[1].lower()) if match else None
    if kind is not None:
        found[kind] = 1.0


def _ends_in_head(source: bytes) -> list[list[int]]:
    """Return where in the begin of *source* each of LANDMARKS ends.

    Both who ask for it do so page after page, so that it is kept for the second one.
    """
    if _last.source is not source:
        _last.source, _last.ends = source, word_ends(source, min(len(source), _HEAD_BYTES))
    return _last.ends


def word_ends(source: bytes, n_bytes: int) -> list[list[int]]:
    """Return where in ``source[:n_bytes]`` each of LANDMARKS ends: the first places, as many as are looked at."""
    ends = np.empty((len(LANDMARKS), max(_MOST)), np.uint32)
    n_found = np.zeros(len(LANDMARKS), np.uint32)
    padded = source if len(source) >= n_bytes + len(_PADDING) else source + _PADDING
    _find(np.frombuffer(padded, np.uint8), n_bytes, ends, n_found)
    return [row[:n] for row, n in zip(ends.tolist(), n_found.tolist(), strict=True)]


@lean_kernel
def _find(source: U8, n_bytes: int, ends: U32, n_found: U32) -> None:
    for place in range(0, n_bytes, WIDTH):
        any_pair = np.uint64(0)
        for word in range(len(_PAIRS)):
            any_pair |= pair_mask(source, place, _PAIRS[word, 0], _PAIRS[word, 1])
        while any_pair:
            at = place + first_bit(any_pair)
            any_pair &= any_pair - np.uint64(1)
            for word in range(len(_PAIRS)):
                if n_found[word] < _ROOM[word] and _stands(source, n_bytes, at, word):
                    ends[word, n_found[word]] = at - _BEFORE[word] + _SIZES[word]
                    n_found[word] += 1


@part
def _stands(source: U8, n_bytes: int, at: int, word: int) -> bool:
    """Tell whether *word* stands in *source* with its rare pair at *at*."""
    start = at - _BEFORE[word]
    if start < 0 or start + _SIZES[word] > n_bytes:
        return False
    for i in range(_SIZES[word]):
        if source[start + i] != _LETTERS[_STARTS[word] + i]:
            return False
    return True
