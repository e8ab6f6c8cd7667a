"""The scan as one kernel: tokens in batches, and what each of them does to blocks and links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.kernels.jit import cold_part, lean_kernel, part
from crawler.page.scanning.anchors import close_anchor
from crawler.page.scanning.blocks import end_block
from crawler.page.scanning.elements import (
    close_all,
    close_element,
    close_implied,
    made_up_name,
    open_element,
)
from crawler.page.scanning.hiding import is_hidden, take_hider
from crawler.page.scanning.markup import add_to_gap, end_a, special_start, start_a
from crawler.page.scanning.names import (
    CLOSES,
    ENDS_AN_ANCHOR,
    FIRST_IN_LINE,
    IS_VOID,
    PREFIXED_TAG,
    SPECIAL,
    TAG_BOUNDS,
    TAG_CLOSABLE,
    TAG_CLOSED,
    TAG_GAP,
    TAG_ID,
    TAG_PROPERTIES,
    Names,
)
from crawler.page.scanning.state import (
    A_DEPTH,
    AFTER_DRAWING,
    CLOSED,
    DEPTH,
    DRAWN_UNTIL,
    DROPS_HIDDEN,
    END_TAG,
    GAP,
    HAS_TEXT,
    HIDDEN,
    IS_END_TAG,
    IS_HIDING_TAG,
    IS_LINKED,
    IS_MARKED,
    LAST,
    LAST_TOKEN,
    MUTED_UNTIL,
    N_END,
    N_HIDERS,
    N_NAME,
    N_START,
    N_TAGS,
    N_TOKENS,
    NO_GAP_PROPERTIES,
    NO_TAG,
    OWN_LINE,
    PENDING_A,
    RAW_TEXT,
    SEEN,
    T_END,
    T_FLAGS,
    T_NAME,
    T_START,
    T_TAG_END,
    UNSEEN,
    Elements,
    Found,
    Tokens,
)
from crawler.page.scanning.text import TextTables, add_text
from crawler.page.scanning.tokens import read_tokens
from crawler.page.tags import GAP_BITS

if TYPE_CHECKING:
    from crawler.page.scanning.state import I64, U8

_A, _A_BIT = TAG_ID["a"], GAP_BITS["a"]
_TAKES_TEXT_OUT = HIDDEN | UNSEEN | SEEN | OWN_LINE


@lean_kernel
def scan(
    source: U8,
    state: I64,
    tokens: Tokens,
    elements: Elements,
    found: Found,
    names: Names,
    tables: TextTables,
) -> None:
    """Scan *source*, valid UTF-8 without NUL, from a fresh *state* to its end."""
    while True:
        read_tokens(source, state, tokens, names, elements.raw_found)
        n_tokens = state[N_TOKENS]
        for token in range(n_tokens):
            _take(source, token, state, tokens, elements, found, names, tables)
        if tokens.rows[n_tokens - 1, T_FLAGS] & LAST_TOKEN:
            break
    if state[HAS_TEXT]:
        end_block(state, elements, found)
    close_anchor(state, found)
    close_all(state, elements, found)


@part
def _take(  # noqa: C901 - what a tag may do, case by case
    source: U8,
    token: int,
    state: I64,
    tokens: Tokens,
    elements: Elements,
    found: Found,
    names: Names,
    tables: TextTables,
) -> None:
    """Take the text before a token, and the token."""
    start, last = tokens.rows[token, T_START], state[LAST]
    if start > last >= state[MUTED_UNTIL]:
        _take_text(source, last, start, state, elements, found, tables)
    state[LAST] = tokens.rows[token, T_END]
    flags, name = tokens.rows[token, T_FLAGS], tokens.rows[token, T_NAME]
    if flags & NO_TAG:
        return
    _note(token, state, tokens, found)
    properties, bit = names.rows[name, TAG_PROPERTIES], names.rows[name, TAG_GAP]
    if name == _A:
        add_to_gap(bit, state)
        if flags & _TAKES_TEXT_OUT or state[N_HIDERS]:
            take_hider(name, flags, state, elements)
        if flags & END_TAG or flags & CLOSED:
            end_a(flags & END_TAG, state, found)
        else:
            start_a(source, token, state, tokens, names, elements, found, tables)
        return
    is_gap = False
    if properties & state[NO_GAP_PROPERTIES]:
        add_to_gap(bit, state)
        # A void element holds no text to hide.
        if (flags & _TAKES_TEXT_OUT or state[N_HIDERS]) and not properties & IS_VOID:
            take_hider(name, flags, state, elements)
    elif start >= state[DRAWN_UNTIL] or properties & CLOSES:
        is_gap = True
        name, properties = _begin_gap(
            source, token, name, properties, state, tokens, elements, found, names
        )
    # What a start tag says or mutes.
    if properties & SPECIAL and not flags & END_TAG:
        special_start(source, name, token, state, tokens, names, elements, found, tables)
    if is_gap and flags & END_TAG:
        _take_end(name, properties, state, elements, found)
    elif is_gap:
        _take_start(name, properties, flags, state, elements, found, names)


@part
def _take_text(
    source: U8,
    start: int,
    end: int,
    state: I64,
    elements: Elements,
    found: Found,
    tables: TextTables,
) -> None:
    """Take the text from *start* to *end*."""
    if state[DROPS_HIDDEN] and is_hidden(state, elements):
        return
    if state[AFTER_DRAWING] and _is_next_link(state):
        end_block(state, elements, found)
    add_text(source, start, end, state, found, tables)


@cold_part
def _is_next_link(state: I64) -> bool:
    """Tell whether text is of another link than the text before it, with a drawing between: a menu, and no sentence."""
    is_linked = state[HAS_TEXT] and state[IS_MARKED] and state[IS_LINKED]
    return is_linked != 0 and state[PENDING_A] & _A_BIT != 0


@part
def _note(token: int, state: I64, tokens: Tokens, found: Found) -> None:
    """Put down where the tag is and what its name is, for whoever reads its attributes."""
    tag = state[N_TAGS]
    flags = tokens.rows[token, T_FLAGS]
    said = (IS_END_TAG if flags & END_TAG else 0) | (
        IS_HIDING_TAG if flags & (HIDDEN | UNSEEN) else 0
    )
    found.tags[tag, N_START] = tokens.rows[token, T_START]
    found.tags[tag, N_END] = tokens.rows[token, T_TAG_END]
    name = tokens.rows[token, T_NAME]
    # Those with a prefix have one number, but not one name.
    found.tags[tag, N_NAME] = (0 if name == PREFIXED_TAG else name) | said
    state[N_TAGS] = tag + 1


@part
def _begin_gap(
    source: U8,
    token: int,
    name: int,
    properties: int,
    state: I64,
    tokens: Tokens,
    elements: Elements,
    found: Found,
    names: Names,
) -> tuple[int, int]:
    """Begin to take a tag that is a gap; return its name, and what it is."""
    if state[HAS_TEXT]:
        end_block(state, elements, found)
    state[GAP] |= names.rows[name, TAG_GAP]
    if name == 0 or name >= FIRST_IN_LINE:
        # One that is known for being within a line alone is as any other where it is a gap.
        place = tokens.rows[token, T_START]
        place += 2 if tokens.rows[token, T_FLAGS] & END_TAG else 1
        return made_up_name(source, place, state, elements), 0
    return name, properties


@part
def _take_end(name: int, properties: int, state: I64, elements: Elements, found: Found) -> None:
    close_element(name, state, elements, found)
    if state[IS_LINKED] and properties & ENDS_AN_ANCHOR and state[DEPTH] < state[A_DEPTH]:
        state[IS_LINKED] = 0
        close_anchor(state, found)


@part
def _take_start(
    name: int,
    properties: int,
    flags: int,
    state: I64,
    elements: Elements,
    found: Found,
    names: Names,
) -> None:
    if flags & RAW_TEXT:
        return
    closable = 0
    if properties:
        if properties & CLOSES:
            closed, bounds = names.rows[name, TAG_CLOSED], names.rows[name, TAG_BOUNDS]
            close_implied(closed, bounds, state, elements, found)
        if properties & IS_VOID:
            return
    if name < len(names.rows):
        closable = names.rows[name, TAG_CLOSABLE]
    if not flags & CLOSED:
        open_element(name, closable, flags, state, elements)
