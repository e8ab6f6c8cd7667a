"""The stroke that draws out words of Arabic script, as *kitāb* is written with one stroke or ten: no letter of a word."""

from __future__ import annotations

TATWEEL = "\N{ARABIC TATWEEL}"


def without_tatweel(text: str) -> str:
    """Return *text* without those strokes, but for one that is nothing else.

    >>> without_tatweel("ك\N{ARABIC TATWEEL}\N{ARABIC TATWEEL}تاب")
    'كتاب'
    """
    return text.replace(TATWEEL, "") or text if TATWEEL in text else text
