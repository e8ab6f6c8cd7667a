"""What a shard on several machines knows of the crawl by itself, should the Redis that they share be set back.

*On disk* (format 1). ``frontier/fleet/known.json``, replaced as a whole and flushed before what it tells is used:
an object ``format``, ``blocks`` (list of the HostID blocks that the shard has, in the order of their leases),
``version`` (times that the members were agreed on, as far as this one saw), ``members``, ``first`` and ``lost``
(lists of shards as in crawler.fleet.cluster; those lost that are members no more).

Cost of a change: two flushes.
"""

from __future__ import annotations

import json
import threading
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from crawler.durable.files import make_folder, write_atomic
from crawler.durable.layout import fleet_folder
from crawler.errors import InputError, cause
from crawler.fleet.fact_files import read_facts

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FORMAT = 1
FILE = "known.json"


@dataclass(frozen=True, slots=True)
class Known:
    """What is known; *version* is 0 before there are members."""

    blocks: tuple[int, ...] = ()
    version: int = 0
    members: tuple[int, ...] = ()
    first: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()


class CrawlMemory:
    """What the shard of *corpus_dir* knows; threads may share it.

    ``known`` never falls back: neither blocks nor a version are forgotten. `InputError` where it cannot be written.
    """

    def __init__(self, corpus_dir: Path) -> None:
        self._path = fleet_folder(corpus_dir) / FILE
        self._lock = threading.Lock()
        self.known = read_facts(self._path, FORMAT, _taken) if self._path.exists() else Known()

    def add_blocks(self, blocks: Iterable[int]) -> None:
        """Keep *blocks*, too; they are on disk when this returns."""
        with self._lock:
            known = self.known
            new = tuple(block for block in blocks if block not in known.blocks)
            self._keep(replace(known, blocks=known.blocks + new))

    def note_members(
        self, version: int, members: tuple[int, ...], first: tuple[int, ...], lost: Iterable[int]
    ) -> None:
        """Keep the *members* of *version*, unless later ones are known, and who was *lost*."""
        with self._lock:
            if version >= self.known.version:
                gone = tuple(sorted(set(lost) - set(members)))
                new = replace(self.known, version=version, members=members, first=first, lost=gone)
                self._keep(new)

    def _keep(self, known: Known) -> None:
        if known != self.known:
            make_folder(self._path.parent)
            try:
                write_atomic(self._path, json.dumps({"format": FORMAT, **asdict(known)}).encode())
            except OSError as error:
                why = f"cannot write {self._path} ({cause(error)})"
                raise InputError(f"{why}; make room on the disk and start again") from error
            self.known = known


def _taken(value: dict[str, Any]) -> Known:
    lists = {
        name: tuple(int(number) for number in value[name])
        for name in ("blocks", "members", "first", "lost")
    }
    return Known(version=int(value["version"]), **lists)
