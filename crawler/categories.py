"""Category paths, such as ``Top/Arts/Animation``, as all who read them from a file have them: one spelling each."""

from __future__ import annotations

import re
from unicodedata import normalize

# Characters that XML 1.0 (fifth edition, production 2) forbids, and those that end or part lines and fields.
ILLEGAL = re.compile("[\x00-\x1f\x7f\ufffe\uffff\ud800-\udfff]")


def clean_category(text: str) -> str:
    """Return *text* as a category path: in NFC, illegal characters and empty components left out.

    >>> clean_category(" Top//Arts/Animation/ ")
    'Top/Arts/Animation'
    """
    parts = (part.strip() for part in ILLEGAL.sub("", text).split("/"))
    return normalize("NFC", "/".join(part for part in parts if part))
