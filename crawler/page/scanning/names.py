"""Names that the scan knows, as numbers: of tags, of attributes, of ``meta`` and of ``rel``.

A name is packed, lower-case, into two uint64 (16 bytes, first byte lowest) and looked up in a table of
open addressing. Longer names are none that we know. Number 0 is no name.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.kernels.jit import part
from crawler.page.tags import (
    CLOSED_BY,
    ENDS_ANCHOR,
    GAP_BITS,
    KNOWN_NAMES,
    MUTED,
    MUTED_IN_LINE,
    OTHER_BIT,
    PHRASING,
    PREFIXED,
    ROOTS,
    SKIPPED,
    SKIPPED_IN_LINE,
    TRANSPARENT,
    VOID,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    NameTable = npt.NDArray[np.uint64]

PACKED_BYTES = 16
_SLOTS = 512
_FIRST_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SECOND_FACTOR = np.uint64(0xC2B2AE3D27D4EB4F)
_SHIFT = np.uint64(64 - 9)

# Numbers make up the hashes by which blocks find their path, and models have learnt from paths: new names come last.
TAG_NAMES = ("", *sorted(KNOWN_NAMES), *sorted(PHRASING - KNOWN_NAMES))
# All that have a prefix; of no name.
PREFIXED_TAG = len(TAG_NAMES)
# From this number on: names that are known for being within a line alone.
FIRST_IN_LINE = len(KNOWN_NAMES) + 1
TAG_ID = {name: number for number, name in enumerate(TAG_NAMES)}
# Numbers of names that a page makes up begin here; those that it has too many of are all this one.
FIRST_MADE_UP = 256
TOO_MANY_MADE_UP = 255

ATTRIBUTES = (
    *("", "href", "src", "name", "rel", "alt", "content", "property", "http-equiv", "type", "lang"),
    "xml:lang",
)
ATTRIBUTE_ID = {name: number for number, name in enumerate(ATTRIBUTES)}

METAS = (
    *("", "description", "og:description", "og:title", "content-language", "og:locale"),
    *("language", "dc.language", "robots", "refresh"),
)
META_ID = {name: number for number, name in enumerate(METAS)}

WORDS = ("", "next", "alternate", "canonical", "nofollow", "ugc", "sponsored", "noindex", "none")
WORD_ID = {name: number for number, name in enumerate(WORDS)}

# Properties of a tag, as bits.
IS_VOID, CLOSES, RAW, MUTES, ENDS_AN_ANCHOR, WANTS_ATTRIBUTES, INLINE, SPECIAL, IN_LINE = (
    1 << bit for bit in range(9)
)
_WANTED = ("a", "area", "base", "body", "frame", "html", "iframe", "img", "link", "meta")
_SPECIAL = (*_WANTED, *MUTED, *MUTED_IN_LINE, "title", "option")
# All of which an end tag is looked for.
RAW_NAMES = (*SKIPPED, *MUTED, "title", *MUTED_IN_LINE, *SKIPPED_IN_LINE, "ruby")


# Columns of the table of tags: gap bit, properties, its bit among those that can be closed or stop the
# search, the sets of those that it closes and of those that stop it, the place among RAW_NAMES plus
# 1, and the name as packed.
(TAG_GAP, TAG_PROPERTIES, TAG_CLOSABLE, TAG_CLOSED, TAG_BOUNDS, TAG_RAW, TAG_LOW, TAG_HIGH) = range(
    8
)


class Names(NamedTuple):
    """The tables of names, each uint64[512, 3] of packed names and numbers, and of tags."""

    tags: NameTable
    attributes: NameTable
    metas: NameTable
    words: NameTable
    rows: npt.NDArray[np.int64]


def pack(name: str) -> tuple[int, int]:
    """Return the two numbers that hold *name*."""
    data = name.encode().ljust(PACKED_BYTES, b"\0")
    return int.from_bytes(data[:8], "little"), int.from_bytes(data[8:], "little")


@part
def number_of(table: NameTable, low: np.uint64, high: np.uint64) -> int:
    """Return the number of a packed name, 0 when it is not in *table*."""
    slot = (low * _FIRST_FACTOR ^ high * _SECOND_FACTOR) >> _SHIFT
    while table[slot, 2] != 0:
        if table[slot, 0] == low and table[slot, 1] == high:
            # Not a uint64, which would make a float of any sum with a signed number.
            number: Any = np.int64(table[slot, 2])
            return number
        slot = (slot + np.uint64(1)) & np.uint64(_SLOTS - 1)
    return 0


@cache
def name_tables() -> Names:
    """Return the tables, made at the first call."""
    return Names(
        _name_table(TAG_NAMES),
        _name_table(ATTRIBUTES),
        _name_table(METAS),
        _name_table(WORDS),
        _tag_rows(),
    )


def _name_table(names: Sequence[str]) -> NameTable:
    table = np.zeros((_SLOTS, 3), np.uint64)
    for number, name in enumerate(names):
        if not name:
            continue
        low, high = pack(name)
        mixed = (low * int(_FIRST_FACTOR) ^ high * int(_SECOND_FACTOR)) % (1 << 64)
        slot = mixed >> int(_SHIFT)
        while table[slot, 2]:
            slot = (slot + 1) % _SLOTS
        table[slot] = low, high, number
    return table


def _tag_rows() -> npt.NDArray[np.int64]:
    closables = sorted({name for sets in CLOSED_BY.values() for names in sets for name in names})
    bits = {name: 1 << place for place, name in enumerate(closables)}
    rows = np.zeros((len(TAG_NAMES) + 1, 8), np.uint64)
    for number, name in enumerate((*TAG_NAMES, PREFIXED)):
        closed, bounds = CLOSED_BY.get(name, (frozenset(), frozenset()))
        rows[number] = (
            GAP_BITS.get(name, OTHER_BIT),
            _properties(name),
            bits.get(name, 0),
            sum(bits[other] for other in closed),
            sum(bits[other] for other in bounds),
            RAW_NAMES.index(name) + 1 if name in RAW_NAMES else 0,
            *pack(name),
        )
    return rows.view(np.int64)


def _properties(name: str) -> int:
    groups = {
        IS_VOID: VOID | ROOTS,
        CLOSES: CLOSED_BY,
        RAW: (*SKIPPED, "title", *SKIPPED_IN_LINE),
        MUTES: (*MUTED, *MUTED_IN_LINE),
        ENDS_AN_ANCHOR: ENDS_ANCHOR,
        WANTS_ATTRIBUTES: _WANTED,
        INLINE: TRANSPARENT,
        SPECIAL: _SPECIAL,
        IN_LINE: (*PHRASING, PREFIXED),
    }
    return sum(bit for bit, names in groups.items() if name in names)
