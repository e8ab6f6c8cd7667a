"""The pages of an archive as documents for the methods on templates, those that are none counted by reason."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from crawler.page import build_page
from pipelines.templates.documents import document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from crawler.page import PageLimits
    from crawler.ranking.corpus_pagelets import StoredPage
    from pipelines.templates.documents import Document


class StoredDocuments(NamedTuple):
    """Pages by URL, ascending, what was asked for of each, and how many answers were left out, by reason.

    Reasons: ``undecodable``, not coded as they say; ``no_html``, of another type, or without a tag; ``replaced``, older than
    another answer of their page.
    """

    urls: list[str]
    features: list[Any]
    left_out: Counter[str]


def read_documents(
    pages: Iterable[StoredPage], limits: PageLimits, feature: Callable[[Document], Any]
) -> StoredDocuments:
    """Return the *feature* of the document of each of *pages*, of whose answers the last counts.

    Memory: the features and one page.
    """
    found: dict[str, tuple[float, Any]] = {}
    left_out: Counter[str] = Counter()
    for page in pages:
        if page.body is None:
            left_out["undecodable"] += 1
            continue
        before = found.get(page.url)
        if before is not None:
            left_out["replaced"] += 1
            if before[0] > page.when:
                continue
        model = build_page(page.body, url=page.url, content_type=page.content_type, limits=limits)
        if len(model.found_tags):
            found[page.url] = (page.when, feature(document(model)))
        else:
            left_out["no_html"] += 1
            # The last answer counts, though it is no page.
            found.pop(page.url, None)
    urls = sorted(found)
    return StoredDocuments(urls, [found[url][1] for url in urls], left_out)
