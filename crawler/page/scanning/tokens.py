"""The tokens of HTML source: tags, comments, declarations, and where raw text ends.

They follow the HTML standard's tokenizer (section 13.2.5) but for sources that are cut short or
broken, where the standard may drop all that follows and we do not: a tag ends before the next ``<``
outside of quotes, too; one that reaches the end of the source ends at its first ``>``, and from there on
no quote is one; a comment without an end is ended by ``>``. Script data is not read for escapes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.byte_search import byte_at, find_byte
from crawler.kernels.jit import part
from crawler.page.scanning.folded_words import says_folded
from crawler.page.scanning.letters import is_letter, matches
from crawler.page.scanning.names import (
    IN_LINE,
    PREFIXED_TAG,
    RAW,
    TAG_ID,
    TAG_PROPERTIES,
    WANTS_ATTRIBUTES,
    Names,
    number_of,
    pack,
)
from crawler.page.scanning.raw_text import end_of_comment, end_of_raw_text, is_shadow_root
from crawler.page.scanning.state import (
    ATTRIBUTES_AT_ONCE,
    CHARACTER_DATA,
    CLOSED,
    DROPS_HIDDEN,
    END_TAG,
    HIDDEN,
    IS_XML,
    LAST_TOKEN,
    LITERAL_TEXT,
    N_ATTRIBUTES,
    N_TOKENS,
    NO_GAP_PROPERTIES,
    NO_TAG,
    OWN_LINE,
    PLAIN,
    POSITION,
    RAW_TEXT,
    READS_SHADOW_ROOTS,
    REWRITES,
    SEEN,
    T_END,
    T_FIRST_ATTRIBUTE,
    T_FLAGS,
    T_N_ATTRIBUTES,
    T_NAME,
    T_START,
    T_TAG_END,
    TOKENS_AT_ONCE,
    UNSEEN,
    Tokens,
)
from crawler.page.scanning.tags import (
    HAS_BOX,
    HAS_OWN_LINE,
    HIDES,
    IS_UNSEEN,
    OPENS,
    SAYS_SEEN,
    find_value,
    read_attributes,
    read_name,
)

if TYPE_CHECKING:
    from crawler.page.scanning.state import I64, U8

_TEMPLATE, _DIALOG, _XMP = TAG_ID["template"], TAG_ID["dialog"], TAG_ID["xmp"]
_SVG = TAG_ID["svg"]
_OPEN, _NOTHING = (np.uint64(half) for half in pack("open"))
_CDATA = np.frombuffer(b"<![cdata[", np.uint8)
_LT, _GT, _SLASH, _BANG, _QUESTION, _DASH, _COLON = 60, 62, 47, 33, 63, 45, 58
# A tag has at most so many attributes that are known, and one token more is the last.
_SPARE_ATTRIBUTES = 32


@part
def read_tokens(source: U8, state: I64, tokens: Tokens, names: Names, raw_found: I64) -> None:
    """Read as many tokens as there is room for, from the state's position on."""
    end = len(source)
    position = state[POSITION]
    state[N_TOKENS] = 0
    state[N_ATTRIBUTES] = 0
    while state[N_TOKENS] < TOKENS_AT_ONCE:
        if state[N_ATTRIBUTES] > ATTRIBUTES_AT_ONCE - _SPARE_ATTRIBUTES:
            break
        start = find_byte(source, position, end, _LT)
        if start >= end:
            _put(tokens, state, NO_TAG | LAST_TOKEN, end, end)
            position = end
            break
        following = byte_at(source, start + 1) if start + 1 < end else 0
        flags, name_start = 0, start + 1
        if following == _SLASH and start + 2 < end:
            flags, name_start = END_TAG, start + 2
        if is_letter(byte_at(source, name_start) if flags else following):
            position = _read_tag(source, start, name_start, flags, state, tokens, names, raw_found)
        elif following == _BANG or following == _QUESTION or following == _SLASH:
            position = _end_of_declaration(source, start, end, state)
            _put(tokens, state, NO_TAG, start, position)
        else:
            position = start + 1
    state[POSITION] = position


@part
def _put(tokens: Tokens, state: I64, flags: int, start: int, end: int) -> None:
    token = state[N_TOKENS]
    tokens.rows[token, T_FLAGS] = flags
    tokens.rows[token, T_START] = start
    tokens.rows[token, T_TAG_END] = end
    tokens.rows[token, T_END] = end
    state[N_TOKENS] = token + 1


@part
def _end_of_declaration(source: U8, start: int, end: int, state: I64) -> int:
    """Return the end of the comment, declaration or processing instruction at *start*."""
    if state[PLAIN]:
        return _plain_end(source, start, end)
    if start + 3 < end and source[start + 2] == _DASH and source[start + 3] == _DASH:
        if source[start + 1] == _BANG:
            found = end_of_comment(source, start + 4, end, state)
            if found >= 0:
                return found
    elif state[IS_XML] and matches(source, start, end, _CDATA):
        state[REWRITES] |= CHARACTER_DATA
    return min(find_byte(source, start + 2, end, _GT) + 1, end)


@part
def _plain_end(source: U8, start: int, end: int) -> int:
    """Return the end of a token that ends at the next ``>`` or before the next ``<``."""
    place = start + 1
    while place < end and source[place] != _GT and source[place] != _LT:
        place += 1
    return place + 1 if place < end and source[place] == _GT else place


@part
def _read_tag(
    source: U8,
    start: int,
    name_start: int,
    flags: int,
    state: I64,
    tokens: Tokens,
    names: Names,
    raw_found: I64,
) -> int:
    """Put the tag at *start* down; return where to go on."""
    name_end, low, high = read_name(source, name_start, len(source))
    name = number_of(names.tags, low, high)
    if name == 0 and find_byte(source, name_start, name_end, _COLON) < name_end:
        name = PREFIXED_TAG
    properties = names.rows[name, TAG_PROPERTIES]
    is_wanted = flags == 0 and properties & WANTS_ATTRIBUTES != 0
    token = state[N_TOKENS]
    first = state[N_ATTRIBUTES]
    tag_end, said = _read_rest(source, start, name_end, state, tokens, names, is_wanted)
    flags |= _sight(source, name, flags, said, name_end, tag_end, state)
    if tag_end == len(source) and source[tag_end - 1] != _GT:
        flags = NO_TAG
    # HTML standard, section 13.2.6.5: a drawing may be closed by its own tag in HTML, too.
    if (
        (state[IS_XML] or name == _SVG)
        and source[tag_end - 1] == _GT
        and source[tag_end - 2] == _SLASH
    ):
        flags |= CLOSED
    tokens.rows[token, T_NAME] = name
    tokens.rows[token, T_FIRST_ATTRIBUTE] = first
    tokens.rows[token, T_N_ATTRIBUTES] = state[N_ATTRIBUTES] - first
    _put(tokens, state, flags, start, tag_end)
    if properties & RAW and flags & (END_TAG | CLOSED) == 0:
        if (
            name == _TEMPLATE
            and state[READS_SHADOW_ROOTS]
            and is_shadow_root(source, name_end, tag_end, state)
        ):
            return tag_end
        if properties & IN_LINE and not properties & state[NO_GAP_PROPERTIES]:
            return tag_end
        if name == _XMP:
            state[REWRITES] |= LITERAL_TEXT
        return _skip_raw(source, token, name, state, tokens, names.rows, raw_found)
    return tag_end


@part
def _sight(
    source: U8, name: int, flags: int, said: int, name_end: int, tag_end: int, state: I64
) -> int:
    """Return what a tag does to its text, as flags: whether it hides it, where that is dropped also until a script, or
    its reader, opens it; whether it parts it from the line around it.
    """
    found = (SEEN if said & SAYS_SEEN else 0) | (OWN_LINE if said & HAS_OWN_LINE else 0)
    # What is folded up is not withheld.
    if said & (HIDES | IS_UNSEEN) and not says_folded(source, name_end, tag_end):
        found |= (HIDDEN if said & HIDES else 0) | (UNSEEN if said & IS_UNSEEN else 0)
    if found & HIDDEN or flags or said & HAS_BOX or not state[DROPS_HIDDEN]:
        return found
    if name == _DIALOG:
        is_open = find_value(source, name_end, tag_end, state, _OPEN, _NOTHING)[0] >= 0
    else:
        is_open = said & OPENS == 0
    return found if is_open else found | HIDDEN


@part
def _read_rest(
    source: U8,
    start: int,
    name_end: int,
    state: I64,
    tokens: Tokens,
    names: Names,
    is_wanted: bool,
) -> tuple[int, int]:
    """Return the end of the tag whose name ends at *name_end*, and what it says of hiding its text."""
    end = len(source)
    first = state[N_ATTRIBUTES]
    if not state[PLAIN]:
        tag_end, has_end, said = read_attributes(
            source, name_end, end, state, tokens, names.attributes, is_wanted, True
        )
        if has_end:
            return tag_end, said
        state[N_ATTRIBUTES] = first
        state[PLAIN] = find_byte(source, name_end, end, _GT) < end
        if not state[PLAIN]:
            return end, said
        tag_end = find_byte(source, name_end, end, _GT) + 1
    else:
        tag_end = _plain_end(source, start, end)
    _, _, said = read_attributes(
        source, name_end, tag_end, state, tokens, names.attributes, is_wanted, False
    )
    return tag_end, said


@part
def _skip_raw(
    source: U8,
    token: int,
    name: int,
    state: I64,
    tokens: Tokens,
    rows: I64,
    raw_found: I64,
) -> int:
    tag_end = tokens.rows[token, T_TAG_END]
    found = end_of_raw_text(source, tag_end, len(source), name, rows, raw_found, state)
    if found < 0:
        return tag_end
    tokens.rows[token, T_FLAGS] |= RAW_TEXT
    tokens.rows[token, T_END] = found
    return found
