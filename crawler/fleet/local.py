"""The shards of one machine: each talks to its parent over a unix socket, the parent passes on.

The parent is in `crawler.fleet.hub`. A thread reads what it sends; writing waits for nothing but the
kernel, for the parent always reads. When the parent has gone there is nobody to take anything:
what is sent is dropped, and `is_gone` tells so.
"""

from __future__ import annotations

import socket
from collections import deque
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

from crawler.errors import InputError
from crawler.fleet.hand_over import Sent
from crawler.fleet.messages import pack_message, read_message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from crawler.fleet.messages import Message

PARENT_GONE = "the parent of the fleet has gone{}; the same scrapy fleet goes on where it ended"

# A block of HostIDs costs the parent two flushes of a small file.
_LEASE_SECS = 60.0


class HubTransport:
    """The `Transport` of *shard* through the parent that listens at *address*.

    *on_message* is called by a thread of its own when something has come. `orders` are messages that are
    none of the transport's.
    """

    def __init__(self, address: str, shard: int, on_message: Callable[[], None]) -> None:
        self.address = address
        self.shard = shard
        self.is_gone = False
        self.orders: deque[Message] = deque()
        self._on_message = on_message
        self._received: deque[Sent] = deque()
        self._acknowledged: deque[tuple[int, int]] = deque()
        self._lost: deque[int] = deque()
        self._writing = Lock()
        self._socket = _connected(address)
        self._thread = Thread(target=self._read, name="fleet", daemon=True)

    def start(self, state: dict[str, Any]) -> None:
        """Say hello with *state*, and begin to listen."""
        self.tell("hello", self.shard, state)
        self._thread.start()

    def tell(self, *parts: Any) -> None:
        """Send a message to the parent."""
        try:
            with self._writing:
                self._socket.sendall(pack_message(*parts))
        except OSError:
            self.is_gone = True

    def close(self) -> None:
        """Let go of the parent; a second call does nothing."""
        for end in (self._shut_down, self._socket.close):
            end()
        if self._thread.is_alive():
            self._thread.join()

    def _shut_down(self) -> None:
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            self.is_gone = True

    def _read(self) -> None:
        while (message := read_message(self._socket)) is not None:
            kind, *parts = message
            if kind == "sent":
                self._received.append(Sent(*parts))
            elif kind == "taken":
                self._acknowledged.append((parts[1], parts[2]))
            elif kind == "up":
                self._lost.append(parts[0])
            else:
                self.orders.append(message)
            self._on_message()
        self.is_gone = True
        self._on_message()

    # --- Transport ---------------------------------------------------------------------------------

    def send(self, sent: Sent) -> None:
        """Carry *sent* to its owner."""
        self.tell("sent", *sent)

    def has_news(self) -> bool:
        """Tell whether something has come since it was asked for."""
        return bool(self._received or self._acknowledged or self._lost)

    def received(self) -> list[Sent]:
        """Return the records that have arrived since the last call."""
        return _drained(self._received)

    def acknowledge(self, source: int, number: int) -> None:
        """Tell *source* that its records up to *number* are taken for good."""
        self.tell("taken", source, self.shard, number)

    def acknowledged(self) -> dict[int, int]:
        """Return the last number that each owner has acknowledged since the last call."""
        found: dict[int, int] = {}
        for owner, number in _drained(self._acknowledged):
            found[owner] = max(number, found.get(owner, 0))
        return found

    def was_lost(self) -> set[int]:
        """Return the owners that may have lost records since the last call."""
        return set(_drained(self._lost))


def _drained(waiting: deque[Any]) -> list[Any]:
    return [waiting.popleft() for _ in range(len(waiting))]


class HubBlocks:
    """Leases blocks of HostIDs for *shard* from the parent that listens at *address*."""

    def __init__(self, address: str, shard: int) -> None:
        self.address = address
        self.shard = shard

    def blocks(self) -> Sequence[int]:
        """Return the blocks that the shard has, in the order of their leases."""
        return list(self._ask("blocks"))

    def lease(self) -> int:
        """Lease one more block."""
        return int(self._ask("lease"))

    def _ask(self, kind: str) -> Any:
        with _connected(self.address) as connection:
            connection.settimeout(_LEASE_SECS)
            connection.sendall(pack_message(kind, self.shard))
            answer = read_message(connection)
        if answer is None:
            raise InputError(PARENT_GONE.format(""))
        return answer[1]


def _connected(address: str) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(address)
    except OSError as error:
        connection.close()
        why = f" (no answer at {address}: {error.strerror})"
        raise InputError(PARENT_GONE.format(why)) from error
    return connection
