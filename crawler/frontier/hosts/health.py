"""What the end of a fetch means for its host: whether it is left alone, for how long, and when it is dead.

A *trouble* is a 429, a 503, or no answer (connection, time-out, name); *n* counts the troubles in a
row. Any other answer sets *n* back to 0.

=======================  ========================================================================
n                        the host
=======================  ========================================================================
below ``park_errors``    429, 503: waits ``retry_secs * 2^(n-1)``, or its Retry-After if longer;
                         no answer: waits no longer than after any fetch
from ``park_errors`` on  parks: ``park_secs``, doubled for each further trouble, or its
                         Retry-After if longer
``parks`` more           is dead: its pages are given up as ``host_dead``
=======================  ========================================================================

No wait is longer than ``park_max_secs``. With ``park_errors`` 0 no host parks, and none dies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from crawler.frontier.outcome import PASSING_FAILURES

if TYPE_CHECKING:
    from crawler.frontier.policy import FrontierPolicy

HOST_DEAD = "host_dead"

# RFC 6585 section 4, RFC 9110 section 15.6.4: the answers that ask the client to slow down.
BUSY_STATUSES = frozenset({429, 503})

# A doubling beyond any limit would only overflow.
_MAX_DOUBLINGS = 32


class HostVerdict(NamedTuple):
    """Troubles in a row, the seconds that the host waits, and whether it is parked, or dead."""

    errors: int
    wait_secs: float
    is_parked: bool = False
    is_dead: bool = False


def is_trouble(status: int | None, reason: str) -> bool:
    """Tell whether an answer of *status*, or a failure called *reason*, is a trouble of the host."""
    return status in BUSY_STATUSES if status is not None else reason in PASSING_FAILURES


def is_dead(errors: int, policy: FrontierPolicy) -> bool:
    """Tell whether a host with so many *errors* in a row is dead."""
    return bool(policy.park_errors) and errors >= policy.park_errors + policy.parks


def last_errors(policy: FrontierPolicy) -> int:
    """Return the errors in a row of a host that is dead after one more."""
    return policy.park_errors + policy.parks - 1


def judge_host(
    errors: int, policy: FrontierPolicy, *, answered: bool, retry_after_secs: float | None = None
) -> HostVerdict:
    """Judge a host after one more trouble than *errors*; *answered*: it was a 429 or 503.

    >>> from crawler.frontier.policy import FrontierPolicy
    >>> judge_host(0, FrontierPolicy(retry_secs=5), answered=True, retry_after_secs=7)
    HostVerdict(errors=1, wait_secs=7, is_parked=False, is_dead=False)
    """
    errors += 1
    wait = policy.retry_secs * 2.0 ** min(errors - 1, _MAX_DOUBLINGS) if answered else 0.0
    n_parks = errors - policy.park_errors
    is_parked = bool(policy.park_errors) and n_parks >= 0
    if is_parked:
        wait = policy.park_secs * 2.0 ** min(n_parks, _MAX_DOUBLINGS)
    wait = min(max(wait, retry_after_secs or 0.0), policy.park_max_secs)
    return HostVerdict(errors, wait, is_parked, is_dead(errors, policy))
