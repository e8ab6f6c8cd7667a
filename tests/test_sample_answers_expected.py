"""What a correct crawl of a web fetches, and how often: webs drawn by hand."""

from __future__ import annotations

from dataclasses import dataclass, field

from crawler.sampleweb.writer import Arc
from pipelines.jobs.sample_answers import CrawlRules
from pipelines.jobs.sample_answers.expected import expected_crawl


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
    noindex: bool = False
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
