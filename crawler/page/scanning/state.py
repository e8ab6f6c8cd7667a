"""The arrays that the scan works on, and what stands where in its state.

Everything is allocated once for pages up to a size and used again, one set a thread; what was not
written to takes no memory. The results of a page are copied out of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]
    U16 = npt.NDArray[np.uint16]
    U32 = npt.NDArray[np.uint32]
    I64 = npt.NDArray[np.int64]

# Places in the state, int64[N_STATE].
(
    # the tokens
    POSITION,
    N_TOKENS,
    N_ATTRIBUTES,
    NO_QUOTE,
    NO_APOSTROPHE,
    NO_COMMENT_END,
    PLAIN,
    # the block at hand
    LAST,
    MUTED_UNTIL,
    DRAWN_UNTIL,
    TEXT_END,
    BLOCK_START,
    BLOCK_RUN,
    HAS_TEXT,
    HAS_WORD,
    IN_SPACE,
    GAP,
    PENDING_A,
    IS_LINKED,
    IS_MARKED,
    AFTER_A,
    AFTER_DRAWING,
    A_DEPTH,
    # the open anchor
    ANCHOR_OPEN,
    ANCHOR_END,
    ANCHOR_CHARS,
    ANCHOR_SPACE,
    HREF_END,
    # the open elements
    DEPTH,
    N_DEEPER,
    HIDDEN_DEPTH,
    N_HIDERS,
    N_MADE_UP,
    # what was found
    N_BLOCKS,
    N_RUNS,
    N_LINKS,
    N_PATHS,
    N_PATH_NAMES,
    N_PAGELETS,
    N_TAGS,
    CUTS,
    HAS_NOSCRIPT,
    REWRITES,
    ROBOTS,
    HAS_REFRESH,
    IS_UNSETTLED,
    # options and limits
    IS_XML,
    IS_SCRIPTING,
    NO_GAP_PROPERTIES,
    DROPS_HIDDEN,
    READS_SHADOW_ROOTS,
    PAGELET_LINKS,
    MAX_BLOCKS,
    MAX_LINKS,
    MAX_URL_BYTES,
    MAX_DEPTH,
    MAX_ANCHOR_CHARS,
    MAX_TITLE_BYTES,
    N_STATE,
) = range(59)

# Bits of CUTS, and of ROBOTS.
CUT_NAMES = ("blocks", "links", "depth", "anchors", "names")
CUT_BLOCKS, CUT_LINKS, CUT_DEPTH, CUT_ANCHORS, CUT_MADE_UP = (1 << bit for bit in range(5))
NOINDEX, NOFOLLOW = 1, 2
# Bits of REWRITES: what a page may have that is read as if it were written otherwise.
FORMULAS, SEGMENTS, LITERAL_TEXT, CHARACTER_DATA = 1, 2, 4, 8

# Bytes in the text that say where linked text begins and ends; pages have none, as control
# characters are dropped.
LINK_STARTS, LINK_ENDS = 1, 2
BLOCK_ENDS = 10

# Flags of a token.
END_TAG, NO_TAG, RAW_TEXT, CLOSED, LAST_TOKEN = (1 << bit for bit in range(5))
# That what the tag holds is hidden whatever it says; that it is not seen, or is, but for what says otherwise in it; that
# it stands on a line of its own.
HIDDEN, UNSEEN, SEEN, OWN_LINE = (1 << bit for bit in range(5, 9))

# What the head holds, each as start and end in the source.
HEAD = (
    *("title", "base", "canonical", "lang", "description", "og:description", "og:title"),
    *("content-language", "og:locale", "language", "dc.language"),
)
HEAD_PLACE = {name: place for place, name in enumerate(HEAD)}

TOKENS_AT_ONCE = 4096
ATTRIBUTES_AT_ONCE = 8192
MAX_MADE_UP = 512
MAX_HIDERS = 16
PATH_SLOTS = 256


# Columns of the tables, T for tokens, A their attributes, E open elements, H tags without a gap that hide, B blocks, R
# runs of text, P tag paths, L links, G pagelets. T_END is where the text behind a token begins, T_TAG_END the end of
# the tag itself: raw text stands between them.
T_FLAGS, T_NAME, T_START, T_TAG_END, T_END, T_FIRST_ATTRIBUTE, T_N_ATTRIBUTES = range(7)
A_NUMBER, A_START, A_END = range(3)
(
    E_NAME,
    E_CLOSABLE,
    E_CLOSABLES,
    E_PATH,
    E_UNSEEN,
    E_N_LINKS,
    E_IS_SPLIT,
    E_BLOCK,
    E_LINK,
    E_PAGELET,
) = range(10)
H_NAME, H_DEPTH, H_N_OPEN, H_SAYS = range(4)
B_GAP, B_PATH, B_HIDDEN = range(3)
R_START, R_END, R_BLOCK = range(3)
P_START, P_DEPTH = range(2)
L_KIND, L_NOFOLLOW, L_BLOCK = range(3)
G_BLOCK, G_END_BLOCK, G_LINK, G_END_LINK = range(4)
M_START, M_SIZE = range(2)
# Of all tags: beside the number of the name the flags of an end tag, and of one that hides what it holds.
N_START, N_END, N_NAME = range(3)
IS_END_TAG, IS_HIDING_TAG = 1 << 16, 1 << 17
S_PATH, S_NUMBER = range(2)


class Tokens(NamedTuple):
    """Tags and what looks like them, TOKENS_AT_ONCE at most, and the attributes that are wanted."""

    rows: I64
    attributes: I64


class Elements(NamedTuple):
    """The open elements by depth, 0 being the body; the names that the page made up; memories.

    ``n_open`` counts the open elements by name; ``path_slots`` remembers paths by their hash, and
    ``raw_found`` by raw name the last end tag that was found.
    """

    levels: I64
    hiders: I64
    n_open: I64
    made_up: I64
    made_up_slots: I64
    path_slots: I64
    raw_found: I64


class Found(NamedTuple):
    """What the scan finds; the numbers of rows stand in the state."""

    text: U8
    anchors: U8
    hrefs: U8
    blocks: I64
    runs: U32
    paths: U32
    path_names: U16
    links: U32
    pagelets: U32
    tags: U32
    head: I64
