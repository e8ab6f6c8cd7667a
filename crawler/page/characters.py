"""What the kernels know of a character: one byte of class bits a code point.

Source: Unicode, as Python's ``str.isspace`` and ``re`` see it, so that kernels and
:mod:`crawler.page.words` cannot disagree. Dropped from text: control characters that are no
whitespace and noncharacters, which XML, JSON lines and terminals do not take.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.words import BREAKS_CLASS, DROPPED_CLASS, HAN_KANA, SOUTH_EAST_ASIAN

if TYPE_CHECKING:
    import numpy.typing as npt

    Classes = npt.NDArray[np.uint8]

# Whitespace; letter or digit; two units of scripts without spaces; dropped; may not be in NFC.
SPACE, WORD, HAN, ASIAN, DROPPED, UNSETTLED = 1, 2, 4, 8, 16, 32

N_CODE_POINTS = 0x110000
# Beyond are no letters, digits or whitespace, and they are not looked through.
_N_LETTERS = 0x40000
# What is in NFC whatever stands around it; all other characters are looked at more closely. Latin,
# Cyrillic, Hebrew and Arabic letters, punctuation, signs, Kana, Han and Hangul syllables, private use,
# emoji.
_SETTLED = (
    "\0-\u02ff\u0370-\u0373\u0375-\u037d\u0388-\u0482\u048a-\u052f\u05d0-\u05ea\u0621-\u064a"
    "\u0e01-\u0e30\u0e3f-\u0e47\u2002-\u20cf\u2100-\u2125\u2127-\u2129"
    "\u212c-\u2328\u232b-\u2adb\u2add-\u2bff\u3000-\u3029\u3041-\u3098\u309b-\u30ff\u3400-\u9fff"
    "\uac00-\ud7a3\ue000-\uf8ff\ufe00-\ufe0f\ufeff\uff01-\uffee\U0001f000-\U0001faff"
)


@cache
def character_classes() -> Classes:
    """Return the class bits of every code point, uint8[0x110000]; made once, in about 25 ms."""
    points = np.arange(_N_LETTERS, dtype=np.uint32)
    points[0xD800:0xE000] = 0xFFFD
    everything = points.tobytes().decode("utf-32-le")
    classes = np.full(N_CODE_POINTS, UNSETTLED, dtype=np.uint8)
    classes[:_N_LETTERS] = 0
    classes[0xFFFE::0x10000] |= DROPPED
    classes[0xFFFF::0x10000] |= DROPPED
    runs = {
        SPACE: r"\s+",
        WORD: r"[^\W_]+",
        HAN: f"[{HAN_KANA}]+",
        ASIAN: f"[{SOUTH_EAST_ASIAN}]+",
        DROPPED: f"[{DROPPED_CLASS}]+",
        UNSETTLED: f"[^{_SETTLED}]+",
    }
    for bit, pattern in runs.items():
        for run in re.finditer(pattern, everything):
            classes[run.start() : run.end()] |= bit
    return classes


@cache
def shown_classes() -> Classes:
    """Return the class bits of every code point where what only says how lines break is dropped."""
    classes = character_classes().copy()
    classes[[ord(character) for character in BREAKS_CLASS]] |= DROPPED
    return classes
