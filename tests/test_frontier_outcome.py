from __future__ import annotations

from datetime import UTC, datetime

import pytest

from crawler.frontier.outcome import (
    Outcome,
    RetryPolicy,
    judge_failure,
    judge_status,
    retry_after_secs,
)

POLICY = RetryPolicy(retries=2, retry_secs=5, retry_after_max_secs=60)
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("status", "retries", "retry_after", "expected"),
    [
        (200, 0, None, Outcome("fetched")),
        (304, 0, None, Outcome("gone", "status_304")),
        (404, 0, None, Outcome("gone", "status_404")),
        (410, 0, None, Outcome("gone", "status_410")),
        (503, 0, None, Outcome("queued", "status_503", 5)),
        (503, 1, None, Outcome("queued", "status_503", 10)),
        (503, 0, 20.0, Outcome("queued", "status_503", 20)),
        (503, 0, 1.0, Outcome("queued", "status_503", 5)),  # ours is longer
        (503, 2, None, Outcome("gone", "status_503")),
        (429, 0, 61.0, Outcome("gone", "status_429")),  # longer than we wait
    ],
)
def test_judge_status(status, retries, retry_after, expected):
    assert judge_status(status, retries, POLICY, retry_after_secs=retry_after) == expected


def test_judge_failure():
    assert judge_failure("timeout", 0, POLICY) == Outcome("queued", "timeout", 5)
    assert judge_failure("timeout", 2, POLICY) == Outcome("gone", "timeout")
    assert judge_failure("robots", 0, POLICY) == Outcome("refused", "robots")
    assert judge_failure("too_large", 0, POLICY) == Outcome("gone", "too_large")


@pytest.mark.parametrize(
    ("header", "secs"),
    [
        ("2", 2.0),
        (" 120 ", 120.0),
        ("Thu, 01 Jan 2026 00:00:30 GMT", 30.0),
        ("Thu, 01 Jan 2015 00:00:30 GMT", 0.0),
        ("soon", None),
        ("-1", None),
        ("", None),
        (None, None),
        ("9" * 400, 999999999.0),
        ("Thu, 01 Jan 2026 01:00:30 +0100", 30.0),
        ("Wed, 31 Dec 2025 19:00:30 EST", 30.0),
        ("Thu, 01 Jan 99999999999999999999 00:00:30 GMT", None),
        ("Thu, 01 Jan 2026 00:00:30 +99999999999999999", None),
    ],
)
def test_retry_after(header, secs):
    assert retry_after_secs(header, NOW) == secs
