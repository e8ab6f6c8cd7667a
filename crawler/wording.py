"""Numbers and their nouns as summaries and messages have them."""

from __future__ import annotations


def noun(number: int, singular: str) -> str:
    """Return *singular* or its regular plural, as *number* asks; in a phrase the first word is the noun.

    >>> [noun(number, "page") for number in (0, 1, 2)]
    ['pages', 'page', 'pages']
    >>> noun(2, "host in trouble"), noun(2, "query"), noun(2, "index of sitemaps"), noun(0, "search")
    ('hosts in trouble', 'queries', 'indexes of sitemaps', 'searches')
    """
    if number == 1:
        return singular
    word, blank, rest = singular.partition(" ")
    if word.endswith(("s", "x", "ch")):
        plural = f"{word}es"
    elif word.endswith("y"):
        plural = f"{word[:-1]}ies"
    else:
        plural = f"{word}s"
    return f"{plural}{blank}{rest}"


def counted(number: int, singular: str) -> str:
    """Return *number* with its noun (`noun`).

    >>> counted(1, "host"), counted(1200, "host")
    ('1 host', '1,200 hosts')
    """
    return f"{number:,} {noun(number, singular)}"
