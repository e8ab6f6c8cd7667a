"""A seed, and the rules for its two parts."""

from __future__ import annotations

import re
from typing import NamedTuple

# Characters that neither a URL nor a category path holds, and that XML 1.0 (fifth edition,
# production 2) forbids.
_ILLEGAL = re.compile("[\x00-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
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
        return "bad_url" if _ILLEGAL.search(url) else None
    return "scheme" if _SCHEME.match(url) and not url.lower().startswith("http") else "bad_url"


def clean_category(text: str) -> str:
    """Return *text* as a category path: illegal characters and empty components left out.

    >>> clean_category(" Top//Arts/Animation/ ")
    'Top/Arts/Animation'
    """
    parts = (part.strip() for part in _ILLEGAL.sub("", text).split("/"))
    return "/".join(part for part in parts if part)


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
