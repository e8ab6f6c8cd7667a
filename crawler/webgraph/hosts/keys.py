"""Host keys by place: compressed blocks of 64, and the last ones as they are.

A block is the raw LZ4 block of 64 keys, each ended by the byte 255: 12.4 bytes a key on the hosts that
the shared pages link to, where a plain one takes 20.7 and 4 for its end. The keys of a transaction
are plain until it has ended, so that they can be taken back.

Memory: the blocks, 8 bytes for each, `_LOOSE_KEYS` plain keys, and of the blocks that are asked for
the last `_CACHED_BLOCKS` as they are (6 MB).
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from crawler.webgraph.address_space import check_room, entries, release, reserve
from crawler.webgraph.block_texts import Frames, block_rows, gather_texts
from crawler.webgraph.hosts.extents import MAX_HOSTS
from crawler.webgraph.texts import (
    END,
    Texts,
    append_texts,
    concatenated,
    joined_texts,
    picked_texts,
    split_texts,
    text_at,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]
    U8 = npt.NDArray[np.uint8]
    U32 = npt.NDArray[np.uint32]

BLOCK_KEYS = 64
# Plain keys are packed when there are so many.
_LOOSE_KEYS = 4096
_CACHED_BLOCKS = 4096
_MAX_BYTES = 2**32 - 1
_END = bytes([END])
_CODEC = pa.Codec("lz4_raw", compression_level=3)


class HostKeys:
    """Keys at places 0 … n - 1."""

    __slots__ = (
        "_block_ends",
        "_blocks",
        "_bounds",
        "_bytes",
        "_cache",
        "_data",
        "_ends",
        "_frames",
        "_marks",
        "_n_blocks",
        "_plain_sizes",
        "_sizes",
        "n",
    )

    def __init__(self) -> None:
        self._blocks: U8 = reserve(_MAX_BYTES, np.uint8)
        self._block_ends: U32 = reserve(
            MAX_HOSTS // BLOCK_KEYS + 1, np.uint32
        )  # one more than blocks
        self._sizes: U32 = reserve(MAX_HOSTS // BLOCK_KEYS, np.uint32)  # of blocks unpacked
        self._n_blocks = 0
        self._cache: dict[int, bytes] = {}
        # The plain keys: entry p + 1 is where the one at place p ends, from the first plain one on.
        self._data: U8 = reserve(_MAX_BYTES, np.uint8)
        self._ends: U32 = reserve(MAX_HOSTS + 1, np.uint32)
        self._bytes, self._bounds = entries(self._data), entries(self._ends)
        self._frames, self._marks = entries(self._blocks), entries(self._block_ends)
        self._plain_sizes = entries(self._sizes)
        self.n = 0

    @property
    def n_bytes(self) -> int:
        """Return the bytes in use, but for those of blocks at hand."""
        n_plain = self.n - self._n_packed
        blocks = int(self._block_ends[self._n_blocks]) + 8 * self._n_blocks
        return blocks + int(self._ends[n_plain]) + 4 * n_plain

    @property
    def _n_packed(self) -> int:
        return BLOCK_KEYS * self._n_blocks

    def append(self, texts: Texts) -> None:
        """Add *texts* at the next places; raise `InputError` when there is no room for them."""
        n_plain = self.n - self._n_packed
        size = int((texts.ends - texts.starts).sum())
        check_room(self._ends, self.n + len(texts) + 1)
        check_room(self._data, int(self._ends[n_plain]) + size)
        append_texts(texts, self._data, self._ends[n_plain : n_plain + len(texts) + 1])
        self.n += len(texts)

    def truncate(self, n: int) -> None:
        """Forget the keys from place *n* on, all of which came after the last :meth:`settle`."""
        self.n = n

    def settle(self) -> None:
        """Take all keys as there to stay, and pack those that fill blocks, if they are many."""
        first, n_plain = self._n_packed, self.n - self._n_packed
        if n_plain < _LOOSE_KEYS:
            return
        plain = self._plain()
        n_kept = n_plain % BLOCK_KEYS
        for start in range(0, n_plain - n_kept, BLOCK_KEYS):
            raw = joined_texts(plain, np.arange(start, start + BLOCK_KEYS))
            self._add_block(_CODEC.compress(raw, asbytes=True), len(raw))
        kept = split_texts(joined_texts(plain, np.arange(n_plain - n_kept, n_plain)))
        self.n = first + n_plain - n_kept
        self.append(kept)
        release(self._data, int(self._ends[n_kept]))
        release(self._ends, n_kept + 1)

    def _add_block(self, packed: bytes, size: int) -> None:
        n = self._n_blocks
        begin = int(self._block_ends[n])
        end = begin + len(packed)
        check_room(self._blocks, end)
        check_room(self._sizes, n + 1)
        self._blocks[begin:end] = np.frombuffer(packed, dtype=np.uint8)
        self._block_ends[n + 1], self._sizes[n] = end, size
        self._n_blocks += 1

    def key(self, place: int) -> str:
        """Return the key at *place*, which there is."""
        loose = place - BLOCK_KEYS * self._n_blocks
        if loose >= 0:
            raw = self._bytes[self._bounds[loose] : self._bounds[loose + 1]]
            return str(raw, "utf-8", "surrogatepass")
        block, inner = divmod(place, BLOCK_KEYS)
        return text_at(self._block(block), inner).decode("utf-8", "surrogatepass")

    def keys(self, places: Sequence[int]) -> list[str]:
        """Return the keys at *places*; those of a block that stand together cost little more than one."""
        found: list[str] = []
        n_blocks = self._n_blocks
        for block, group in groupby(places, lambda place: place // BLOCK_KEYS):
            together = list(group)
            if block >= n_blocks or len(together) == 1:
                found += map(self.key, together)
            else:
                raw = self._block(block).split(_END)
                found += [str(raw[at % BLOCK_KEYS], "utf-8", "surrogatepass") for at in together]
        return found

    def gather(self, places: I64) -> Texts:
        """Return the keys at *places*; nothing is kept of blocks. For many at once."""
        is_packed = places < self._n_packed
        if is_packed.all():
            return self._gathered(places)
        loose = places[~is_packed] - self._n_packed
        begins, ends = (self._ends[loose + more].astype(np.int64) for more in (0, 1))
        order = np.arange(len(loose), dtype=np.int64)
        plain = split_texts(joined_texts(Texts(self._data, begins, ends), order))
        if not is_packed.any():
            return plain
        orders = [np.flatnonzero(is_packed), np.flatnonzero(~is_packed)]
        return picked_texts([self._gathered(places[is_packed]), plain], orders)

    def _gathered(self, places: I64) -> Texts:
        blocks, rows = block_rows(places, BLOCK_KEYS)
        begins, ends = (self._block_ends[blocks + more].astype(np.int64) for more in (0, 1))
        sizes, limits = self._sizes[blocks].astype(np.int64), np.full_like(ends, len(self._blocks))
        return gather_texts(Frames(self._blocks, begins, ends, sizes, limits), rows)

    def _block(self, block: int) -> bytes:
        """Return the keys of a block, each with its end."""
        plain = self._cache.get(block)
        if plain is None:
            if len(self._cache) >= _CACHED_BLOCKS:
                del self._cache[next(iter(self._cache))]
            plain = self._cache[block] = self._unpacked(block)
        return plain

    def texts(self, first: int) -> Texts:
        """Return the keys from place *first* on; they are valid until more are packed."""
        if first >= self._n_packed:
            return self._plain(first - self._n_packed)
        begin = first // BLOCK_KEYS
        blocks = [self._unpacked(block) for block in range(begin, self._n_blocks)]
        parts = concatenated([split_texts(b"".join(blocks)), self._plain()])
        skipped = first - BLOCK_KEYS * begin
        return Texts(parts.data, parts.starts[skipped:], parts.ends[skipped:])

    def _plain(self, first: int = 0) -> Texts:
        bounds = self._ends[first : self.n - self._n_packed + 1].astype(np.int64)
        return Texts(self._data[: int(bounds[-1])], bounds[:-1], bounds[1:])

    def _unpacked(self, block: int) -> bytes:
        begin, end = self._marks[block], self._marks[block + 1]
        packed = bytes(self._frames[begin:end])
        plain: bytes = _CODEC.decompress(packed, self._plain_sizes[block], asbytes=True)
        return plain
