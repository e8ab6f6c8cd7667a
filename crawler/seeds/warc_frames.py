"""Unpacks a frame of Zstandard in a file piece by piece, as zlib's objects unpack a gzip member.

The states of the decoder cannot be copied: a copy unpacks the frame again, up to where it was made, when it is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.durable.zstandard import zstd

if TYPE_CHECKING:
    from pathlib import Path

# Of what is packed, given to the decoder at once: what one piece becomes is held. A block of one byte a thousand
# times over has 4 bytes, and becomes up to 128 KiB.
_PIECE_BYTES = 256
_CHUNK_BYTES = 64 * 1024


class FrameUnpacker:
    """Unpacks the frame at *place* of the file *path*, which may need a *dictionary*.

    ``unconsumed_tail``, ``unused_data`` and ``eof`` are as those of zlib.
    """

    def __init__(self, path: Path, place: int, dictionary: zstd.ZstdDict | None) -> None:
        self._path, self._place, self._dictionary = path, place, dictionary
        self._decoder = zstd.ZstdDecompressor(zstd_dict=dictionary)
        self._held = b""
        # Packed bytes that the decoder has had, and unpacked ones that were given away.
        self._n_had = self._n_given = 0
        self._is_behind = False
        self.unconsumed_tail = self.unused_data = b""
        self.eof = False

    def copy(self) -> FrameUnpacker:
        """Return one that goes on as this one would."""
        other = FrameUnpacker(self._path, self._place, self._dictionary)
        other._n_had, other._n_given = self._n_had, self._n_given
        other._is_behind = self._n_had > 0
        other.eof, other.unused_data = self.eof, self.unused_data
        return other

    def decompress(self, packed: bytes, n_bytes: int) -> bytes:
        """Return some bytes, at most *n_bytes*, of what is held, or else of what becomes of *packed*.

        Raises `ZstdError` for damage.
        """
        if self._is_behind:
            self._catch_up()
        place = 0
        while not self._held and not self._decoder.eof and place < len(packed):
            piece = packed[place : place + _PIECE_BYTES]
            self._held = self._decoder.decompress(piece)
            place += len(piece) - len(self._decoder.unused_data)
            self._n_had += len(piece) - len(self._decoder.unused_data)
        part, self._held = self._held[:n_bytes], self._held[n_bytes:]
        self._n_given += len(part)
        self.eof = self._decoder.eof and not self._held
        rest = packed[place:]
        self.unconsumed_tail, self.unused_data = (b"", rest) if self.eof else (rest, b"")
        return part

    def _catch_up(self) -> None:
        """Have the decoder where that of the one was which this is a copy of."""
        n_left, n_skipped = self._n_had, self._n_given
        with self._path.open("rb") as stream:
            stream.seek(self._place)
            while n_left and (packed := stream.read(min(n_left, _CHUNK_BYTES))):
                n_left -= len(packed)
                for place in range(0, len(packed), _PIECE_BYTES):
                    self._held += self._decoder.decompress(packed[place : place + _PIECE_BYTES])
                    n_passed = min(n_skipped, len(self._held))
                    n_skipped -= n_passed
                    self._held = self._held[n_passed:]
        self._is_behind = False
