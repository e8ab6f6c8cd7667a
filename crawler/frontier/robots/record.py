"""What is known of a site's robots.txt, and when to ask for it again: RFC 9309 section 2.3.1, as a rule.

=====================================================  ==============================================
the site answers                                       until the file is asked for again
=====================================================  ==============================================
2xx                                                    its rules hold, for at most 24 hours
400 to 499, a sixth redirect, one that leads nowhere   everything is allowed ("unavailable")
500 and above, 429, no answer                          nothing is allowed ("unreachable")
unreachable for more than 30 days                      the last rules hold, or everything is allowed
=====================================================  ==============================================

An unreachable file is asked for again after one hour, then two, four and so on, at most 24; that of a
host that gave no answer at all with the next page of the host (crawler.frontier.hosts.health). Where the
answer names a time itself (Retry-After, RFC 9110 section 10.2.3) it is asked for then, after 24 hours at
the latest and not before some seconds, doubled as well. A ``max-age`` shortens the 24 hours of what was read, to no
less than five minutes, and never lengthens them. 429 asks for patience, and so does not mean "unavailable" here
(section 2.3.1.3 says "may").

Times are seconds since 1970. A record is a value: what an answer makes of it is a new one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

# RFC 9309 section 2.4.
MAX_AGE_SECS = 24 * 3600.0
# Sites that forbid every cache would have their robots.txt fetched with each page.
MIN_AGE_SECS = 300.0

_MAX_AGE = re.compile(r"(?:^|[,\s])max-age\s*=\s*\"?(\d{1,10})", re.IGNORECASE)
_NO_CACHE = re.compile(r"(?:^|[,\s])no-(?:cache|store)(?=$|[,\s=])", re.IGNORECASE)
_TOO_MANY_REQUESTS = 429


@dataclass(frozen=True, slots=True)
class RobotsTimes:
    """How long what is kept holds, in seconds, each above 0.

    *cache_secs*: what was read, at most 24 hours; *retry_secs*: an unreachable file, doubled each time
    up to *retry_max_secs*, or *least_secs*, doubled, where the answer asks for no longer;
    *unreachable_secs*: after so long it counts as unavailable.
    """

    cache_secs: float = MAX_AGE_SECS
    retry_secs: float = 3600.0
    retry_max_secs: float = MAX_AGE_SECS
    least_secs: float = 5.0
    unreachable_secs: float = 30 * 24 * 3600.0

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be above 0, got {getattr(self, name)}")
        if self.cache_secs > MAX_AGE_SECS:
            raise ValueError(
                f"cache_secs must be at most {MAX_AGE_SECS:.0f}, got {self.cache_secs}"
            )


@dataclass(frozen=True, slots=True)
class RobotsRecord:
    """A site's robots.txt as it was last seen.

    *body* is that of the last answer that was not unreachable, empty when that said nothing; *status*
    that of the last answer, 0 for none; *expires_at* when to ask again; *unreachable_since* the first of
    *n_failures* failures in a row, 0 when there are none.
    """

    body: bytes
    status: int
    fetched_at: float
    expires_at: float
    unreachable_since: float = 0.0
    n_failures: int = 0

    def is_fresh(self, now: float) -> bool:
        """Tell whether the record holds at *now*; one from the future, by a clock set back, does not."""
        return self.fetched_at <= now < self.expires_at

    def forbids_all(self, now: float, times: RobotsTimes) -> bool:
        """Tell whether nothing may be fetched at *now*."""
        return bool(self.n_failures) and now - self.unreachable_since <= times.unreachable_secs


def is_unreachable(status: int) -> bool:
    """Tell whether an answer with *status* says nothing of the rules; redirects are the caller's.

    >>> is_unreachable(503), is_unreachable(429), is_unreachable(404), is_unreachable(200)
    (True, True, False, False)
    """
    return not 200 <= status < 500 or status == _TOO_MANY_REQUESTS


def answered(
    status: int, body: bytes, now: float, times: RobotsTimes, *, cache_control: str = ""
) -> RobotsRecord:
    """Return the record of an answer that is not unreachable; only a 2xx has a *body* that counts."""
    rules = body if 200 <= status < 300 else b""
    age = max_age(cache_control, times.cache_secs) if rules else times.cache_secs
    return RobotsRecord(rules, status, now, now + age)


def failed(
    known: RobotsRecord | None,
    now: float,
    times: RobotsTimes,
    *,
    status: int = 0,
    wait_secs: float | None = None,
    retry_after_secs: float | None = None,
) -> RobotsRecord:
    """Return what a failure makes of the *known* record; *status* 0 is no answer at all.

    *wait_secs*, where given, is the time until the file is asked for again; *retry_after_secs* what the
    answer asks for, in bounds.
    """
    if known is None:
        known = RobotsRecord(b"", status, now, now)
    n_failures = known.n_failures + 1
    # A doubling beyond the limit would only overflow.
    first_secs = times.retry_secs if retry_after_secs is None else times.least_secs
    wait = max(first_secs * 2.0 ** min(n_failures - 1, 32), retry_after_secs or 0.0)
    wait = min(wait, times.retry_max_secs)
    if wait_secs is not None:
        wait = wait_secs
    since = known.unreachable_since if known.n_failures else now
    return replace(
        known,
        status=status,
        fetched_at=now,
        expires_at=now + wait,
        unreachable_since=min(since, now),  # the clock may have been set back
        n_failures=n_failures,
    )


def max_age(cache_control: str, longest: float) -> float:
    """Return the seconds that a *cache_control* header lets an answer be kept, at most *longest*.

    >>> max_age("public, max-age=3600", 86400), max_age("max-age=999999", 86400), max_age("no-store", 86400)
    (3600.0, 86400, 300.0)
    """
    match = _MAX_AGE.search(cache_control)
    if _NO_CACHE.search(cache_control):
        secs = 0.0
    elif match is None:
        return longest
    else:
        secs = float(match[1])
    return min(max(secs, MIN_AGE_SECS), longest)
