"""The settings of a crawl on several machines, and what an operator does with them beside crawling."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from crawler.errors import InputError
from crawler.fleet.cluster import Cluster
from crawler.fleet.crawl_keys import CrawlKeys

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


def cluster_settings(settings: BaseSettings) -> tuple[Any, str, int, int]:
    """Return keys, URL, shard and size as *settings* have them; raise `InputError` for wrong ones."""
    if find_spec("redis") is None:
        raise InputError(
            "CLUSTER_URL needs the package redis; install the extra [cluster], pip install winnow-crawler[cluster]"
        )
    try:
        # Before a crawl, the add-on's table of defaults is not there yet.
        shard, size = settings.getint("FLEET_SHARD"), settings.getint("CLUSTER_SIZE", 1)
    except ValueError as error:
        raise InputError(f"FLEET_SHARD and CLUSTER_SIZE must be whole numbers ({error})") from error
    if size < 1:
        raise InputError(f"CLUSTER_SIZE is {size}; give the number of shards that begin the crawl")
    return CrawlKeys(settings["CLUSTER_NAME"]), settings["CLUSTER_URL"], shard, size


def tell_if_it_forgets(client: Any, failures: tuple[type[Exception], ...]) -> None:
    """Say so where the Redis of *client* keeps no log of what it is told: without a snapshot it loses the crawl.

    *failures* are what *client* raises where it may not ask, as of a hosted one.
    """
    try:
        kept = client.config_get("appendonly").get("appendonly")
    except failures:
        return
    if kept == "no":
        sys.stderr.write(
            "winnow: this Redis has appendonly off: should it die without a snapshot, the crawl cannot go on; "
            "switch it on, by redis-cli config set and in its configuration\n"
        )


def forget_shard(settings: BaseSettings, shard: int) -> str:
    """Give up *shard* of the crawl that *settings* name; return what that means.

    Raises `InputError` when it cannot be given up.
    """
    if not settings["CLUSTER_URL"]:
        raise InputError("--forget needs the crawl's Redis; set CLUSTER_URL and CLUSTER_NAME")
    keys, url, _, size = cluster_settings(settings)
    from crawler.fleet import redis

    client = redis.connect(url)
    try:
        with redis.needed(url):
            Cluster(client, keys, shard, size).forget(shard)
    finally:
        client.close()
    return (
        f"Shard {shard} is given up: the others share its hosts as soon as they have come to rest.\n"
        "Lost with it: its documents and rows, the arcs from its pages and to them, what it knew of its hosts, "
        "and the links that it had found and not handed over. Its hosts are crawled anew, from the seeds and "
        "from links that are found from now on or still wait for it; those that had moved to it go on as they "
        "were then.\n"
        f"Never start it again, and do not merge its folder; a new machine gets a new FLEET_SHARD."
    )
