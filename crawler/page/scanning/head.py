"""What a page says of itself, as places in its source: the first of several values counts.

A ``meta`` or ``link`` is taken wherever it stands, as old pages have them in the body too. Robots
directives are all taken together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import cold_part, part
from crawler.page.links import LinkKind
from crawler.page.scanning.anchors import add_link, end_line
from crawler.page.scanning.letters import matches
from crawler.page.scanning.names import (
    ATTRIBUTE_ID,
    META_ID,
    METAS,
    WORD_ID,
    Names,
    number_of,
    pack,
)
from crawler.page.scanning.state import (
    A_END,
    A_START,
    HAS_REFRESH,
    HEAD_PLACE,
    NOFOLLOW,
    NOINDEX,
    ROBOTS,
    Found,
    Tokens,
)
from crawler.page.scanning.tags import skip_blanks
from crawler.page.scanning.words_of_values import find_attribute, read_word, word_set

if TYPE_CHECKING:
    from crawler.page.scanning.names import NameTable
    from crawler.page.scanning.state import I64, U8
    from crawler.page.scanning.text import TextTables

_HREF, _REL, _TYPE, _CONTENT, _NAME, _PROPERTY, _DIRECTIVE, _LANG, _XML_LANG = (
    ATTRIBUTE_ID[name]
    for name in (
        *("href", "rel", "type", "content", "name", "property", "http-equiv", "lang"),
        "xml:lang",
    )
)
_ROBOTS, _REFRESH = META_ID["robots"], META_ID["refresh"]
_PLACES = np.array([2 * HEAD_PLACE.get(name, -1) for name in METAS])
_BASE, _CANONICAL, _LANGUAGE = (2 * HEAD_PLACE[name] for name in ("base", "canonical", "lang"))
_NEXT, _ALTERNATE, _CANONICAL_WORD, _NOINDEX, _NOFOLLOW, _NONE = (
    1 << WORD_ID[name] for name in ("next", "alternate", "canonical", "noindex", "nofollow", "none")
)
_FEED = np.frombuffer(b"application/", np.uint8)
_FEED_TYPES = tuple(np.frombuffer(word, np.uint8) for word in (b"rss", b"atom", b"rdf", b"feed"))
# Bits of ROBOTS beside those of noindex and nofollow, and what each of them says.
_BIT_NOAI, _BIT_NOIMAGEAI, _BIT_FREE, _BIT_RESERVED = 4, 8, 16, 32
SIGNAL_BITS = {
    "noai": _BIT_NOAI,
    "noimageai": _BIT_NOIMAGEAI,
    "tdm-reservation=0": _BIT_FREE,
    "tdm-reservation=1": _BIT_RESERVED,
}
(_NOAI_LOW, _NOAI_HIGH), (_NOIMAGEAI_LOW, _NOIMAGEAI_HIGH), (_TDM_LOW, _TDM_HIGH) = (
    (np.uint64(low), np.uint64(high))
    for low, high in map(pack, ("noai", "noimageai", "tdm-reservation"))
)
# Directives with a value, whose first 8 bytes tell them from all others.
_SNIPPET, _IMAGE, _VIDEO, _UNAVAILABLE = (
    np.uint64(pack(name)[0]) for name in ("max-snip", "max-imag", "max-vide", "unavaila")
)
_COLON = 58
_DIGIT_0, _DIGIT_1 = 48, 49
_KIND_NEXT, _KIND_FEED, _KIND_REFRESH = (
    int(kind) for kind in (LinkKind.NEXT, LinkKind.FEED, LinkKind.REFRESH)
)


@part
def note_language(token: int, tokens: Tokens, found: Found) -> None:
    """Take the language of ``html`` or ``body``."""
    if not _note(_LANGUAGE, find_attribute(tokens, token, _LANG), tokens, found):
        _note(_LANGUAGE, find_attribute(tokens, token, _XML_LANG), tokens, found)


@part
def read_base(token: int, tokens: Tokens, found: Found) -> None:
    """Take a ``base``."""
    _note(_BASE, find_attribute(tokens, token, _HREF), tokens, found)


@part
def _note(place: int, attribute: int, tokens: Tokens, found: Found) -> bool:
    """Put a value down unless it is empty or there is one already; tell whether it is not empty."""
    if (
        attribute < 0
        or tokens.attributes[attribute, A_END] == tokens.attributes[attribute, A_START]
    ):
        return False
    if found.head[place + 1] == 0:
        found.head[place] = tokens.attributes[attribute, A_START]
        found.head[place + 1] = tokens.attributes[attribute, A_END]
    return True


@cold_part
def read_meta(
    source: U8,
    token: int,
    state: I64,
    tokens: Tokens,
    names: Names,
    found: Found,
    tables: TextTables,
) -> None:
    """Take a ``meta`` by the first of ``http-equiv``, name and property that is known."""
    content = find_attribute(tokens, token, _CONTENT)
    if content < 0:
        return
    number = _label(source, find_attribute(tokens, token, _DIRECTIVE), tokens, names)
    if number == 0:
        number = _label(source, find_attribute(tokens, token, _NAME), tokens, names)
        if number == 0:
            number = _label(source, find_attribute(tokens, token, _PROPERTY), tokens, names)
        if number == _REFRESH:
            return
    if number == _REFRESH:
        start, end = tokens.attributes[content, A_START], tokens.attributes[content, A_END]
        if add_link(source, start, end, _KIND_REFRESH, False, state, found, tables):
            state[HAS_REFRESH] = 1
            end_line(source, -1, state, tokens, found, tables)
    elif number == _ROBOTS:
        state[ROBOTS] |= _robots_bits(source, content, tokens, names.words)
    elif number:
        _note(_PLACES[number], content, tokens, found)
    elif _is_reservation(source, find_attribute(tokens, token, _NAME), tokens):
        state[ROBOTS] |= _reservation_bit(source, content, tokens)


@cold_part
def _robots_bits(source: U8, attribute: int, tokens: Tokens, words: NameTable) -> int:
    """Return the bits of the directives in the value of a robots meta; words behind a colon are none."""
    found, bits = 0, 0
    place, end = tokens.attributes[attribute, A_START], tokens.attributes[attribute, A_END]
    while place < end:
        place, low, high = read_word(source, place, end, True)
        found |= 1 << number_of(words, low, high)
        if low == _NOAI_LOW and high == _NOAI_HIGH:
            bits |= _BIT_NOAI
        elif low == _NOIMAGEAI_LOW and high == _NOIMAGEAI_HIGH:
            bits |= _BIT_NOIMAGEAI
        elif low == _SNIPPET or low == _IMAGE or low == _VIDEO or low == _UNAVAILABLE:
            place = _behind_value(source, place, end)
        place += 1
    bits |= NOINDEX if found & (_NOINDEX | _NONE) else 0
    return bits | (NOFOLLOW if found & (_NOFOLLOW | _NONE) else 0)


@cold_part
def _behind_value(source: U8, place: int, end: int) -> int:
    """Return where the value of a directive ends that ends at *place*, which may hold it."""
    colon = place - 1 if source[place - 1] == _COLON else skip_blanks(source, place, end)
    if colon >= end or source[colon] != _COLON:
        return place
    start = skip_blanks(source, colon + 1, end)
    # Of a date it is the first word; no other one is a directive.
    behind, _, _ = read_word(source, start, end, True)
    return behind


@cold_part
def _is_reservation(source: U8, attribute: int, tokens: Tokens) -> bool:
    if attribute < 0:
        return False
    end = tokens.attributes[attribute, A_END]
    start = skip_blanks(source, tokens.attributes[attribute, A_START], end)
    place, low, high = read_word(source, start, end, False)
    return low == _TDM_LOW and high == _TDM_HIGH and skip_blanks(source, place, end) >= end


@cold_part
def _reservation_bit(source: U8, attribute: int, tokens: Tokens) -> int:
    """Return the bit of a ``tdm-reservation`` of 0 or 1, 0 for any other value."""
    end = tokens.attributes[attribute, A_END]
    start = skip_blanks(source, tokens.attributes[attribute, A_START], end)
    if start >= end or skip_blanks(source, start + 1, end) < end:
        return 0
    if source[start] == _DIGIT_1:
        return _BIT_RESERVED
    return _BIT_FREE if source[start] == _DIGIT_0 else 0


@part
def _label(source: U8, attribute: int, tokens: Tokens, names: Names) -> int:
    if attribute < 0:
        return 0
    end = tokens.attributes[attribute, A_END]
    start = skip_blanks(source, tokens.attributes[attribute, A_START], end)
    place, low, high = read_word(source, start, end, False)
    if skip_blanks(source, place, end) < end:
        return 0
    return number_of(names.metas, low, high)


@cold_part
def read_link_tag(
    source: U8,
    token: int,
    state: I64,
    tokens: Tokens,
    names: Names,
    found: Found,
    tables: TextTables,
) -> None:
    """Take a ``link``: a next page, a feed, or the canonical link."""
    href = find_attribute(tokens, token, _HREF)
    if href < 0 or tokens.attributes[href, A_END] == tokens.attributes[href, A_START]:
        return
    words = word_set(source, tokens, find_attribute(tokens, token, _REL), names.words)
    kind = -1
    if words & _NEXT:
        kind = _KIND_NEXT
    elif words & _ALTERNATE and _is_feed(source, find_attribute(tokens, token, _TYPE), tokens):
        kind = _KIND_FEED
    start, end = tokens.attributes[href, A_START], tokens.attributes[href, A_END]
    if kind >= 0 and add_link(source, start, end, kind, False, state, found, tables):
        end_line(source, -1, state, tokens, found, tables)
    if words & _CANONICAL_WORD:
        _note(_CANONICAL, href, tokens, found)


@part
def _is_feed(source: U8, attribute: int, tokens: Tokens) -> bool:
    if attribute < 0:
        return False
    start, end = tokens.attributes[attribute, A_START], tokens.attributes[attribute, A_END]
    if not matches(source, start, end, _FEED):
        return False
    for word in _FEED_TYPES:
        if matches(source, start + len(_FEED), end, word):
            return True
    return False
