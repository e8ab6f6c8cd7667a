"""Where the records of a WARC file begin, plain or packed, and how it is read from one of them on.

A packed file has a member of gzip, or a frame of Zstandard, for each record. All frames may need a dictionary, which
stands before them in a frame that decoders skip (IIPC, Zstandard compression for WARC files 1.0). fastwarc knows it
only where it reads a file from the beginning, so it is put before what is read.

Files whose heads end their lines in LF alone are read, too, but what is behind damage in a plain one is not found.
"""

from __future__ import annotations

import mmap
import os
import re
import zlib
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from crawler.durable.zstandard import zstd
from crawler.seeds.warc_frames import FrameUnpacker
from crawler.seeds.warc_unpacked import UnpackedMember

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path
    from typing import BinaryIO

    Stream = BinaryIO | UnpackedMember

_GZIP = b"\x1f\x8b\x08"
_ZSTANDARD = b"\x28\xb5\x2f\xfd"
_DICTIONARY = b"\x5d\x2a\x4d\x18"
_SKIPPED_HEAD_BYTES = 8

_VERSION = b"WARC/"
_PLAIN_RECORD = re.compile(rb"WARC/[0-9]\.[0-9]{1,2}\r\n[A-Za-z\-]{1,40}:")
# Such a one at the end of what was read may have lost the rest of its first lines.
_RECORD_WITHIN = re.compile(
    rb"WARC/[0-9]\.[0-9]{1,2}(?:\r\n[A-Za-z\-]{1,40}:|(?:\r(?:\n[A-Za-z\-]{0,40})?)?\Z)"
)
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,18})[ \t]*(?:\r\n|\Z)", re.IGNORECASE)
_HEAD_BYTES = 64 * 1024
# Two line ends, some more, and a version behind them.
_LINE_ENDS_BYTES = 64

# Enough to unpack the beginning of a member: of Zstandard nothing comes out before a block has ended.
_MEMBER_HEAD_BYTES = 4096
_FRAME_HEAD_BYTES = 2**17 + 2**10


class _Behind:
    """What fastwarc reads as a file: *head*, and behind it what *stream* has from where it stands on."""

    def __init__(self, head: bytes, stream: BinaryIO):
        self._head, self._stream = head, stream

    def read(self, n_bytes: int) -> bytes:
        if not self._head:
            return self._stream.read(n_bytes)
        given, self._head = self._head[:n_bytes], self._head[n_bytes:]
        return given

    def tell(self) -> int:
        return 0


def member_of_several(path: Path, place: int) -> UnpackedMember | None:
    """Return the gzip member, or frame, at *place* of the file if more is in it than one whole record, else None."""
    found = _member(path, place)
    if found is None:
        return None
    with found as member, suppress(OSError):  # it is damaged in the first one
        head, end_of_head, _ = member.read(_HEAD_BYTES).partition(b"\r\n\r\n")
        if not head.startswith(_VERSION):
            return None
        is_cut = not end_of_head or _PLAIN_RECORD.search(head, len(_VERSION))
        end = None if is_cut else _plain_end(member, 0)
        if end and member.seek(end) == end and not member.read(_LINE_ENDS_BYTES).strip():
            return None
    return member.again()


def has_bare_lines(path: Path) -> bool:
    """Tell whether the head of the first record of the file ends its lines in LF alone, as some writers do."""
    head = b""
    with _member(path, 0) or path.open("rb") as stream, suppress(OSError):
        head = stream.read(_LINE_ENDS_BYTES)
    first, line_end, _ = head.partition(b"\n")
    return first.startswith(_VERSION) and bool(line_end) and not first.endswith(b"\r")


def _member(path: Path, place: int) -> UnpackedMember | None:
    """Return what is packed at *place* of the file, behind the dictionary if that stands there; None for nothing."""
    with path.open("rb") as stream:
        dictionary = _dictionary(stream.read(_SKIPPED_HEAD_BYTES), stream)
        place = place or len(dictionary)
        stream.seek(place)
        magic = stream.read(len(_ZSTANDARD))
    if magic == _ZSTANDARD:
        unpacker = FrameUnpacker(path, place, _unpacked(dictionary))
        return UnpackedMember(path, place, unpacker=unpacker)
    return UnpackedMember(path, place) if magic.startswith(_GZIP) else None


def behind(member: UnpackedMember) -> int | None:
    """Return where in its file it is read on behind *member*, or behind where that is damaged; None for nowhere."""
    with member.path.open("rb") as stream:
        if member.end is None:
            return next_record(stream, member.place + 1)
        stream.seek(member.end)
        is_packed = stream.read(len(_ZSTANDARD)).startswith((_GZIP, _ZSTANDARD))
        return member.end if is_packed else next_record(stream, member.end)


def opened_at(stream: Stream, start: int) -> tuple[Stream | _Behind, int]:
    """Return what reads *stream*, a file, from the record at *start* on, and what is added to the places that it
    tells.
    """
    if isinstance(stream, UnpackedMember):
        stream.seek(start)
        return stream, 0
    stream.seek(0)
    dictionary = _dictionary(stream.read(_SKIPPED_HEAD_BYTES), stream) if start else b""
    stream.seek(start)
    if not dictionary:
        return stream, 0
    return _Behind(dictionary, stream), start - len(dictionary)


def next_record(stream: Stream, start: int) -> int | None:
    """Return the place from *start* on of *stream*, a file, where a record may begin; None for none."""
    if isinstance(stream, UnpackedMember):
        return _next_within(stream, start)
    stream.seek(0)
    dictionary = _dictionary(stream.read(_SKIPPED_HEAD_BYTES), stream)
    with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if data[: len(_GZIP)] == _GZIP:
            return _next_member(data, start, _GZIP, _begins_gzip)
        if dictionary or data[: len(_ZSTANDARD)] == _ZSTANDARD:
            begins = partial(_begins_frame, dictionary=_unpacked(dictionary))
            return _next_member(data, start, _ZSTANDARD, begins)
        found = _PLAIN_RECORD.search(data, start)
        return found.start() if found else None


def _next_within(member: UnpackedMember, start: int) -> int | None:
    """Return the same of a *member* that holds several records; None where it is damaged before the next one."""
    read = b""
    with suppress(OSError):
        member.seek(start)
        while more := member.read(_HEAD_BYTES):
            read += more
            if found := _PLAIN_RECORD.search(read):
                return member.tell() - len(read) + found.start()
            read = read[-_LINE_ENDS_BYTES:]
    return None


def swallowed_at(
    open_again: Callable[[], AbstractContextManager[Stream]], start: int, body: bytes
) -> int | None:
    """Return where in *body*, of the record at *start* of the file that is opened, another record begins; None for
    nowhere.

    A plain record that was cut, by a crash or a full disk, has what was written next for the rest of its body. One that
    shows a record as text is whole: what is behind it shows that.
    """
    found = _RECORD_WITHIN.search(body)
    if found is None:
        return None
    with open_again() as stream:
        end = _plain_end(stream, start)
        if end is None:
            return None
        stream.seek(end)
        behind = stream.read(_HEAD_BYTES)
        is_last = not behind and stream.seek(0, os.SEEK_END) == end
    rest = behind.lstrip()
    is_whole = is_last or (rest != behind and (not rest or rest.startswith(_VERSION)))
    return None if is_whole else found.start()


def cut_at(stream: Stream, start: int) -> int | None:
    """Return where the first plain record that was cut begins, from the one at *start* of *stream* on; None for none.

    Behind its length there is no record. A packed one ends where its member does.
    """
    size = stream.seek(0, os.SEEK_END)
    while (end := _plain_end(stream, start)) is not None and end <= size:
        stream.seek(end)
        behind = stream.read(_LINE_ENDS_BYTES)
        rest = behind.lstrip()
        if not rest:
            return None
        if not rest.startswith(_VERSION):
            return start
        start = end + len(behind) - len(rest)
    return None if end is None else start


def _plain_end(stream: Stream, start: int) -> int | None:
    """Return where the body of the plain record at *start* of *stream* is to end; None if there is none."""
    stream.seek(start)
    head, end, _ = stream.read(_HEAD_BYTES).partition(b"\r\n\r\n")
    length = _LENGTH.search(head)
    if not head.startswith(_VERSION) or not end or length is None:
        return None
    return start + len(head + end) + int(length[1])


def _dictionary(head: bytes, stream: BinaryIO) -> bytes:
    """Return the frame of a dictionary that *head* begins, and *stream* goes on with; b"" for none."""
    if not head.startswith(_DICTIONARY):
        return b""
    return head + stream.read(int.from_bytes(head[len(_DICTIONARY) :], "little"))


def _unpacked(frame: bytes) -> zstd.ZstdDict | None:
    """Return the dictionary in *frame*, which may be packed itself; None for none that can be."""
    content = frame[_SKIPPED_HEAD_BYTES:]
    try:
        packed = content.startswith(_ZSTANDARD)
        return zstd.ZstdDict(zstd.decompress(content) if packed else content)
    except (ValueError, zstd.ZstdError):
        return None


def _next_member(
    data: mmap.mmap, start: int, magic: bytes, begins: Callable[[mmap.mmap, int], bytes]
) -> int | None:
    place = data.find(magic, start)
    while place >= 0 and begins(data, place) != _VERSION:
        place = data.find(magic, place + 1)
    return place if place >= 0 else None


def _begins_gzip(data: mmap.mmap, place: int) -> bytes:
    """Return the first bytes of what the member of gzip at *place* of *data* holds, b"" if it is none."""
    head = data[place : place + _MEMBER_HEAD_BYTES]
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, len(_VERSION))
    except zlib.error:
        return b""


def _begins_frame(data: mmap.mmap, place: int, *, dictionary: zstd.ZstdDict | None) -> bytes:
    """Return the same of a frame of Zstandard."""
    head = data[place : place + _FRAME_HEAD_BYTES]
    try:
        return zstd.ZstdDecompressor(zstd_dict=dictionary).decompress(head, len(_VERSION))
    except zstd.ZstdError:
        return b""
