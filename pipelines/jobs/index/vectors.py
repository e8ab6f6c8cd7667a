"""Rank vectors and memberships of the indexed documents, as files that queries map.

Facet 0 is unbiased PageRank, "general importance", of a dimension of its own; the others are the
topics of ``ranks/topics.parquet``, in its order. Rows stand for documents in ascending PageId; one
more row, the last, stands for a document that the ranks do not know (it was fetched later): no page
links to it as far as they know, so its unbiased rank is 1 - alpha and its topic ranks are 0.

*On disk* (format 1). A folder ``index/vectors/``, replaced whole: ``vectors.json`` (format, names,
dimensions, mu, base of logarithms, and ``ranks``, which says which file of ranks it was made of), and
arrays of numpy: ``pages`` uint64[n], ``ranks`` float32[F, n+1], and the memberships ``ptr``
int64[n+2], ``facet`` uint16, ``value`` float32 (`crawler.ranking.topics.membership`).

Memory of building: 6 bytes a positive membership, 8 bytes a document, and some batches of rows. A
reader maps the files and holds what it touches.
"""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import dataclass
from os import SEEK_END
from typing import TYPE_CHECKING, Any

import numpy as np
import xxhash

from crawler.durable.files import check_readable, make_folder, sync_file, take_room, write_atomic
from crawler.errors import FormatError, InputError
from crawler.ranking.checkpoints import UNREADABLE
from crawler.ranking.options import DEFAULTS
from crawler.ranking.store import computed_as, read_ranks
from crawler.ranking.topics.membership import MU, MembershipTable, memberships
from crawler.ranking.topics.store import TOPICS_FILE, TopicFile

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import numpy.typing as npt

    _Batches = Iterable[tuple[npt.NDArray[np.uint64], npt.NDArray[np.float32]]]

VECTORS = "index/vectors"
RANKS_FILE = "ranks/pagerank.parquet"
FORMAT = 1
UNBIASED = "General importance"
_UNBIASED_DIMENSION = "importance"
_ABOUT = "vectors.json"
_ARRAYS = ("pages", "ranks", "ptr", "facet", "value")
# Pages whose memberships are computed at once.
_CHUNK = 16_384
_STAMPED_BYTES = 2**16


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """The mapped files; see the module. ``names`` and ``dimensions`` of facets, 0 the unbiased."""

    names: tuple[str, ...]
    dimensions: tuple[str, ...]
    pages: npt.NDArray[np.uint64]
    ranks: npt.NDArray[np.float32]
    table: MembershipTable
    ranks_stamp: str

    def rows(self, page_ids: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Return the row of each of *page_ids*, the last one for unknown ones."""
        unknown = len(self.pages)
        if not unknown:
            return np.zeros(len(page_ids), dtype=np.int64)
        place = np.searchsorted(self.pages, page_ids)
        found = self.pages[np.minimum(place, unknown - 1)] == page_ids
        return np.where(found, place, unknown)


def build_vectors(folder: Path, page_ids: npt.NDArray[np.uint64]) -> Vectors | None:
    """Make the vectors of the documents *page_ids* (ascending) of the corpus in *folder*.

    They are left alone when they are those of the same ranks and documents. None when the corpus has
    no ranks yet; then vectors of an earlier state are removed.
    """
    stamp = ranks_stamp(folder)
    target = folder / VECTORS
    if stamp is None:
        shutil.rmtree(target, ignore_errors=True)
        return None
    if (target / _ABOUT).exists():
        try:
            old = open_vectors(folder)
        except FormatError:
            old = None
        if old and old.ranks_stamp == stamp and np.array_equal(old.pages, page_ids):
            return old
    unfinished = target.with_name(target.name + ".tmp")
    shutil.rmtree(unfinished, ignore_errors=True)
    make_folder(unfinished)
    _write(unfinished, folder, page_ids, stamp)
    shutil.rmtree(target, ignore_errors=True)
    unfinished.rename(target)
    sync_file(target.parent)
    return open_vectors(folder)


def open_vectors(folder: Path) -> Vectors:
    """Map the vectors of the corpus in *folder*.

    Raises `InputError` when there are none, `FormatError` when they are damaged or of another format.
    """
    path = folder / VECTORS
    if not (path / _ABOUT).exists():
        raise InputError(f"no rank vectors in {path}; run `scrapy pagerank` and `scrapy index`")
    mend = f"remove {path} and run `scrapy index`"
    try:
        about = dict(json.loads((path / _ABOUT).read_bytes()))
        if about.get("format") != FORMAT:
            raise FormatError(f"{path} has format {about.get('format')}, not {FORMAT}; {mend}")
        names, dimensions = tuple(about["names"]), tuple(about["dimensions"])
        made_of = about["ranks"]
        arrays = {name: np.load(path / f"{name}.npy", mmap_mode="r") for name in _ARRAYS}
    except UNREADABLE as error:
        check_readable(path)
        reason = f"{type(error).__name__}: {error}"
        raise FormatError(f"{path} is damaged ({reason}); {mend}") from error
    table = MembershipTable(len(names), arrays["ptr"], arrays["facet"], arrays["value"])
    if arrays["ranks"].shape != (table.n_facets, len(arrays["pages"]) + 1):
        raise FormatError(f"{path} is damaged (arrays of different lengths); {mend}")
    if wrong := _wrong_order(arrays["pages"], table):
        raise FormatError(f"{path} is damaged ({wrong}); {mend}")
    return Vectors(names, dimensions, arrays["pages"], arrays["ranks"], table, made_of)


def _wrong_order(pages: npt.NDArray[np.uint64], table: MembershipTable) -> str:
    """Return what tells that the arrays cannot be those that were written, "" for nothing."""
    if (pages[1:] <= pages[:-1]).any():
        return "pages that do not ascend"
    ptr, n_rows = table.ptr, len(table.facet)
    is_whole = len(ptr) == len(pages) + 2 and len(table.value) == n_rows
    if not is_whole or ptr[0] != 0 or ptr[-1] != n_rows or (ptr[1:] < ptr[:-1]).any():
        return "memberships of other pages"
    return "facets that have no name" if n_rows and table.facet.max() >= table.n_facets else ""


def ranks_stamp(folder: Path) -> str | None:
    """Return what tells the corpus's present file of ranks from another; None when it has none.

    It is the same of a copy: the size, and a digest of the end, where Parquet has the least and the largest
    value of each column chunk.
    """
    for name in (TOPICS_FILE, RANKS_FILE):
        try:
            with (folder / name).open("rb") as file:
                size = file.seek(0, SEEK_END)
                file.seek(max(0, size - _STAMPED_BYTES))
                return f"{name} {size} {xxhash.xxh3_64_hexdigest(file.read())}"
        except FileNotFoundError:
            continue
    return None


def _write(target: Path, folder: Path, page_ids: npt.NDArray[np.uint64], stamp: str) -> None:
    """Write the vectors of *page_ids* to the new folder *target*."""
    names, dimensions, alpha, batches = _source(folder)
    shape = (len(names), len(page_ids) + 1)
    path = target / "ranks.npy"
    ranks = np.lib.format.open_memmap(path, "w+", np.dtype(np.float32), shape)
    with path.open("r+b") as file:
        take_room(file, path.stat().st_size, path)
    ranks[0] = 1 - alpha
    for packed, columns in batches:
        if not len(packed) or not len(page_ids):
            continue
        place = np.minimum(np.searchsorted(page_ids, packed), len(page_ids) - 1)
        held = page_ids[place] == packed
        ranks[:, place[held]] = columns[:, held]
    ranks.flush()
    np.save(target / "pages.npy", page_ids)
    for name, array in _memberships(ranks, dimensions).items():
        np.save(target / f"{name}.npy", array)
    about = {
        "format": FORMAT,
        "names": names,
        "dimensions": dimensions,
        "mu": MU,
        "log_base": math.e,
        "ranks": stamp,
    }
    for name in _ARRAYS:
        sync_file(target / f"{name}.npy")
    write_atomic(target / _ABOUT, json.dumps(about, indent=1, ensure_ascii=False).encode())


def _source(folder: Path) -> tuple[list[str], list[str], float, _Batches]:
    """Return names, dimensions, alpha, and batches of (packed PageIds, ranks [F, rows])."""
    if not (folder / TOPICS_FILE).exists():
        table = read_ranks(folder / RANKS_FILE)
        about = computed_as(table)
        host, local = (table[name].to_numpy().astype(np.uint64) for name in ("host_id", "local_id"))
        # memberships need mean 1
        ranks = table["rank"].to_numpy().astype(np.float32)
        batches: _Batches = [(host << np.uint64(32) | local, ranks[None, :])]
        return [UNBIASED], [_UNBIASED_DIMENSION], about.get("alpha", DEFAULTS.alpha), batches
    file = TopicFile(folder / TOPICS_FILE)
    batches = (
        (packed, np.concatenate([rank[None, :].astype(np.float32), topics]))
        for packed, rank, topics in file.batches()
    )
    names = [UNBIASED, *(topic.name for topic in file.topics)]
    dimensions = [_UNBIASED_DIMENSION, *(topic.dimension for topic in file.topics)]
    return names, dimensions, float(file.computed["alpha"]), batches


def _memberships(
    ranks: npt.NDArray[np.float32], dimensions: list[str]
) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of the membership table of *ranks* [F, n]."""
    numbers = np.unique(dimensions, return_inverse=True)[1]
    tables = []
    for start in range(0, ranks.shape[1], _CHUNK):
        values = memberships(ranks[:, start : start + _CHUNK], numbers)
        tables.append(MembershipTable.from_memberships(values))
    sizes = np.concatenate([np.diff(table.ptr) for table in tables])
    return {
        "ptr": np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        "facet": np.concatenate([table.facet for table in tables]),
        "value": np.concatenate([table.value for table in tables]),
    }
