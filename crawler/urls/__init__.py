"""Canonical URLs, host keys, and the keys of pages.

One page of the web has one :class:`PageKey`, whatever way its URL was written; equal keys are one
node of the link graph, one row of the corpus and one fetch.
"""

from __future__ import annotations

from crawler.urls.domains import domain_key, registrable_domain
from crawler.urls.hosts import host_name
from crawler.urls.join import page_keys, resolve
from crawler.urls.key_list import KeyList
from crawler.urls.keys import (
    MAX_URL_CHARS,
    PageKey,
    canonical_url,
    page_key,
    page_url,
)

__all__ = [
    "MAX_URL_CHARS",
    "KeyList",
    "PageKey",
    "canonical_url",
    "domain_key",
    "host_name",
    "page_key",
    "page_keys",
    "page_url",
    "registrable_domain",
    "resolve",
]
