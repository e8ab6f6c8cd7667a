# ruff: noqa: PLR1714, SIM109, SIM110 - the compiler takes neither sets nor generators
"""What the characters of each block say: one pass over the joined texts.

Shapes: ``counts: int32[N_COUNTS, n]``, the rows below, and ``digest: uint64[n]`` of each text.
Cost: O(n) in bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.kernels.byte_search import byte_at
from crawler.kernels.jit import cold_part, lean_kernel, part, with_first_types
from pipelines.boilerplate.winnow.features.character_classes import (
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
from pipelines.boilerplate.winnow.features.letters import letters_at
from pipelines.boilerplate.winnow.features.word_groups import (
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
# Of the words: all, those of one to three letters, those with a large first letter; then one row a group.
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
_LINE_FEED, _QUOTE = 10, 34
_TITLE_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_FIRST_HASH, _HASH_FACTOR = 1469598103934665603, 1099511628211
_SMALL = bytes(byte | 32 if 65 <= byte <= 90 else byte for byte in range(256))
_NO_LETTERS = bytes(
    byte for byte in range(33, 128) if not (chr(byte).isalnum() or chr(byte) in "-+")
)
# The row that counts the characters of a class.
_ROWS = np.zeros(16, np.uint8)
_ROWS[[COLON, COMMA, BAR, QUOTE, BRACKET, SIGN, SENTENCE_END]] = [
    *(COLONS, COMMAS, BARS, QUOTES, BRACKETS, SIGNS, SENTENCE_ENDS),
]


class CharacterCounts(NamedTuple):
    """The counts and the digest of each text."""

    counts: npt.NDArray[np.int32]
    digest: npt.NDArray[np.uint64]


def count_characters(joined: bytes, n_texts: int, title: str = "") -> CharacterCounts:
    """Count the characters of the texts that are the lines of *joined*, and their words that *title* has."""
    counts = np.empty((N_COUNTS, n_texts), np.int32)
    digest = np.empty(n_texts, np.uint64)
    data = np.frombuffer(joined, np.uint8)
    found = np.empty(N_COUNTS, np.int32)
    _count_all(data, word_table(), title_keys(title), found, counts, digest)
    return CharacterCounts(counts, digest)


def title_keys(title: str) -> npt.NDArray[np.uint64]:
    """Return the keys of the first words of *title*."""
    words = (
        title.encode("utf-8", "replace").translate(_SMALL, _NO_LETTERS).split()[:_MAX_TITLE_WORDS]
    )
    keys = [
        int.from_bytes(word[: MAX_WIDE_BYTES if 0xE3 <= word[0] <= 0xED else MAX_BYTES], "little")
        for word in words
    ]
    return np.array(keys, np.uint64)


@cold_part
def _group(key: Any, table: WordTable) -> Any:
    slot = (key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(52)
    # The groups alone fit the nearest cache; three of four words end at them.
    while table.group[slot] != 0 and table.key[slot] != key:
        slot = (slot + np.uint64(1)) % np.uint64(N_SLOTS)
    return table.group[slot]


@cold_part
def _is_in(key: Any, title: npt.NDArray[np.uint64], mask: Any) -> bool:
    """Tell whether *key* is one of *title*, whose bits are those of *mask*."""
    if not mask & _title_bit(key):
        return False
    for k in range(len(title)):
        if title[k] == key:
            return True
    return False


@part
def _title_bit(key: Any) -> Any:
    return np.uint64(1) << (key * _TITLE_FACTOR >> np.uint64(58))


class _Word(NamedTuple):
    """A word that was read: where it ends, its key, its size in bytes, its letters, what it ends with."""

    end: int
    key: Any
    size: int
    letters: int
    starts_large: bool
    first: int
    last: int


@lean_kernel
def _count(
    data: npt.NDArray[np.uint8],
    table: WordTable,
    title: npt.NDArray[np.uint64],
    found: npt.NDArray[np.int32],
    counts: npt.NDArray[np.int32],
    digest: npt.NDArray[np.uint64],
) -> None:
    place = 0
    mask = np.uint64(0)
    for key in title:
        mask |= _title_bit(key)
    for text in range(len(digest)):
        found[:] = 0
        start = place
        hashed = np.uint64(_FIRST_HASH)
        first, last = -1, OTHER
        while True:
            word = _read_word(data, place, found)
            if word.size:
                _note(word, table, title, mask, found)
            if word.first >= 0:
                first = word.first if first < 0 else first
                last = word.last
            hashed = (hashed ^ word.key ^ np.uint64(word.size)) * np.uint64(_HASH_FACTOR)
            hashed ^= hashed >> np.uint64(29)
            place = word.end + 1
            if data[word.end] == _LINE_FEED:
                break
        found[BYTES] = place - 1 - start
        found[CHARACTERS] += found[BYTES]
        found[LAST] = last
        found[FIRST] = max(first, 0)
        for row in range(N_COUNTS):
            counts[row, text] = found[row]
        digest[text] = hashed


_count_all = with_first_types(_count)


@part
def _read_word(  # noqa: C901, PLR0912, PLR0915 - what a character is, case by case
    data: npt.NDArray[np.uint8], start: int, found: npt.NDArray[np.int32]
) -> _Word:
    """Read from *start* to the next space or line feed, and count the characters."""
    n_letters, n_large, key = letters_at(data, start)
    place = start + n_letters
    found[LARGE] += n_large
    size = letters = n_key = n_letters
    starts_large = n_letters > 0 and CLASSES[byte_at(data, start)] == LARGE_LETTER
    first = last = -1
    if n_letters:
        first, last = int(CLASSES[byte_at(data, start)]), int(CLASSES[byte_at(data, place - 1)])
    n_digits = 0
    limit = MAX_BYTES
    while True:
        byte = byte_at(data, place)
        kind = int(CLASSES[byte])
        if kind == SPACE:
            break
        if kind == WIDER:
            kind = wide_class(data, place)
            if kind == WIDE_LETTER and size == 0:
                limit = MAX_WIDE_BYTES
            n_bytes = _count_wide(data, place, kind, found)
            letters += kind == SMALL_LETTER
            if kind == WIDE_LETTER or kind == SMALL_LETTER or kind == SIGN:
                for i in range(min(n_bytes, limit - size)):
                    key |= np.uint64(byte_at(data, place + i)) << np.uint64(8 * n_key)
                    n_key += 1
            size += n_bytes
            place += n_bytes
        elif kind == SMALL_LETTER or kind == LARGE_LETTER or kind == DIGIT or kind == JOINER:
            is_letter = kind == SMALL_LETTER or kind == LARGE_LETTER
            if size < limit:
                key |= np.uint64(byte | 32 if is_letter else byte) << np.uint64(8 * n_key)
                n_key += 1
            if kind == LARGE_LETTER:
                found[LARGE] += 1
                starts_large = starts_large or size == 0
            letters += is_letter
            if kind == DIGIT:
                found[DIGITS] += 1
                n_digits += 1
                found[YEARS] += n_digits == 4 and 49 <= data[place - 3] <= 50
            size += 1
            place += 1
        else:
            n_digits = 0
            if kind == SENTENCE_END:
                following = byte_at(data, place + 1)
                found[SENTENCE_ENDS] += CLASSES[following] == SPACE or following == _QUOTE
            elif kind != OTHER:
                found[_ROWS[kind]] += 1
            place += 1
        first = kind if first < 0 else first
        last = kind
    return _Word(place, key, size, letters, starts_large, first, last)


@cold_part
def _count_wide(
    data: npt.NDArray[np.uint8], place: int, kind: int, found: npt.NDArray[np.int32]
) -> int:
    """Count the character at *place* that is not ASCII; return its bytes."""
    byte = byte_at(data, place)
    if kind == WIDE_LETTER:
        found[WIDE] += 1
        found[FUNCTION] += is_function(data, place)
    elif kind == SMALL_LETTER:
        found[OTHER_LETTERS] += 1
    elif kind != WIDE_OTHER:
        found[_ROWS[kind]] += 1
    tail = 1 if byte < 224 else 2 if byte < 240 else 3
    found[CHARACTERS] -= tail
    return tail + 1


@part
def _note(
    word: _Word,
    table: WordTable,
    title: npt.NDArray[np.uint64],
    mask: Any,
    found: npt.NDArray[np.int32],
) -> None:
    found[WORDS] += 1
    group = _group(word.key, table)
    if group:
        found[FUNCTION + group - 1] += 1
    found[IN_TITLE] += _is_in(word.key, title, mask)
    found[SHORT] += word.letters <= 3
    found[CAPITALISED] += word.starts_large
