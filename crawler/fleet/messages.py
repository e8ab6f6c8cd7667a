"""Messages between the processes of a fleet: u32 big-endian length, then a msgpack list.

The first entry is the kind; shards are numbers.

===============================  =================================================================
of a shard to its parent
===============================  =================================================================
``hello``, shard, state          the first; ``state`` as below
``sent``, source, owner,         a record for *owner* (crawler.fleet.hand_over), which the parent
number, record                   passes on
``taken``, source, owner,        *owner* has taken the records of *source* up to *number*; passed on
number
``state``, probe, state          what the shard does (crawler.fleet.ending); *probe* is that of the
                                 question, 0 when nobody asked
``bye``, reason, state           the crawl of this shard is closed; ``parked`` in *state*: hosts that wait
                                 for long, their pages, and seconds until the first is due
``blocks``, shard                answered by ``blocks`` and a list of the blocks of HostIDs it has
``lease``, shard                 answered by ``lease`` and one more block
===============================  =================================================================

===============================  =================================================================
of the parent to a shard
===============================  =================================================================
``sent``, ``taken``              as above
``up``, shard                    *shard* is there (anew): what it has not acknowledged may be lost
``probe``, number                asks for a ``state``
``limit``, number, pages         no more than *pages* may be fetched; asks for a ``state`` too
``over``                         nothing is left to fetch anywhere
===============================  =================================================================
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import msgpack

if TYPE_CHECKING:
    from socket import socket

LENGTH = struct.Struct(">I")

Message = list[Any]


def pack_message(*parts: Any) -> bytes:
    """Return the message of *parts* with its length."""
    body = msgpack.packb(parts)
    message: bytes = LENGTH.pack(len(body)) + body
    return message


def unpack_message(body: bytes) -> Message:
    """Return the parts of a message without its length."""
    parts: Message = msgpack.unpackb(body, strict_map_key=False)
    return parts


def read_message(connection: socket) -> Message | None:
    """Wait for one message from *connection*; None when the other side has gone."""
    head = _read(connection, LENGTH.size)
    body = None if head is None else _read(connection, LENGTH.unpack(head)[0])
    return None if body is None else unpack_message(body)


def _read(connection: socket, n_bytes: int) -> bytes | None:
    parts = []
    while n_bytes:
        try:
            part = connection.recv(min(n_bytes, 2**20))
        except OSError:
            return None
        if not part:
            return None
        parts.append(part)
        n_bytes -= len(part)
    return b"".join(parts)
