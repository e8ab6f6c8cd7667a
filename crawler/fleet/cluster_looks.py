"""What a shard sees of the others each time it looks: who takes part, and whether all are done."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from crawler.fleet.cluster import Cluster, ShardState
    from crawler.fleet.rounds import Rounds


class Seen(NamedTuple):
    """What a look showed: whether others are to be *members*, those that were given up, whether the crawl has ended.

    *waited_for*: the members that must come to rest, or, while none must, those that are not done. *stopped*: the
    members that do not run.
    """

    is_changing: bool
    lost: set[int]
    members: tuple[int, ...]
    is_over: bool
    waited_for: list[int]
    stopped: list[int]


class Unheard(NamedTuple):
    """Nothing is certain, for Redis was started anew and the *shards* have yet to tell what they know."""

    shards: list[int]


def look_around(
    cluster: Cluster, rounds: Rounds, state: ShardState, *, may_rest: bool
) -> Seen | Unheard:
    """Say that this shard does what *state* says, and that it rests if it *may*, where it is asked to; look.

    What was seen counts only if the round was the same before and after.
    """
    before = rounds.look()
    cluster.tell(state)
    if before.missing and not cluster.has_ended():
        return Unheard(before.missing)
    seen = _see(cluster, state, may_rest=may_rest)
    after = rounds.look()
    return seen if after == before else Unheard(after.missing)


def leave_at_the_end(cluster: Cluster, failures: tuple[type[Exception], ...]) -> None:
    """Say that this shard ends with the crawl, unless Redis fails by one of *failures*: others will have said so."""
    with suppress(*failures):
        cluster.leave()


def _see(cluster: Cluster, state: ShardState, *, may_rest: bool) -> Seen:
    is_changing = cluster.is_changing()
    lost = cluster.lost()  # after the look at whether they are changing: both are written at once
    members = cluster.members()
    is_over = False
    waited_for: list[int] = []
    if is_changing and may_rest:
        waited_for = [] if cluster.rest() else cluster.not_at_rest()
    elif state.is_idle and not is_changing:
        is_over = cluster.look()
        waited_for = [] if is_over else cluster.busy()
    return Seen(is_changing, lost, members, is_over, waited_for, cluster.stopped(members))
