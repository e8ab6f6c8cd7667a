"""Which writing systems a text is in, counted in words' worth of letters.

A script with one language of today (Thai, Hangul, Greek …) names the language by itself; the others
are `OTHER`. A letter counts by how much of a word it is: a Han character 3, a kana or Hangul
syllable 2, any other letter 1, so that shares of mixed texts are near shares of words.

Cost: one table look-up a character; the table of 206 KiB is made at the first call.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

HAN: Final = "Han"
KANA: Final = "Kana"
OTHER: Final = "other"

# Unicode 16, Blocks.txt. Left out because several languages of the web share them: Latin, Cyrillic,
# Arabic, Hebrew (he, yi), Devanagari, Bengali (bn, as), Ethiopic (am, ti), Tibetan (bo, dz)
_RANGES = (
    (HAN, 0x2E80, 0x2FDF),
    (HAN, 0x3005, 0x3007),
    (HAN, 0x3400, 0x9FFF),
    (HAN, 0xF900, 0xFAFF),
    (KANA, 0x3041, 0x30FF),
    (KANA, 0x31F0, 0x31FF),
    (KANA, 0xFF66, 0xFF9F),
    ("ko", 0x1100, 0x11FF),
    ("ko", 0x3130, 0x318F),
    ("ko", 0xAC00, 0xD7AF),
    ("el", 0x0370, 0x03E1),
    ("el", 0x1F00, 0x1FFF),
    ("hy", 0x0530, 0x058F),
    ("pa", 0x0A00, 0x0A7F),
    ("gu", 0x0A80, 0x0AFF),
    ("or", 0x0B00, 0x0B7F),
    ("ta", 0x0B80, 0x0BFF),
    ("te", 0x0C00, 0x0C7F),
    ("kn", 0x0C80, 0x0CFF),
    ("ml", 0x0D00, 0x0D7F),
    ("si", 0x0D80, 0x0DFF),
    ("th", 0x0E00, 0x0E7F),
    ("lo", 0x0E80, 0x0EFF),
    ("my", 0x1000, 0x109F),
    ("ka", 0x10A0, 0x10FF),
    ("km", 0x1780, 0x17FF),
    ("dv", 0x0780, 0x07BF),
)
_NAMES = (OTHER, *dict.fromkeys(name for name, _, _ in _RANGES))
_NO_LETTER = len(_NAMES)
_NO_ASCII_LETTERS = bytes(point for point in range(128) if not chr(point).isalpha())
_BMP_END = 0x10000
# CJK Unified Ideographs Extension B and after, the only letters beyond the BMP that pages hold
_FIRST_HAN_BEYOND_BMP, _TABLE_END = 0x20000, 0x33480

# a Chinese word has about 1.6 characters, a Korean or Japanese one 2.5, one of an alphabet 5 letters
_WEIGHTS = {HAN: 3, KANA: 2, "ko": 2}


@cache
def _table() -> npt.NDArray[np.uint8]:
    """Return the script number of every code point, the last one's being that of all beyond."""
    table = np.full(_TABLE_END + 1, _NO_LETTER, dtype=np.uint8)
    letters = [point for point in range(_BMP_END) if chr(point).isalpha()]
    table[letters] = 0
    for name, first, last in _RANGES:
        span = table[first : last + 1]
        span[span == 0] = _NAMES.index(name)
    table[_FIRST_HAN_BEYOND_BMP:_TABLE_END] = _NAMES.index(HAN)
    return table


def script_weights(text: str) -> dict[str, int]:
    """Return the weighted letters of *text* by script, only those that occur.

    Keys are `OTHER`, `HAN`, `KANA`, and the ISO 639-1 code of a script with one language.

    >>> script_weights("東京タワー, Tokyo")
    {'other': 5, 'Han': 6, 'Kana': 6}
    """
    if text.isascii():
        n_letters = len(text.encode().translate(None, _NO_ASCII_LETTERS))
        return {OTHER: n_letters} if n_letters else {}
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    counts = np.bincount(_table().take(points, mode="clip")).tolist()
    return {
        name: count * _WEIGHTS.get(name, 1)
        for name, count in zip(_NAMES, counts, strict=False)
        if count
    }
