"""The comparisons that must come out equal."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from crawler.page.words import density_tokens
from crawler.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pipelines.jobs.sample_answers.answers import Answers, PageAnswer
    from pipelines.jobs.sample_answers.crawled import Crawled
    from pipelines.jobs.sample_answers.expected import Expected

LANGUAGE_MIN_WORDS = 50
EXACT, NEAR, NOINDEX = "duplicate", "near_duplicate", "noindex"

Clusters = set[frozenset[str]]


@dataclass(frozen=True, slots=True)
class Check:
    """One comparison: *n* things were compared, *differences* says which differ, *note* the rest."""

    name: str
    n: int
    differences: tuple[str, ...]
    note: str = ""


def check_fetches(answers: Answers, expected: Expected, crawled: Crawled) -> Check:
    """Every page that a crawl reaches was asked for as often as it must be, and no other."""
    differences = []
    for url, wanted in expected.requests.items():
        got = crawled.requests[url]
        if got != wanted and not (url in expected.traps and got == 0):
            differences.append(f"{url}: {got} requests, not {wanted}")
    for url in crawled.requests.keys() - expected.requests.keys() - expected.forbidden:
        page = answers.truth(url)
        if page is None or not (page.kind == "resource" or page.disallowed):
            differences.append(f"{url}: no link to follow leads there")
    repeated = [n for url, n in expected.requests.items() if n > 1 and url not in expected.traps]
    note = (
        f"{len(repeated)} of them {counted(sum(repeated), 'time')} in all, for errors that may pass"
    )
    n_pages = len(expected.requests) - len(expected.traps)
    return Check("pages fetched once", n_pages, tuple(sorted(differences)), note)


def check_robots(answers: Answers, expected: Expected, crawled: Crawled) -> Check:
    """Nothing that robots.txt forbids was asked for."""
    pages = map(answers.truth, crawled.requests)
    broken = sorted(p.url for p in pages if p and p.disallowed and p.kind != "resource")
    note = f"links led to {len(expected.forbidden)} disallowed pages"
    return Check("robots.txt obeyed", len(crawled.requests), tuple(broken), note)


def check_arcs(answers: Answers, expected: Expected, crawled: Crawled) -> Check:
    """The graph holds the arcs of the fetched pages, and no other."""
    wanted = {
        (url, arc.target, arc.nofollow)
        for url in expected.requests
        if crawled.requests[url] and (page := answers.truth(url)) is not None
        for arc in page.arcs
    }
    differences = [f"missing {_arc(arc)}" for arc in sorted(wanted - crawled.arcs)]
    differences += [f"unknown {_arc(arc)}" for arc in sorted(crawled.arcs - wanted)]
    return Check("arcs", len(wanted), tuple(differences))


def _arc(arc: tuple[str, str, bool]) -> str:
    return f"{arc[0]} -> {arc[1]}{' (nofollow)' if arc[2] else ''}"


def check_clusters(answers: Answers, _expected: Expected, crawled: Crawled) -> Check:
    """The exact duplicates and mirrors that reached the duplicate filter form the known clusters."""
    members: defaultdict[str, set[str]] = defaultdict(set)
    for row in _compared(crawled):
        page = answers.truth(row["url"])
        if page is not None:
            members[page.cluster].add(page.url)
    wanted = {frozenset(urls) for urls in members.values() if len(urls) > 1}
    found = exact_clusters(crawled.rejected)
    differences = [f"not found: {_cluster(c)}" for c in sorted(wanted - found, key=sorted)]
    differences += [f"not known: {_cluster(c)}" for c in sorted(found - wanted, key=sorted)]
    note = f"of {counted(sum(map(len, wanted)), 'page')}"
    return Check("clusters of exact duplicates", len(wanted), tuple(differences), note)


def exact_clusters(rejected: Iterable[dict[str, Any]]) -> Clusters:
    """Return the connected components of the exact duplicates among *rejected* rows."""
    leader: dict[str, str] = {}

    def find(url: str) -> str:
        while leader.setdefault(url, url) != url:
            url = leader[url]
        return url

    for row in rejected:
        if row["reason"] == EXACT:
            first, second = sorted((find(row["url"]), find(row["duplicate_of"])))
            leader[second] = first
    components: defaultdict[str, set[str]] = defaultdict(set)
    for url in leader:
        components[find(url)].add(url)
    return set(map(frozenset, components.values()))


def _cluster(cluster: frozenset[str]) -> str:
    return " = ".join(sorted(cluster))


def _compared(crawled: Crawled) -> Iterator[dict[str, Any]]:
    """Yield the rows of the pages that reached the duplicate filter."""
    yield from crawled.documents
    yield from (row for row in crawled.rejected if row["reason"] in (EXACT, NEAR))


def check_languages(answers: Answers, _expected: Expected, crawled: Crawled) -> Check:
    """Every document with 50 words of main text or more was given its language.

    Rows of rejected pages bear none; a duplicate has that of the copy that was kept.
    """
    n, differences = 0, []
    for row in crawled.documents:
        page = answers.truth(row["url"])
        if page is None or not _has_words(page):
            continue
        n += 1
        if row["language"] != page.language:
            differences.append(f"{page.url}: {row['language']}, not {page.language}")
    return Check("languages", n, tuple(sorted(differences)))


def _has_words(page: PageAnswer) -> bool:
    return len(density_tokens(page.main_text)) >= LANGUAGE_MIN_WORDS


def check_rows(answers: Answers, expected: Expected, crawled: Crawled) -> Check:
    """Every text page that was fetched has one row, kept or rejected; what was not fetched has none.

    Pages that robots.txt forbids are rejected without a fetch.
    """
    rows: defaultdict[str, int] = defaultdict(int)
    for row in (*crawled.documents, *crawled.rejected):
        rows[row["url"]] += 1
    fetched = [url for url in expected.requests if crawled.requests[url]]
    texts = [p for p in map(answers.truth, fetched) if p and p.status == 200 and p.is_text]
    differences = [f"{p.url}: {counted(rows[p.url], 'row')}" for p in texts if rows[p.url] != 1]
    differences += [f"{url}: {n} rows" for url, n in rows.items() if n > 1]
    known = crawled.requests.keys() | expected.forbidden
    differences += [f"{url}: a row without a fetch" for url in rows.keys() - known]
    return Check("one row a page", len(texts), tuple(sorted(set(differences))))


def check_kept(answers: Answers, _expected: Expected, crawled: Crawled) -> Check:
    """Documents are text pages that may be indexed, and all of these that have 50 words and more.

    Only duplicates are missing, and traps, which may be dropped for their text.
    """
    differences = [
        f"{page.url}: kept, with status {page.status}{' and noindex' if page.noindex else ''}"
        for page in map(answers.truth, (row["url"] for row in crawled.documents))
        if page is not None and not _may_be_kept(page)
    ]
    for row in crawled.rejected:
        page = answers.truth(row["url"])
        if page is None or page.disallowed or page.status != 200 or not page.is_text:
            continue
        if page.noindex:
            lost = row["reason"] != NOINDEX
        else:
            lost = row["reason"] not in (EXACT, NEAR) and not page.trap and _has_words(page)
        if lost:
            differences.append(f"{page.url}: rejected as {row['reason']}")
    return Check("texts kept", len(crawled.documents), tuple(sorted(differences)))


def _may_be_kept(page: PageAnswer) -> bool:
    return page.status == 200 and page.is_text and not page.noindex and not page.disallowed


CHECKS: tuple[Callable[[Answers, Expected, Crawled], Check], ...] = (
    check_fetches,
    check_robots,
    check_arcs,
    check_rows,
    check_kept,
    check_clusters,
    check_languages,
)
