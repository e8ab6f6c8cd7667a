"""The link-graph middleware: every answer becomes a page with its arcs, or a reason why not.

It stands next to the engine, behind decompression. The page is scanned once, here.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from scrapy.exceptions import IgnoreRequest
from xxhash import xxh3_128_digest

from crawler.durable.visits import NO_VALIDATORS, validators_of
from crawler.engine import scheduler_of
from crawler.failures import CUT
from crawler.frontier.outcome import (
    FETCHED,
    GONE,
    Outcome,
    RetryPolicy,
    judge_status,
    retry_after_secs,
)
from crawler.frontier.revisits import NOT_MODIFIED, SAME_ANSWER, WITHDRAWN, is_same_answer
from crawler.items import Page
from crawler.page import PageLimits, PageRules, build_page, page_limits, page_rules
from crawler.page.header_links import canonical_target, header_text, refresh_header
from crawler.page.links import LinkKind, Links, add_declared, redirect_link
from crawler.page.robots_meta import meta_words
from crawler.page.robots_tag import ENDS, NO_INDEX, robots_words
from crawler.page.signals import SIGNAL_HEADERS, header_signals
from crawler.policies import robots_agent
from crawler.timing import timed
from crawler.urls import page_keys, page_url, resolve
from crawler.urls.join import base_key

if TYPE_CHECKING:
    from typing import Any, Self

    from scrapy.crawler import Crawler
    from scrapy.http import Headers, Request, Response

    from crawler.durable.capture import Capture
    from crawler.durable.visits import Validators
    from crawler.page import PageModel
    from crawler.urls import PageKey

# RFC 9110 section 15 has 100 to 599; sites do answer with others of three digits.
STATUSES = range(100, 1000)
NOT_MODIFIED_STATUS = 304
# What an answer says of its page beside its bytes: how they are read, and whether they may be kept.
_DECIDING_HEADERS = ("Content-Type", "X-Robots-Tag", *SIGNAL_HEADERS)
_ENDS = ENDS.encode()


class LinkGraphMiddleware:
    """Puts the :class:`Page` on ``meta['winnow_page']`` and its arcs into the open capture.

    A redirect is a page with one arc; its target is a page of its own. So is what a canonical link names, if it is
    another page: an arc of a kind of its own, followed. Nofollow links are arcs with a flag. An answer that is the one
    of an earlier visit ends its capture here. Settings: ``PAGE_…``, Scrapy's ``USER_AGENT`` and
    ``ROBOTSTXT_USER_AGENT``. Stats: ``link_graph/pages``, ``link_graph/arcs``, ``link_graph/nofollow``
    (pages), ``link_graph/cut/<limit>``, ``link_graph/secs``. Meta: ``winnow_capture``, ``winnow_page``.
    """

    def __init__(self, crawler: Crawler, limits: PageLimits, rules: PageRules, user_agent: str):
        self.crawler = crawler
        self.stats = crawler.stats
        self.limits = limits
        self.rules = rules
        self.user_agent = user_agent

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        return cls(crawler, page_limits(settings), page_rules(settings), robots_agent(settings))

    def process_response(self, request: Request, response: Response) -> Response:
        capture: Capture | None = request.meta.get("winnow_capture")
        if capture is None or capture.done:
            return response
        if not capture.is_stored:
            capture.fetched_at = datetime.now(UTC)
        if response.status not in STATUSES:
            scheduler_of(self.crawler).give_up(capture, Outcome(GONE, "invalid_status"))
            raise IgnoreRequest("done")
        capture.status, capture.n_bytes = response.status, len(response.body)
        scheduler_of(self.crawler).store.totals.arrive(capture.page_id, capture.n_bytes)
        capture.latency_secs = request.meta.get("winnow_took", 0.0)
        location = response.headers.get("Location")
        body_digest = xxh3_128_digest(response.body)
        capture.validators = answer_validators(response, body_digest)
        if self._is_withdrawn(request, response):
            self._withdraw(capture)
        elif unchanged := unchanged_by(capture, response):
            capture.unchanged = unchanged
            scheduler_of(self.crawler).finish(capture)
        elif 300 <= response.status < 400 and location is not None:
            self._redirect(capture, header_text(location))
        elif not (
            (CUT in response.flags and scheduler_of(self.crawler).ends_cut(request, capture))
            or self._page(request, response, capture, body_digest)
        ):
            self._give_up(response, capture)
        if capture.done and request.callback is None:
            raise IgnoreRequest("done")
        return response

    def _is_withdrawn(self, request: Request, response: Response) -> bool:
        """Tell whether the page is as it was, and may not be kept any more: servers say so in a 304, too."""
        capture = request.meta["winnow_capture"]
        if capture.is_stored:
            return bool(request.meta["winnow_warc"].withdraws)
        headers = response.headers.getlist("X-Robots-Tag")
        if response.status != NOT_MODIFIED_STATUS or capture.earlier is None or not headers:
            return False
        words = robots_words(headers, self.user_agent, at=capture.fetched_at)
        return not words.isdisjoint(NO_INDEX)

    def _withdraw(self, capture: Capture) -> None:
        """Reject the page; the next visit fetches it whole, so that a wish which is taken back is seen."""
        capture.state, capture.validators, capture.unchanged = FETCHED, NO_VALIDATORS, WITHDRAWN
        capture.reject(stage="admit", reason="noindex")
        self.stats.inc_value("admit/dropped/noindex")
        scheduler_of(self.crawler).finish(capture)

    def _redirect(self, capture: Capture, location: str) -> None:
        scheduler = scheduler_of(self.crawler)
        capture.state = FETCHED
        links = redirect_link(capture.url, location)
        if capture.is_stored:
            links.follow[:] = False  # nothing is fetched that the WARC does not hold
        elif take := getattr(self.crawler.spider, "take_redirect", None):
            take(links, capture.url, capture.depth)
        self._take_links(capture, links)
        capture.reject(stage="fetch", reason="redirect")
        self.stats.inc_value("fetch/dropped/redirect")
        scheduler.finish(capture)

    def _give_up(self, response: Response, capture: Capture) -> None:
        scheduler = scheduler_of(self.crawler)
        assert capture.fetched_at is not None
        header = response.headers.get("Retry-After")
        wait = retry_after_secs(header.decode("latin-1"), capture.fetched_at) if header else None
        if capture.is_stored:
            # What a WARC holds does not change when it is asked again.
            once = RetryPolicy(retries=0)
            scheduler.give_up(capture, judge_status(response.status, 0, once))
        else:
            scheduler.refused_by_status(capture, wait)

    def _page(
        self, request: Request, response: Response, capture: Capture, body_digest: bytes
    ) -> bool:
        """Build the page of a 2xx answer; return False for any other."""
        if not 200 <= response.status < 300:
            return False
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1") or None
        capture.begin_work()
        with timed(self.stats, "link_graph"):
            model = build_page(
                response.body,
                url=capture.url,
                content_type=content_type,
                limits=self.limits,
                rules=self.rules,
            )
            model.body_digest = body_digest
            model.capture = capture
            capture.state = FETCHED
            self._take_wishes(request, response, model)
            take_declared(capture.url, response.headers, model)
            if _is_robots_file(capture.url):
                model.reject = "robots_txt"
            self._take_links(capture, model.links)
        for limit in model.cuts:
            self.stats.inc_value(f"link_graph/cut/{limit}")
        request.meta["winnow_page"] = page_item(capture, content_type, len(response.body), model)
        capture.end_work()
        return True

    def _take_wishes(self, request: Request, response: Response, model: PageModel) -> None:
        """Add what the headers, metas for this crawl, and the site's robots.txt say to what the scan found."""
        assert model.capture is not None
        at = model.capture.fetched_at
        wishes = robots_words(response.headers.getlist("X-Robots-Tag"), self.user_agent, at=at)
        wishes |= meta_words(model, self.user_agent, at=at)
        model.noindex |= not wishes.isdisjoint(NO_INDEX)
        if not wishes.isdisjoint({"nofollow", "none"}):
            model.nofollow = True
            model.links.nofollow[:] = True
            model.links.follow[:] = False
        if model.nofollow:
            self.stats.inc_value("link_graph/nofollow")
        headers = {
            name: [value.decode("latin-1") for value in response.headers.getlist(name)]
            for name in SIGNAL_HEADERS
        }
        model.signals |= header_signals(headers, wishes)
        model.signals |= set(request.meta.get("winnow_signals", ()))

    def _take_links(self, capture: Capture, links: Links) -> None:
        # The spider may still change follow and priority: the commit reads them from the same arrays.
        capture.links = links
        self.stats.inc_value("link_graph/pages")
        self.stats.inc_value("link_graph/arcs", len(links.key))


def _is_robots_file(url: str) -> bool:
    """Tell whether *url* is where a host speaks to crawlers: WARC files have it, and pages link to it."""
    return url.endswith("/robots.txt") and url.count("/") == 3


def take_declared(url: str, headers: Headers, model: PageModel) -> None:
    """Add to the links of the page at *url* its canonical link, if to another page, and its header's refresh.

    What the page itself says is its canonical link comes before what *headers* say.
    """
    if not model.canonical_href and (target := canonical_target(headers)) is not None:
        model.canonical_href = resolve(url, target)
    if model.canonical_href and model.canonical_href != url:
        (key,) = page_keys([model.canonical_href], model.base_url)
        if key is not None and page_url(key) != url and key != base_key(url):
            _add(model, key, LinkKind.CANONICAL)
    if (target := refresh_header(headers)) is not None:
        (key,) = page_keys([target], url)
        if key is not None:
            _add(model, key, LinkKind.REFRESH)


def _add(model: PageModel, key: PageKey, kind: LinkKind) -> None:
    counts = {"n_blocks": len(model.blocks), "n_references": len(model.references)}
    add_declared(model.links, key, kind, nofollow=model.nofollow, **counts)


def answer_validators(response: Response, body_digest: bytes) -> Validators:
    """Return what tells the answer from another: no digest where it is neither a page nor a redirect.

    Headers that decide what the page becomes are in the digest of a page: its bytes may stay as they are.
    """
    status, headers = response.status, response.headers
    digest = b""
    if 200 <= status < 300:
        parts = [body_digest]
        for name in _DECIDING_HEADERS:
            parts += [b"\n", *headers.getlist(name)]
        if (target := canonical_target(headers)) is not None:
            parts.append(b"Link\n" + target.encode())
        if (target := refresh_header(headers)) is not None:
            parts.append(b"Refresh\n" + target.encode())
        digest = xxh3_128_digest(b"\0".join(parts))
    elif 300 <= status < 400 and (location := headers.get("Location")) is not None:
        digest = xxh3_128_digest(b"%d %s" % (status, location))
    return validators_of(digest, headers.get("ETag"), headers.get("Last-Modified"))


def unchanged_by(capture: Capture, response: Response) -> str:
    """Return by what the answer is that of the visit before, or ``""``.

    A page that is to be unavailable after some time is looked at: that may be over. So is each stored one.
    """
    if capture.earlier is None or capture.is_stored:
        return ""
    if response.status == NOT_MODIFIED_STATUS:
        return NOT_MODIFIED
    if not is_same_answer(capture):
        return ""
    said = (*response.headers.getlist("X-Robots-Tag"), response.body)
    return "" if any(_ENDS in value.lower() for value in said) else SAME_ANSWER


def page_item(capture: Capture, content_type: str | None, raw_bytes: int, model: Any) -> Page:
    """Return the item of *capture* with what the page model knows."""
    page = Page(
        host_id=capture.host_id,
        local_id=capture.local_id,
        url=capture.url,
        host=capture.host,
        fetched_at=capture.fetched_at,  # type: ignore[arg-type]  # set by the caller
        status=capture.status or 0,
        content_type=content_type,
        charset=model.charset,
        charset_source=model.charset_source,
        title=model.title,
        title_source=model.title_source,
        description=model.description,
        signals=sorted(model.signals),
        category=list(capture.categories),
        depth=capture.depth,
        raw_bytes=raw_bytes,
    )
    page.attach(model)
    return page
