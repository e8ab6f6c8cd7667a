r"""Pages without a main text that say so: errors that a server sends as if they were pages, guards, logins.

On such a page the trees find the apology or the form, as there is nothing better. It is told by what it calls itself:
its title, or a part of one ("404 Not Found | Site"), or one of its first headings says nothing but such a message
(``message_words.py``); a login has a field for a password, too. Only pages of which little is kept are asked, for a
page about errors has more to say, and a title of its own.

No page that the trees were trained on is one. Cost: O(1) for a page with more text, else O(n) in bytes of the page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.tags import names
from pipelines.boilerplate.winnow.message_words import (
    BESIDE,
    LOGINS,
    MESSAGES,
    WHOLE_MESSAGES,
    folded,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from crawler.page import PageModel

    Bools = npt.NDArray[np.bool_]

# Words kept of a page: with a few links to try instead, and with more than a form asks for.
MOST_WORDS, MOST_LOGIN_WORDS = 150, 100
# Headings that are read, and characters of what is no title of a message any more.
_FIRST_HEADINGS, _MOST_CHARS = 3, 200
_HEADINGS = frozenset({"heading1", "heading2"})
# Between the parts of a title; a hyphen and a colon divide only with a blank beside them.
_PARTS = re.compile(r"\s[-:]+\s|:\s|[|·•»«›‹–—_/]+|\.\s")
_WORDS = re.compile(r"\d+|[^\W\d_]+(?:[\u0e31-\u0e4e\u0900-\u0963][^\W\d_]*)*")
_ERRORS = names("400 401 403 404 405 406 410 418 429 451 500 502 503 504")
_PASSWORD = re.compile(rb"""<input\b[^<>]*\btype\s*=\s*["']?password\b""", re.IGNORECASE)


def is_message(page: PageModel, kept: Bools) -> bool:
    """Tell whether *page* is a message and no page, of which the blocks *kept* would be, bool[n].

    >>> from crawler.page import build_page
    >>> source = b"<title>404 - Page not found | Site</title><p>We are sorry. Try the search, or go home.</p>"
    >>> page = build_page(source, url="http://a.example/", content_type="text/html")
    >>> is_message(page, np.array([True]))
    True
    """
    n_words = int(page.blocks.n_words[kept].sum())
    if not 0 < n_words <= MOST_WORDS:
        return False
    titles = list(_titles(page))
    if any(map(_says_so, titles)):
        return True
    return (
        n_words <= MOST_LOGIN_WORDS
        and any(_is_login(title) for title in titles)
        and _PASSWORD.search(page.source) is not None
    )


def _titles(page: PageModel) -> Iterator[str]:
    """Yield what may name the page, in small letters: its title, and its first headings."""
    if page.title:
        yield folded(page.title[:_MOST_CHARS])
    kinds = page.blocks.paths.kinds
    is_heading = np.array([kind in _HEADINGS for kind in kinds], np.bool_)
    if not is_heading.any():
        return
    for block in np.flatnonzero(is_heading[page.blocks.path_number])[:_FIRST_HEADINGS].tolist():
        yield folded(page.blocks.text[block][:_MOST_CHARS])


def _says_so(title: str) -> bool:
    """Tell whether *title*, or a part of it, is a message."""
    if _is_said(title, is_whole=True):
        return True
    return any(_is_said(part, is_whole=False) for part in _PARTS.split(title))


def _is_said(text: str, *, is_whole: bool) -> bool:
    words = _WORDS.findall(text)
    has_number = not _ERRORS.isdisjoint(words)
    said = [word for word in words if not word.isdigit()]
    left = " ".join(word for word in said if word not in BESIDE)
    if left in MESSAGES or " ".join(said) in MESSAGES:
        return True
    if left in WHOLE_MESSAGES:
        return is_whole or has_number
    return not left and has_number


def _is_login(title: str) -> bool:
    return any(" ".join(_WORDS.findall(part)) in LOGINS for part in (title, *_PARTS.split(title)))
