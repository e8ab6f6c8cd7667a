"""Many texts in one array of bytes, as kernels take them.

Text i of :class:`Texts` is ``data[starts[i]:ends[i]]``. Local keys and host keys are UTF-8 (lone
surrogates as such), in which the byte 255 never occurs: on disk it ends each text.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.byte_search import find_above, find_byte
from crawler.kernels.jit import lean_kernel, read_only
from crawler.kernels.moving import copy_8
from crawler.urls.key_list import KeyList

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]
    U8 = npt.NDArray[np.uint8]

END = 0xFF
_LAST_ASCII = 0x7F
_WORD = 8


def text_at(raw: bytes, place: int) -> bytes:
    """Return text *place* of *raw*, each ended by the byte 255; `IndexError` when there are fewer."""
    bounds = _bounds_of(np.frombuffer(raw, dtype=np.uint8), place)
    if bounds < 0:
        raise IndexError(place)
    return raw[bounds >> 32 : bounds & 0xFFFFFFFF]


@lean_kernel
def _bounds_of(data: U8, place: int) -> int:
    """Return where a text begins, times 2^32, and where it ends; -1 when it is not there."""
    start, end = 0, -1
    for _ in range(place + 1):
        start = end + 1
        end = find_byte(data, start, data.size, END)
        if end == data.size:
            return -1
    return start << 32 | end


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """*data* uint8, which is read only; *starts* and *ends* int64[n]."""

    data: U8
    starts: I64
    ends: I64

    def __post_init__(self) -> None:
        # Some are over bytes, some are not: kernels are compiled for one kind.
        if self.data.flags.writeable:
            object.__setattr__(self, "data", read_only(self.data))

    def __len__(self) -> int:
        return len(self.ends)

    def text(self, index: int) -> str:
        """Return text *index*."""
        raw = self.data[self.starts[index] : self.ends[index]].tobytes()
        return raw.decode("utf-8", "surrogatepass")

    def strings(self) -> list[str]:
        """Return all texts."""
        raw = self.data.tobytes()
        bounds = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        if raw.isascii():
            joined = raw.decode()
            return [joined[start:end] for start, end in bounds]
        return [str(raw[start:end], "utf-8", "surrogatepass") for start, end in bounds]


def texts_of(strings: Sequence[str]) -> Texts:
    """Return *strings* as texts without anything between them."""
    joined = "".join(strings)
    if joined.isascii():
        raw = joined.encode()
        sizes = np.fromiter(map(len, strings), np.int64, len(strings))
    else:
        parts = [text.encode("utf-8", "surrogatepass") for text in strings]
        raw = b"".join(parts)
        sizes = np.fromiter(map(len, parts), np.int64, len(parts))
    ends = np.cumsum(sizes)
    return Texts(np.frombuffer(raw, dtype=np.uint8), ends - sizes, ends)


def texts_of_pairs(pairs: Sequence[tuple[str, str]]) -> tuple[Texts, Texts]:
    """Return the first and the second strings of *pairs* as texts; nothing is copied of a key list."""
    if isinstance(pairs, KeyList):
        names = texts_of(pairs.hosts)
        hosts = Texts(names.data, names.starts[pairs.host], names.ends[pairs.host])
        return hosts, Texts(np.frombuffer(pairs.data, dtype=np.uint8), pairs.starts, pairs.ends)
    # As Latin-1 the character 255 is the byte 255; where every other one is ASCII, the bytes are
    # those of UTF-8.
    joined = "\xff".join(chain.from_iterable(pairs))
    bounds = np.empty((4, len(pairs)), dtype=np.int64)
    with suppress(UnicodeEncodeError):
        data = np.frombuffer(joined.encode("latin-1"), dtype=np.uint8)
        if pairs and _fill_bounds(data, bounds) == 2 * len(pairs):
            return Texts(data, bounds[0], bounds[1]), Texts(data, bounds[2], bounds[3])
    return texts_of([first for first, _ in pairs]), texts_of([second for _, second in pairs])


@lean_kernel
def _fill_bounds(data: U8, bounds: I64) -> int:
    """Write where the texts begin and end; return their number, one more if a byte is not ASCII."""
    start, n_texts, n = 0, 0, 2 * bounds.shape[1]
    while n_texts < n:
        end = find_above(data, start, data.size, _LAST_ASCII)
        row = 2 * (n_texts & 1)
        bounds[row, n_texts >> 1], bounds[row + 1, n_texts >> 1] = start, end
        n_texts += 1
        if end == data.size:
            return n_texts
        start = end + 1
    return n_texts + 1


def split_texts(raw: bytes) -> Texts:
    """Return the texts of *raw*, each ended by the byte 255."""
    data = np.frombuffer(raw, dtype=np.uint8)
    ends = np.flatnonzero(data == END)
    starts = np.empty(len(ends), dtype=np.int64)
    starts[:1] = 0
    starts[1:] = ends[:-1] + 1
    return Texts(data, starts, ends.astype(np.int64))


def joined_texts(texts: Texts, order: npt.NDArray[np.int64]) -> bytes:
    """Return the texts *order*, each ended by the byte 255: the inverse of :func:`split_texts`."""
    sizes = texts.ends[order] - texts.starts[order] + 1
    out = np.empty(int(sizes.sum()), dtype=np.uint8)
    _join(texts.data, texts.starts, texts.ends, order, out)
    return out.tobytes()


def concatenated(parts: Sequence[Texts]) -> Texts:
    """Return the texts of all *parts*, in order."""
    if len(parts) == 1:
        return parts[0]
    offsets = np.cumsum([0, *(len(part.data) for part in parts)]).tolist()
    none: list[I64] = [np.zeros(0, dtype=np.int64)]
    return Texts(
        np.concatenate([np.zeros(0, dtype=np.uint8), *(part.data for part in parts)]),
        np.concatenate(none + [p.starts + at for p, at in zip(parts, offsets, strict=False)]),
        np.concatenate(none + [p.ends + at for p, at in zip(parts, offsets, strict=False)]),
    )


def append_texts(texts: Texts, data: U8, bounds: npt.NDArray[np.uint32]) -> None:
    """Write *texts* into *data* from ``bounds[0]`` on, and where text i ends to ``bounds[i + 1]``."""
    _append(texts.data, texts.starts, texts.ends, data, bounds)


def picked_texts(parts: Sequence[Texts], orders: Sequence[I64]) -> Texts:
    """Return the texts of all *parts*: part i gives those at ``orders[i]`` of what is returned."""
    if len(parts) == 1:
        return parts[0]
    texts = concatenated(parts)
    places = np.argsort(np.concatenate(orders))
    return Texts(texts.data, texts.starts[places], texts.ends[places])


@lean_kernel
def _append(data: U8, starts: I64, ends: I64, out: U8, bounds: npt.NDArray[np.uint32]) -> None:
    for i in range(ends.size):
        at = np.int64(bounds[i])
        for k in range(ends[i] - starts[i]):
            out[at + k] = data[starts[i] + k]
        bounds[i + 1] = np.uint32(at + ends[i] - starts[i])


@lean_kernel
def _join(data: U8, starts: I64, ends: I64, order: I64, out: U8) -> None:
    at = 0
    for i in range(order.size):
        begin = starts[order[i]]
        size = ends[order[i]] - begin
        k = 0
        if begin + size + _WORD <= data.size and at + size + _WORD <= out.size:
            while k < size:  # a few bytes too many, which the next text overwrites
                copy_8(data, begin + k, out, at + k)
                k += _WORD
        else:
            for k in range(size):
                out[at + k] = data[begin + k]
        at += size
        out[at] = END
        at += 1
