"""Which URLs a crawl fetches of those that links lead to, as its user allows and denies them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

import idna

if TYPE_CHECKING:
    from collections.abc import Callable

DENIED, NOT_ALLOWED = "url_denied", "url_not_allowed"

_BEYOND_ASCII = re.compile("(?:%[89A-F][0-9A-F])+")
_NAME = re.compile("(?<=://)[^/]*")


class UrlFilter:
    """*allow*, *deny*: regular expressions, "" for none, that are searched in canonical URLs.

    These are ASCII; one that is not, as of a word of another language, is searched in URLs as people read them.
    """

    def __init__(self, allow: str = "", deny: str = "") -> None:
        self.allow = _searcher(allow) if allow else None
        self.deny = _searcher(deny) if deny else None

    @property
    def is_idle(self) -> bool:
        """Tell whether it refuses nothing."""
        return self.allow is None and self.deny is None

    def refusal(self, url: str) -> str | None:
        """Return the reason why *url* is not to be fetched, None when it is.

        >>> news = UrlFilter(allow="^https://a[.]example/news/", deny="[?&]print=")
        >>> [news.refusal(f"https://a.example/{page}") for page in ("news/1", "news/1?print=1", "")]
        [None, 'url_denied', 'url_not_allowed']
        """
        if self.deny is not None and self.deny(url):
            return DENIED
        if self.allow is not None and not self.allow(url):
            return NOT_ALLOWED
        return None


def readable(url: str) -> str:
    """Return *url*, which is canonical, with the letters beyond ASCII that it stands for.

    >>> readable("http://xn--bcher-kva.example/%C4%8Dlanci/a%2Fb?q=%FF")
    'http://bücher.example/članci/a%2Fb?q=%FF'
    """
    if "xn--" in url:
        url = _NAME.sub(lambda found: ".".join(map(_label, found[0].split("."))), url, count=1)
    return _BEYOND_ASCII.sub(_decoded, url)


def _searcher(pattern: str) -> Callable[[str], object]:
    search = re.compile(pattern).search
    return search if pattern.isascii() else lambda url: search(readable(url))


def _decoded(found: re.Match[str]) -> str:
    try:
        return unquote_to_bytes(found[0]).decode()
    except UnicodeDecodeError:
        return found[0]


@lru_cache(maxsize=1 << 12)
def _label(label: str) -> str:
    try:
        return idna.decode(label) if label.startswith("xn--") else label
    except idna.IDNAError:
        return label
