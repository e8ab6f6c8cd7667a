"""Blocks of arcs: the arcs of some pages, encoded (crawler.webgraph.arcs.streams)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.errors import FormatError
from crawler.kernels.jit import read_only
from crawler.webgraph.arcs.decoding import decode, decode_flags, decode_sources
from crawler.webgraph.arcs.encoding import encode
from crawler.webgraph.arcs.streams import (
    BITS,
    FLAGS,
    MAX_SOURCE_BYTES,
    MAX_TARGET_BYTES,
    N_PLACES,
    SOURCES,
    Streams,
    streams_of,
)

if TYPE_CHECKING:
    from typing import Self

    import numpy.typing as npt

NOFOLLOW = np.uint8(1)
# No bases: targets are ids.
IDS = np.zeros(0, dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class ArcBatch:
    """The arcs of many captures: *sources* uint64[k], *counts* uint32[k], *targets*, *flags* [m]."""

    sources: npt.NDArray[np.uint64]
    counts: npt.NDArray[np.uint32]
    targets: npt.NDArray[np.uint64]
    flags: npt.NDArray[np.uint8]


class TargetLists(NamedTuple):
    """The targets of pages, each once: *sources* uint64[k], *counts* uint32[k], *targets* uint64[m]."""

    sources: npt.NDArray[np.uint64]
    counts: npt.NDArray[np.uint32]
    targets: npt.NDArray[np.uint64]


class NumberLists(NamedTuple):
    """The same with page numbers for targets, uint32[m]."""

    sources: npt.NDArray[np.uint64]
    counts: npt.NDArray[np.uint32]
    targets: npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class ArcBlock:
    """Encoded arcs of *n_sources* pages: *n_targets* targets, *n_flags* entries of flags."""

    n_sources: int
    n_targets: int
    n_flags: int
    streams: Streams

    def __post_init__(self) -> None:
        # Those of stored blocks are over bytes: what decodes all of them is compiled for one kind.
        streams: tuple[npt.NDArray[Any], ...] = self.streams
        read = streams_of(map(read_only, streams[:BITS]), streams[BITS:])
        object.__setattr__(self, "streams", read)

    @classmethod
    def of(cls, batch: ArcBatch, *, packed: bool = False) -> Self:
        """Encode *batch*: sources ascend, and the (target, flags) of each, none of them twice.

        Raises :exc:`ValueError` when sources do not ascend.
        """
        sources, n_arcs = batch.sources, len(batch.targets)
        if (sources[1:] <= sources[:-1]).any():
            raise ValueError("sources must ascend, each standing once")
        room = MAX_SOURCE_BYTES * len(sources) + MAX_TARGET_BYTES * n_arcs
        words = n_arcs + 2 if packed else 0
        out = streams_of(
            (np.empty(room, dtype=np.uint8) for _ in range(BITS)),
            (np.zeros(words, dtype=np.uint64) for _ in range(2)),
        )
        ends = np.zeros(N_PLACES, dtype=np.uint64)
        starts = np.concatenate([[0], np.cumsum(batch.counts, dtype=np.int64)])
        n_targets = int(encode(sources, starts, batch.targets, batch.flags, out, ends))
        return cls(len(sources), n_targets, *_cut(out, ends))

    def sources(self) -> npt.NDArray[np.uint64]:
        """Return the pages whose arcs the block holds, ascending."""
        if self.n_sources > len(self.streams.sources):
            raise _damaged("sources")
        sources = np.empty(self.n_sources, dtype=np.uint64)
        if not decode_sources(self.streams.sources, sources):
            raise _damaged("sources")
        return sources

    def target_lists(self, *, nofollow: bool = True) -> TargetLists:
        """Return the targets of each page; if not *nofollow*, those with a link to follow.

        Raises `FormatError` when the block is damaged.
        """
        targets = np.empty(self.n_targets, dtype=np.uint64)
        lists = TargetLists(*self._decode(IDS, targets), targets)
        if nofollow or not self.n_flags:
            return lists
        keep, counts = self._followed(lists.counts)
        return TargetLists(lists.sources, counts, targets[keep])

    def number_lists(
        self,
        bases: npt.NDArray[np.uint64],
        room: npt.NDArray[np.uint32],
        *,
        nofollow: bool = True,
    ) -> NumberLists:
        """Return :meth:`target_lists` with page numbers for targets (crawler.webgraph.arcs.decoding).

        They are written to *room* if that is long enough: fresh memory costs more time than
        decoding. Raises `FormatError` when the block is damaged or a target is not in *bases*.
        """
        fits = len(room) >= self.n_targets
        targets = room[: self.n_targets] if fits else np.empty(self.n_targets, dtype=np.uint32)
        sources, counts = self._decode(bases, targets)
        if nofollow or not self.n_flags:
            return NumberLists(sources, counts, targets)
        keep, counts = self._followed(counts)
        return NumberLists(sources, counts, targets[keep])

    def _decode(
        self, bases: npt.NDArray[np.uint64], targets: npt.NDArray[Any]
    ) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
        """Fill *targets*; return the sources and how many each has."""
        sources = self.sources()
        counts = np.empty(self.n_sources, dtype=np.uint32)
        places = np.zeros(N_PLACES, dtype=np.uint64)
        done = decode(sources, self.streams, bases, places, counts, targets)
        if not done or not self._is_read(places):
            raise _damaged("targets")
        return sources, counts

    def _is_read(self, places: npt.NDArray[np.uint64]) -> bool:
        """Tell whether *places* are the ends of the streams of targets."""
        sizes = [len(stream) for stream in self.streams]
        is_packed = sizes[BITS] > 0
        n_words = [-(-int(place) // 64) + is_packed for place in places[BITS : BITS + 2]]
        n_bytes = places[SOURCES + 1 : FLAGS].tolist()
        return n_bytes == sizes[SOURCES + 1 : FLAGS] and n_words == sizes[BITS:]

    def _flags(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
        """Return the entries of flags: places among the targets, ascending, and flags."""
        places = np.empty(self.n_flags, dtype=np.uint64)
        flags = np.empty(self.n_flags, dtype=np.uint8)
        done = decode_flags(self.streams.flags, places, flags)
        if not done or (self.n_flags and int(places[-1]) >= self.n_targets):
            raise _damaged("flags")
        return places.astype(np.int64), flags

    def _followed(
        self, counts: npt.NDArray[np.uint32]
    ) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.uint32]]:
        """Return which targets have a link to follow, and how many of those each source has."""
        places, flags = self._flags()
        keep = np.ones(self.n_targets, dtype=np.bool_)
        keep[places] = False
        keep[places[(flags & NOFOLLOW) == 0]] = True
        before = np.concatenate([[0], np.cumsum(keep, dtype=np.int64)])
        ends = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
        return keep, np.diff(before[ends]).astype(np.uint32)

    def batch(self) -> ArcBatch:
        """Return the arcs with their flags."""
        lists = self.target_lists()
        flags = np.zeros(self.n_targets, dtype=np.uint8)
        if not self.n_flags:
            return ArcBatch(*lists, flags)
        places, values = self._flags()
        repeats = np.maximum(np.bincount(places, minlength=self.n_targets), 1)
        ends = np.concatenate([[0], np.cumsum(repeats)])
        flags = np.zeros(ends[-1], dtype=np.uint8)
        first = np.searchsorted(places, places)
        flags[ends[places] + np.arange(len(places)) - first] = values
        bounds = np.concatenate([[0], np.cumsum(lists.counts, dtype=np.int64)])
        counts = np.diff(ends[bounds]).astype(np.uint32)
        return ArcBatch(lists.sources, counts, np.repeat(lists.targets, repeats), flags)


def _cut(out: Streams, ends: npt.NDArray[np.uint64]) -> tuple[int, Streams]:
    """Return the number of entries of flags, and *out* without what lies behind its *ends*."""
    sizes = [int(end) for end in ends]
    # An empty word behind them: two can be read wherever one begins.
    n_words = [-(-size // 64) + 1 if len(out.bits) else 0 for size in sizes[BITS : BITS + 2]]
    streams: tuple[npt.NDArray[Any], ...] = out
    both = zip(streams, [*sizes[:BITS], *n_words], strict=True)
    cut = [stream[:size].copy() for stream, size in both]
    encoded = streams_of(cut[:BITS], cut[BITS:])
    return int(np.count_nonzero(encoded.flags < 0x80)) // 2, encoded


def latest_arcs(batches: list[ArcBatch]) -> ArcBatch:
    """Put *batches* together, sources ascending; of a source in more than one place the last counts."""
    if not batches:
        empty = np.zeros(0, dtype=np.uint64)
        return ArcBatch(empty, empty.astype(np.uint32), empty, empty.astype(np.uint8))
    sources = np.concatenate([batch.sources for batch in batches])
    counts = np.concatenate([batch.counts for batch in batches])
    targets = np.concatenate([batch.targets for batch in batches])
    flags = np.concatenate([batch.flags for batch in batches])
    kept, from_end = np.unique(sources[::-1], return_index=True)
    if len(kept) == len(sources) and (sources[1:] > sources[:-1]).all():
        return ArcBatch(sources, counts, targets, flags)
    order = len(sources) - 1 - from_end
    starts = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    counts = counts[order]
    # The place of each arc kept: the start of its page's arcs, and its place among them.
    within = np.arange(counts.sum(dtype=np.int64)) - np.repeat(
        np.cumsum(counts, dtype=np.int64) - counts, counts
    )
    places = np.repeat(starts[order], counts) + within
    return ArcBatch(kept, counts, targets[places], flags[places])


def _damaged(what: str) -> FormatError:
    return FormatError(f"{what} of a block of arcs are damaged; restore the corpus from a copy")
