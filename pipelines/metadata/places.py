"""Where a page declares what it is: its ``meta`` tags of known names, and its JSON-LD scripts.

One pass over the bytes, 64 at a time. What stands in comments and scripts is taken too:
it is rare, and as true as the rest.

A ``meta`` tag ends at its first ``>``. Only where the quotes before that are uneven is it read by its
attributes, as the sign may stand in a value. Its name is that of ``name``, ``property`` and ``itemprop``,
wherever these stand in it; its value that of the first ``content``. Where it has none, that of ``value``, as in the
first cards of Twitter: of a hundred pages some three have one that is read.

Shapes: *source* uint8[n]; *found* int64[MAX_FOUND, 3], rows of (number of the name, or JSON_LD; where the
value, or the script, begins; where the value ends).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.ascii_masks import WIDTH, first_bit, pair_mask
from crawler.kernels.byte_search import byte_at, find_byte
from crawler.kernels.jit import cold_part, lean_kernel, part
from pipelines.metadata.meta_names import LETTERS, MAX_BYTES, OF_SIZE, STARTS

if TYPE_CHECKING:
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]
    I64 = npt.NDArray[np.int64]

JSON_LD = -1
# Pages have about 25; those with thousands repeat themselves.
MAX_META = 400
MAX_JSON_LD = 40
# Tags with more than one known name are few.
MAX_FOUND = 1000
MAX_TAG_BYTES = 8000

# A script's tag that is longer has no end worth looking for: many of them would take quadratic time.
_MAX_SCRIPT_TAG_BYTES = 400

# Not plain numbers, of which each would be a type of its own to a part, compiled once more.
_LESS_THAN: Any = np.uint8(60)
_STARTS_OF_NAMES: Any = np.frombuffer(b"mMsS", np.uint8)
_GREATER_THAN: Any = np.int64(62)
_PLUS: Any = np.int64(43)
_EQUALS, _SLASH, _QUOTE, _APOSTROPHE = 61, 47, 34, 39
_SMALL = 0x20
_META = np.frombuffer(b"meta", np.uint8)
_SCRIPT = np.frombuffer(b"script", np.uint8)
_LD = np.frombuffer(b"ld+json", np.uint8)
_NAME = np.frombuffer(b"name", np.uint8)
_PROPERTY = np.frombuffer(b"property", np.uint8)
_ITEMPROP = np.frombuffer(b"itemprop", np.uint8)
_CONTENT = np.frombuffer(b"content", np.uint8)
_VALUE = np.frombuffer(b"value", np.uint8)


@cold_part
def _is_at(source: U8, place: int, word: U8) -> bool:
    """Tell whether *word*, small letters and signs, begins at *place*, in any case of letters."""
    if place < 0 or place + len(word) > len(source):
        return False
    for i in range(len(word)):
        byte = byte_at(source, place + i)
        if byte != word[i] and byte | _SMALL != word[i]:
            return False
    return True


@part
def _is_space(byte: int) -> bool:
    return byte == 32 or 9 <= byte <= 13


@part
def _is_quote(byte: int) -> bool:
    return byte in (_QUOTE, _APOSTROPHE)


@part
def _is_bare(byte: int) -> bool:
    """Tell whether *byte* may stand in a value without quotes."""
    return not (_is_space(byte) or _is_quote(byte) or byte == _GREATER_THAN)


@cold_part
def _behind_spaces(source: U8, place: int, end: int) -> int:
    while place < end and _is_space(byte_at(source, place)):
        place += 1
    return place


@cold_part
def _behind_bare(source: U8, place: int, end: int) -> int:
    while place < end and _is_bare(byte_at(source, place)):
        place += 1
    return place


@cold_part
def _value_start(source: U8, place: int, end: int) -> int:
    """Return where the value of the attribute begins whose name ends at *place*; 0 without one."""
    place = _behind_spaces(source, place, end)
    if place < end and byte_at(source, place) == _EQUALS:
        return _behind_spaces(source, place + 1, end)
    return 0


@cold_part
def _tag_end(source: U8, place: int, limit: int) -> int:
    """Return where the tag ends whose attributes begin at *place*; *limit* when it does not."""
    n_quotes = n_apostrophes = 0
    end = place
    while end < limit and byte_at(source, end) != _GREATER_THAN:
        n_quotes += byte_at(source, end) == _QUOTE
        n_apostrophes += byte_at(source, end) == _APOSTROPHE
        end += 1
    if end < limit and n_quotes % 2 == 0 and n_apostrophes % 2 == 0:
        return end
    while place < limit and byte_at(source, place) != _GREATER_THAN:
        is_value = byte_at(source, place) == _EQUALS
        place += 1
        if is_value:
            place = _behind_spaces(source, place, limit)
            if place < limit and _is_quote(byte_at(source, place)):
                end = find_byte(source, place + 1, limit, byte_at(source, place))
                place = end + 1 if end < limit else place
    return place


@cold_part
def _number_of_name(source: U8, start: int, end: int) -> int:
    """Return the number of the name from *start* to *end*, in any case of letters; -1 for another."""
    size = end - start
    for number in range(OF_SIZE[size], OF_SIZE[size + 1]):
        same = 0
        while same < size:
            byte = byte_at(source, start + same)
            if (byte | _SMALL if 65 <= byte <= 90 else byte) != LETTERS[STARTS[number] + same]:
                break
            same += 1
        if same == size:
            return number
    return -1


@cold_part
def _name_size(source: U8, place: int) -> int:
    """Return the bytes of the attribute at *place* that holds a name; 0 for another."""
    letter = byte_at(source, place) | _SMALL
    if letter == 110 and _is_at(source, place, _NAME):
        return len(_NAME)
    is_long = letter == 112 and _is_at(source, place, _PROPERTY)
    is_long |= letter == 105 and _is_at(source, place, _ITEMPROP)
    return len(_PROPERTY) if is_long else 0


@cold_part
def _names(source: U8, place: int, end: int, found: I64) -> int:
    """Write the numbers of the known names between *place* and *end*; return how many."""
    n_found = 0
    while place < end and n_found < len(found):
        size = _name_size(source, place)
        start = _value_start(source, place + size, end) if size else 0
        place += 1
        if start:
            if start < end and _is_quote(byte_at(source, start)):
                start = _behind_spaces(source, start + 1, end)
            behind = _behind_bare(source, start, min(end, start + MAX_BYTES))
            if behind > start:
                number = _number_of_name(source, start, behind)
                if number >= 0:
                    found[n_found, 0] = number
                    n_found += 1
                place = behind
    return n_found


@cold_part
def _value_of(source: U8, word: U8, first: int, end: int) -> tuple[int, int]:
    """Return start and end of the first value of the attribute *word* between *first* and *end*; 0, 0: none."""
    for place in range(first, end):
        if byte_at(source, place) | _SMALL == word[0] and _is_at(source, place, word):
            before = byte_at(source, place - 1)
            if place == first or _is_space(before) or _is_quote(before) or before == _SLASH:
                start = _value_start(source, place + len(word), end)
                if start and start < end and _is_quote(byte_at(source, start)):
                    return start + 1, find_byte(source, start + 1, end, byte_at(source, start))
                behind = _behind_bare(source, start, end) if start else 0
                if behind > start:
                    return start, behind
    return 0, 0


@cold_part
def _meta(source: U8, place: int, found: I64) -> int:
    """Write what the ``meta`` tag says whose attributes begin at *place*; return the number of rows."""
    end = _tag_end(source, place, min(place + MAX_TAG_BYTES, len(source)))
    n_found = _names(source, place, end, found)
    if n_found == 0:
        return 0
    start, behind = _value_of(source, _CONTENT, place, end)
    if behind == 0:
        start, behind = _value_of(source, _VALUE, place, end)
    if behind <= start:
        return 0
    for row in range(n_found):
        found[row, 1], found[row, 2] = start, behind
    return n_found


@cold_part
def _script(source: U8, place: int) -> int:
    """Return where the JSON-LD begins whose tag is at *place*; 0 for another script."""
    limit = min(place + _MAX_SCRIPT_TAG_BYTES, len(source))
    end = find_byte(source, place, limit, _GREATER_THAN)
    plus = find_byte(source, place, end, _PLUS)
    return end + 1 if plus < end < limit and _is_at(source, plus - 2, _LD) else 0


@part
def _next_tag(source: U8, place: int) -> int:
    """Return the place from *place* on of a tag whose name begins with m or s, or of any; len: none."""
    while place + WIDTH < len(source):
        found = np.uint64(0)
        for letter in _STARTS_OF_NAMES:
            found |= pair_mask(source, place, _LESS_THAN, letter)
        if found:
            return place + first_bit(found)
        place += WIDTH
    while place < len(source) and byte_at(source, place) != _LESS_THAN:
        place += 1
    return place


@lean_kernel
def declarations(source: U8, found: I64) -> int:
    """Write what is declared to *found*, an empty value left out; return how many rows there are."""
    size = len(source)
    n_found = n_meta = n_scripts = 0
    place = -1
    while n_found < len(found):
        place = _next_tag(source, place + 1)
        if place >= size - 6:
            break
        letter = byte_at(source, place + 1) | _SMALL
        if letter == 109 and n_meta < MAX_META and _is_at(source, place + 1, _META):
            n_found += _meta(source, place + 5, found[n_found:])
            n_meta += 1
        elif letter == 115 and n_scripts < MAX_JSON_LD and _is_at(source, place + 1, _SCRIPT):
            start = _script(source, place)
            if start:
                found[n_found, 0], found[n_found, 1] = JSON_LD, start
                n_found += 1
                n_scripts += 1
    return n_found
