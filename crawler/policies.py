"""What the settings, and the limits of a spider, make of the policies of a crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crawler.fleet.gaps import Secs
from crawler.fleet.owners import DOMAIN
from crawler.frontier.outcome import RetryPolicy
from crawler.frontier.policy import CommitPolicy, FrontierPolicy
from crawler.frontier.revisits import RecrawlPolicy
from crawler.frontier.robots.contact import contact
from crawler.frontier.robots.rules import product_token
from crawler.urls.addresses import NO_CONTACT, PRIVATE_ADDRESS, Reach, parse_networks

REACH_MENDS = {
    PRIVATE_ADDRESS: "let its network in, as in -s ALLOWED_PRIVATE_NETWORKS=10.0.0.0/8, or 127.0.0.0/8 by "
    "SCRAPY_PROJECT=local",
    NO_CONTACT: 'say who you are, as in -s USER_AGENT="winnow (+https://you.edu/crawl)"',
}
"""What lets a crawl in where its `Reach` refuses, by the reason."""

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from crawler.fleet.owners import Owners


def commit_policy(settings: BaseSettings) -> CommitPolicy:
    """Return when groups are committed and logs sealed."""
    return CommitPolicy(
        group_pages=settings.getint("COMMIT_GROUP_PAGES"),
        sync_secs=settings.getfloat("COMMIT_SYNC_SECS"),
        seal_rows=settings.getint("SEAL_ROWS"),
        seal_bytes=settings.getint("SEAL_BYTES"),
    )


def retry_policy(settings: BaseSettings) -> RetryPolicy:
    """Return when pages that failed in passing are tried again."""
    return RetryPolicy(
        retries=settings.getint("FETCH_RETRIES"),
        retry_secs=settings.getfloat("FETCH_RETRY_SECS"),
        retry_after_max_secs=settings.getfloat("RETRY_AFTER_MAX_SECS"),
    )


def frontier_policy(settings: BaseSettings, limits: Any) -> FrontierPolicy:
    """Put the settings and a spider's *limits* (or None) together."""
    return FrontierPolicy(
        host_delay_secs=settings.getfloat("HOST_DELAY_SECS"),
        latency_factor=settings.getfloat("HOST_DELAY_LATENCY_FACTOR"),
        latency_max_secs=settings.getfloat("HOST_DELAY_LATENCY_MAX_SECS"),
        domain_delay_secs=settings.getfloat("DOMAIN_DELAY_SECS"),
        ip_delay_secs=settings.getfloat("IP_DELAY_SECS"),
        max_redirects=settings.getint("REDIRECT_MAX_HOPS"),
        retry_secs=settings.getfloat("FETCH_RETRY_SECS"),
        park_errors=settings.getint("HOST_PARK_ERRORS"),
        park_secs=settings.getfloat("HOST_PARK_SECS"),
        park_max_secs=settings.getfloat("HOST_PARK_MAX_SECS"),
        parks=settings.getint("HOST_PARKS"),
        idle_end_secs=settings.getfloat("IDLE_END_SECS"),
        wait_max_secs=max(
            settings.getfloat("HOST_PARK_MAX_SECS"),
            settings.getfloat("ROBOTS_RETRY_MAX_SECS"),
            retry_policy(settings).longest_secs,
        ),
        max_depth=getattr(limits, "max_depth", 0),
        pages_per_host=getattr(limits, "pages_per_host", 0),
        max_pages=getattr(limits, "max_pages", 0),
        max_hours=getattr(limits, "max_hours", 0.0),
        max_bytes=getattr(limits, "max_bytes", 0),
    )


def shared_rests(settings: BaseSettings, owners: Owners) -> Secs:
    """Return how long what the shards of *owners* share rests after a fetch: of domains, if each has hosts of one."""
    of_domains = 0.0 if owners.divide_by == DOMAIN else settings.getfloat("DOMAIN_DELAY_SECS")
    return Secs(of_domains, settings.getfloat("IP_DELAY_SECS"))


def recrawl_after_secs(settings: BaseSettings, spider: Any) -> float:
    """Return after how many seconds a page is fetched again, 0 for never.

    The spider's word is heard before the setting; one that follows no links fetches nothing again.
    """
    if not getattr(spider, "follow_links", True):
        return 0.0
    asked: float | None = getattr(spider, "recrawl_after_secs", None)
    return settings.getfloat("RECRAWL_AFTER_SECS") if asked is None else asked


def recrawl_policy(settings: BaseSettings, spider: Any) -> RecrawlPolicy | None:
    """Return when pages are visited again, None for never."""
    after_secs = recrawl_after_secs(settings, spider)
    return RecrawlPolicy(after_secs, settings.getint("RECRAWL_GONE_TIMES")) if after_secs else None


def crawl_reach(settings: BaseSettings) -> Reach:
    """Return what a crawl may reach: the public web only if its user agent names a contact."""
    networks = parse_networks(settings.getlist("ALLOWED_PRIVATE_NETWORKS"))
    return Reach(networks, is_public=contact(settings["USER_AGENT"] or "") is not None)


def robots_agent(settings: BaseSettings) -> str:
    """Return the product token under which a site may address this crawl."""
    agent: str = settings["ROBOTSTXT_USER_AGENT"] or settings["USER_AGENT"]
    return product_token(agent)
