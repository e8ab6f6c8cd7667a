"""The arcs of a corpus in units that are read one by one, in any order: row groups, and records."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.durable.records import count_rows
from crawler.webgraph.arcs.files import ArcFile
from crawler.webgraph.arcs.records import unpack_block
from crawler.webgraph.page_numbers import numbers_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Executor
    from pathlib import Path
    from typing import Self

    import numpy.typing as npt

    from crawler.webgraph.arcs.blocks import ArcBlock
    from crawler.webgraph.csr_kernels import PageNumbers

# Records of a unit: a commit group each, of some thousand arcs.
UNIT_RECORDS = 64


class ArcParts(NamedTuple):
    """The arcs of one shard: *files*, then *records*, oldest first."""

    files: Sequence[Path]
    records: Sequence[bytes] = ()


class Unit(NamedTuple):
    """Row group *group* of *path*, or *records*; the first is of part *part*.

    *n_arcs*: targets, each of a page once, at most; *latest*: of each page the part of the unit's shard that
    counts, None for any; *begin*: the arcs of the units before.
    """

    part: int
    path: Path | None
    group: int
    records: Sequence[bytes]
    n_arcs: int
    latest: npt.NDArray[np.uint32] | None
    begin: int = 0


class UnitReader:
    """Reads units; the file of the last one stays open. A context manager, more than once."""

    def __init__(self) -> None:
        self._file: ArcFile | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._close()

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def blocks(self, unit: Unit) -> Iterator[tuple[int, ArcBlock]]:
        """Yield the blocks of *unit*, each with the number of its part."""
        if unit.path is None:
            for part, record in enumerate(unit.records, unit.part):
                yield part, unpack_block(record)
            return
        if self._file is None or self._file.path != unit.path:
            self._close()
            self._file = ArcFile(unit.path)
        for block in self._file.blocks(unit.group):
            yield unit.part, block


def survey(shards: Sequence[ArcParts], numbers: PageNumbers, pool: Executor) -> list[Unit]:
    """Return the units of all *shards*, in order; files are read on *pool*."""
    units = [unit for parts in shards for unit in _survey(parts, numbers, pool)]
    begins = accumulate((unit.n_arcs for unit in units), initial=0)
    return [unit._replace(begin=begin) for unit, begin in zip(units, begins, strict=False)]


def _survey(parts: ArcParts, numbers: PageNumbers, pool: Executor) -> list[Unit]:
    """Return the units of one shard; of a page in several of its parts the last one counts."""
    files, records = parts
    has_parts = len(files) + len(records) > 1
    latest = np.zeros(len(numbers.local_ids) if has_parts else 0, dtype=np.uint32)

    def survey_file(path: Path) -> tuple[list[int], npt.NDArray[np.uint32]]:
        with ArcFile(path) as file:
            n_arcs = [file.n_targets(group) for group in range(len(file))]
            groups = range(len(file) if has_parts else 0)
            sources = [numbers_of(file.sources(group), numbers) for group in groups]
        return n_arcs, np.concatenate([np.zeros(0, dtype=np.uint32), *sources])

    counts = latest if has_parts else None
    units = []
    for part, (path, (n_arcs, sources)) in enumerate(
        zip(files, pool.map(survey_file, files), strict=True)
    ):
        units += [Unit(part, path, group, (), n, counts) for group, n in enumerate(n_arcs)]
        latest[sources] = part
    for start in range(0, len(records), UNIT_RECORDS):
        some = records[start : start + UNIT_RECORDS]
        part = len(files) + start
        units.append(Unit(part, None, 0, some, sum(map(count_rows, some)), counts))
        for number, record in enumerate(some if has_parts else (), part):
            latest[numbers_of(unpack_block(record).sources(), numbers)] = number
    return units
