"""A gzip member, or frame of Zstandard, that holds several records of a WARC file, read as the plain file that was
packed.

Behind a record that was cut the next one is looked for, in what was passed already. That is read again from the last
*mark* before it, a state of the unpacker.

Memory: `_MOST_MARKS` marks of some 40 kB, twice `_HELD_BYTES`, and what is asked for. A look back within the last
`_HELD_BYTES` costs nothing, as those are held; another one at most what lies between two marks, a 32nd of the member or
`_MARK_BYTES`; in a frame it costs what lies before (crawler.seeds.warc_frames).
"""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from crawler.durable.zstandard import zstd

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

_CHUNK_BYTES = 16 * 1024
_MARK_BYTES = 8 * 2**20
_MOST_MARKS = 64
# More than most records have.
_HELD_BYTES = 2**20
_DAMAGES = (zlib.error, zstd.ZstdError)


class _Mark(NamedTuple):
    """At byte *at* of what is unpacked *unpacker* goes on with byte *place* of the file."""

    at: int
    place: int
    unpacker: Any


class _Marks:
    """Marks from the member's begin, at *place*, on, some way apart."""

    def __init__(self, place: int, unpacker: Any) -> None:
        self._marks = [_Mark(0, place, unpacker)]
        self._n_between = _MARK_BYTES

    def before(self, at: int) -> _Mark:
        """Return the last mark that is not behind byte *at*."""
        return [mark for mark in self._marks if mark.at <= at][-1]

    def add(self, at: int, place: int, unpacker: Any) -> None:
        """Add a mark unless there is one near by."""
        if at - self._marks[-1].at < self._n_between:
            return
        self._marks.append(_Mark(at, place, unpacker.copy()))
        if len(self._marks) > _MOST_MARKS:
            del self._marks[1::2]
            self._n_between *= 2


class UnpackedMember:
    """What the gzip member at *place* of the file *path* holds, or what *unpacker* makes of it, as a file to read.

    ``end`` is where the member ends in the file, None until that was read. Of one that is damaged, or cut, what stands
    before that comes out; where it is damaged `read` raises `OSError` then.
    """

    def __init__(
        self, path: Path, place: int, marks: _Marks | None = None, *, unpacker: Any = None
    ) -> None:
        self.path, self.place = path, place
        self.end: int | None = None
        self._marks = marks or _Marks(place, unpacker or zlib.decompressobj(zlib.MAX_WBITS | 16))
        self._stream = path.open("rb")
        self._go_to(self._marks.before(0))

    def _go_to(self, mark: _Mark) -> None:
        self._at, self._packed, self._unpacker = mark.at, b"", mark.unpacker.copy()
        # Up to where it was unpacked, and the last of that.
        self._reached, self._held = mark.at, bytearray()
        self._damage = ""
        self._stream.seek(mark.place)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    def again(self) -> UnpackedMember:
        """Return another one, which is read by itself and has the same marks."""
        return UnpackedMember(self.path, self.place, self._marks)

    def is_whole(self) -> bool:
        """Read on to the end; tell whether there is one, so that ``end`` is known."""
        with suppress(OSError):
            self.seek(0, os.SEEK_END)
        return self.end is not None

    def tell(self) -> int:
        """Return the place from which is read on."""
        return self._at

    def seek(self, place: int, whence: int = os.SEEK_SET) -> int:
        """Go to *place*, or to the end where that comes before; to the end if *whence* says so."""
        if whence == os.SEEK_SET:
            mark = self._marks.before(place)
            if self._reached - len(self._held) <= place:
                self._at = min(place, self._reached)
            if not mark.at <= self._at <= place:
                self._go_to(mark)
        while whence == os.SEEK_END or self._at < place:
            left = _CHUNK_BYTES if whence == os.SEEK_END else place - self._at
            if not self.read(min(left, _CHUNK_BYTES)):
                break
        return self._at

    def read(self, n_bytes: int) -> bytes:
        """Return *n_bytes*, or what there is up to the end or the damage."""
        parts: list[bytes] = []
        while n_bytes > 0:
            part = self._again(n_bytes) or self._next(n_bytes, is_first=not parts)
            if not part:
                break
            parts.append(part)
            n_bytes -= len(part)
            self._at += len(part)
            if self._at > self._reached:
                self._hold(part)
        return b"".join(parts)

    def _again(self, n_bytes: int) -> bytes:
        """Return at most *n_bytes* of what is held from here on."""
        first = len(self._held) - (self._reached - self._at)
        return bytes(self._held[first : first + n_bytes])

    def _hold(self, part: bytes) -> None:
        """Hold *part*, which was unpacked last."""
        self._reached = self._at
        self._held += part
        if len(self._held) > 2 * _HELD_BYTES:
            del self._held[:-_HELD_BYTES]
        self._marks.add(self._at, self._stream.tell() - len(self._packed), self._unpacker)

    def _next(self, n_bytes: int, *, is_first: bool) -> bytes:
        """Return some bytes, at most *n_bytes*, none at the end; raise `OSError` for damage, if this *is_first* asked
        for.
        """
        while not (self._unpacker.eof or self._damage):
            packed = self._packed or self._stream.read(_CHUNK_BYTES)
            if (part := self._unpacked(packed, n_bytes)) or not packed:
                return part
        if self._damage and is_first:
            raise OSError(self._damage)
        if self._unpacker.eof:
            self.end = self._stream.tell() - len(self._unpacker.unused_data)
        return b""

    def _unpacked(self, packed: bytes, n_bytes: int) -> bytes:
        before = self._unpacker.copy()
        try:
            part: bytes = self._unpacker.decompress(packed, n_bytes)
        except _DAMAGES as error:
            return self._before_damage(before, packed, n_bytes, str(error))
        self._packed = self._unpacker.unconsumed_tail
        return part

    def _before_damage(self, unpacker: Any, packed: bytes, n_bytes: int, damage: str) -> bytes:
        """Return what *unpacker* makes of *packed*, byte by byte up to where it is damaged, at most *n_bytes*."""
        part = b""
        for place in range(len(packed)):
            try:
                part += unpacker.decompress(packed[place : place + 1], n_bytes - len(part))
            except _DAMAGES:
                self._damage = damage
                break
            if len(part) == n_bytes:
                self._unpacker = unpacker
                self._packed = unpacker.unconsumed_tail + packed[place + 1 :]
                break
        return part
