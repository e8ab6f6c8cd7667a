"""What a fetch means for a page: done, gone, refused, or to be tried again, and when.

Passing errors (408, 429, 5xx, time-outs, connections that break) are tried again after
``retry_secs * 2^n``, n the number of attempts before, or after the Retry-After of the site when
that is longer; everything else is final.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FETCHED = "fetched"
GONE = "gone"
REFUSED = "refused"
QUEUED = "queued"

# RFC 9110 section 15 and RFC 6585: the answers that say "later".
PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})

# Failures of the network that may pass; all others are final.
PASSING_FAILURES = frozenset({"timeout", "connection", "dns"})

# Failures for which the host was asked, and sent something: such a page is gone, and counts against the limits.
ANSWERED_FAILURES = frozenset({"bad_http", "header_too_large", "too_large", "content_encoding"})


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """*retries*: further attempts; *retry_secs*: before the first; *retry_after_max_secs*: a cap."""

    retries: int = 2
    retry_secs: float = 5.0
    retry_after_max_secs: float = 300.0

    @property
    def longest_secs(self) -> float:
        """The longest that a page waits for its next attempt."""
        return max(self.retry_after_max_secs, self.retry_secs * 2.0 ** min(self.retries, 32))


@dataclass(frozen=True, slots=True)
class Outcome:
    """*state* the page takes, the *reason* of its rejection, and *retry_in_secs* when queued."""

    state: str
    reason: str | None = None
    retry_in_secs: float = 0.0


def judge_status(
    status: int, retries: int, policy: RetryPolicy, *, retry_after_secs: float | None = None
) -> Outcome:
    """Judge an answer with *status* after *retries* earlier attempts.

    A redirect is the caller's: with a Location it is ``fetched``, without one it comes here.

    >>> judge_status(404, 0, RetryPolicy())
    Outcome(state='gone', reason='status_404', retry_in_secs=0.0)
    """
    if 200 <= status < 300:
        return Outcome(FETCHED)
    reason = f"status_{status}"
    if status in PASSING:
        return _again(reason, retries, policy, retry_after_secs)
    return Outcome(GONE, reason)


def judge_failure(reason: str, retries: int, policy: RetryPolicy) -> Outcome:
    """Judge a fetch that ended without an answer, *reason* being its slug."""
    if reason in PASSING_FAILURES:
        return _again(reason, retries, policy, None)
    return Outcome(GONE if reason in ANSWERED_FAILURES else REFUSED, reason)


def _again(reason: str, retries: int, policy: RetryPolicy, retry_after: float | None) -> Outcome:
    wait = policy.retry_secs * 2**retries
    if retry_after is not None:
        if retry_after > policy.retry_after_max_secs:
            return Outcome(GONE, reason)
        wait = max(wait, retry_after)
    if retries >= policy.retries:
        return Outcome(GONE, reason)
    return Outcome(QUEUED, reason, wait)


def retry_after_secs(header: str | None, now: datetime) -> float | None:
    """Parse a Retry-After *header* (RFC 9110 section 10.2.3): seconds, or a date after *now*.

    None when there is none or it says nothing.
    """
    text = (header or "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, OverflowError):  # the second for a year, or a zone, of twenty digits
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - now).total_seconds())
