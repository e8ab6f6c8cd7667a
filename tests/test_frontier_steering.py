"""Yield and the stop rule, against their formulas."""

from __future__ import annotations

from math import exp, log10

import pytest

from crawler.errors import FormatError
from crawler.frontier.steering.fleet_stop import BYTES_STAT, WORDS_STAT, FleetStop
from crawler.frontier.steering.host_yields import HostYields, Yield, yield_threshold
from crawler.frontier.steering.page_worth import PageWorth, Worth
from crawler.frontier.steering.stop_rule import MEAN_OF, MEGABYTE, StopRule


def page(clean, raw, *, host="www.a.sample", host_id=0, worth=Worth.KEPT):
    return PageWorth(
        host_id << 32, f"http://{host}/", host, worth, clean_bytes=clean, raw_bytes=raw
    )


@pytest.mark.parametrize(
    ("n", "threshold"), [(0, 0), (1, 0), (10, 0), (100, 0.01), (1_000, 0.02), (10_000, 0.03)]
)
def test_the_published_thresholds(n, threshold):
    assert yield_threshold(n, 0.01) == pytest.approx(threshold)


def test_a_host_is_dropped_at_the_page_of_the_formula():
    yields = HostYields(0.01)
    n = 0
    while not yields.dropped_hosts:
        yields.learn(page(15, 1000))
        n += 1
    assert 0.01 * (log10(n - 1) - 1) <= 0.015 < 0.01 * (log10(n) - 1)
    assert yields.is_dropped(0, "www.a.sample")
    assert not yields.is_dropped(1, "www.b.sample")


def test_a_domain_is_judged_by_all_its_hosts():
    yields = HostYields(0.01)
    for n in range(20):
        yields.learn(page(0, 1000, host=f"h{n}.a.sample", host_id=n))
    assert not yields.dropped_hosts
    assert yields.dropped_domains == {"a.sample"}
    assert yields.is_dropped(99, "new.a.sample")


def test_what_says_nothing_is_not_counted_and_a_floor_of_0_drops_nothing():
    yields = HostYields(0)
    for _ in range(100):
        yields.learn(page(0, 1000, worth=Worth.OTHER))
        yields.learn(page(0, 1000, worth=Worth.THIN))
    assert yields.of_host(0) == Yield(100, 0, 0, 100_000)
    assert not yields.dropped_hosts
    assert Yield().rate == 1.0


@pytest.mark.parametrize("floor", [-1, float("nan")])
def test_wrong_floors(floor):
    with pytest.raises(ValueError, match="floor must be at least 0"):
        HostYields(floor)


def fed(stop, rates):
    for rate in rates:
        stop.add(MEGABYTE, round(rate))
    return stop


def test_a_crawl_stops_when_the_mean_of_three_windows_is_too_low():
    stop = fed(StopRule(100, MEGABYTE), [500, 90])
    assert stop.rate is None
    assert not fed(stop, [90]).is_over()
    assert fed(stop, [100]).is_over()
    assert stop.rate == pytest.approx((90 + 90 + 100) / MEAN_OF)
    assert not fed(StopRule(0, MEGABYTE), [0] * 9).is_over()


def test_the_forecast_of_a_rate_that_falls_exponentially():
    """10,000 words a megabyte, a tenth less each: the least rate of 1,000 after ln(10)/.1 = 23 MB."""
    rates = [10_000 * exp(-0.1 * (n + 0.5)) for n in range(12)]
    forecast = fed(StopRule(1_000, MEGABYTE), rates).forecast()
    assert forecast.megabytes_left == pytest.approx(23.026 - 12, rel=0.01)
    assert forecast.words_left == pytest.approx((10_000 * exp(-1.2) - 1_000) / 0.1, rel=0.01)


def test_no_end_is_forecast_of_a_rate_that_does_not_fall():
    stop = fed(StopRule(10, MEGABYTE), [100, 120, 140])
    assert stop.forecast() == (pytest.approx(120), None, None)
    assert StopRule(10, MEGABYTE).forecast() is None
    assert fed(StopRule(10, MEGABYTE), [0, 0, 0]).forecast().rate == 0


def test_windows_are_remembered_up_to_a_number():
    stop = fed(StopRule(1, MEGABYTE), range(100))
    assert [words for _, words in stop.windows] == list(range(84, 100))


@pytest.mark.parametrize(("rate", "size"), [(-1, 5), (float("nan"), 5), (1, 0)])
def test_wrong_rules(rate, size):
    with pytest.raises(ValueError, match="must be at least"):
        StopRule(rate, size)


def test_a_fleet_stops_by_what_all_its_processes_found(tmp_path):
    stop = FleetStop(tmp_path, StopRule(100, MEGABYTE))
    counted = [(MEGABYTE, 500), (2 * MEGABYTE, 590), (3 * MEGABYTE, 680)]  # 500, 90, 90
    for n_bytes, n_words in counted:
        assert not stop.is_over({BYTES_STAT: n_bytes, WORDS_STAT: n_words})
    assert not stop.is_over({BYTES_STAT: 3 * MEGABYTE, WORDS_STAT: 680})  # nothing new
    stop.save()
    again = FleetStop(tmp_path, StopRule(100, MEGABYTE))
    assert again.rule.windows == stop.rule.windows
    assert not again.is_over({})
    assert again.is_over({BYTES_STAT: MEGABYTE, WORDS_STAT: 100})
    stop.path.write_text("{}")
    with pytest.raises(FormatError, match="is damaged"):
        FleetStop(tmp_path, StopRule(100, MEGABYTE))
