"""Shards of a crawl and the Redis that they share, which may be set back to an older state, for tests."""

from __future__ import annotations

import contextlib
import shutil
from itertools import count

import pytest

from crawler.fleet.cluster import Cluster, ShardState
from crawler.fleet.cluster_folder import enter_folder
from crawler.fleet.cluster_looks import look_around
from crawler.fleet.crawl_keys import CrawlKeys
from crawler.fleet.redis import FAILURES, connect
from crawler.fleet.redis_blocks import RedisBlocks
from crawler.fleet.rounds import Rounds
from tests.redis_server import RedisServer

NAMES = count()
SNAPSHOT = "dump.rdb"


class SnapshotRedis(RedisServer):
    """A Redis that knows only its snapshots; `set_back` kills it and starts it from an older one."""

    def __init__(self, folder):
        super().__init__(folder, "--appendonly", "no")

    def keep(self):
        with connect(self.url) as asker:
            asker.save()
        shutil.copy(self.folder / SNAPSHOT, self.folder / "kept.rdb")

    def set_back(self):
        self.kill()
        shutil.copy(self.folder / "kept.rdb", self.folder / SNAPSHOT)
        self.start()


class Shard:
    """What the process of a shard has of the crawl of *keys*; *size* shards begin it."""

    def __init__(self, server, keys, number, folder, size=2):
        self.keys, self.client = keys, connect(server.url)
        self.made = enter_folder(self.client, keys, number, folder)
        self.rounds = Rounds(self.client, keys, number, folder)
        self.cluster = Cluster(self.client, keys, number, size)
        self.blocks = RedisBlocks(self.rounds, FAILURES, wait_secs=0.3)

    def look(self, state=None, *, may_rest=False):
        return look_around(self.cluster, self.rounds, state or ShardState(), may_rest=may_rest)

    @property
    def missing(self):
        return self.rounds.look().missing


@pytest.fixture(name="server")
def snapshot_redis(tmp_path):
    found = SnapshotRedis(tmp_path / "redis")
    try:
        found.start()
    except FileNotFoundError:
        pytest.skip("no redis-server here; install Debian's package of that name")
    yield found
    found.kill()


@pytest.fixture(name="shard")
def new_shard(tmp_path, server):
    """Make a shard of one crawl by its number; the same again is its process started again."""
    keys = CrawlKeys(f"rounds-{next(NAMES)}")
    with contextlib.ExitStack() as stack:

        def make(number, folder=None):
            made = Shard(server, keys, number, folder or tmp_path / f"corpus-{number}")
            stack.callback(made.client.close)
            return made

        yield make


def two(shard):
    """Return two shards that have begun the crawl."""
    both = shard(0), shard(1)
    for each in both:
        each.rounds.look()
        each.cluster.come()
    for each in both:
        each.look()
    return both
