"""The pages of an archive as documents for the methods on templates, those that are none counted by reason."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from crawler.page import PageRules
from crawler.ranking.corpus.answers import MadeBy, last_of_each
from pipelines.templates.documents import document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from crawler.page import PageLimits
    from crawler.ranking.corpus.answers import StoredPage
    from pipelines.templates.distances import Distance


class StoredDocuments(NamedTuple):
    """Pages by URL, ascending, what a distance takes of each, how many answers were left out, by reason, and how many
    pages are compared by a part alone.

    Reasons: ``undecodable``, not coded as they say; ``no_html``, of another type, or without a tag; ``replaced``, older
    than another answer of their page.
    """

    urls: list[str]
    features: list[Any]
    left_out: Counter[str]
    n_cut: int


class _Answer(NamedTuple):
    """The last answer of a page so far: *feature* where it is one, or else the *reason* that it is left out for."""

    feature: Any = None
    is_cut: bool = False
    reason: str = ""


def read_documents(
    pages: Iterable[StoredPage], limits: PageLimits, distance: Distance, *, is_shrunk: bool = False
) -> StoredDocuments:
    """Return what *distance* takes of each of *pages*, of whose answers the last counts, though it be no page; of the
    shrunk tree if *is_shrunk*.

    Memory: the features and one page, 200 bytes an answer that is none.
    """
    made_by, n_answers = MadeBy(limits, PageRules()), 0

    def url_of(page: StoredPage) -> str:
        nonlocal n_answers
        n_answers += 1
        return page.url

    last = last_of_each(pages, url_of, lambda _url, page: _read(page, made_by, distance, is_shrunk))
    n_replaced = n_answers - len(last)
    left_out = Counter[str]({"replaced": n_replaced} if n_replaced else {})
    left_out.update(answer.reason for answer in last.values() if answer.reason)
    urls = sorted(url for url, answer in last.items() if not answer.reason)
    found = [last[url] for url in urls]
    return StoredDocuments(
        urls,
        [answer.feature for answer in found],
        left_out,
        sum(answer.is_cut for answer in found),
    )


def _read(page: StoredPage, made_by: MadeBy, distance: Distance, is_shrunk: bool) -> _Answer:
    if page.body is None:
        return _Answer(reason="undecodable")
    model = made_by.page(page)
    if not len(model.found_tags):
        return _Answer(reason="no_html")
    found = document(model, has_events=distance.is_of_events, is_shrunk=is_shrunk)
    return _Answer(distance.feature(found), distance.is_cut(found))
