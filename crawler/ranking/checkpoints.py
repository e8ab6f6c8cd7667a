"""Keeps the state of a long ranking on disk, so that the next run goes on where this one was killed.

On disk: a numpy archive (``.npz``, not compressed) of ``vote: float64[n]`` by new number of
`crawler.ranking.host_blocks.layout`, ``passes: int64`` and ``digest``, that of the graph, the preference and
those options that decide the system. It appears whole or not at all. An archive of another digest,
or one that cannot be read, is as none: the ranking begins anew and replaces it. Of a block of topics
(`crawler.ranking.topics.checkpoints`) ``vote`` is ``float32[n, 16]``.

Cost: the bytes of ``vote`` written, not more often than every so many seconds.
"""

from __future__ import annotations

import time
import zipfile
from tokenize import TokenError
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import xxhash

from crawler.durable.files import atomic_path, make_folder

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from crawler.ranking.options import RankOptions
    from crawler.webgraph.csr import HostGraph


class SavedState(NamedTuple):
    """The votes after so many passes."""

    vote: npt.NDArray[np.floating]
    passes: int


# What reading arrays, or an archive of them, raises that is none, or that is damaged: numpy reads the head of
# an array as Python, and RuntimeError is of archives that seem to be encrypted or packed in another way.
UNREADABLE = (
    *(OSError, ValueError, TypeError, KeyError, EOFError, RuntimeError),
    *(SyntaxError, TokenError, zipfile.BadZipFile),
)


class Checkpoint:
    """The archive at *path*, written at most every *every_secs*, of the system of *digest*.

    ``is_ignored``: there was one to load, but of another system, or damaged.
    """

    def __init__(self, path: Path, digest: str, *, every_secs: float):
        self.path = path
        self._digest = digest
        self._every_secs = every_secs
        self._saved = time.monotonic()
        self.is_ignored = False

    def load(self) -> SavedState | None:
        """Return what an earlier run left, or None."""
        try:
            with self.path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
                if str(archive["digest"]) == self._digest:
                    return SavedState(archive["vote"], int(archive["passes"]))
        except FileNotFoundError:
            return None
        except UNREADABLE:
            pass
        self.is_ignored = True
        return None

    def save_if_due(self, vote: npt.NDArray[np.floating], passes: int) -> None:
        """Write the state, when the last one is old enough."""
        if time.monotonic() - self._saved >= self._every_secs:
            self.save(vote, passes)

    def save(self, vote: npt.NDArray[np.floating], passes: int) -> None:
        """Write the state."""
        make_folder(self.path.parent)
        with atomic_path(self.path) as temporary, temporary.open("wb") as file:
            np.savez(file, vote=vote, passes=np.int64(passes), digest=np.str_(self._digest))
        self._saved = time.monotonic()

    def remove(self) -> None:
        """Remove the archive: the ranking has ended."""
        self.path.unlink(missing_ok=True)


def ignored_line(n_ignored: int) -> str:
    """Return the line of a report that tells of *n_ignored* parts of checkpoints."""
    return f"checkpoint  {n_ignored} not used: of another ranking, or damaged"


def digest_of(
    graph: HostGraph, options: RankOptions, preference: npt.NDArray[np.float64] | None
) -> str:
    """Return a digest of what the solution depends on, at gigabytes a second."""
    digest = xxhash.xxh3_128(f"{options.alpha!r} {options.dangling}".encode())
    if options.internal_share is not None:
        digest.update(f" {options.internal_share!r}".encode())
    for array in (graph.host_ptr, graph.indptr, graph.indices, preference):
        if array is not None:
            digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()
