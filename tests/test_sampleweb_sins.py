"""The web's sins at their known places: redirects, errors, traps, robots, site maps, markup."""

from __future__ import annotations

from gzip import decompress

import pytest
from lxml import etree
from protego import Protego

from crawler.sampleweb.document import break_markup
from crawler.sampleweb.layout import RESEMBLANCES
from crawler.sampleweb.pages import CALENDAR_MONTHS
from crawler.sampleweb.robots import AGENT, CRAWL_DELAY_SECS
from crawler.sampleweb.web import SampleWeb
from crawler.urls import canonical_url, resolve


@pytest.fixture(scope="module")
def web():
    return SampleWeb()


def host_with(web, role):
    return next(host for host in web.hosts() if role in host.roles)


def at(web, role, path):
    host = host_with(web, role)
    return web.page(host.name, path), web.truth(host.root + path)


@pytest.mark.parametrize(
    ("role", "path", "status"),
    [
        ("redirects", "/go/301", 301),
        ("redirects", "/go/308", 308),
        ("redirects", "/go/self", 302),
        ("redirects", "/go/nowhere", 404),
        ("errors", "/err/403", 403),
        ("errors", "/err/410", 410),
        ("errors", "/err/500", 500),
        ("errors", "/err/503", 503),
        ("errors", "/err/503-once", 200),
        ("slow", "/slow/3", 200),
        ("soft404", "/gone/1", 200),
        ("soft404", "/whatever/you/like", 200),
        ("types", "/files/plain", 200),
        ("types", "/files/empty", 200),
        ("frames", "/frames/set", 200),
    ],
)
def test_statuses(web, role, path, status):
    answer, truth = at(web, role, path)
    assert answer.status == truth.status == status


KINDS = {
    *("near", "copy", "quote", "noindex", "nofollow", "hidden", "thin", "private"),
    *("redirect", "redirect_chain", "redirect_loop", "redirect_unsaid", "error", "recovers"),
    *("slow", "soft404", "refresh", "plain", "xhtml", "not_text", "empty", "frames", "framed"),
    "allowed",
}


@pytest.mark.slow
def test_sins_are_where_they_are_said_to_be(web):
    sins = list(web.sins())
    assert {kind for kind, _ in sins} == KINDS
    assert all(web.truth(url).kind == kind for kind, url in sins)


def test_near_duplicates_stand_at_every_resemblance(web):
    near = [web.truth(url) for kind, url in web.sins() if kind == "near"]
    planted = [truth.planted for truth in near if truth.partner]
    assert min(planted.count(level) for level in RESEMBLANCES) >= 10
    assert set(planted) == set(RESEMBLANCES)


def test_slow_answers_end(web):
    name = host_with(web, "slow").name
    delays = [web.page(name, url.partition(name)[2]).delay_secs for url in sins_of(web, "slow")]
    assert len(delays) == 4
    assert all(0.2 < delay <= 1 for delay in delays)


def sins_of(web, kind):
    return [url for found, url in web.sins() if found == kind]


def test_a_plain_host_knows_nothing_of_them(web):
    name = next(web.hosts()).name
    assert web.page(name, "/go/301").status == 404
    assert web.truth(f"http://{name}/err/410").status == 404
    assert web.page("no.such.host", "/") is None
    assert web.truth("http://no.such.host/") is None
    assert web.truth(f"https://{name}/") is None


def follow(web, url):
    """Yield the URLs of the redirects from *url* until one does not redirect or comes again."""
    seen = []
    while url not in seen:
        seen.append(url)
        truth = web.truth(url)
        if not 300 <= truth.status < 400 or not truth.arcs:
            break
        answer = web.page(url.split("/")[2], "/" + url.split("/", 3)[3])
        assert canonical_url(resolve(url, answer.location)) == truth.arcs[0].target
        url = truth.arcs[0].target
    return seen


def test_redirect_chains_and_loops(web):
    root = host_with(web, "redirects").root
    assert len(follow(web, f"{root}/go/chain-0")) == 5
    assert len(follow(web, f"{root}/go/long-0")) == 9
    assert follow(web, f"{root}/go/loop-0") == [f"{root}/go/loop-{n}" for n in range(3)]
    assert follow(web, f"{root}/go/self") == [f"{root}/go/self"]
    assert web.truth(follow(web, f"{root}/go/relative")[-1]).kind == "regular"


def test_errors_that_pass(web):
    answer, truth = at(web, "errors", "/err/503-once")
    assert (answer.first_status, truth.first_status) == (503, 503)
    assert 0 < answer.retry_after_secs <= 2
    assert len(truth.main_text.split()) > 60


def test_soft_404_is_one_page_everywhere(web):
    _, known = at(web, "soft404", "/gone/0")
    _, other = at(web, "soft404", "/never/heard/of")
    assert known.main_text == other.main_text != ""
    assert known.cluster == other.cluster


def test_sessions_multiply_pages_and_end(web):
    host = host_with(web, "sessions")
    home = web.truth(f"{host.root}/")
    doubles = [arc.target for arc in home.arcs if "?sid=" in arc.target]
    assert len(doubles) == 2
    double = web.truth(doubles[0])
    assert double.trap
    assert (double.main_text, double.cluster) == (home.main_text, home.url)
    inside = [arc.target for arc in double.arcs if arc.target.startswith(host.root)]
    assert all("?sid=" in url for url in inside if not url.endswith((".xml", ".pdf")))
    assert web.page(host.name, "/?sid=0123456789abcdef").status == 404


def test_the_calendar_ends(web):
    host = host_with(web, "calendar")
    months = []
    waiting = [f"{host.root}/calendar/0"]
    while waiting:
        url = waiting.pop()
        if url not in months:
            months.append(url)
            truth = web.truth(url)
            assert truth.trap
            waiting += [a.target for a in truth.arcs if "/calendar/" in a.target]
    assert len(months) == CALENDAR_MONTHS


def test_the_endless_traps_need_not_be_entered(web):
    host = host_with(web, "endless")
    closed = web.truth(f"{host.root}/agenda/day-123456")
    assert closed.trap
    assert closed.disallowed
    shunned = web.truth(f"{host.root}/planner?day=999999999")
    assert shunned.trap
    home = web.truth(f"{host.root}/")
    entrances = [arc for arc in home.arcs if "/planner" in arc.target]
    assert [arc.nofollow for arc in entrances] == [True]


def test_robots_files_forbid_what_a_parser_says(web):
    n_forbidden = 0
    for host in web.hosts():
        answer = web.page(host.name, "/robots.txt")
        while answer.location:
            answer = web.page(host.name, answer.location.removeprefix(host.root))
        if answer.status >= 500:
            rules = Protego.parse("User-agent: *\nDisallow: /")
        elif answer.status >= 400:
            rules = Protego.parse("")
        else:
            rules = Protego.parse(answer.body.removeprefix(b"\xef\xbb\xbf").decode())
        for path in (*web.pages(host.name), "/agenda/day-1", "/planner?day=1", "/a.pdf"):
            forbidden = web.places.robots(host).forbids(path)
            assert forbidden == (not rules.can_fetch(host.root + path, AGENT)), path
            n_forbidden += forbidden
    assert n_forbidden > 50


def test_robots_kinds(web):
    def robots(role):
        return web.page(host_with(web, role).name, "/robots.txt")

    assert robots("robots-403").status == 403
    assert robots("robots-500").status == 500
    assert robots("robots-redirect").location
    assert robots("robots-html").content_type == "text/html"
    assert robots("robots-empty").body == b""
    assert b"\r\n" in robots("robots-messy").body
    delayed = Protego.parse(robots("robots-delay").body.decode())
    assert delayed.crawl_delay(AGENT) == CRAWL_DELAY_SECS
    assert web.truth(f"{host_with(web, 'robots-out').root}/").disallowed


def locations(xml):
    return [element.text for element in etree.fromstring(xml).iter("{*}loc")]


def test_sitemaps_name_the_pages(web):
    host = host_with(web, "sitemaps")
    parts = locations(web.page(host.name, "/sitemap.xml").body)
    pages = []
    for part in parts:
        answer = web.page(host.name, part.removeprefix(host.root))
        assert answer.content_type == "application/gzip"
        pages += locations(decompress(answer.body))
    assert len(pages) >= host.n_regular
    assert all(web.truth(url).status == 200 for url in pages)
    assert web.page(host.name, "/sitemap-7.xml").status == 404
    plain = next(host for host in web.hosts() if host.plain)
    assert len(locations(web.page(plain.name, "/sitemap.xml").body)) > plain.n_regular


def test_hidden_pages_are_behind_nofollow(web):
    host = next(web.hosts())
    layout = web.library.layout(host.index)
    for page in layout.pages("hidden"):
        above = web.truth(web.url(host.index, (page - 1) // 8))
        flags = {arc.nofollow for arc in above.arcs if arc.target == web.url(host.index, page)}
        assert flags == {True}


def test_noindex_and_nofollow_pages(web):
    host = next(web.hosts())
    layout = web.library.layout(host.index)
    noindex = web.truth(web.url(host.index, layout.pages("noindex")[0]))
    assert noindex.noindex
    assert noindex.arcs
    nofollow = web.truth(web.url(host.index, layout.pages("nofollow")[0]))
    assert nofollow.nofollow
    assert all(arc.nofollow for arc in nofollow.arcs)


def test_refresh_and_base_in_the_markup(web):
    answer, truth = at(web, "refresh", "/refresh/1")
    html = answer.body.decode("utf-16" if answer.body[:2] == b"\xff\xfe" else "latin-1")
    assert 'http-equiv="refresh"' in html
    assert any(html.find(arc.target) > 0 for arc in truth.arcs)
    host = host_with(web, "base")
    assert b"<base href=" in web.page(host.name, "/").body


def test_broken_markup_is_served(web):
    host = host_with(web, "broken")
    for path in list(web.pages(host.name))[:5]:
        page = web.page(host.name, path).body.decode(host.charset.codec)
        assert "</p>" not in page
        assert "</body>" not in page
        assert "<DIV" in page
        assert page.endswith("</DIV></td><p><b>")


def test_broken_markup_drops_what_may_be_left_out():
    html = '<div class="a"><p>one</p><p>two &amp; <a href="/x?a=1&amp;b=2">three</a></p></div>'
    assert break_markup(html) == (
        '<DIV class=a><p>one<p>two & <a href="/x?a=1&b=2">three</a></DIV ></DIV></td><p><b>'
    )
