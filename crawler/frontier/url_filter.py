"""Which URLs a crawl fetches of those that links lead to, as its user allows and denies them."""

from __future__ import annotations

import re

DENIED, NOT_ALLOWED = "url_denied", "url_not_allowed"


class UrlFilter:
    """*allow*, *deny*: regular expressions, "" for none, that are searched in canonical URLs."""

    def __init__(self, allow: str = "", deny: str = "") -> None:
        self.allow = re.compile(allow) if allow else None
        self.deny = re.compile(deny) if deny else None

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
        if self.deny is not None and self.deny.search(url):
            return DENIED
        if self.allow is not None and not self.allow.search(url):
            return NOT_ALLOWED
        return None
