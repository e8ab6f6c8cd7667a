"""What a correct crawl of a known web fetches, and how often."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipelines.jobs.sample_answers.answers import Answers, CrawlRules, PageAnswer

# Answers after which a crawler tries again (RFC 9110 section 15, RFC 6585 section 4).
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
_REDIRECTS = range(300, 400)


@dataclass(slots=True)
class Expected:
    """*requests* is the number of requests for each page to be fetched; *forbidden* are the pages that
    a link leads to and robots.txt forbids; *traps* are among *requests* but need not be complete.

    Memory: a URL a page, some 200 bytes.
    """

    requests: dict[str, int] = field(default_factory=dict)
    forbidden: set[str] = field(default_factory=set)
    traps: set[str] = field(default_factory=set)


def expected_crawl(answers: Answers, rules: CrawlRules) -> Expected:
    """Follow the links of *answers* from its seeds as a crawl without other limits does."""
    expected = Expected()
    hops_to: dict[str, int] = {}
    waiting = deque((url, 0) for _, url in answers.seeds())
    while waiting:
        url, hops = waiting.popleft()
        if hops > rules.max_hops or hops_to.get(url, hops + 1) <= hops:
            continue
        hops_to[url] = hops
        page = answers.truth(url)
        if page is None:
            continue
        if page.disallowed:
            expected.forbidden.add(url)
            continue
        expected.requests[url] = n_requests(page, rules)
        if page.trap:
            expected.traps.add(url)
        further = hops + 1 if page.status in _REDIRECTS else 0
        waiting.extend((target, further) for target in _followed(answers, page))
    return expected


def n_requests(page: PageAnswer, rules: CrawlRules) -> int:
    """Return how often *page* is asked for: again when the answer was a passing error."""
    if page.status in _PASSING:
        return 1 + rules.retries
    return 2 if page.first_status in _PASSING and rules.retries else 1


def _followed(answers: Answers, page: PageAnswer) -> Iterator[str]:
    for arc in page.arcs:
        if not arc.nofollow and answers.is_followed(arc.target):
            yield arc.target
