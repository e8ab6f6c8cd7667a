"""The scan of a page from Python: what the kernels found, as blocks, references and head."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import with_first_types
from crawler.page.blocks import Blocks, TagPaths
from crawler.page.characters import character_classes, shown_classes
from crawler.page.head import PageHead, refresh_target
from crawler.page.joined_texts import JoinedTexts
from crawler.page.lines import W_MAX
from crawler.page.links import LinkKind, References
from crawler.page.scanning import state as at
from crawler.page.scanning.character_references import reference_table
from crawler.page.scanning.counts import N_LAST, N_LINES, N_LINKED, N_WORDS, count
from crawler.page.scanning.head import SIGNAL_BITS
from crawler.page.scanning.names import IN_LINE, INLINE, name_tables
from crawler.page.scanning.paths import strings_and_kinds
from crawler.page.scanning.scan import scan
from crawler.page.scanning.text import TextTables
from crawler.page.scanning.workspace import Workspace, workspace
from crawler.page.words import nfc

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page.limits import PageLimits, PageRules

# A title of more source than this many times its limit was not closed where it should be.
_TITLE_SLACK = 8
_REPLACED_BYTES = 4  # of one character at most
# No link: it has no key.
_PLAIN_RELOAD = "about:reload"
_NONE: frozenset[str] = frozenset()
# The properties of tags that are no gap, by rule.
_NO_GAPS = {"gap": 0, "transparent": INLINE, "phrasing": INLINE | IN_LINE}
_MARKS = re.compile("([\x01\x02])")
_scan, _count = with_first_types(scan), with_first_types(count)


class Scanned(NamedTuple):
    """What one scan found.

    *plain_words*: those of all blocks outside of links; *pagelets*: uint32[n, 4]; *runs*: start, end and block, uint32[m, 3]; *tags*: start, end, number of
    the name and flag of an end tag, uint32[k, 3].
    """

    blocks: Blocks
    plain_words: int
    references: References
    head: PageHead
    pagelets: npt.NDArray[np.uint32]
    runs: npt.NDArray[np.uint32]
    tags: npt.NDArray[np.uint32]
    cuts: frozenset[str]
    noindex: bool
    nofollow: bool
    has_noscript: bool
    rewrites: int
    signals: frozenset[str]


def scan_source(
    source: bytes,
    limits: PageLimits,
    rules: PageRules,
    *,
    is_xml: bool = False,
    scripting: bool = True,
) -> Scanned:
    """Scan *source*, valid UTF-8 without NUL; *scripting* False reads ``noscript`` as text."""
    space = workspace(len(source), limits)
    state, found = space.state, space.found
    _set(state, len(source), limits, rules)
    state[at.IS_XML], state[at.IS_SCRIPTING] = is_xml, scripting
    classes = shown_classes() if rules.inline == "phrasing" else character_classes()
    tables = TextTables(classes, reference_table())
    data = np.frombuffer(source, np.uint8)
    _scan(data, state, space.tokens, space.elements, found, name_tables(), tables)
    size, n_links = int(state[at.N_BLOCKS]), int(state[at.N_LINKS])
    robots = int(state[at.ROBOTS])
    cut = int(state[at.CUTS])
    cuts = [name for bit, name in enumerate(at.CUT_NAMES) if cut >> bit & 1] if cut else ()
    blocks, plain_words = _blocks(source, size, space, tables)
    return Scanned(
        blocks,
        plain_words,
        _references(n_links, space),
        PageHead(_head(source, found.head, limits)),
        found.pagelets[: state[at.N_PAGELETS]].copy(),
        found.runs[: state[at.N_RUNS]].copy(),
        found.tags[: state[at.N_TAGS]].copy(),
        frozenset(cuts),
        bool(robots & at.NOINDEX),
        bool(robots & at.NOFOLLOW),
        bool(state[at.HAS_NOSCRIPT]),
        int(state[at.REWRITES]),
        frozenset(name for name, bit in SIGNAL_BITS.items() if robots & bit) if robots else _NONE,
    )


def _set(state: at.I64, n_bytes: int, limits: PageLimits, rules: PageRules) -> None:
    state[at.NO_QUOTE] = state[at.NO_APOSTROPHE] = state[at.NO_COMMENT_END] = n_bytes + 1
    state[at.NO_GAP_PROPERTIES] = _NO_GAPS[rules.inline]
    state[at.DROPS_HIDDEN] = rules.hidden == "drop"
    state[at.READS_SHADOW_ROOTS] = rules.inline == "phrasing"
    state[at.PAGELET_LINKS] = rules.pagelet_links
    state[at.MAX_BLOCKS], state[at.MAX_LINKS] = limits.max_blocks, limits.max_links
    state[at.MAX_URL_BYTES] = _REPLACED_BYTES * (limits.max_url_chars + 2)
    state[at.MAX_DEPTH], state[at.MAX_ANCHOR_CHARS] = limits.max_depth, limits.max_anchor_chars
    state[at.MAX_TITLE_BYTES] = _TITLE_SLACK * limits.max_head_chars


def _blocks(
    source: bytes, n_blocks: int, space: Workspace, tables: TextTables
) -> tuple[Blocks, int]:
    """Return the blocks, and their words outside of links."""
    texts, counts, plain_words = _texts(space, tables)
    blocks = space.found.blocks
    made = Blocks(
        text=texts,
        n_words=counts[N_WORDS],
        linked_words=counts[N_LINKED],
        n_lines=counts[N_LINES],
        last_line_tokens=counts[N_LAST],
        gap_mask=blocks[at.B_GAP, :n_blocks].astype(np.uint64),
        hidden=blocks[at.B_HIDDEN, :n_blocks].astype(np.bool_),
        path_number=blocks[at.B_PATH, :n_blocks].astype(np.uint32),
        paths=_paths(source, space.state, space),
    )
    return made, plain_words


def _texts(space: Workspace, tables: TextTables) -> tuple[JoinedTexts, npt.NDArray[np.uint32], int]:
    marked, clean, counts = space.found.text, space.clean_text, space.counts
    n_bytes, n_texts = int(space.state[at.TEXT_END]), int(space.state[at.N_BLOCKS])
    size, plain_words = _count(marked, n_bytes, W_MAX, tables.classes, clean, counts)
    texts = JoinedTexts(clean[:size].tobytes(), n_texts)
    if space.state[at.IS_UNSETTLED] and not _are_settled(texts.strings):
        settled = _settled(str(marked[:n_bytes].data, "utf-8")).encode()
        marked = np.frombuffer(bytearray(settled), np.uint8)
        clean = np.empty(len(settled), np.uint8)
        size, plain_words = count(marked, len(settled), W_MAX, tables.classes, clean, counts)
        texts = JoinedTexts(clean[:size].tobytes(), n_texts)
    return texts, counts[:, :n_texts].copy(), plain_words


def _settled(marked: str) -> str:
    """Return *marked* in NFC, also across the marks of links: a mark stands between two letters."""
    pieces = _MARKS.split(marked)
    for place in range(2, len(pieces), 2):
        before, piece = pieces[place - 2], pieces[place]
        n_moved = 0
        while n_moved < len(piece) and _joins(before[-1:], piece[n_moved]):
            before += piece[n_moved]
            n_moved += 1
        pieces[place - 2], pieces[place] = before, piece[n_moved:]
    return "\n".join(line if line.isascii() else nfc(line) for line in "".join(pieces).split("\n"))


def _joins(before: str, character: str) -> bool:
    if character.isascii() or not before:
        return False
    if unicodedata.combining(character):
        return True
    return len(unicodedata.normalize("NFC", before + character)) < 2


def _paths(source: bytes, state: at.I64, space: Workspace) -> TagPaths:
    n_paths, n_made_up = int(state[at.N_PATHS]), int(state[at.N_MADE_UP])
    paths = space.found.paths[:n_paths].copy()
    numbers = space.found.path_names[: state[at.N_PATH_NAMES]].copy()
    made_up = space.elements.made_up[:n_made_up].copy()

    def make() -> tuple[JoinedTexts, at.U8]:
        places = made_up.tolist()
        return strings_and_kinds(
            paths, numbers, [source[start : start + size] for start, size in places]
        )

    return TagPaths(make)


def _references(n_links: int, space: Workspace) -> References:
    state, found = space.state, space.found
    hrefs = JoinedTexts(found.hrefs[: state[at.HREF_END]].tobytes(), n_links)
    kind = found.links[at.L_KIND, :n_links].astype(np.uint8)
    if state[at.HAS_REFRESH]:
        texts = hrefs.strings
        for place in np.flatnonzero(kind == LinkKind.REFRESH).tolist():
            texts[place] = refresh_target(texts[place]) or _PLAIN_RELOAD
        hrefs = JoinedTexts.of(texts)
    return References(
        hrefs,
        _anchors(found.anchors[: state[at.ANCHOR_END]].tobytes(), n_links, state),
        kind,
        found.links[at.L_NOFOLLOW, :n_links].astype(np.bool_),
        found.links[at.L_BLOCK, :n_links].copy(),
    )


def _anchors(utf8: bytes, n: int, state: at.I64) -> JoinedTexts:
    """Return the *n* anchors that are the lines of *utf8*, in NFC."""
    anchors = JoinedTexts(utf8, n)
    if not state[at.IS_UNSETTLED] or _are_settled(anchors.strings):
        return anchors
    # A few characters are two in NFC, so that an anchor at its limit is beyond it.
    longest = int(state[at.MAX_ANCHOR_CHARS])
    return JoinedTexts.of([nfc(anchor)[:longest].rstrip() for anchor in anchors.strings])


def _are_settled(lines: list[str]) -> bool:
    """Tell whether all *lines* are in NFC: nothing is joined over a line feed.

    Where a text is not, Python makes all of its NFC to compare.
    """
    return all(line.isascii() or unicodedata.is_normalized("NFC", line) for line in lines)


def _head(source: bytes, places: at.I64, limits: PageLimits) -> dict[str, str]:
    """Return the raw values of the head, by name; what is far too long is cut."""
    longest = _TITLE_SLACK * limits.max_head_chars
    ends = places.tolist()
    values = {}
    for name, start, end in zip(at.HEAD, ends[::2], ends[1::2], strict=True):
        if end:
            values[name] = source[start : min(end, start + longest)].decode("utf-8", "ignore")
    return values
