"""The pages that the documents of a package link to, which template detectors are fitted to (Gottron 2008, section
7.2.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from crawler.page import build_page
from crawler.urls import page_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pipelines.evaluation.gold import GoldPage


class LinkedPages(Mapping[str, bytes]):
    """Stored pages by their addresses, those that documents link to: all are known when the last document was `noted`.

    *body_of*: the stored page of an address, None where there is none. Memory: the addresses.
    """

    def __init__(self, body_of: Callable[[str], bytes | None]) -> None:
        self._body_of = body_of
        self._is_stored: dict[str, bool] = {}

    def noted(self, pages: Iterable[GoldPage]) -> Iterator[GoldPage]:
        """Give *pages*, and note what they link to."""
        for page in pages:
            yield page
            model = build_page(page.body, url=page.url, content_type=page.content_type)
            for key in model.links.key:
                url = page_url(key)
                if url not in self._is_stored:
                    self._is_stored[url] = self._body_of(url) is not None

    def __getitem__(self, url: str) -> bytes:
        body = self._body_of(url)
        if body is None:
            raise KeyError(url)
        return body

    def __iter__(self) -> Iterator[str]:
        return (url for url, is_stored in self._is_stored.items() if is_stored)

    def __len__(self) -> int:
        return sum(self._is_stored.values())
