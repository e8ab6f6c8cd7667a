"""Evidence against patterns of URLs: sums by hand, and what must never close one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.frontier.steering import trap_memory
from crawler.frontier.steering.page_worth import Worth
from crawler.frontier.steering.plan_marks import PlanMarks
from crawler.frontier.steering.trap_rules import (
    FACTORS,
    KEPT_WEIGHT,
    MIN_LIKENESS,
    WEIGHTS,
    Evidence,
    Level,
    trap_kind,
)
from crawler.frontier.steering.traps import Traps
from crawler.frontier.steering.url_patterns import url_pattern
from tests.trap_pages import HOST, page, refused


def n_until_closed(pages):
    traps = Traps(16)
    for n, each in enumerate(pages, 1):
        traps.learn(each)
        if traps.has_closed:
            return n, traps
    return None, traps


@pytest.mark.parametrize(
    ("local", "level", "kind"),
    [
        ("0/a", Level.MAZE_HOST, "maze"),
        ("0/a", Level.DOMAIN, "subdomain"),
        ("0/a", Level.REPEAT, "repeat"),
        ("0/x/y/x/y/x/y/", Level.SHAPE, "repeat"),
        ("0/a?sid=0123456789abcdef0123456789abcdef", Level.SHAPE, "session"),
        ("0/a?color=red&size=big", Level.SHAPE, "facet"),
        ("0/a?color=red", Level.PARAMETER, "facet"),
        ("0/a?color=red", Level.SHAPE, "empty"),
        ("0/a?page=7", Level.SHAPE, "pagination"),
    ],
)
def test_kinds_of_traps(local, level, kind):
    assert trap_kind(Evidence(level, "of the pattern"), url_pattern(local)) == kind


def test_sums_by_hand():
    evidence = Evidence(Level.SHAPE, "0/a/n")
    for n in range(5):
        assert evidence.add(WEIGHTS[Worth.DUPLICATE], Worth.DUPLICATE, str(n))
    assert not evidence.add(1.0, Worth.DUPLICATE, "4")  # the same variable part again
    assert (evidence.score, evidence.n_worthless, evidence.n_duplicates) == (5.0, 5, 5)
    assert not evidence.take_off(KEPT_WEIGHT)
    assert evidence.score == 2.0
    assert evidence.take_off(KEPT_WEIGHT)
    assert evidence.score == 0.0


def test_duplicates_close_a_shape_after_sixteen_and_thin_pages_after_forty():
    n, traps = n_until_closed(page(f"/a/{n}", Worth.DUPLICATE, original=HOST) for n in range(100))
    assert n == 16
    assert refused(traps, "/a/500") == "trap_same_page"
    assert refused(traps, "/b/1") is None
    assert refused(traps, "/a/1", host_id=1) is None
    n, traps = n_until_closed(page(f"/a/{n}", Worth.THIN) for n in range(100))
    assert n == 40
    assert refused(traps, "/a/500") == "trap_pagination"


@given(st.lists(st.sampled_from([Worth.KEPT, Worth.DUPLICATE, Worth.THIN]), max_size=120))
def test_the_sum_of_a_shape_is_that_of_the_formula(worths):
    traps, score, closed = Traps(16), 0.0, False
    for n, worth in enumerate(worths):
        traps.learn(page(f"/a/{n}", worth, original=HOST if worth == Worth.DUPLICATE else ""))
        score = max(0.0, score - KEPT_WEIGHT) if worth == Worth.KEPT else score + WEIGHTS[worth]
        closed = (closed or score >= 16) and not (closed and score < 8)
        known = traps.hosts.get(0, {}).get((Level.SHAPE, "0/a/n"))
        assert (known.score if known else 0.0) == pytest.approx(score)
        assert bool(known and known.is_closed) == closed


@pytest.mark.parametrize(("n_duplicates", "closes"), [(1, False), (2, True)])
@pytest.mark.parametrize("path", ["/a/{}", "/list?colour={}"])
def test_kept_pages_that_are_alike_are_outnumbered(path, n_duplicates, closes):
    """A catalogue every second page of which is a near-duplicate stays; a list of two in three is a trap."""

    def pages(likeness):
        for n in range(600):
            worth = Worth.DUPLICATE if n % (n_duplicates + 1) else Worth.KEPT
            each = page(path.format(n), worth, original=HOST * (worth == Worth.DUPLICATE))
            yield each._replace(likeness=likeness * (worth == Worth.KEPT))

    n, _ = n_until_closed(pages(0.5))
    assert (n is not None and n < 60) == closes
    assert n_until_closed(pages(MIN_LIKENESS - 0.01))[0] is None


def test_thin_pages_do_not_outnumber_what_is_alike():
    worths = [Worth.KEPT if n % 5 == 4 else Worth.THIN for n in range(3000)]
    pages = (page(f"/a/{n}", worth)._replace(likeness=0.5) for n, worth in enumerate(worths))
    assert n_until_closed(pages)[0] is None


def test_one_kept_page_in_six_keeps_a_pattern_open_for_ever():
    worths = [Worth.KEPT if n % 6 == 5 else Worth.THIN for n in range(3000)]
    n, _ = n_until_closed(page(f"/a/{n}", worth) for n, worth in enumerate(worths))
    assert n is None


def test_what_is_finite_is_no_trap():
    """A second copy of each page, by one of two queries: the variable part does not grow."""
    pages = [page(f"/a-{n}?print={n % 2}", Worth.DUPLICATE, original=HOST) for n in range(500)]
    assert n_until_closed(pages)[0] is None


def test_what_feeds_nothing_is_no_trap():
    """A thousand copies in a row that lead nowhere have an end; what worthless pages feed has none."""
    barren = [page(f"/a/{n}", Worth.DUPLICATE, links=[], original=HOST) for n in range(1000)]
    assert n_until_closed(barren)[0] is None

    def fed():
        for n in range(1000):
            yield page(f"/b/{n}", Worth.THIN, links=[f"/c/d/{n}/{day}" for day in range(4)])
            for day in range(4):
                yield page(f"/c/d/{n}/{day}", Worth.THIN, links=[])

    traps = Traps(16)
    n_learned = 0
    for each in fed():
        if refused(traps, "/c/d/9/9"):
            break
        traps.learn(each)
        n_learned += 1
    assert n_learned < 60


def test_a_mirror_is_no_trap():
    pages = (page(f"/{n}", Worth.DUPLICATE, original="www.b.sample") for n in range(500))
    assert n_until_closed(pages)[0] is None


def test_an_index_that_leads_to_kept_pages_is_no_trap():
    def pages():
        for n in range(300):
            yield page(f"/list/{n}", Worth.THIN, links=[f"/list/{n + 1}", f"/item/x-{n}.html"])
            if n % 50 == 0:
                yield page(f"/item/x-{n}.html", Worth.KEPT)

    assert n_until_closed(pages())[0] is None
    alone = (page(f"/list/{n}", Worth.THIN, links=[f"/list/{n + 1}"]) for n in range(300))
    assert n_until_closed(alone)[0] == 40


def test_a_parameter_that_says_nothing_is_left_out_and_not_what_bears_it():
    traps = Traps(16)
    for n in range(40):
        worth = Worth.KEPT if n < 3 else Worth.DUPLICATE
        links = [f"/doc/{other}?sid={n:04}{other:04}" for other in range(6)]
        traps.learn(page(f"/doc/{n % 3}?sid={n:08}", worth, links=links, original=HOST))
    assert refused(traps, "/doc/2?sid=99999999") == "trap_session"
    assert refused(traps, "/doc/7?sid=99999999") is None  # not fetched in any session
    assert refused(traps, "/doc/7?sid=88888888") == "trap_session"


def test_what_a_copy_has_as_its_original_says_something():
    """The number of a document, which a second session has, too."""
    traps = Traps(16)
    for sid in ("11111111", "22222222"):
        for n in range(40):
            links = [f"/doc?id={other}&sid={sid}" for other in range(100 * n, 100 * n + 6)]
            is_copy = sid == "22222222"
            worth, original = (Worth.DUPLICATE, HOST) if is_copy else (Worth.KEPT, "")
            found = page(f"/doc?id={n}&sid={sid}", worth, links=links, original=original)
            copy_of = f"http://{HOST}/doc?id={n}&sid=11111111" if is_copy else ""
            traps.learn(found._replace(copy_of=copy_of))
    assert {each.text for _, each in traps.closed() if each.level == Level.PARAMETER} == {"sid"}


def test_a_copy_that_lacks_a_parameter_closes_nothing():
    def pages():
        for n in range(200):
            links = [f"/doc?id={n}&sid={n + 10_000_000}{place}" for place in range(3)]
            found = page(f"/doc?id={n}", Worth.DUPLICATE, links=links, original=HOST)
            yield found._replace(copy_of=f"http://{HOST}/doc?id={n}&sid=11111111")

    assert n_until_closed(pages())[0] is None


def test_names_below_a_domain():
    traps = Traps(16)
    for n in range(24):
        traps.learn(
            page("/", Worth.DUPLICATE, host=f"h{n}.b.sample", host_id=n, original="x.b.sample")
        )
    assert refused(traps, "/", host="new.b.sample", host_id=99) == "trap_subdomain"
    assert refused(traps, "/", host="new.c.sample", host_id=98) is None
    traps.learn(page("/", Worth.KEPT, host="old.b.sample", host_id=97))
    assert refused(traps, "/x", host="old.b.sample", host_id=97) is None


def test_a_maze_of_text_is_closed_and_a_site_with_a_menu_is_not():
    maze = [page(f"/m/{n}", Worth.KEPT, links=[f"/m/{n}a", f"/m/{n}b"]) for n in range(100)]
    n, traps = n_until_closed(maze)
    assert n == 16 * FACTORS[Level.MAZE_HOST]
    assert refused(traps, "/m/7c") == "trap_maze"
    site = (
        page(f"/s/{n}", Worth.KEPT, links=[f"/s/{n}a", f"/s/{n}b", "/s/", "/s/x"], new=[1, 1, 0, 0])
        for n in range(300)
    )
    assert n_until_closed(site)[0] is None


def test_redirects_count_where_they_lead_to_more_of_themselves():
    round_and_round = (page(f"/r/{n}", Worth.REDIRECT, links=[f"/r/{n + 1}"]) for n in range(99))
    n, traps = n_until_closed(round_and_round)
    assert n == 16
    assert refused(traps, "/r/500") == "trap_redirect"
    onward = (page(f"/r/{n}", Worth.REDIRECT, links=[f"/a/b/{n}"]) for n in range(500))
    assert n_until_closed(onward)[0] is None


def test_a_closed_pattern_is_probed_ever_more_rarely_and_opened_again():
    _, traps = n_until_closed(page(f"/a/{n}", Worth.THIN) for n in range(40))
    probes = [n for n in range(1, 1025) if refused(traps, f"/a/{n}") is None]
    assert probes == [128, 256, 512, 1024]
    for n in range(3):
        traps.learn(page(f"/a/{n + 5000}", Worth.KEPT))
    assert refused(traps, "/a/1") is None
    assert not traps.has_closed


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(trap_memory, "MAX_WATCHED", 100)
    traps = Traps(16)
    for n in range(40):
        traps.learn(page(f"/a/{n}", Worth.THIN))
    for n in range(1, 500):
        traps.learn(page("/a/1", Worth.THIN, host=f"h{n}.d{n}.sample", host_id=n))
    assert len(traps.hosts) <= 101
    assert len(traps.domains) <= 101
    assert refused(traps, "/a/99") == "trap_pagination"  # what is closed is kept
    for n in range(500):
        traps.learn(page(f"/s{n}/{n}", Worth.THIN, host_id=499, host="h499.d499.sample"))
    assert sum(not each.is_closed for each in traps.hosts[499].values()) <= trap_memory.MAX_PATTERNS


def test_a_trap_that_comes_after_many_others_is_closed():
    """A day that links to the next, on a host that has worthless pages of more patterns than are remembered."""
    traps = Traps(16)
    for n in range(3 * trap_memory.MAX_PATTERNS):
        section = f"/s{n // 3}"
        traps.learn(page(f"{section}/{n}", Worth.THIN, links=[f"{section}/{n + 1}"]))
        traps.learn(page(f"/k{n}/{n}", Worth.KEPT))
    assert not traps.has_closed
    n_fetched = 0
    while not refused(traps, f"/history?day={n_fetched}") and n_fetched < 1000:
        links = [f"/history?day={n_fetched + 1}"]
        traps.learn(page(f"/history?day={n_fetched}", Worth.THIN, links=links))
        n_fetched += 1
    assert n_fetched < 100


def test_marks_of_plans():
    marks = PlanMarks()
    marks.add(7, "0/w")
    assert (7, "0/w") in marks
    assert (8, "0/w") not in marks
