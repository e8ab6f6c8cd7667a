# ruff: noqa: PLR1714 - the compiler takes no sets
"""The classes of characters, by their bytes in UTF-8."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import cold_part

if TYPE_CHECKING:
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]

(
    OTHER,
    LARGE_LETTER,
    SMALL_LETTER,
    DIGIT,
    SENTENCE_END,
    COLON,
    COMMA,
    BAR,
    QUOTE,
    BRACKET,
    SIGN,
    JOINER,
    SPACE,
    WIDER,
    WIDE_LETTER,
    WIDE_OTHER,
) = range(16)


def _class(byte: int) -> int:
    character = chr(byte)
    for number, characters in _CHARACTERS.items():
        if character in characters:
            return number
    if character.isdigit():
        return DIGIT
    if character.isalpha():
        return LARGE_LETTER if character.isupper() else SMALL_LETTER
    return OTHER


_CHARACTERS = {
    SENTENCE_END: ".!?",
    COLON: ":",
    COMMA: ",;",
    SPACE: " \n",
    JOINER: "-+",
    BAR: "|>/*",
    QUOTE: "\"'",
    BRACKET: "([{",
    SIGN: "@$%#=_",
}
CLASSES = np.array([_class(byte) if byte < 128 else WIDER for byte in range(256)], np.uint8)


@cold_part
def wide_class(data: U8, place: int) -> int:
    """Return the class of a character of two to four bytes."""
    first, second = data[place], data[place + 1]
    if first == 227 and second == 128:
        third = data[place + 2]
        return SENTENCE_END if third == 130 else COMMA if third == 129 else WIDE_OTHER
    if first == 239 and second == 188:
        third = data[place + 2]
        if third == 129 or third == 159:
            return SENTENCE_END
        return COMMA if third == 140 else COLON if third == 154 else WIDE_OTHER
    if 227 <= first <= 237:
        return WIDE_LETTER
    if first == 226:
        if second == 128 and data[place + 2] & 252 == 156:
            return QUOTE
        return BAR if second != 128 or data[place + 2] == 162 else WIDE_OTHER
    if first == 194:
        if second == 169:
            return SIGN
        return BAR if second == 183 or second == 187 or second == 171 else WIDE_OTHER
    return SMALL_LETTER


@cold_part
def is_function(data: U8, place: int) -> bool:
    """Tell whether a character is one of the commonest function words of Chinese and Japanese."""
    code = (
        (np.int64(data[place]) & 15) << 12
        | (np.int64(data[place + 1]) & 63) << 6
        | (np.int64(data[place + 2]) & 63)
    )
    return bool(
        code == 0x7684
        or code == 0x4E86
        or code == 0x662F
        or code == 0x5728
        or code == 0x4E0D
        or code == 0x548C
        or code == 0x6709
        or code == 0x8FD9
        or code == 0x4E5F
        or code == 0x5C31
        or code == 0x306E
        or code == 0x306F
    )
