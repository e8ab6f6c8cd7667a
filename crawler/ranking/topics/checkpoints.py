"""Keeps the ranks of topics that a long run has found, so that the next one goes on where it was killed.

*On disk*, in one folder, which is removed at the end of the run: ``ranks``, float32 of each topic and
page, where blocks of topics are written to as they are found; ``blocks.npz``, how many topics that
are, a hash of each block, and their figures; of a block that takes long, its votes after a pass as
``block-<first topic>.npz``, by thread; and those of the ranking without topics before them,
``unbiased.checkpoint.npz``, and its ranks, ``unbiased.npz``. The archives appear whole or not at all
(`crawler.ranking.checkpoints`). Those of another system, of another tolerance or of other topics, and
those that are damaged, are as none and counted; so are blocks that do not have their hash.

Votes are kept of passes in single precision, those with most of the way. A block that is killed after
them goes on at the last.

Cost: not more often than every so many seconds, 8 bytes a page (unbiased), and for each thread 64 bytes
a page; ranks are written once, and hashed. Invariant: ranks are those of a run that was not killed,
within the tolerance.
"""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import xxhash

from crawler.durable.files import atomic_path, make_folder, take_room
from crawler.ranking.checkpoints import UNREADABLE, Checkpoint, digest_of
from crawler.ranking.topics.vectors import LANES

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    import numpy.typing as npt

    from crawler.ranking.options import RankOptions
    from crawler.ranking.topics.sets import TopicSets
    from crawler.webgraph.csr import HostGraph

_FORMAT = 1
_ALL, _UNBIASED, _RUNNING = "blocks.npz", "unbiased.npz", "unbiased.checkpoint.npz"


@dataclass(frozen=True, slots=True)
class TopicFigures:
    """How the topics so far were found: most passes, arcs read, largest residual and bound."""

    iterations: int = 0
    arc_passes: float = 0.0
    residual: float = 0.0
    error_bound: float = 0.0


class TopicCheckpoint:
    """What a run over *graph* leaves in *folder*, written at most every *every_secs*.

    A context manager: without an exception the folder is removed in the end, and with one unless
    something was kept. ``spool``: ``float32[k, n]``, the ranks of topics; ``n_done``: so many of them
    were found; ``kept: float64[k]`` and ``figures`` of these; ``n_ignored``: archives and blocks that were
    not used.
    """

    def __init__(
        self,
        folder: Path,
        graph: HostGraph,
        topics: TopicSets,
        options: RankOptions,
        *,
        every_secs: float,
    ) -> None:
        self.folder = folder
        self.n_done = self.n_ignored = 0
        self.kept = np.ones(topics.n_topics)
        self.figures = TopicFigures()
        self._digest = _digest(graph, topics, options)
        self._every_secs = every_secs
        self._hashes: list[int] = []
        self._saved = time.monotonic()
        make_folder(folder)
        self._shape = (max(1, topics.n_topics), max(1, graph.n_pages))
        self.spool = self._opened()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None or not any(self.folder.glob("*.npz")):
            self.remove()

    def remove(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def running(self) -> Path:
        """The archive of the ranking without topics."""
        return self.folder / _RUNNING

    def unbiased(self) -> npt.NDArray[np.floating] | None:
        """Return the ranks without topics, if they were kept."""
        checkpoint = self._of(_UNBIASED)
        saved = checkpoint.load()
        self.n_ignored += checkpoint.is_ignored
        return None if saved is None else saved.vote

    def keep_unbiased(self, rank: npt.NDArray[np.float64], seconds: float) -> None:
        """Keep the ranks without topics, if they took *seconds* worth it."""
        if seconds >= self._every_secs:
            self._of(_UNBIASED).save(rank, 0)

    def of_block(self, first: int) -> Checkpoint:
        """Return the checkpoint of the block of topics from *first* on."""
        return self._of(_block(first))

    def mark_if_due(self) -> None:
        """Write what ``n_done``, ``kept`` and ``figures`` are, when it was not done for long."""
        if time.monotonic() - self._saved < self._every_secs:
            return
        n_marked = len(self._hashes) * LANES
        new = range(n_marked, self.n_done, LANES)
        self._hashes += [self._hash(first) for first in new]
        self.spool.flush()
        figures = self.figures
        with atomic_path(self.folder / _ALL) as temporary, temporary.open("wb") as file:
            np.savez(
                file,
                digest=np.str_(self._digest),
                n_done=np.int64(self.n_done),
                kept=self.kept,
                hashes=np.array(self._hashes, dtype=np.uint64),
                iterations=np.int64(figures.iterations),
                others=np.array([figures.arc_passes, figures.residual, figures.error_bound]),
            )
        for first in new:
            (self.folder / _block(first)).unlink(missing_ok=True)
        self._saved = time.monotonic()

    def add(self, kept: npt.NDArray[np.float64], figures: TopicFigures) -> None:
        """Take in the next block: of its topics *kept*, and its *figures*."""
        self.kept[self.n_done : self.n_done + len(kept)] = kept
        self.n_done += len(kept)
        so_far = self.figures
        self.figures = replace(
            figures,
            iterations=max(so_far.iterations, figures.iterations),
            arc_passes=so_far.arc_passes + figures.arc_passes,
            residual=max(so_far.residual, figures.residual),
            error_bound=max(so_far.error_bound, figures.error_bound),
        )
        self.mark_if_due()

    def _of(self, name: str) -> Checkpoint:
        digest = f"{self._digest} {name}"
        return Checkpoint(self.folder / name, digest, every_secs=self._every_secs)

    def _opened(self) -> np.memmap[tuple[int, int], np.dtype[np.float32]]:
        """Return the ranks as they were left, with the blocks that were done; or new ones."""
        path = self.folder / "ranks"
        if self._read_marks():
            if path.exists() and path.stat().st_size == 4 * self._shape[0] * self._shape[1]:
                self.spool = np.memmap(path, np.float32, "r+", shape=self._shape)
                self._check_blocks()
                return self.spool
            self.n_ignored += 1
        self.n_done, self._hashes = 0, []
        # not the file that another run may have mapped
        path.unlink(missing_ok=True)
        with path.open("wb") as file:
            take_room(file, 4 * self._shape[0] * self._shape[1], path)
        return np.memmap(path, np.float32, "r+", shape=self._shape)

    def _read_marks(self) -> bool:
        """Read which topics are done; return whether that can be known."""
        try:
            with (
                (self.folder / _ALL).open("rb") as file,
                np.load(file, allow_pickle=False) as marks,
            ):
                if str(marks["digest"]) == self._digest:
                    self.n_done = int(marks["n_done"])
                    self.kept = marks["kept"]
                    self._hashes = marks["hashes"].tolist()
                    self.figures = TopicFigures(int(marks["iterations"]), *marks["others"].tolist())
                    return True
        except FileNotFoundError:
            return False
        except UNREADABLE:
            pass
        self.n_ignored += 1
        return False

    def _check_blocks(self) -> None:
        """Leave out the blocks from the first on that does not have its hash."""
        for number, expected in enumerate(self._hashes):
            if self._hash(number * LANES) != expected:
                self.n_ignored += len(self._hashes) - number
                del self._hashes[number:]
                self.n_done = number * LANES
                return

    def _hash(self, first: int) -> int:
        return xxhash.xxh3_64_intdigest(self.spool[first : first + LANES].data)


def _block(first: int) -> str:
    return f"block-{first}.npz"


def _digest(graph: HostGraph, topics: TopicSets, options: RankOptions) -> str:
    of_graph = digest_of(graph, options, None)
    digest = xxhash.xxh3_128(f"{_FORMAT} {LANES} {options.tolerance!r} {of_graph}".encode())
    for array in (topics.ptr, topics.pages, topics.weights):
        if array is not None:
            digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()
