"""The pages of an archive as documents for the methods on templates, those that are none counted by reason."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from crawler.page import build_page
from pipelines.templates.documents import document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from crawler.page import PageLimits
    from crawler.ranking.corpus.pagelets import StoredPage
    from pipelines.templates.distances import Distance


class StoredDocuments(NamedTuple):
    """Pages by URL, ascending, what a distance takes of each, how many answers were left out, by reason, and how many pages
    are compared by a part alone.

    Reasons: ``undecodable``, not coded as they say; ``no_html``, of another type, or without a tag; ``replaced``, older than
    another answer of their page.
    """

    urls: list[str]
    features: list[Any]
    left_out: Counter[str]
    n_cut: int


class _Answer(NamedTuple):
    """The last answer of a page so far: *feature* where it is one, or else the *reason* that it is left out for."""

    when: float
    feature: Any = None
    is_cut: bool = False
    reason: str = ""


def read_documents(
    pages: Iterable[StoredPage], limits: PageLimits, distance: Distance, *, is_shrunk: bool = False
) -> StoredDocuments:
    """Return what *distance* takes of each of *pages*, of whose answers the last counts, though it be no page; of the
    shrunk tree if *is_shrunk*.

    Of two answers of one time the later one in *pages* is the last. Memory: the features and one page, 200 bytes an answer that is none.
    """
    last: dict[str, _Answer] = {}
    left_out: Counter[str] = Counter()
    for page in pages:
        before = last.get(page.url)
        if before is not None:
            left_out["replaced"] += 1
            if before.when > page.when:
                continue
        last[page.url] = _read(page, limits, distance, is_shrunk)
    left_out.update(answer.reason for answer in last.values() if answer.reason)
    urls = sorted(url for url, answer in last.items() if not answer.reason)
    found = [last[url] for url in urls]
    return StoredDocuments(
        urls,
        [answer.feature for answer in found],
        left_out,
        sum(answer.is_cut for answer in found),
    )


def _read(page: StoredPage, limits: PageLimits, distance: Distance, is_shrunk: bool) -> _Answer:
    if page.body is None:
        return _Answer(page.when, reason="undecodable")
    model = build_page(page.body, url=page.url, content_type=page.content_type, limits=limits)
    if not len(model.found_tags):
        return _Answer(page.when, reason="no_html")
    found = document(model, has_events=distance.is_of_events, is_shrunk=is_shrunk)
    return _Answer(page.when, distance.feature(found), distance.is_cut(found))
