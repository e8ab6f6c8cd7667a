r"""Pages without a main text that say so: errors that a server sends as if they were pages, guards, lists of files.

On such a page the trees find the apology, as there is nothing better. It is told by what it calls itself:

1. its title, or a part of one ("404 Not Found | Site"), or its first ``h1`` says nothing but such a message
   (``message_words.py``). Only pages of which little is kept are asked, for a page about errors has more to say, and
   a title of its own.
2. Title and first ``h1`` are those that servers give a list of a folder's files ("Index of /pub"), however long; text
   that stands beside the list makes it a page.
3. The title is the name of its host, or none, and a block says that the domain is for sale (``message_texts.py``).
4. Blocks ask for JavaScript, another browser or a while to check the reader's, and little is kept beside them.

No page that the trees were trained on is one. Cost: O(1) for a page with more text, else O(n) in bytes of the page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.tags import KINDS, names
from pipelines.boilerplate.winnow.message_texts import BROWSERS, FOR_SALE
from pipelines.boilerplate.winnow.message_words import (
    BESIDE,
    MESSAGES,
    WHOLE_MESSAGES,
    folded,
)
from pipelines.boilerplate.winnow.outline import n_kept_words

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel

    Bools = npt.NDArray[np.bool_]

# Words kept of a page, with a few links to try instead; beside a list of files; and beside what asks for a browser.
MOST_WORDS, MOST_WORDS_BESIDE_FILES, MOST_WORDS_BESIDE_BROWSER = 150, 50, 30
# Of a block that asks for a browser; a longer one says more.
MOST_WORDS_ASKING = 40
# Characters of what is no title of a message any more.
_MOST_CHARS = 200
# Of the blocks of a page with few words.
_MOST_BLOCKS, _MOST_READ = 100, 400
_HEADING = KINDS.index("heading1")
# Between the parts of a title; a hyphen and a colon divide only with a blank beside them.
_PARTS = re.compile(r"\s[-:]+\s|:\s|[|·•»«›‹–—_/]+|\.\s")
_WORDS = re.compile(r"\d+|[^\W\d_]+(?:[\u0e31-\u0e4e\u0900-\u0963][^\W\d_]*)*")
_NOT_FOUND = "404"
# Each phrase has one of them: few pages do.
_BROWSER_WORDS = names("javascript browser")
_BROWSER_WORDS |= {said for said in BROWSERS if not any(word in said for word in _BROWSER_WORDS)}
# Apache, nginx and lighttpd; Python; Jetty; Tomcat; IIS.
_FILES = re.compile(
    r"(?:index of|directory listing for|directory:|directory listing for \[)\s*/|[\w.-]+ - /"
)
_CELL, _CODE = KINDS.index("cell"), KINDS.index("code")
_ERRORS = names("400 401 403 404 405 406 410 418 429 451 500 502 503 504")


def is_message(page: PageModel, kept: Bools) -> bool:
    """Tell whether *page* is a message and no page, of which the blocks *kept* would be, bool[n].

    >>> from crawler.page import build_page
    >>> source = b"<title>404 - Page not found | Site</title><p>We are sorry. Try the search, or go home.</p>"
    >>> page = build_page(source, url="http://a.example/", content_type="text/html")
    >>> is_message(page, np.array([True]))
    True
    """
    title = title_of(page)
    if _FILES.match(title) and _is_of_files(page, kept):
        return True
    n_words = n_kept_words(page.blocks.n_words, kept)
    if not 0 < n_words <= MOST_WORDS:
        return False
    heading = first_heading(page)
    # A short heading stands over what is not there yet, or over a box.
    if _is_said(title, is_whole=True) or _says_so(title) or _says_so(heading):
        return True
    texts = [folded(text[:_MOST_READ]) for text in page.blocks.text[:_MOST_BLOCKS]]
    if (not title or title == _host(page.url)) and any(_says(text, FOR_SALE) for text in texts):
        return True
    return _says("\n".join(texts), _BROWSER_WORDS) and _asks_for_browser(page, kept, texts)


def _is_of_files(page: PageModel, kept: Bools) -> bool:
    """Tell whether *page*, which has the title of a list of files, says little beside, in the blocks *kept*."""
    blocks = page.blocks
    kind = blocks.paths.kind_number[blocks.path_number]
    # A listing has the names of files as links; what a folder says of itself stands in the same type.
    listed = (kind == _CELL) | ((kind == _CODE) & (blocks.linked_words > 0))
    beside = kept & ~listed
    n_beside = int((blocks.n_words - blocks.linked_words)[beside].sum())
    return n_beside <= MOST_WORDS_BESIDE_FILES and _FILES.match(first_heading(page)) is not None


def _host(url: str) -> str:
    """Return the name of the host of *url*, without "www." and port."""
    return "".join(url.split("/")[2:3]).rpartition("@")[2].partition(":")[0].removeprefix("www.")


def _says(text: str, phrases: frozenset[str]) -> bool:
    return any(phrase in text for phrase in phrases)


def _asks_for_browser(page: PageModel, kept: Bools, texts: list[str]) -> bool:
    """Tell whether blocks of *page*, which begin with *texts*, ask for a browser, and little else is *kept*."""
    n_words = page.blocks.n_words
    asking = [
        number
        for number, text in enumerate(texts)
        if n_words[number] <= MOST_WORDS_ASKING
        and _says(text, _BROWSER_WORDS)
        and _says(text, BROWSERS)
    ]
    if not asking:
        return False
    beside = kept.copy()
    beside[asking] = False
    return int(n_words[beside].sum()) <= MOST_WORDS_BESIDE_BROWSER


def title_of(page: PageModel) -> str:
    """Return the title of *page*, or its begin, in small letters; "" without one."""
    return folded((page.title or "")[:_MOST_CHARS])


def first_heading(page: PageModel) -> str:
    """Return the first heading of the first level, in small letters; "" without one."""
    kind = page.blocks.paths.kind_number[page.blocks.path_number]
    found = np.flatnonzero(kind == _HEADING)
    return folded(page.blocks.text[int(found[0])][:_MOST_CHARS]) if len(found) else ""


def _says_so(title: str) -> bool:
    """Tell whether a part of *title* is a message; a number alone is one of a car, but for 404 in the first place."""
    parts = _PARTS.split(title)
    return parts[0].strip() == _NOT_FOUND or any(map(_is_said, parts))


def _is_said(text: str, *, is_whole: bool = False) -> bool:
    """Tell whether *text*, a whole title or a part of one, is a message."""
    words = _WORDS.findall(text)
    has_number = not _ERRORS.isdisjoint(words)
    said = [word for word in words if not word.isdigit()]
    left = " ".join(word for word in said if word not in BESIDE)
    if left in MESSAGES or " ".join(said) in MESSAGES:
        return True
    if left in WHOLE_MESSAGES:
        return is_whole or has_number
    return bool(said) and not left and has_number


def title_parts(title: str) -> set[str]:
    """Return *title* and its parts, words apart by blanks, without signs and numbers."""
    return {" ".join(_WORDS.findall(part)) for part in (title, *_PARTS.split(title))}
