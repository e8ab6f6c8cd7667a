"""How peers are asked for title, authors and date: one function a distribution, which imports it.

Each is told what the extractors are (`pipelines.evaluation.peers`). trafilatura finds dates by htmldate.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pipelines.evaluation.gold import GoldMetadata
from pipelines.evaluation.peers.extractors import article_of_goose3, article_of_newspaper4k

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipelines.evaluation.peers import PeerPage

    # Gives what it finds, several authors apart by "; "; raises whatever its package raises.
    MetadataReader = Callable[[PeerPage], GoldMetadata]


def trafilatura() -> MetadataReader:
    """Return trafilatura's reader."""
    extract = import_module("trafilatura").extract_metadata

    def run(page: PeerPage) -> GoldMetadata:
        found = extract(page.html, default_url=page.url or None)
        return GoldMetadata(found.title, found.author, found.date) if found else GoldMetadata()

    return run


def newspaper4k() -> MetadataReader:
    """Return newspaper4k's reader."""
    return _of_articles(article_of_newspaper4k())


def goose3() -> MetadataReader:
    """Return goose3's reader."""
    return _of_articles(article_of_goose3())


def _of_articles(read: Callable[[PeerPage], Any]) -> MetadataReader:
    def run(page: PeerPage) -> GoldMetadata:
        article = read(page)
        date = article.publish_date
        # Of some pages goose3 gives a list.
        first = date[0] if isinstance(date, list) and date else date
        return GoldMetadata(article.title, "; ".join(article.authors), str(first or ""))

    return run


READERS: dict[str, Callable[[], MetadataReader]] = {
    "trafilatura": trafilatura,
    "newspaper4k": newspaper4k,
    "goose3": goose3,
}
