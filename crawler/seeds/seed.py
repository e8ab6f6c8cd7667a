"""A seed, and the rules for its two parts."""

from __future__ import annotations

import re
from typing import NamedTuple

from crawler.categories import ILLEGAL, clean_category

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:(?!\d)", re.IGNORECASE)
_HTTP = re.compile(r"https?:[/\\]{2}[^\s/\\?#]", re.IGNORECASE)


class Seed(NamedTuple):
    """A URL as its file spells it, and the categories of that one record, often none or one."""

    url: str
    categories: tuple[str, ...]


def url_problem(url: str) -> str | None:
    """Return why *url* cannot be a seed, or None.

    A look at the spelling only; whether the URL has a canonical key is for `crawler.urls` to say.

    >>> url_problem("http://example.org/"), url_problem("ftp://example.org/"), url_problem("")
    (None, 'scheme', 'no_url')
    """
    if not url:
        return "no_url"
    if "\ufffd" in url:
        return "illegal_utf8"
    if _HTTP.match(url):
        return "bad_url" if ILLEGAL.search(url) else None
    return "scheme" if _SCHEME.match(url) and not url.lower().startswith("http") else "bad_url"


def matches_category(category: str, prefix: str) -> bool:
    """Tell whether *category* is *prefix* or lies under it, by whole components.

    The root ``Top`` may be there or not on either side.

    >>> matches_category("Top/Arts/Animation", "Arts"), matches_category("Top/ArtsX", "Top/Arts")
    (True, False)
    """
    path, wanted = _under_top(category), _under_top(prefix)
    return not wanted or path == wanted or path.startswith(f"{wanted}/")


def _under_top(category: str) -> str:
    path = clean_category(category)
    return "" if path == "Top" else path.removeprefix("Top/")
