"""Bodies of answers in WARC files that were kept with the marks of their chunks."""

from __future__ import annotations

import re

# The line before a chunk: its size in hexadecimal, and extensions that mean nothing here. Lines may end in LF alone.
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
_CHUNK_CUT = re.compile(rb"[0-9A-Fa-f]{0,8}[ \t]*(?:;[^\r\n]*)?\r?")
_LINE_END = re.compile(rb"\r?\n")


def dechunked(body: bytes) -> bytes:
    """Return *body* without the marks of its chunks (RFC 9112 section 7.1).

    Writers of WARC files keep the header whether or not they keep the marks. So a body that does not begin with a
    chunk is returned as it is. So is one whose lines end in LF alone unless it is chunks to its end, for text may
    begin with a number. Of a body that ends within a chunk all is returned up to there.
    """
    parts = []
    position = 0
    is_bare = not body.partition(b"\n")[0].endswith(b"\r")
    while match := _CHUNK.match(body, position):
        size = int(match[1], 16)
        position = match.end() + size
        parts.append(body[match.end() : position])
        if size == 0 or position >= len(body):
            break
        if line_end := _LINE_END.match(body, position):
            position = line_end.end()
    else:
        # Numbers in lines of their own are no sizes of chunks where what follows has others, unless it was cut there.
        if is_bare and not _CHUNK_CUT.fullmatch(body, position):
            return body
    return b"".join(parts) if parts else body
