"""The ledger of a fleet: its shards, and which of them has which blocks of HostIDs.

*On disk* (format 1). ``frontier/fleet/ledger.json``, replaced as a whole and flushed before a block is
handed out: an object ``format``, ``shards`` (list of numbers), ``divided_by`` (crawler.fleet.owners) and
``blocks`` (list: entry b is the shard that has block b).

Cost of a lease: two flushes and 3 bytes a block that was ever leased.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from crawler.durable.files import make_folder, write_atomic
from crawler.durable.layout import SHARD, fleet_folder, shard_name, shards_of
from crawler.errors import FormatError, InputError
from crawler.fleet.cluster_folder import is_of_cluster
from crawler.fleet.fact_files import read_facts
from crawler.fleet.owners import DOMAIN

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FORMAT = 1
FILE = "ledger.json"


class Ledger:
    """The ledger of the fleet of *corpus_dir*, which is made for *shards* when there is none.

    Raises `InputError` when the corpus was crawled by another number of processes, or divided by something
    else than *divide_by*.
    """

    def __init__(self, corpus_dir: Path, shards: Sequence[int], *, divide_by: str = DOMAIN) -> None:
        self.path = fleet_folder(corpus_dir) / FILE
        self.shards = list(shards)
        self.divide_by = divide_by
        self._owners: list[int] = []
        check_shards_of(corpus_dir, self.shards)
        if self.path.exists():
            _, self._owners, theirs = read_facts(self.path, FORMAT, _taken)
            if theirs != divide_by:
                raise InputError(
                    f"{corpus_dir} was divided by {theirs}; give FLEET_DIVIDE_BY={theirs} or another "
                    "CORPUS_DIR"
                )
        else:
            make_folder(self.path.parent)
            self._write()

    def blocks(self, shard: int) -> list[int]:
        """Return the blocks of *shard*, in the order of their leases."""
        return [block for block, owner in enumerate(self._owners) if owner == shard]

    def lease(self, shard: int) -> int:
        """Give *shard* one more block; that is on disk when this returns."""
        self._owners.append(shard)
        self._write()
        return len(self._owners) - 1

    def _write(self) -> None:
        value = {
            "format": FORMAT,
            "shards": self.shards,
            "divided_by": self.divide_by,
            "blocks": self._owners,
        }
        write_atomic(self.path, json.dumps(value).encode())


def fleet_shards(corpus_dir: Path) -> list[int] | None:
    """Return the shards of the fleet that crawled *corpus_dir*, None when no fleet did."""
    path = fleet_folder(corpus_dir) / FILE
    return read_facts(path, FORMAT, _taken)[0] if path.exists() else None


def check_shards_of(corpus_dir: Path, shards: Sequence[int]) -> None:
    """Raise `InputError` when a fleet of *shards* cannot go on with *corpus_dir*."""
    known = fleet_shards(corpus_dir)
    if is_of_cluster(corpus_dir):
        check_alone(corpus_dir)
    if known is None and shards_of(corpus_dir):
        raise InputError(
            f"{corpus_dir} was crawled by one process; go on with scrapy crawl or give another "
            "CORPUS_DIR"
        )
    if known is not None and sorted(known) != sorted(shards):
        raise InputError(
            f"{corpus_dir} was crawled by a fleet of {len(known)}; give -p {len(known)} or another "
            "CORPUS_DIR"
        )
    strangers = set(shards_of(corpus_dir)) - {shard_name(shard) for shard in shards}
    if strangers:
        raise FormatError(
            f"{corpus_dir} has shards that its ledger does not name: {sorted(strangers)}"
        )


def check_alone(corpus_dir: Path) -> None:
    """Raise `InputError` when one process cannot go on with *corpus_dir*, several having crawled it."""
    if is_of_cluster(corpus_dir):
        raise InputError(
            f"{corpus_dir} is a part of a crawl on several machines; go on with its CLUSTER_URL, or give "
            "another CORPUS_DIR"
        )
    if (known := fleet_shards(corpus_dir)) is not None:
        raise InputError(
            f"{corpus_dir} was crawled by a fleet; go on with scrapy fleet -p {len(known)} or give "
            "another CORPUS_DIR"
        )
    if set(shards_of(corpus_dir)) - {SHARD}:
        raise InputError(f"{corpus_dir} was merged of several crawls; give another CORPUS_DIR")


def _taken(value: dict[str, Any]) -> tuple[list[int], list[int], str]:
    shards, owners = ([int(shard) for shard in value[name]] for name in ("shards", "blocks"))
    return shards, owners, str(value["divided_by"])
