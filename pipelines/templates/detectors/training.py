"""How many pages a detector learns from, so that its memory does not grow with a site."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from crawler.page import PageModel

# 500 pages of 130 KB, more than the pages of the web have on average.
MAX_BYTES = 64 * 2**20


def training_pages(pages: Iterable[PageModel], max_pages: int) -> Iterator[PageModel]:
    """Yield the first *max_pages* of *pages*, fewer when they have more than `MAX_BYTES` together.

    The page that passes the limit is the last one.
    """
    n_bytes = 0
    for page in islice(pages, max_pages):
        yield page
        n_bytes += len(page.source)
        if n_bytes > MAX_BYTES:
            return
