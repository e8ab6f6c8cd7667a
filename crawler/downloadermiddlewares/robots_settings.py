"""What the settings say of robots.txt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.durable.layout import journal_folder, shard_name
from crawler.frontier.robots.policy import RobotsPolicy
from crawler.frontier.robots.record import RobotsTimes
from crawler.policies import robots_agent

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy.settings import BaseSettings


# A robots.txt and what follows it are fetches from one host, domain and address.
_GAPS = ("HOST_DELAY_SECS", "DOMAIN_DELAY_SECS", "IP_DELAY_SECS")


def robots_folder(settings: BaseSettings) -> Path:
    """Return the folder that the robots.txt files are kept in."""
    shard = shard_name(settings.getint("FLEET_SHARD"))
    return journal_folder(settings["CORPUS_DIR"], shard) / "robots"


def robots_policy(settings: BaseSettings) -> RobotsPolicy:
    """Return the policy that *settings* give."""
    times = RobotsTimes(
        cache_secs=settings.getfloat("ROBOTS_CACHE_SECS"),
        retry_secs=settings.getfloat("ROBOTS_RETRY_SECS"),
        retry_max_secs=settings.getfloat("ROBOTS_RETRY_MAX_SECS"),
        least_secs=settings.getfloat("FETCH_RETRY_SECS"),
        unreachable_secs=settings.getfloat("ROBOTS_UNREACHABLE_DAYS") * 86400.0,
    )
    return RobotsPolicy(
        user_agent=robots_agent(settings),
        host_delay_secs=max(map(settings.getfloat, _GAPS)),
        no_answer_secs=settings.getfloat("FETCH_RETRY_SECS"),
        crawl_delay_max_secs=settings.getfloat("CRAWL_DELAY_MAX_SECS"),
        max_bytes=settings.getint("ROBOTS_MAX_BYTES"),
        cache_hosts=settings.getint("ROBOTS_CACHE_HOSTS"),
        cache_bytes=settings.getint("ROBOTS_CACHE_BYTES"),
        store_bytes=settings.getint("ROBOTS_STORE_BYTES"),
        timeout_secs=settings.getfloat("DOWNLOAD_TIMEOUT"),
        times=times,
        unreachable=settings["ROBOTS_UNREACHABLE"],
        obeyed_signals=frozenset(settings.getlist("SIGNALS_OBEY")),
    )
