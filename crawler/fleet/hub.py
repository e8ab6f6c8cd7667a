"""The parent's end of a fleet's sockets: passes records on, leases blocks, and decides the end.

What a shard sends to another that is not there is dropped: it is sent again when that one comes back, of
which all others are told. Memory: what a shard has not read yet.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from crawler.fleet.ending import Ending, PageBudget
from crawler.fleet.messages import LENGTH, pack_message, unpack_message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from crawler.fleet.blocks import Ledger
    from crawler.fleet.messages import Message


class Hub:
    """The hub of *shards*, whose HostIDs are in *ledger*; it listens at *address*, a path."""

    def __init__(self, address: str, shards: Sequence[int], ledger: Ledger) -> None:
        self.address = address
        self.ledger = ledger
        self.ending = Ending(shards)
        self.budget = PageBudget(0, len(shards))
        self.reasons: dict[int, str] = {}
        self.last_states: dict[int, dict[str, Any]] = {}
        self.past_stats: list[dict[str, Any]] = []  # of processes that died
        self._writers: dict[int, asyncio.StreamWriter] = {}
        self._server: asyncio.Server | None = None
        self._n_limits = 0
        self._lowered: dict[int, int] = {}

    async def start(self) -> None:
        """Begin to listen."""
        self._server = await asyncio.start_unix_server(self._serve, self.address)

    async def close(self) -> None:
        """Hang up."""
        for writer in list(self._writers.values()):
            writer.close()
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        shard = -1
        try:
            while True:
                message = unpack_message(
                    await reader.readexactly(LENGTH.unpack(await reader.readexactly(4))[0])
                )
                if message[0] == "hello":
                    shard = message[1]
                    self._greet(shard, writer, message[2])
                else:
                    self._take(message, writer, shard)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            if self._writers.get(shard) is writer:
                del self._writers[shard]
                self.ending.forget(shard)
            writer.close()

    def _greet(self, shard: int, writer: asyncio.StreamWriter, state: dict[str, Any]) -> None:
        for other in self._writers:
            self._tell(other, "up", shard)
        if shard in self.last_states:
            self.past_stats.append(self.last_states[shard]["stats"])
        self._writers[shard] = writer
        self.budget.max_pages = state["max_pages"]
        self.budget.begin(shard, state)
        self._lowered.pop(shard, None)
        self._state(shard, state, 0)

    def _take(self, message: Message, writer: asyncio.StreamWriter, shard: int) -> None:
        kind, *parts = message
        if kind == "sent":
            self._tell(parts[1], *message)
        elif kind == "taken":
            self._tell(parts[0], *message)
        elif kind == "state":
            self._state(shard, parts[1], parts[0])
        elif kind == "bye":
            self.reasons[shard] = parts[0]
            self.last_states[shard] = parts[1]
        elif kind == "blocks":
            writer.write(pack_message("blocks", self.ledger.blocks(parts[0])))
        elif kind == "lease":
            writer.write(pack_message("lease", self.ledger.lease(parts[0])))

    def _state(self, shard: int, state: dict[str, Any], probe: int) -> None:
        self.last_states[shard] = state
        if probe and self._lowered.get(shard) == probe:
            del self._lowered[shard]
            self.budget.give_back(shard, state)
        self.ending.note(shard, state, probe)
        if self.ending.is_over:
            self._tell_all("over")
            return
        for which, limit in self.budget.grants(self.ending.states, self._lowered).items():
            self._limit(which, limit)
        if not self._lowered and (look := self.ending.next_look()) is not None:
            self._tell_all("probe", look)

    def _limit(self, shard: int, limit: int) -> None:
        self._n_limits -= 1  # looks count up, so that no answer is taken for another
        if limit < self.budget.granted[shard]:  # until it is answered, the shard has what it had
            self._lowered[shard] = self._n_limits
        self._tell(shard, "limit", self._n_limits, limit)

    def _tell_all(self, *parts: Any) -> None:
        for shard in list(self._writers):
            self._tell(shard, *parts)

    def _tell(self, shard: int, *parts: Any) -> None:
        writer = self._writers.get(shard)
        if writer is not None and not writer.is_closing():
            writer.write(pack_message(*parts))
