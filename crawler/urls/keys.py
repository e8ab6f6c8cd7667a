"""The key of a page: (host key, local key).

``http://www.example.com/a?x=1`` has the key ``("com.example.www", "0/a?x=1")``. The local key is the
scheme bit (0 http, 1 https), path and query, all canonical, so that http and https are two pages of
one host. A key stands for exactly one URL, :func:`page_url`, which is the one that is fetched.

Invariant: ``page_key(page_url(key)) == key`` for every key that :func:`page_key` returns.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from crawler.urls.canonical import canonical_path, canonical_query
from crawler.urls.hosts import host_key, host_name

# The longest URL that common servers, proxies and browsers all take; also Scrapy's URLLENGTH_LIMIT.
MAX_URL_CHARS = 2048

_STRIPPED = "".join(map(chr, range(0x21)))
_TAB_OR_NEWLINE = str.maketrans("", "", "\t\n\r")
# The standard takes any number of slashes and backslashes after the scheme.
_URL = re.compile(r"(https?):[/\\]*([^/\\?#]*)([^?#]*)(?:\?([^#]*))?", re.IGNORECASE)
SCHEMES = ("http", "https")


class PageKey(NamedTuple):
    """The canonical key of a page; sorts by host, then by path."""

    host: str
    local: str


class UrlParts(NamedTuple):
    """A URL split at its delimiters; *path* has slashes only, *query* no question mark."""

    scheme: str
    authority: str
    path: str
    query: str


def clean_reference(reference: str) -> str:
    """Strip controls and spaces at both ends, tabs and newlines everywhere (URL standard 4.4)."""
    return reference.strip(_STRIPPED).translate(_TAB_OR_NEWLINE)


def split_url(url: str) -> UrlParts | None:
    """Split the absolute http(s) URL *url*; None for anything else."""
    match = _URL.match(url)
    if match is None:
        return None
    scheme, authority, path, query = match.groups("")
    return UrlParts(scheme.lower(), authority, path.replace("\\", "/"), query)


def page_key(url: str, *, max_chars: int = MAX_URL_CHARS) -> PageKey | None:
    """Return the key of *url*, or None when it is no http(s) URL with a host.

    *max_chars* bounds the canonical URL, which percent-encoding can make longer than *url*.

    >>> page_key("HTTP://www.Example.com:80/a/../b?y=2&x=1#top")
    PageKey(host='com.example.www', local='0/b?x=1&y=2')
    """
    parts = split_url(clean_reference(url))
    if parts is None:
        return None
    host = host_key(parts.scheme, parts.authority)
    if host is None:
        return None
    local = f"{SCHEMES.index(parts.scheme)}{canonical_path(parts.path)}"
    query = canonical_query(parts.query) if parts.query else ""
    return checked_key(host, f"{local}?{query}" if query else local, max_chars=max_chars)


def checked_key(host: str, local: str, *, max_chars: int) -> PageKey | None:
    """Return the key of canonical parts unless its URL has more than *max_chars* characters."""
    if len(host) + len(local) + 6 + (local[0] == "1") > max_chars:
        return None
    return PageKey(host, local)


def page_url(key: PageKey) -> str:
    """Return the URL that *key* stands for.

    >>> page_url(PageKey("com.example.www", "1/a?x=1"))
    'https://www.example.com/a?x=1'
    """
    return f"{SCHEMES[key.local[0] == '1']}://{host_name(key.host)}{key.local[1:]}"


def canonical_url(url: str) -> str | None:
    """Return the canonical form of *url*, or None where it has no key."""
    key = page_key(url)
    return None if key is None else page_url(key)
