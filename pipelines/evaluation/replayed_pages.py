"""The pages of gold standards by their addresses, as a proxy is asked for them.

URLs are compared by their canonical form without fragment, https as http: a client asks a proxy
for https pages by ``CONNECT`` only, so it asks for them as http here.

A page whose standard knows no URL is at ``http://SET.invalid/PAGE``, hyphens in place of what no host is called. Pages
that the documents of a package link to are there like these.

Memory: the index of the URLs, about 400 bytes a page; the pages lie in a temporary file.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self
from urllib.parse import quote

from crawler.durable.temporary_files import temporary_file
from crawler.urls import canonical_url
from pipelines.evaluation.readers import linked_pages, open_dataset

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pipelines.evaluation.gold import GoldPage

# What no host's name has, and the most that RFC 1035, section 2.3.4, allows between two dots.
_NO_HOST = re.compile(r"[^\w.-]+")
MAX_LABEL_CHARS = 63


class StoredPage(NamedTuple):
    """A page as it was served."""

    url: str
    content_type: str | None
    body: bytes


class _Place(NamedTuple):
    url: str
    content_type: str | None
    offset: int
    n_bytes: int


class Pages(Protocol):
    """Pages by their addresses."""

    def get(self, url: str) -> StoredPage | None:
        """Return the page of *url*, None where there is none; it is called in several threads."""

    def __len__(self) -> int:
        """Return how many there are."""


class StoredPages:
    """The pages of gold standards by URL; of two with one URL, the first. A context manager."""

    def __init__(self, paths: Sequence[Path]) -> None:
        """Read the pages; raises InputError for what is no gold standard."""
        self._places: dict[str, _Place] = {}
        # Closed, and with that removed, by __exit__.
        self._file = temporary_file()
        for path in paths:
            for page in open_dataset(path):
                self._add(stored_page(page))
            for url, body in linked_pages(path):
                self._add(StoredPage(url, None, body))
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._places)

    def get(self, url: str) -> StoredPage | None:
        """Return the page of *url*, None where there is none; safe in several threads."""
        place = self._places.get(_key(url) or "")
        if place is None:
            return None
        body = os.pread(self._file.fileno(), place.n_bytes, place.offset)
        return StoredPage(place.url, place.content_type, body)

    def _add(self, page: StoredPage) -> None:
        key = _key(page.url)
        if key is not None and key not in self._places:
            place = _Place(page.url, page.content_type, self._file.tell(), len(page.body))
            self._places[key] = place
            self._file.write(page.body)


def stored_page(page: GoldPage) -> StoredPage:
    """Return *page* with the address that it is answered at."""
    url = page.url if _key(page.url) else _made_url(page)
    return StoredPage(url, page.content_type, page.body)


def asked_address(url: str) -> str:
    """Return *url* as a proxy is asked for it: in ASCII, by http, without fragment.

    >>> asked_address("https://A.example/ü#top")
    'http://a.example/%C3%BC'
    """
    return f"http://{_key(url)}"


def _made_url(page: GoldPage) -> str:
    labels = _NO_HOST.sub("-", page.dataset.replace("/", ".")).split(".")
    host = ".".join([*(label[:MAX_LABEL_CHARS] for label in labels if label), "invalid"])
    path = quote(page.page_id, safe="")
    # Labels of other alphabets are longer than they look.
    return url if _key(url := f"http://{host}/{path}") else f"http://set.invalid/{path}"


def _key(url: str) -> str | None:
    canonical = canonical_url(url) if url else None
    return None if canonical is None else canonical.partition("#")[0].partition("://")[2]
