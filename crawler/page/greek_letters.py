"""Greek as searches compare it: capitals are written without the tonos that small letters bear.

Their sigma is one letter; which of two is its small one depends on what stands behind it, so both are written as one.
"""

from __future__ import annotations

import re
import unicodedata

# Unicode, blocks Greek and Coptic and Greek Extended: the letters with their marks, composed.
_COMPOSED = [chr(point) for point in (*range(0x370, 0x400), *range(0x1F00, 0x2000))]
_UNMARKED = str.maketrans(
    {
        letter: unicodedata.normalize("NFD", letter)[0]
        for letter in _COMPOSED
        if unicodedata.category(letter)[0] == "L" and unicodedata.decomposition(letter)
    }
    | {"Σ": "σ", "ς": "σ"}
)
_MARKED = re.compile("[{}]".format("".join(map(chr, _UNMARKED))))


def without_tonos(text: str) -> str:
    """Return *text*, which is in NFC, as long as it is, its Greek letters without marks, and with one sigma.

    So the word of a heading in capitals is that of a sentence.

    >>> without_tonos("οδός, Μαΐου, ἡ ὁδός")
    'οδοσ, Μαιου, η οδοσ'
    """
    return text if text.isascii() or not _MARKED.search(text) else text.translate(_UNMARKED)
