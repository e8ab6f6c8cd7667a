"""When a robots.txt is asked for again, and what holds until then, on a clock of the test."""

from __future__ import annotations

import pytest

from crawler.frontier.robots.record import (
    RobotsTimes,
    answered,
    failed,
    is_unreachable,
    max_age,
)

HOUR, DAY = 3600.0, 86400.0
NOW = 1.8e9
TIMES = RobotsTimes()


@pytest.mark.parametrize(
    ("status", "unreachable"),
    [
        *((code, False) for code in (200, 204, 299, 304, 400, 401, 403, 404, 410, 451, 499)),
        *((code, True) for code in (429, 500, 503, 599, 600, 999, 0, 101)),
    ],
)
def test_statuses(status, unreachable):
    assert is_unreachable(status) is unreachable


def test_rules_hold_a_day():
    record = answered(200, b"rules", NOW, TIMES)
    assert record.body == b"rules"
    assert [record.is_fresh(NOW + secs) for secs in (0, DAY - 1, DAY)] == [True, True, False]
    assert not record.is_fresh(NOW - 1)  # the clock was set back
    assert not record.forbids_all(NOW, TIMES)


def test_unavailable_has_no_rules():
    record = answered(404, b"Disallow: /", NOW, TIMES, cache_control="max-age=1000")
    assert (record.body, record.expires_at) == (b"", NOW + DAY)
    assert not record.forbids_all(NOW, TIMES)


@pytest.mark.parametrize(
    ("header", "secs"),
    [
        ("", DAY),
        ("public", DAY),
        ("max-age=7200", 7200),
        ('Public, MAX-AGE = "7200"', 7200),
        ("max-age=604800", DAY),  # never lengthens
        ("max-age=0", 300),
        ("no-cache", 300),
        ("no-store, max-age=7200", 300),
        ("max-age=-5", DAY),
        ("max-age=" + "9" * 400, DAY),
        ("s-maxage=60", DAY),  # for shared caches
        ("xmax-age=60", DAY),
    ],
)
def test_cache_control_only_shortens(header, secs):
    assert max_age(header, DAY) == secs
    assert answered(200, b"x", NOW, TIMES, cache_control=header).expires_at == NOW + secs


def test_back_off_doubles_up_to_a_day():
    record, now, waits = None, NOW, []
    for _ in range(8):
        record = failed(record, now, TIMES, status=503)
        waits.append((record.expires_at - now) / HOUR)
        now = record.expires_at
    assert waits == [1, 2, 4, 8, 16, 24, 24, 24]
    assert (record.unreachable_since, record.n_failures) == (NOW, 8)
    for _ in range(3000):  # no overflow
        record = failed(record, now, TIMES)
    assert record.expires_at == now + DAY


@pytest.mark.parametrize(
    ("asked", "secs"),
    [
        (120, 120),  # sooner than the hour
        (7200, 7200),
        (0, 5),  # least_secs
        (10 * DAY, DAY),  # retry_max_secs
    ],
)
def test_retry_after_is_honoured_in_bounds(asked, secs):
    assert failed(None, NOW, TIMES, status=503, retry_after_secs=asked).expires_at == NOW + secs


def test_a_site_that_always_asks_for_a_second_is_asked_less_and_less():
    record, now, waits = None, NOW, []
    for _ in range(5):
        record = failed(record, now, TIMES, status=429, retry_after_secs=1)
        waits.append(record.expires_at - now)
        now = record.expires_at
    assert waits == [5, 10, 20, 40, 80]


def test_thirty_days():
    """Disallowed for 30 days, then by the last copy, or allowed when there is none (2.3.1.4)."""
    copy = answered(200, b"rules", NOW, TIMES)
    for known, body in ((copy, b"rules"), (None, b"")):
        record = failed(known, NOW + DAY, TIMES)
        first = record.unreachable_since
        assert first == NOW + DAY
        for day in range(1, 31):
            assert record.forbids_all(first + day * DAY, TIMES)
            record = failed(record, first + day * DAY, TIMES, status=500)
        assert record.forbids_all(first + 30 * DAY, TIMES)
        assert not record.forbids_all(first + 30 * DAY + 1, TIMES)
        assert record.body == body


def test_an_answer_ends_the_outage():
    record = failed(failed(None, NOW, TIMES), NOW + HOUR, TIMES)
    assert record.forbids_all(NOW + HOUR, TIMES)
    record = answered(404, b"", NOW + 3 * HOUR, TIMES)
    assert (record.n_failures, record.unreachable_since) == (0, 0.0)
    assert failed(record, NOW + 9 * HOUR, TIMES).unreachable_since == NOW + 9 * HOUR


@pytest.mark.parametrize(
    ("name", "value"),
    [("cache_secs", 0), ("cache_secs", DAY + 1), ("retry_secs", 0), ("unreachable_secs", float("nan"))],
)  # fmt: skip
def test_wrong_times_are_refused(name, value):
    with pytest.raises(ValueError, match=name):
        RobotsTimes(**{name: value})
