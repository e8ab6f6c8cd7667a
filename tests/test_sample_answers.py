"""The comparison of a crawl with the answers: a perfect crawl is equal, every flaw is seen."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace

import pytest

from crawler.errors import InputError
from crawler.sampleweb.web import SampleWeb
from crawler.sampleweb.writer import Arc
from pipelines.jobs.sample_answers import CrawlRules, compare, report, report_json
from pipelines.jobs.sample_answers.answers import CachedAnswers
from pipelines.jobs.sample_answers.checks import CHECKS, exact_clusters
from pipelines.jobs.sample_answers.comparison import Comparison
from pipelines.jobs.sample_answers.crawled import Crawled, read_requests
from pipelines.jobs.sample_answers.expected import expected_crawl
from pipelines.jobs.sample_answers.scores import near_scores, template_scores, word_scores


@dataclass
class Page:
    """A page of a web drawn by hand."""

    url: str
    arcs: tuple[Arc, ...] = ()
    status: int = 200
    first_status: int = 0
    kind: str = "regular"
    is_text: bool = True
    disallowed: bool = False
    trap: bool = False
    template: str = "plain"
    language: str = "en"
    main_text: str = "some words"
    cluster: str = ""
    partner: str = ""
    planted: float = 0.0


@dataclass
class HandWeb:
    """Answers drawn by hand: page "/" is the seed."""

    pages: dict[str, Page] = field(default_factory=dict)

    def add(self, path, *targets, **known):
        arcs = tuple(Arc(f"http://a.b{t.strip('!')}", t.startswith("!")) for t in targets)
        self.pages[f"http://a.b{path}"] = Page(f"http://a.b{path}", arcs, **known)
        return self

    def truth(self, url):
        return self.pages.get(url)

    def seeds(self):
        return [("Top/Arts", "http://a.b/")]

    def is_followed(self, url):
        return not url.endswith(".pdf")


def requests(web, **rules):
    found = expected_crawl(web, CrawlRules(**rules)).requests
    return {url.removeprefix("http://a.b"): n for url, n in found.items()}


def test_what_a_crawl_fetches():
    web = (
        HandWeb()
        .add("/", "/a", "!/shunned", "/closed", "/file.pdf", "/elsewhere")
        .add("/a", "/", "/a")
        .add("/shunned", "/never")
        .add("/closed", "/never", disallowed=True)
        .add("/file.pdf")
        .add("/never")
    )
    assert requests(web) == {"/": 1, "/a": 1}
    assert expected_crawl(web, CrawlRules()).forbidden == {"http://a.b/closed"}


def test_errors_are_asked_for_again():
    web = (
        HandWeb()
        .add("/", "/404", "/500", "/once", "/503")
        .add("/404", status=404)
        .add("/500", status=500)
        .add("/503", status=503)
        .add("/once", first_status=503)
    )
    assert requests(web) == {"/": 1, "/404": 1, "/500": 3, "/503": 3, "/once": 2}
    assert requests(web, retries=0) == {"/": 1, "/404": 1, "/500": 1, "/503": 1, "/once": 1}


def test_redirects_end_after_the_hops_allowed():
    web = HandWeb().add("/", "/0")
    for number in range(4):
        web.add(f"/{number}", f"/{number + 1}", status=301)
    web.add("/4")
    assert set(requests(web, max_hops=4)) == {"/", "/0", "/1", "/2", "/3", "/4"}
    assert set(requests(web, max_hops=2)) == {"/", "/0", "/1", "/2"}
    # A page that is linked besides is fetched, however many redirects lead there.
    web.add("/", "/0", "/3")
    assert set(requests(web, max_hops=2)) == {"/", "/0", "/1", "/2", "/3", "/4"}


def test_clusters_are_components():
    rows = [("b", "a"), ("c", "b"), ("e", "d"), ("f", "c")]
    rejected = [{"url": u, "reason": "duplicate", "duplicate_of": of} for u, of in rows]
    rejected.append({"url": "g", "reason": "near_duplicate", "duplicate_of": "a"})
    assert exact_clusters(rejected) == {frozenset("abcf"), frozenset("de")}
    assert exact_clusters([]) == set()


@pytest.mark.parametrize(
    ("kept", "main", "scores"),
    [
        ("a b c d", "a b", (0.5, 1.0, 2 / 3)),
        ("a a b", "a b b", (2 / 3, 2 / 3, 2 / 3)),
        ("", "", (1.0, 1.0, 1.0)),
        ("a", "", (0.0, 0.0, 0.0)),
        ("", "a", (0.0, 0.0, 0.0)),
    ],
)
def test_word_scores(kept, main, scores):
    assert word_scores(kept, main) == pytest.approx(scores)


@pytest.fixture(scope="module")
def web():
    sample = SampleWeb(1, 16, 400)
    cached = CachedAnswers(sample)
    cached.hosts = sample.hosts
    return cached


def perfect_crawl(web):
    """What a crawl without a flaw leaves behind, its cleaner perfect, its duplicate filter too."""
    expected = expected_crawl(web, CrawlRules())
    kept, documents, rejected, arcs, texts = {}, [], [], set(), []
    for url in expected.requests:
        page = web.truth(url)
        arcs |= {(url, arc.target, arc.nofollow) for arc in page.arcs}
        row = {"url": url, "language": page.language, "reason": None, "duplicate_of": None}
        if page.status != 200 or page.noindex or not page.main_text:
            rejected.append({**row, "reason": "no_text"})
        elif page.cluster in kept:
            rejected.append({**row, "reason": "duplicate", "duplicate_of": kept[page.cluster]})
        elif page.partner in kept:
            rejected.append({**row, "reason": "near_duplicate", "duplicate_of": page.partner})
        else:
            kept[page.cluster] = url
            documents.append(row)
            texts.append((url, page.main_text))
    return Crawled(Counter(expected.requests), documents, rejected, arcs, texts)


def failed(web, crawled):
    expected = expected_crawl(web, CrawlRules())
    return {
        c.name: c.differences
        for check in CHECKS
        if (c := check(web, expected, crawled)).differences
    }


@pytest.fixture(scope="module")
def crawl(web):
    return perfect_crawl(web)


def test_a_perfect_crawl_is_equal(web, crawl):
    assert failed(web, crawl) == {}
    expected = expected_crawl(web, CrawlRules())
    checks = {check.name: check for check in (c(web, expected, crawl) for c in CHECKS)}
    assert checks["pages fetched once"].n > 400
    assert checks["arcs"].n > 10_000
    assert checks["clusters of exact duplicates"].n > 10
    assert checks["languages"].n > 300
    assert all(score.f1 == 1.0 for score in template_scores(web, crawl))


def test_a_page_missed_and_a_page_fetched_twice(web, crawl):
    missed, twice = sorted(url for url, n in crawl.requests.items() if n == 1)[:2]
    counts = Counter(crawl.requests)
    del counts[missed]
    counts[twice] += 1
    # A page that was not fetched has no arcs either.
    arcs = {arc for arc in crawl.arcs if arc[0] != missed}
    found = failed(web, replace(crawl, requests=counts, arcs=arcs))
    assert found == {
        "pages fetched once": (f"{missed}: 0 requests, not 1", f"{twice}: 2 requests, not 1")
    }


def test_a_disallowed_page_fetched(web, crawl):
    expected = expected_crawl(web, CrawlRules())
    url = min(expected.forbidden)
    found = failed(web, replace(crawl, requests=crawl.requests + Counter([url])))
    assert found == {"robots.txt obeyed": (url,)}


def test_requests_for_robots_and_traps_are_nobodys_fault(web, crawl):
    host = next(web.hosts())
    more = Counter([f"{host.root}/robots.txt", f"{host.root}/robots.txt"])
    assert failed(web, replace(crawl, requests=crawl.requests + more)) == {}
    unknown = f"{host.root}/never/heard/of"
    found = failed(web, replace(crawl, requests=crawl.requests + Counter([unknown])))
    assert list(found) == ["pages fetched once"]


def test_an_arc_missing_and_an_arc_invented(web, crawl):
    lost = min(crawl.arcs)
    invented = (lost[0], lost[1], not lost[2])
    found = failed(web, replace(crawl, arcs=crawl.arcs - {lost} | {invented}))
    assert set(found) == {"arcs"}
    assert len(found["arcs"]) == 2


def test_a_duplicate_missed_and_one_invented(web, crawl):
    row = next(row for row in crawl.rejected if row["reason"] == "duplicate")
    rest = [other for other in crawl.rejected if other is not row]
    missed = failed(web, replace(crawl, documents=[*crawl.documents, row], rejected=rest))
    assert set(missed) == {"clusters of exact duplicates"}
    first, second = crawl.documents[:2]
    false = {**second, "reason": "duplicate", "duplicate_of": first["url"]}
    documents = [other for other in crawl.documents if other is not second]
    found = failed(web, replace(crawl, documents=documents, rejected=[*crawl.rejected, false]))
    assert set(found) == {"clusters of exact duplicates"}


def test_a_wrong_language_and_a_row_too_many(web, crawl):
    first, *rest = crawl.documents
    wrong = replace(crawl, documents=[{**first, "language": "tlh"}, *rest])
    assert set(failed(web, wrong)) == {"languages"}
    assert set(failed(web, replace(crawl, documents=[first, first, *rest]))) == {"one row a page"}
    assert set(failed(web, replace(crawl, documents=rest))) >= {"one row a page"}


def test_near_duplicates_are_scored_by_resemblance(web, crawl):
    scores = near_scores(web, crawl)
    assert [score.planted for score in scores] == sorted((s.planted for s in scores), reverse=True)
    assert all(score.recall == 1.0 for score in scores)
    assert scores[-1].precision == 1.0
    assert scores[0].precision < 1.0  # the pairs planted lower are found as well
    none = replace(crawl, rejected=[r for r in crawl.rejected if r["reason"] != "near_duplicate"])
    near = [row for row in crawl.rejected if row["reason"] == "near_duplicate"]
    none = replace(none, documents=[*crawl.documents, *near])
    assert [(s.recall, s.precision) for s in near_scores(web, none)] == [(0.0, None)] * len(scores)


def test_report_has_a_line_a_figure(web, crawl):
    expected = expected_crawl(web, CrawlRules())
    checks = tuple(check(web, expected, crawl) for check in CHECKS)
    near, templates = near_scores(web, crawl), template_scores(web, crawl)
    result = Comparison(checks, tuple(templates), tuple(near))
    lines = report(result).splitlines()
    assert result.equal
    assert len(lines) == 3 + len(checks) + len(templates) + len(near)
    assert sum("equal" in line for line in lines) == len(checks)
    plain = json.loads(report_json(result))
    assert plain["equal"] is True
    assert [check["name"] for check in plain["checks"]] == [check.name for check in checks]
    assert plain["near"][0]["planted"] == near[0].planted


def test_request_log_is_read(tmp_path):
    log = tmp_path / "requests.tsv"
    log.write_text("1.5\ta.b\t/x?y=1\t200\n2.5\ta.b\t/x?y=1\t503\n3\tc.d\t/\t200\n")
    assert read_requests(log) == {"http://a.b/x?y=1": 2, "http://c.d/": 1}
    log.write_text("not a log\n")
    with pytest.raises(InputError, match="cannot read the request log"):
        read_requests(log)


def test_a_missing_corpus_is_one_line(web, tmp_path):
    with pytest.raises(InputError):
        compare(tmp_path / "none", web, tmp_path)
