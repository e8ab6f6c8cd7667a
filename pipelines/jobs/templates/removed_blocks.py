"""The blocks of documents that a template detector removes, by the number of the document.

Memory: 20 bytes a document, and a bit a block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Bools = npt.NDArray[np.bool_]


class Removed(NamedTuple):
    """What is removed of a document: *blocks*, bool[n], and the digest of the texts that it was decided on."""

    blocks: Bools
    digest: int


class RemovedBlocks:
    """What is removed of some of *n_documents*."""

    def __init__(self, n_documents: int):
        self._starts = np.full(n_documents, -1, np.int64)
        self._sizes = np.zeros(n_documents, np.uint32)
        self._digests = np.zeros(n_documents, np.uint64)
        self._bits = bytearray()

    def __setitem__(self, number: int, removed: Removed) -> None:
        self._starts[number] = len(self._bits)
        self._sizes[number] = len(removed.blocks)
        self._digests[number] = removed.digest
        self._bits += np.packbits(removed.blocks).tobytes()

    def get(self, number: int) -> Removed | None:
        """Return what is removed of document *number*; None where nothing was decided."""
        start, size = int(self._starts[number]), int(self._sizes[number])
        if start < 0:
            return None
        bits = np.frombuffer(bytes(self._bits[start : start + (size + 7) // 8]), np.uint8)
        return Removed(np.unpackbits(bits, count=size).astype(np.bool_), int(self._digests[number]))
