# ruff: noqa: PLR1714, SIM109, SIM110 - the compiler takes neither sets nor generators
"""What the characters of each block say: one pass over the joined texts.

Shapes: ``counts: int32[n, N_COUNTS]``, the columns below, and ``digest: uint64[n]`` of each text.
Cost: O(n) in bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.kernels.jit import cold_part, lean_kernel
from pipelines.boilerplate.winnow.character_classes import (
    BAR,
    BRACKET,
    CLASSES,
    COLON,
    COMMA,
    DIGIT,
    JOINER,
    LARGE_LETTER,
    OTHER,
    QUOTE,
    SENTENCE_END,
    SIGN,
    SMALL_LETTER,
    SPACE,
    WIDE_LETTER,
    WIDE_OTHER,
    WIDER,
    is_function,
    wide_class,
)
from pipelines.boilerplate.winnow.word_groups import (
    GROUP_NAMES,
    MAX_BYTES,
    MAX_WIDE_BYTES,
    N_SLOTS,
    WordTable,
    word_table,
)

if TYPE_CHECKING:
    import numpy.typing as npt

N_WORD_GROUPS = len(GROUP_NAMES)
# Of the words: all, those of one to three letters, those with a large first letter; then one column a group.
(
    BYTES,
    CHARACTERS,
    LARGE,
    DIGITS,
    COMMAS,
    SENTENCE_ENDS,
    WIDE,
    OTHER_LETTERS,
    BARS,
    QUOTES,
    BRACKETS,
    COLONS,
    SIGNS,
    YEARS,
    WORDS,
    SHORT,
    CAPITALISED,
    LAST,
    FIRST,
    IN_TITLE,
    FUNCTION,
) = range(21)
N_COUNTS = FUNCTION + N_WORD_GROUPS
_MAX_TITLE_WORDS = 40
_TITLE_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SMALL = bytes(byte | 32 if 65 <= byte <= 90 else byte for byte in range(256))
_NO_LETTERS = bytes(
    byte for byte in range(33, 128) if not (chr(byte).isalnum() or chr(byte) in "-+")
)
# The column that counts the characters of a class.
_COLUMNS = np.zeros(16, np.uint8)
_COLUMNS[[COLON, COMMA, BAR, QUOTE, BRACKET, SIGN, SENTENCE_END]] = [
    *(COLONS, COMMAS, BARS, QUOTES, BRACKETS, SIGNS, SENTENCE_ENDS),
]


class CharacterCounts(NamedTuple):
    """The counts and the digest of each text."""

    counts: npt.NDArray[np.int32]
    digest: npt.NDArray[np.uint64]


def count_characters(joined: bytes, n_texts: int, title: str = "") -> CharacterCounts:
    """Count the characters of the texts that are the lines of *joined*, and their words that *title* has."""
    counts = np.zeros((n_texts, N_COUNTS), np.int32)
    digest = np.zeros(n_texts, np.uint64)
    data = np.frombuffer(joined, np.uint8)
    _count(data, word_table(), title_keys(title), counts, digest)
    return CharacterCounts(counts, digest)


def title_keys(title: str) -> npt.NDArray[np.uint64]:
    """Return the keys of the first words of *title*, behind a mask of the bits that they set."""
    words = (
        title.encode("utf-8", "replace").translate(_SMALL, _NO_LETTERS).split()[:_MAX_TITLE_WORDS]
    )
    keys = [
        int.from_bytes(word[: MAX_WIDE_BYTES if 0xE3 <= word[0] <= 0xED else MAX_BYTES], "big")
        for word in words
    ]
    mask = 0
    for key in keys:
        mask |= 1 << (key * int(_TITLE_FACTOR) % 2**64 >> 58)
    return np.array([mask, *keys], np.uint64)


@cold_part
def _group(key: Any, table: WordTable) -> Any:
    slot = (key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(52)
    # The groups alone fit the nearest cache; three of four words end at them.
    while table.group[slot] != 0 and table.key[slot] != key:
        slot = (slot + np.uint64(1)) % np.uint64(N_SLOTS)
    return table.group[slot]


@cold_part
def _is_in(key: Any, title: npt.NDArray[np.uint64]) -> bool:
    if not title[0] >> (key * _TITLE_FACTOR >> np.uint64(58)) & np.uint64(1):
        return False
    for k in range(1, len(title)):
        if title[k] == key:
            return True
    return False


@lean_kernel
def _count(  # noqa: C901, PLR0912, PLR0915 - one pass over the bytes
    data: npt.NDArray[np.uint8],
    table: WordTable,
    title: npt.NDArray[np.uint64],
    counts: npt.NDArray[np.int32],
    digest: npt.NDArray[np.uint64],
) -> None:
    n_bytes = len(data)
    row = 0
    place = 0
    while place < n_bytes and row < len(counts):
        found = counts[row]
        start = place
        hashed = np.uint64(1469598103934665603)
        n_tail = n_words = n_short = n_capitalised = n_in_title = 0
        key = np.uint64(0)
        size = letters = n_digits = 0
        limit = MAX_BYTES
        starts_large = False
        last = OTHER
        first = -1
        while True:
            byte = data[place]
            kind = CLASSES[byte]
            if kind == SMALL_LETTER or kind == LARGE_LETTER:
                if kind == LARGE_LETTER:
                    found[LARGE] += 1
                    if size == 0:
                        starts_large = True
                if size < limit:
                    key = key << np.uint64(8) | np.uint64(byte | 32)
                size += 1
                letters += 1
                place += 1
            elif kind == SPACE:
                if size:
                    n_words += 1
                    group = _group(key, table)
                    if group:
                        found[FUNCTION + group - 1] += 1
                    n_in_title += _is_in(key, title)
                    n_short += letters <= 3
                    n_capitalised += starts_large
                hashed = (hashed ^ key ^ np.uint64(size)) * np.uint64(1099511628211)
                hashed ^= hashed >> np.uint64(29)
                key = np.uint64(0)
                size = letters = n_digits = 0
                limit = MAX_BYTES
                starts_large = False
                if byte == 10:
                    break
                place += 1
                continue
            elif kind == DIGIT or kind == JOINER:
                if kind == DIGIT:
                    found[DIGITS] += 1
                    n_digits += 1
                    if n_digits == 4 and 49 <= data[place - 3] <= 50:
                        found[YEARS] += 1
                if size < limit:
                    key = key << np.uint64(8) | np.uint64(byte)
                size += 1
                place += 1
            elif kind != WIDER:
                n_digits = 0
                if kind == SENTENCE_END:
                    found[SENTENCE_ENDS] += (
                        CLASSES[data[place + 1]] == SPACE or data[place + 1] == 34
                    )
                elif kind != OTHER:
                    found[_COLUMNS[kind]] += 1
                place += 1
            else:
                tail = 1 if byte < 224 else 2 if byte < 240 else 3
                kind = wide_class(data, place)
                if kind == WIDE_LETTER:
                    found[WIDE] += 1
                    found[FUNCTION] += is_function(data, place)
                    if size == 0:
                        limit = MAX_WIDE_BYTES
                elif kind == SMALL_LETTER:
                    found[OTHER_LETTERS] += 1
                    letters += 1
                elif kind != WIDE_OTHER:
                    found[_COLUMNS[kind]] += 1
                for i in range(tail + 1):
                    if size < limit and (
                        kind == WIDE_LETTER or kind == SMALL_LETTER or kind == SIGN
                    ):
                        key = key << np.uint64(8) | np.uint64(data[place + i])
                    size += 1
                n_tail += tail
                place += tail + 1
            last = kind
            if first < 0:
                first = kind
        found[BYTES] = place - start
        found[CHARACTERS] = place - start - n_tail
        found[WORDS] = n_words
        found[SHORT] = n_short
        found[CAPITALISED] = n_capitalised
        found[IN_TITLE] = n_in_title
        found[LAST] = last
        found[FIRST] = max(first, 0)
        digest[row] = hashed
        place += 1
        row += 1
