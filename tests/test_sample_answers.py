"""The comparison of a crawl with the answers: a perfect crawl is equal, every flaw is seen."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from crawler.errors import InputError
from crawler.sampleweb.web import SampleWeb
from pipelines.jobs.sample_answers import CrawlRules, compare, report, report_json
from pipelines.jobs.sample_answers.answers import CachedAnswers
from pipelines.jobs.sample_answers.checks import CHECKS, exact_clusters
from pipelines.jobs.sample_answers.comparison import Comparison
from pipelines.jobs.sample_answers.crawled import Crawled, read_requests
from pipelines.jobs.sample_answers.expected import expected_crawl
from pipelines.jobs.sample_answers.scores import near_scores, template_scores, word_scores


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
        if page.noindex:
            rejected.append({**row, "reason": "noindex"})
        elif page.status != 200 or not page.main_text:
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


@pytest.mark.slow
def test_a_perfect_crawl_is_equal(web, crawl):
    assert failed(web, crawl) == {}
    expected = expected_crawl(web, CrawlRules())
    checks = {check.name: check for check in (c(web, expected, crawl) for c in CHECKS)}
    assert checks["pages fetched once"].n > 400
    assert checks["arcs"].n > 10_000
    assert checks["clusters of exact duplicates"].n > 10
    assert checks["languages"].n > 300
    assert checks["texts kept"].n > 300
    assert {row["reason"] for row in crawl.rejected} >= {"noindex", "duplicate", "near_duplicate"}
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
        "pages fetched once": (f"{missed}: 0 requests, not 1", f"{twice}: 2 requests, not 1"),
        "one row a page": (f"{missed}: a row without a fetch",),
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
    trap = min(expected_crawl(web, CrawlRules()).traps)
    skipped = Counter({url: n for url, n in crawl.requests.items() if url != trap})
    assert "pages fetched once" not in failed(web, replace(crawl, requests=skipped))


def test_what_no_link_to_follow_leads_to(web, crawl):
    root = next(host.root for host in web.hosts() if "endless" in host.roles)
    # The second lies behind nofollow: a trap that no crawl need enter.
    for url in (f"{root}/never/heard/of", f"{root}/planner?day=0"):
        found = failed(web, replace(crawl, requests=crawl.requests + Counter([url])))
        assert found["pages fetched once"] == (f"{url}: no link to follow leads there",)


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


def moved(crawl, row, reason=""):
    """*crawl* with *row* among the documents, or rejected for *reason*."""
    row = {**row, "reason": reason or None, "duplicate_of": None}
    documents = [other for other in crawl.documents if other["url"] != row["url"]]
    rejected = [other for other in crawl.rejected if other["url"] != row["url"]]
    (rejected if reason else documents).append(row)
    return replace(crawl, documents=documents, rejected=rejected)


def test_a_text_lost_and_a_text_kept_that_may_not_be(web, crawl):
    lost = next(row for row in crawl.documents if len(web.truth(row["url"]).main_text) > 1000)
    found = failed(web, moved(crawl, lost, "short_text"))
    assert found["texts kept"] == (f"{lost['url']}: rejected as short_text",)
    noindex = next(row for row in crawl.rejected if row["reason"] == "noindex")
    found = failed(web, moved(crawl, noindex))
    assert found == {"texts kept": (f"{noindex['url']}: kept, with status 200 and noindex",)}
    found = failed(web, moved(crawl, noindex, "short_text"))
    assert found == {"texts kept": (f"{noindex['url']}: rejected as short_text",)}
    error = next(row for row in crawl.rejected if web.truth(row["url"]).status == 410)
    found = failed(web, moved(crawl, error))
    assert found == {"texts kept": (f"{error['url']}: kept, with status 410",)}


def test_a_row_of_a_page_that_was_not_fetched(web, crawl):
    url = next(web.hosts()).root + "/never/heard/of"
    row = {"url": url, "language": "en", "reason": "short_text", "duplicate_of": None}
    found = failed(web, replace(crawl, rejected=[*crawl.rejected, row]))
    assert found == {"one row a page": (f"{url}: a row without a fetch",)}
    forbidden = {**row, "url": min(expected_crawl(web, CrawlRules()).forbidden), "reason": "robots"}
    assert failed(web, replace(crawl, rejected=[*crawl.rejected, forbidden])) == {}


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
