"""Categories of hosts that only redirect within their domain, as ``example.org`` does to ``www.example.org``.

Directories name the addresses of their time: where a seed redirects to another host of its registrable domain, that
host has the categories, too. Redirects to other domains hand none on: names that nobody pays for any more redirect to
one that sells them. In a fleet that is divided by hosts none go to hosts of other processes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.page.links import LinkKind
from crawler.urls import host_name, registrable_domain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from crawler.durable.capture import Capture


def inherited(captures: Iterable[Capture]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield HostID and categories of hosts that seeds among *captures* redirect to; their links have pages."""
    for capture in captures:
        pages = capture.link_pages
        if capture.depth or not capture.categories or capture.links is None or pages is None:
            continue
        if (capture.links.kind == LinkKind.REDIRECT).all():
            domain = registrable_domain(capture.host)
            for (host, _), page_id in zip(pages.keys, pages.ids.tolist(), strict=True):
                name = host_name(host)
                if name != capture.host and registrable_domain(name) == domain:
                    yield page_id >> 32, capture.categories
