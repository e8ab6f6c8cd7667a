"""Registrable domains by the Public Suffix List that tldextract brings along; no network."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tldextract import TLDExtract


@lru_cache(maxsize=1 << 16)
def registrable_domain(host_name: str) -> str:
    """Return the domain that *host_name* (with or without port) was registered under.

    Public suffixes by the list's ICANN section; the default rule ``*`` makes the last label of an
    unknown suffix one. Addresses, and names that are a suffix themselves, are their own domain.

    >>> registrable_domain("www.bbc.co.uk"), registrable_domain("a.b.news.gazet:8080")
    ('bbc.co.uk', 'news.gazet')
    """
    if host_name.startswith("["):
        return host_name.partition("]")[0] + "]"
    name = host_name.partition(":")[0]
    found = _extractor()(name)
    if found.suffix:
        return f"{found.domain}.{found.suffix}" if found.domain else name
    return name if name[-1:].isdigit() else ".".join(name.split(".")[-2:])


@cache
def _extractor() -> TLDExtract:
    # Its import takes a tenth of a second, and most commands ask for no domain.
    from tldextract import TLDExtract

    return TLDExtract(cache_dir=None, suffix_list_urls=())
