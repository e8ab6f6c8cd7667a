"""A crawling process as one shard of a crawl on several machines, which share a Redis and nothing else."""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.utils.asyncio import create_looping_call

from crawler.engine import close_spider, is_idle
from crawler.errors import InputError, StoppedError
from crawler.fleet.cluster import Cluster, ShardState
from crawler.fleet.cluster_folder import enter_folder
from crawler.fleet.owners import Owners, check_division
from crawler.fleet.redis_gaps import RedisGaps
from crawler.frontier.store_hand_overs import Membership
from crawler.policies import shared_rests

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from crawler.fleet.redis import RedisTransport
    from crawler.frontier.crawl_store import CrawlStore
    from crawler.frontier.policy import FrontierPolicy

# Seconds between two looks at Redis: at who takes part, and at whether all are done.
LOOK_SECS = 0.5
# Seconds between two looks while nothing else can be done, and between two lines that say so.
_WAIT_SECS, _SAY_SECS = 0.1, 10.0
RESTART = "shards_changed"
# What an operator can do about a shard that is waited for.
GIVE_UP = "Start those that were stopped; one that is lost for good: scrapy fleet --forget SHARD"

# Shards of this process that are to be opened anew.
_restarts: list[int] = []
# Why this process cannot go on as a shard.
_ends: list[InputError] = []

logger = logging.getLogger(__name__)


class ClusterMember:
    """Joins the store to the crawl, and keeps the spider open until all shards are done.

    Settings: ``CLUSTER_URL``, ``CLUSTER_NAME``, ``CLUSTER_SIZE``, ``FLEET_SHARD``, ``CORPUS_DIR``. Limits are each
    shard's own. When a shard was added, the spider is closed with the reason ``shards_changed``, and the
    process starts itself again.
    """

    def __init__(self, crawler: Crawler, keys: Any, url: str, shard: int, size: int):
        from crawler.fleet import redis

        self.crawler = crawler
        self.divide_by = check_division(crawler.settings["FLEET_DIVIDE_BY"])
        self.owners: Owners | None = None
        self.gaps: RedisGaps | None = None
        self.is_over = False
        self._is_asked = self._is_resting = False
        self._looks: Any = None
        self._redis = redis
        self._url, self._keys = url, keys
        self._client = redis.connect(url)
        folder = Path(crawler.settings["CORPUS_DIR"])
        made = enter_folder(self._client, keys, shard, folder)
        self.cluster = Cluster(self._client, keys, shard, size)
        self.transport: RedisTransport = redis.RedisTransport(
            redis.connect(url), keys, shard, made=made
        )

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self | None:
        """Return the member that the settings name, None for a crawl on one machine."""
        settings = crawler.settings
        if not settings["CLUSTER_URL"]:
            return None
        return cls(crawler, *cluster_settings(settings))

    @property
    def membership(self) -> Membership:
        """What the store is opened with; waits until this shard takes part."""
        with _interruptible("waiting for the other shards to begin or to let this one in"):
            while self.cluster.own not in (members := self.cluster.come()):
                _wait(self._who_is_waited_for() if members else "Not enough shards yet; waiting")
        self.cluster.agree(self.divide_by)
        owners = self.owners = Owners(self.cluster.own, members, divide_by=self.divide_by)
        blocks = self._redis.RedisBlocks(self._client, self._keys, self.cluster.own)
        if any(rests := shared_rests(self.crawler.settings, owners)):
            client, failures = self._redis.connect(self._url), self._redis.FAILURES
            self.gaps = RedisGaps(client, self._keys, owners, rests, failures)
        return Membership(owners, blocks, self.transport, self.cluster.awaited(), self.gaps)

    def share(self, policy: FrontierPolicy) -> FrontierPolicy:
        """Return *policy*: limits are each shard's own."""
        return policy

    def join(self, store: CrawlStore, wake: Callable[[], None]) -> None:
        """Begin the hand-overs of *store*; wait for the hosts that move to it."""
        self.store = store
        self.wake = wake
        with _interruptible("waiting for hosts of other shards"):
            while not store.gather():
                assert store.hand_overs is not None
                store.hand_overs.give_up(self.cluster.lost())
                _wait(
                    f"Waiting for the hosts of shards {sorted(store.hand_overs.awaited)}. {GIVE_UP}"
                )
        self.crawler.signals.connect(self._opened, signals.spider_opened)
        self.crawler.signals.connect(self._closed, signals.spider_closed)

    def has_work(self, *, has_own: bool) -> bool:
        """Tell whether the spider must stay open; it need not *have* anything to do of its *own*."""
        return has_own if self._is_asked else has_own or not self.is_over

    # --- what is looked at again and again -------------------------------------------------------

    def _opened(self) -> None:
        self._looks = create_looping_call(self._look)
        self._looks.start(LOOK_SECS, now=False)

    def _closed(self) -> None:
        if self._looks is not None and self._looks.running:
            self._looks.stop()
        self.leave()

    def leave(self) -> None:
        """Let go of Redis."""
        self.transport.close()
        if self.gaps is not None:
            self.gaps.close()
        self._client.close()

    def _look(self) -> None:
        if self.transport.failure is not None:
            self._end("cluster_lost", str(self.transport.failure))
            return
        try:
            self._tell()
            self._rest_if_asked()
            if not self._is_resting:
                self.is_over = self._is_idle() and self._look_at_end()
        except self._redis.FAILURES as error:
            logger.warning(
                "Redis does not answer (%s); going on with the hosts of this shard", error
            )
        self.wake()

    def _look_at_end(self) -> bool:
        is_over = self.cluster.look()
        if not is_over and (others := self.cluster.busy()):
            _say(f"Nothing to do here; shards {others} are not done. {GIVE_UP}")
        return is_over

    def _rest_if_asked(self) -> None:
        """Come to rest when the members are to be others; start again when they are."""
        assert self.store.hand_overs is not None
        hosts, is_changing = self.store.frontier.hosts, self.cluster.is_changing()
        lost = self.cluster.lost()  # after the look at whether they are: both are written at once
        self.store.hand_overs.give_up(lost)
        if self.cluster.own in lost:
            self._end(
                "given_up", "this shard was given up, others have its hosts; start another number"
            )
        elif self.cluster.members() != self.store.hand_overs.owners.shards:
            _restarts.append(self.cluster.own)
            self._close(RESTART)
        elif is_changing:
            self._is_resting, hosts.page_limit = True, 0  # nothing more is leased
            if self.store.is_at_rest and not self.cluster.rest():
                _say(self._who_is_waited_for())
            elif unanswered := self.store.hand_overs.unanswered:
                _say(f"Shards {unanswered} have yet to take what waits for them here. {GIVE_UP}")
        elif self._is_resting:  # the one that was to come was given up
            self._is_resting = False
            hosts.page_limit = self.store.policy.max_pages or float("inf")

    def _who_is_waited_for(self) -> str:
        waited_for = self.cluster.not_at_rest()
        return f"Shards {waited_for} must come to rest before others can take part. {GIVE_UP}"

    def _tell(self) -> None:
        assert self.store.hand_overs is not None
        made, taken = self.store.hand_overs.numbers()
        is_idle = self._is_idle() and not self._is_resting
        self.cluster.tell(ShardState(is_idle, self.store.n_transactions, made, taken))

    def _is_idle(self) -> bool:
        self._is_asked = True
        try:
            return is_idle(self.crawler)
        finally:
            self._is_asked = False

    def _end(self, reason: str, text: str) -> None:
        logger.error("%s", text)
        _ends.append(InputError(text))
        self._close(reason)

    def _close(self, reason: str) -> None:
        self.is_over = True
        close_spider(self.crawler, reason)


def cluster_settings(settings: BaseSettings) -> tuple[Any, str, int, int]:
    """Return keys, URL, shard and size as *settings* have them; raise `InputError` for wrong ones."""
    try:
        from crawler.fleet.redis import CrawlKeys
    except ImportError as error:
        raise InputError(
            "CLUSTER_URL needs the package redis; install the extra [cluster], pip install winnow-crawler[cluster]"
        ) from error
    try:
        # Before a crawl, the add-on's table of defaults is not there yet.
        shard, size = settings.getint("FLEET_SHARD"), settings.getint("CLUSTER_SIZE", 1)
    except ValueError as error:
        raise InputError(f"FLEET_SHARD and CLUSTER_SIZE must be whole numbers ({error})") from error
    if size < 1:
        raise InputError(f"CLUSTER_SIZE is {size}; give the number of shards that begin the crawl")
    return CrawlKeys(settings["CLUSTER_NAME"]), settings["CLUSTER_URL"], shard, size


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


def start_again_if_asked() -> None:
    """Replace this process by one that was started in the same way, if shards were added.

    Raises `InputError` when it cannot go on as a shard.
    """
    if _ends:
        raise _ends[0]
    if not _restarts:
        return
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606  the same program, checked when it began


_said = -_SAY_SECS


def _say(text: str) -> None:
    global _said  # noqa: PLW0603  one process waits for one thing at a time
    if time.monotonic() - _said >= _SAY_SECS:
        _said = time.monotonic()
        logger.info(text)


def _wait(text: str) -> None:
    _say(text)
    time.sleep(_WAIT_SECS)


@contextmanager
def _interruptible(what: str) -> Iterator[None]:
    """Let signals end the process while it waits, as the engine that hears them does not run yet."""

    def stop(_number: int, _frame: Any) -> None:
        raise StoppedError(f"stopped while {what}; start it again to go on")

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
