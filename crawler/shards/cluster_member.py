"""A crawling process as one shard of a crawl on several machines, which share a Redis and nothing else."""

from __future__ import annotations

import logging
import time
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.utils.asyncio import create_looping_call
from twisted.python.failure import Failure

from crawler.engine import close_spider, is_idle, was_told_before
from crawler.errors import InputError, interruptible
from crawler.fleet.cluster import Cluster, ShardState
from crawler.fleet.cluster_folder import check_not_older, enter_folder, lock_folder
from crawler.fleet.cluster_looks import Seen, Unheard, leave_at_the_end, look_around
from crawler.fleet.owners import Owners, check_division
from crawler.fleet.redis_blocks import RedisBlocks
from crawler.fleet.redis_gaps import RedisGaps
from crawler.fleet.rounds import Rounds
from crawler.fleet.shard_hold import ShardHold
from crawler.frontier.shards.store_hand_overs import Membership
from crawler.policies import shared_rests
from crawler.shards.cluster_ends import fail_later, start_again_later
from crawler.shards.cluster_settings import cluster_settings, tell_if_it_forgets
from crawler.shards.cluster_waits import must_be_done, must_give, must_rest, must_take, must_tell
from crawler.signals import shard_joins
from crawler.telling import Teller

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from scrapy.crawler import Crawler

    from crawler.fleet.redis import RedisTransport
    from crawler.frontier.policy import FrontierPolicy
    from crawler.frontier.store.crawl_store import CrawlStore

# Seconds between two looks at Redis: at who takes part, and at whether all are done.
LOOK_SECS = 0.5
# Seconds between two looks while nothing else can be done.
_WAIT_SECS = 0.1
RESTART = "shards_changed"

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
        self._is_asked = self.is_resting = self._has_left = self._is_coming_back = False
        self._looks: Any = None
        self._teller = Teller(crawler.settings, logger)
        # Redis may hang: who waits for it then is this thread, and not the crawl.
        self._pool = ThreadPoolExecutor(1, "looks")
        self._looking: Future[Seen | Unheard] | None = None
        self._redis = redis
        self._url, self._keys = url, keys
        self._client = redis.connect(url)
        folder = Path(crawler.settings["CORPUS_DIR"])
        self._lock = lock_folder(folder)
        with redis.needed(url):
            redis.check_usable(self._client, keys, shard)
            tell_if_it_forgets(self._client, redis.FAILURES)
            made = enter_folder(self._client, keys, shard, folder)
            self._hold = ShardHold(self._client, keys, shard, folder, redis.FAILURES)
            self._take_hold()
            self.rounds = Rounds(self._client, keys, shard, folder)
            self.rounds.look()
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

    def _take_hold(self) -> None:
        """Wait for a process of this shard that may run elsewhere to be gone."""
        with interruptible("waiting for an earlier process", was_told_before) as check:
            while not self._hold.take():
                self._wait("An earlier process of this shard, elsewhere, may still run; waiting")
                check()

    @property
    def membership(self) -> Membership:
        """What the store is opened with; waits until this shard takes part."""
        waiting = "waiting for the other shards to begin or to let this one in"
        with self._redis.needed(self._url), interruptible(waiting, was_told_before) as check:
            self._ask_listeners()
            self.cluster.go_on()
            members = self._let_in(check)
            self.cluster.agree(self.divide_by)
            awaited = self.cluster.awaited()
        owners = self.owners = Owners(self.cluster.own, members, divide_by=self.divide_by)
        failures = self._redis.FAILURES
        blocks = RedisBlocks(self.rounds, failures)
        if any(rests := shared_rests(self.crawler.settings, owners)):
            client = self._redis.connect(self._url)
            self.gaps = RedisGaps(client, self._keys, owners, rests, failures)
        return Membership(owners, blocks, self.transport, awaited, self.gaps)

    def _let_in(self, check: Callable[[], None]) -> tuple[int, ...]:
        """Wait until this shard takes part, or *check* raises; return the members."""
        members: tuple[int, ...] = ()
        while True:
            if (missing := self.rounds.look().missing) and not self.cluster.has_ended():
                text = must_tell(missing)
            elif self.cluster.own in (members := self.cluster.come()):
                return members
            elif members:
                text = must_rest(busy := self.cluster.not_at_rest(), self.cluster.stopped(busy))
            else:
                text = "Not enough shards yet; waiting"
            self._check_carried()
            self._wait(text)
            check()

    def _ask_listeners(self) -> None:
        """Raise why this shard cannot join the others, if a listener says so."""
        share_rules = self.cluster.share_rules
        for _, why in self.crawler.signals.send_catch_log(shard_joins, share_rules=share_rules):
            if isinstance(why, Failure):
                why.raiseException()
            if why is not None:
                raise InputError(why)

    def share(self, policy: FrontierPolicy) -> FrontierPolicy:
        """Return *policy*: limits are each shard's own."""
        return policy

    def join(self, store: CrawlStore, wake: Callable[[], None]) -> None:
        """Begin the hand-overs of *store*; wait for the hosts that move to it."""
        self.store = store
        self.wake = wake
        with self._redis.needed(self._url), interruptible("taking hosts", was_told_before) as check:
            assert store.hand_overs is not None
            check_not_older(
                self._client, self._keys, self.cluster.own, store.hand_overs.numbers()[0]
            )
            while not store.gather():
                self._check_carried()
                self.rounds.look()
                store.hand_overs.give_up(self.cluster.lost())
                awaited = sorted(store.hand_overs.awaited)
                self._wait(must_give(awaited, self.cluster.stopped(awaited)))
                check()
        self.crawler.signals.connect(self._opened, signals.spider_opened)
        self.crawler.signals.connect(self._closed, signals.spider_closed)

    def has_work(self, *, has_own: bool) -> bool:
        """Tell whether the spider must stay open; it need not *have* anything to do of its *own*."""
        return has_own if self._is_asked else has_own or not self.is_over

    # --- what is looked at again and again -------------------------------------------------------

    def _opened(self) -> None:
        self._looks = create_looping_call(self._look)
        self._looks.start(LOOK_SECS, now=False)

    def _closed(self, reason: str) -> None:
        if self._looks is not None and self._looks.running:
            self._looks.stop()
        self.leave(is_at_the_end=reason == "finished")

    def leave(self, *, is_at_the_end: bool = False) -> None:
        """Let go of Redis."""
        self._has_left = True
        self.transport.close()
        if self.gaps is not None:
            self.gaps.close()
        self._pool.shutdown()
        if is_at_the_end:
            leave_at_the_end(self.cluster, self._redis.FAILURES)
        self._hold.release(is_coming_back=self._is_coming_back)
        self._client.close()
        self._lock.release()

    def _wait(self, text: str) -> None:
        """Wait for what *text* says is waited for."""
        self._teller.tell_again(text)
        time.sleep(_WAIT_SECS)

    @property
    def _failure(self) -> Exception | None:
        return self.transport.failure or self._hold.failure

    def _check_carried(self) -> None:
        """Raise why nothing is carried any more, if so."""
        if self._failure is not None:
            raise self._failure

    def _look(self) -> None:
        if self._failure is not None:
            self._end("cluster_lost", str(self._failure))
        elif self._looking is None or self._looking.done():
            may_rest = self.is_resting and self.store.is_at_rest
            asked = partial(look_around, self.cluster, self.rounds, self._state())
            self._looking = self._pool.submit(asked, may_rest=may_rest)
            self._looking.add_done_callback(self._in_reactor)

    def _in_reactor(self, looking: Future[Seen | Unheard]) -> None:
        from twisted.internet import reactor

        reactor.callFromThread(self._seen, looking)

    def _seen(self, looking: Future[Seen | Unheard]) -> None:
        if self._has_left:
            return
        try:
            seen = looking.result()
        except self._redis.FAILURES as error:
            self._teller.tell_again(
                f"Redis does not answer ({error}); going on with the hosts of this shard",
                level=logging.WARNING,
            )
        except InputError as error:
            self._end("cluster_lost", str(error))
        else:
            self._act_on(seen)
        self.wake()

    def _act_on(self, seen: Seen | Unheard) -> None:
        if isinstance(seen, Unheard):
            self.is_over = False
            if seen.shards:
                self._teller.tell_again(must_tell(seen.shards))
        else:
            self._rest_if_asked(seen)
            self.is_over = seen.is_over and not self.is_resting and self._is_idle()
            if not (self.is_over or self.is_resting) and seen.waited_for:
                self._teller.tell_again(must_be_done(seen.waited_for, seen.stopped))

    def _rest_if_asked(self, seen: Seen) -> None:
        """Come to rest when the members are to be others; start again when they are."""
        assert self.store.hand_overs is not None
        hosts = self.store.frontier.hosts
        self.store.hand_overs.give_up(seen.lost)
        if self.cluster.own in seen.lost:
            self._end(
                "given_up", "this shard was given up, others have its hosts; start another number"
            )
        elif seen.members != self.store.hand_overs.owners.shards:
            start_again_later(self.cluster.own)
            self._is_coming_back = True
            self._close(RESTART)
        elif seen.is_changing:
            self.is_resting, hosts.page_limit = True, 0  # nothing more is leased
            if seen.waited_for:
                self._teller.tell_again(must_rest(seen.waited_for, seen.stopped))
            elif unanswered := self.store.hand_overs.unanswered:
                self._teller.tell_again(must_take(unanswered, seen.stopped))
        elif self.is_resting:  # the one that was to come was given up
            self.is_resting = False
            hosts.page_limit = self.store.policy.max_pages or float("inf")

    def _state(self) -> ShardState:
        assert self.store.hand_overs is not None
        is_idle = self._is_idle() and not self.is_resting
        return ShardState(is_idle, self.store.n_transactions, *self.store.hand_overs.numbers())

    def _is_idle(self) -> bool:
        self._is_asked = True
        try:
            return is_idle(self.crawler)
        finally:
            self._is_asked = False

    def _end(self, reason: str, text: str) -> None:
        logger.error("%s", text)
        fail_later(InputError(text))
        self._close(reason)

    def _close(self, reason: str) -> None:
        self.is_over = True
        close_spider(self.crawler, reason)
