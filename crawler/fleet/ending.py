"""When a fleet is at its end, and how many pages each shard may fetch: the parent's two decisions.

A shard's *state* is a map: ``idle`` (it has nothing to do of itself), ``out`` (records that no owner has
acknowledged), ``activity`` (a count that grows with all it does), ``spent`` (pages that count against the
limit), ``limit`` (how many may), ``hungry`` (only the limit keeps it from fetching).

The end: all shards are idle and nothing is out, at two looks, the second of which began when all had
answered the first, and no shard did anything between its two answers. Then at the time between the looks all
were idle at once, and nothing was on its way, for what is on its way is out.

Pages: a shard that is hungry gets a part of those that are left, each time fewer. When none are left
while idle shards have some, these give theirs back. So no more are fetched than the limit says, and as
many, if there are so many to fetch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

State = dict[str, Any]


class Ending:
    """Two looks at *shards*."""

    def __init__(self, shards: Iterable[int]) -> None:
        self.states: dict[int, State] = {}
        self.is_over = False
        self._shards = set(shards)
        self._number = 0
        self._first: dict[int, int] | None = None
        self._answered: set[int] = set()

    def note(self, shard: int, state: State, probe: int = 0) -> None:
        """Take the *state* of *shard*, the answer to *probe* if it is one."""
        self.states[shard] = state
        if self._first is None:
            return
        if not _is_quiet(state) or state["activity"] != self._first[shard]:
            self._first = None
        elif probe == self._number:
            self._answered.add(shard)
            self.is_over |= self._answered == self._shards

    def forget(self, shard: int) -> None:
        """Take *shard* as gone, until it is heard of again."""
        self.states.pop(shard, None)
        self._first = None

    def next_look(self) -> int | None:
        """Return the number of a look that is due now, to be asked of all shards."""
        if self._first is not None or self._shards != self.states.keys():
            return None
        if not all(map(_is_quiet, self.states.values())):
            return None
        self._number += 1
        self._first = {shard: state["activity"] for shard, state in self.states.items()}
        self._answered = set()
        return self._number


def _is_quiet(state: Mapping[str, Any]) -> bool:
    return bool(state["idle"]) and not state["out"]


class PageBudget:
    """Divides *max_pages*, 0 for no limit, among *n_shards* shards as they need them."""

    def __init__(self, max_pages: int, n_shards: int) -> None:
        self.max_pages = max_pages
        self.n_shards = n_shards
        self.granted: dict[int, int] = {}

    def begin(self, shard: int, state: State) -> None:
        """Take *shard* as just started: what its process before had and did not use is free again."""
        self.granted[shard] = state["spent"]

    def give_back(self, shard: int, state: State) -> None:
        """Take the ``limit`` of *state*, the answer to a lower one, as what *shard* has."""
        if shard in self.granted:
            self.granted[shard] = state["limit"]

    def grants(self, states: Mapping[int, State], waiting: Container[int] = ()) -> dict[int, int]:
        """Return the new limits of shards, higher or lower ones, but of those *waiting* for one."""
        if not self.max_pages or len(self.granted) < self.n_shards:
            return {}
        hungry = [
            shard
            for shard, state in sorted(states.items())
            if state["hungry"] and state["spent"] >= self.granted[shard] and shard not in waiting
        ]
        limits: dict[int, int] = {}
        for shard in hungry:
            left = self.max_pages - sum(self.granted.values())
            if left > 0:
                self.granted[shard] += max(1, left // (2 * self.n_shards))
                limits[shard] = self.granted[shard]
        if hungry and not limits:
            limits = {
                shard: state["spent"]
                for shard, state in states.items()
                if state["idle"]
                and not state["hungry"]
                and state["spent"] < self.granted[shard]
                and shard not in waiting
            }
        return limits
