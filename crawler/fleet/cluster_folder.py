"""The corpus folder of one shard of a crawl on several machines: which crawl it is of, and which shard.

A number that was given twice, or given again with an empty folder, would use the same HostIDs for other hosts: the
folder that a shard began with is its own for good. One process has it at a time: two would each be given some of the
records that come for the shard, and keep them from the other.

*On disk.* ``frontier/fleet/cluster``: the 16 bytes that name the crawl in Redis (crawler.fleet.redis), then 16 random
ones that name the folder there (crawler.fleet.cluster).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from crawler.durable.files import WriterLock, make_folder, write_atomic
from crawler.durable.layout import fleet_folder, shard_name, shards_of
from crawler.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from crawler.fleet.crawl_keys import CrawlKeys

# Records that a shard may have made and forgotten: power loss takes its last transaction.
MOST_FORGOTTEN = 32
FILE = "cluster"
_NAME_BYTES = 16


def is_of_cluster(corpus_dir: Path) -> bool:
    """Tell whether *corpus_dir* is the folder of a shard of a crawl on several machines."""
    return (fleet_folder(corpus_dir) / FILE).exists()


def folder_name(corpus_dir: Path) -> bytes:
    """Return what names *corpus_dir*, which was entered, in Redis."""
    return (fleet_folder(corpus_dir) / FILE).read_bytes()[_NAME_BYTES:]


def lock_folder(corpus_dir: Path) -> WriterLock:
    """Have *corpus_dir* for this process alone, before Redis hears of it; `InputError` where another one has it."""
    make_folder(fleet_folder(corpus_dir))
    return WriterLock(fleet_folder(corpus_dir))


def enter_folder(client: Any, keys: CrawlKeys, shard: int, corpus_dir: Path) -> bytes:
    """Take *corpus_dir* as the folder of *shard*; return what names the crawl in Redis.

    Raises `InputError` when the folder is another crawl's or shard's, or the shard's is another one.
    """
    from crawler.fleet.redis import check_made

    path = fleet_folder(corpus_dir) / FILE
    known = path.read_bytes() if path.exists() else b""
    if not known and shards_of(corpus_dir):
        raise InputError(
            f"{corpus_dir} was crawled without CLUSTER_URL; leave that out or give another CORPUS_DIR"
        )
    others = [name for name in shards_of(corpus_dir) if name != shard_name(shard)]
    if others:
        raise InputError(
            f"{corpus_dir} is the folder of shard {int(others[0])}; give shard {shard} a CORPUS_DIR of its own"
        )
    made = check_made(client, keys, known[:_NAME_BYTES] or None)
    name = known[_NAME_BYTES:] or os.urandom(_NAME_BYTES)
    if known != made + name:
        make_folder(path.parent)
        write_atomic(path, made + name)
    folders = keys.of("folders")
    client.hsetnx(folders, str(shard), name)
    if client.hget(folders, str(shard)) != name:
        if not known:
            path.unlink()
        raise InputError(
            f"shard {shard} began in another folder; give that CORPUS_DIR, or another FLEET_SHARD, if "
            f"the folder is lost after scrapy fleet --forget {shard}"
        )
    return made


def check_not_older(client: Any, keys: CrawlKeys, shard: int, made: Mapping[str, int]) -> None:
    """Raise `InputError` where the folder of *shard* knows less than the others took of it: it is an older copy.

    It would give the same HostIDs to other hosts, and the others would pass over what it hands over. *made*: owner →
    the last record that was made for it, as the folder knows it.
    """
    taken = client.hgetall(keys.taken(shard))
    for owner, number in sorted((owner.decode(), int(number)) for owner, number in taken.items()):
        if number > made.get(owner, number) + MOST_FORGOTTEN:
            raise InputError(
                f"the folder of shard {shard} is an older copy: shard {owner} has taken {number} records of it, and it "
                f"knows of {made[owner]}; start it with the latest one, or give it up (scrapy fleet --forget {shard})"
            )
