"""What the scan does at a tag: gaps, anchors, links, head, and text that is dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.kernels.jit import cold_part, part
from crawler.page.links import LinkKind
from crawler.page.scanning.anchors import (
    add_alternative_text,
    add_link,
    close_anchor,
    end_line,
    open_anchor,
)
from crawler.page.scanning.head import note_language, read_base, read_link_tag, read_meta
from crawler.page.scanning.names import ATTRIBUTE_ID, IN_LINE, TAG_ID, WORD_ID, Names
from crawler.page.scanning.raw_text import find_end_tag
from crawler.page.scanning.state import (
    A_DEPTH,
    A_END,
    A_START,
    AFTER_A,
    AFTER_DRAWING,
    ANCHOR_OPEN,
    CLOSED,
    DEPTH,
    DRAWN_UNTIL,
    E_N_LINKS,
    GAP,
    HAS_NOSCRIPT,
    HAS_TEXT,
    HEAD_PLACE,
    IN_SPACE,
    IS_LINKED,
    IS_SCRIPTING,
    MUTED_UNTIL,
    NO_GAP_PROPERTIES,
    PENDING_A,
    T_END,
    T_FLAGS,
    T_TAG_END,
    Elements,
    Found,
    Tokens,
)
from crawler.page.scanning.words_of_values import find_attribute, has_nofollow, has_word
from crawler.page.tags import READINGS

if TYPE_CHECKING:
    from crawler.page.scanning.state import I64, U8
    from crawler.page.scanning.text import TextTables

_HREF, _SRC, _NAME, _REL, _ALT = (
    ATTRIBUTE_ID[name] for name in ("href", "src", "name", "rel", "alt")
)
_AREA, _FRAME, _IFRAME, _IMG, _LINK, _META, _BASE, _HTML, _BODY = (
    TAG_ID[name]
    for name in ("area", "frame", "iframe", "img", "link", "meta", "base", "html", "body")
)
_TITLE, _OPTION, _NOSCRIPT = TAG_ID["title"], TAG_ID["option"], TAG_ID["noscript"]
_RUBY, _SVG = TAG_ID["ruby"], TAG_ID["svg"]
_RP, _RT, _RTC = (TAG_ID[name] for name in READINGS)
_NEXT = WORD_ID["next"]
_KIND_A, _KIND_NEXT, _KIND_AREA = int(LinkKind.A), int(LinkKind.NEXT), int(LinkKind.AREA)
_KIND_FRAME, _KIND_IFRAME = int(LinkKind.FRAME), int(LinkKind.IFRAME)
_TITLE_PLACE = 2 * HEAD_PLACE["title"]


@part
def add_to_gap(bit: int, state: I64) -> None:
    """Note a tag that makes no gap: it belongs to the one that it stands in."""
    if state[HAS_TEXT]:
        state[PENDING_A] |= bit
    else:
        state[GAP] |= bit


@part
def end_a(is_end_tag: int, state: I64, found: Found) -> None:
    """Take the end tag of an ``a``, or one of XML that is closed at once."""
    state[IS_LINKED] = 0
    close_anchor(state, found)
    if is_end_tag:
        state[AFTER_A] = 1


@part
def start_a(
    source: U8,
    token: int,
    state: I64,
    tokens: Tokens,
    names: Names,
    elements: Elements,
    found: Found,
    tables: TextTables,
) -> None:
    """Take an ``a``: what follows is linked, and the text of its anchor."""
    close_anchor(state, found)
    # Where one directly follows another, there is a space.
    if state[AFTER_A]:
        state[IN_SPACE] = 1
        state[AFTER_A] = 0
    href = find_attribute(tokens, token, _HREF)
    state[IS_LINKED] = href >= 0 or find_attribute(tokens, token, _NAME) < 0
    state[A_DEPTH] = state[DEPTH]
    if href < 0:
        return
    rel = find_attribute(tokens, token, _REL)
    kind = _KIND_NEXT if has_word(source, tokens, rel, _NEXT, names.words) else _KIND_A
    nofollow = has_nofollow(source, tokens, rel, names.words)
    start, end = tokens.attributes[href, A_START], tokens.attributes[href, A_END]
    if add_link(source, start, end, kind, nofollow, state, found, tables):
        elements.levels[state[DEPTH], E_N_LINKS] += 1
        open_anchor(state)


@cold_part
def special_start(
    source: U8,
    name: int,
    token: int,
    state: I64,
    tokens: Tokens,
    names: Names,
    elements: Elements,
    found: Found,
    tables: TextTables,
) -> None:
    """Take a start tag that means something beside its place in the tree."""
    if name == _IMG:
        state[AFTER_DRAWING] = 1
        alt = find_attribute(tokens, token, _ALT)
        if alt >= 0 and state[ANCHOR_OPEN]:
            start, end = tokens.attributes[alt, A_START], tokens.attributes[alt, A_END]
            add_alternative_text(source, start, end, state, found, tables)
    elif name == _LINK:
        read_link_tag(source, token, state, tokens, names, found, tables)
    elif name == _META:
        read_meta(source, token, state, tokens, names, found, tables)
    elif name == _AREA or name == _FRAME or name == _IFRAME:
        _embedded(source, name, token, state, tokens, names, elements, found, tables)
    elif name == _HTML or name == _BODY:
        note_language(token, tokens, found)
    elif name == _BASE:
        read_base(token, tokens, found)
    elif name == _TITLE:
        _title(source, token, state, tokens, found)
    elif name == _OPTION:
        # The text right behind it.
        state[MUTED_UNTIL] = max(state[MUTED_UNTIL], tokens.rows[token, T_TAG_END] + 1)
    else:
        _mute(source, name, token, state, tokens, names, elements)


@cold_part
def _embedded(
    source: U8,
    name: int,
    token: int,
    state: I64,
    tokens: Tokens,
    names: Names,
    elements: Elements,
    found: Found,
    tables: TextTables,
) -> None:
    place = find_attribute(tokens, token, _HREF if name == _AREA else _SRC)
    if place < 0:
        return
    rel = find_attribute(tokens, token, _REL)
    nofollow = has_nofollow(source, tokens, rel, names.words)
    kind = _KIND_AREA if name == _AREA else _KIND_FRAME if name == _FRAME else _KIND_IFRAME
    start, end = tokens.attributes[place, A_START], tokens.attributes[place, A_END]
    if not add_link(source, start, end, kind, nofollow, state, found, tables):
        return
    if name == _AREA:
        elements.levels[state[DEPTH], E_N_LINKS] += 1
    alt = find_attribute(tokens, token, _ALT)
    end_line(source, alt, state, tokens, found, tables)


@cold_part
def _title(source: U8, token: int, state: I64, tokens: Tokens, found: Found) -> None:
    start, end = tokens.rows[token, T_TAG_END], tokens.rows[token, T_END]
    # That of a drawing is none of the page's; neither is an empty one.
    if start < state[MUTED_UNTIL] or found.head[_TITLE_PLACE + 1] > 0:
        return
    for place in range(start, end):
        if source[place] > 32:
            found.head[_TITLE_PLACE] = start
            found.head[_TITLE_PLACE + 1] = end
            return


@cold_part
def _mute(
    source: U8,
    name: int,
    token: int,
    state: I64,
    tokens: Tokens,
    names: Names,
    elements: Elements,
) -> None:
    """Drop the text up to the end tag, if there is one; tags and links within count."""
    if name == _NOSCRIPT:
        state[HAS_NOSCRIPT] = 1
        if not state[IS_SCRIPTING]:
            return
    if name == _SVG:
        state[AFTER_DRAWING] = 1
    start = tokens.rows[token, T_TAG_END]
    if start >= state[MUTED_UNTIL] and not tokens.rows[token, T_FLAGS] & CLOSED:
        end = find_end_tag(source, start, len(source), name, names.rows, elements.raw_found)
        if name == _RT or name == _RP or name == _RTC:
            ruby = find_end_tag(source, start, len(source), _RUBY, names.rows, elements.raw_found)
            end = ruby if end < 0 or 0 <= ruby < end else end
        state[MUTED_UNTIL] = max(state[MUTED_UNTIL], end)
        if name == _SVG and state[NO_GAP_PROPERTIES] & IN_LINE:
            state[DRAWN_UNTIL] = end
