"""Wrong settings are found before anything starts; the defaults and the profiles are right."""

from __future__ import annotations

import importlib

import pytest
from scrapy.settings import Settings

from crawler.commands.base import PROJECT_DEFAULTS
from crawler.commands.setting_checks import check_settings
from crawler.errors import InputError
from crawler.spiders.odp import OdpSpider
from settings.ranges import RANGES, SCRAPY_RANGES


def test_each_setting_has_a_range():
    assert RANGES.keys() == PROJECT_DEFAULTS.keys()
    assert not RANGES.keys() & SCRAPY_RANGES.keys()


@pytest.mark.parametrize("profile", ["base", "broad", "local"])
def test_defaults_and_profiles_are_in_their_ranges(profile):
    values = vars(importlib.import_module(f"settings.{profile}"))
    settings = Settings({**PROJECT_DEFAULTS, **{k: v for k, v in values.items() if k.isupper()}})
    check_settings(settings)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HOST_DELAY_SECS", "0"), ("HOST_DELAY_SECS", 1.5), ("FETCH_RETRIES", "3"), ("SEAL_ROWS", 1),
        ("WARC_ENABLED", "1"), ("WARC_ENABLED", "True"), ("WARC_ENABLED", False),
        ("HOSTS_FILE", ""), ("ROBOTS_UNREACHABLE", "refuse"), ("LANGUAGE_KEEP", ""),
        ("LANGUAGE_KEEP", "de,en"), ("LANGUAGE_KEEP", ["de", "und"]), ("FLEET_SHARDS", "0,1"),
        ("FOCUS_WEIGHTS", '{"page": 2}'), ("ROBOTS_CACHE_SECS", 86_400), ("SIGNALS_OBEY", None),
        ("SIGNALS_OBEY", "noai,noimageai,ai-train=no,train-ai=n,tdm-reservation=1"), ("SIGNALS_OBEY", ""),
        ("ALLOWED_PRIVATE_NETWORKS", "10.0.0.0/8,fd00::/8"), ("LOG_LEVEL", 20), ("LOG_LEVEL", "DEBUG"),
        ("SOMEBODY_ELSES", "x"), ("CLEAN_WORKER_SECS", "0.1"), ("CLEAN_WORKER_BYTES", 2**24),
        ("DEPTH_PRIORITY", "-1"), ("CLOSESPIDER_TIMEOUT", "1.5"), ("STATS_DUMP", "False"), ("BOT_NAME", ""),
    ],
)  # fmt: skip
def test_right_values(name, value):
    check_settings(Settings({name: value}), [f"{name}={value}"])


@pytest.mark.parametrize(
    ("name", "value", "range_"),
    [
        ("HOST_DELAY_SECS", "abc", "a number of at least 0"),
        ("HOST_DELAY_SECS", "-1", "a number of at least 0"),
        ("HOST_DELAY_SECS", "nan", "a number of at least 0"),
        ("HOST_PARK_SECS", "inf", "a number of at least 0"),
        ("FETCH_RETRY_SECS", 0, "a number above 0, at most 1000000000"),
        ("HOST_PARK_SECS", "1e300", "a number of at least 0, at most 1000000000"),
        ("ROBOTS_RETRY_MAX_SECS", 1e18, "a number above 0, at most 1000000000"),
        ("FETCH_RETRIES", "1.5", "a whole number of at least 0"),
        ("FETCH_RETRIES", 1.5, "a whole number of at least 0"),
        # Where traps are not told, a chain of redirects had no end.
        ("REDIRECT_MAX_HOPS", "15", "a whole number of at least 0, at most 14"),
        ("COMMIT_SYNC_SECS", 0, "a number above 0"),
        ("PAGE_MAX_LINKS", 2**31, "a whole number of at least 1, at most 2147483647"),
        ("PAGE_MAX_DEPTH", 1001, "a whole number of at least 1, at most 1000"),
        ("ROBOTS_STORE_BYTES", 2**41, "a whole number of at least 1048576, at most 1099511627776"),
        # Each page was the end of a process, and all of them were rejected.
        ("CLEAN_WORKER_SECS", "0.05", "a number of at least 0.1, at most 1000000000"),
        ("CLEAN_WORKER_BYTES", 2**24 - 1, "a whole number of at least 16777216"),
        ("CLEAN_WORKER_BYTES", 2**63, "at least 16777216, at most 1099511627776"),
        ("ROBOTS_CACHE_SECS", 86_401, "a number above 0, at most 86400"),
        ("ROBOTS_MAX_BYTES", 511_999, "a whole number of at least 512000"),
        ("DOWNLOAD_TIMEOUT", "0", "a number above 0"),
        # A crawl waited for ever.
        ("CONCURRENT_ITEMS", "0", "a whole number of at least 1"),
        ("CONCURRENT_REQUESTS_PER_DOMAIN", "0", "a whole number of at least 1"),
        ("WARC_ENABLED", "maybe", "1 for yes, 0 for no"),
        ("CORPUS_DIR", "", "a text that is not empty"),
        ("ROBOTS_UNREACHABLE", "ask", "one of park, refuse"),
        ("FLEET_SHARDS", "0,x", "whole numbers with commas between them"),
        ("LANGUAGE_KEEP", "german", "codes of ISO 639-1 with commas between them"),
        ("LANGUAGE_KEEP", "de, en", "codes of ISO 639-1"),
        ("SIGNALS_OBEY", 7, "words with commas between them"),
        # none of them is ever the word of a page: all that was to be rejected would be kept
        ("SIGNALS_OBEY", "noai, ai-train=no", "such as noai,ai-train=no"),
        ("SIGNALS_OBEY", "noia", "such as noai,ai-train=no"),
        ("SIGNALS_OBEY", ["NoAI"], "such as noai,ai-train=no"),
        ("SIGNALS_OBEY", "ai-train", "such as noai,ai-train=no"),
        ("SIGNALS_OBEY", "tdm-reservation=yes", "such as noai,ai-train=no"),
        ("FOCUS_WEIGHTS", "[1]", 'a table such as {"name": 1}'),
        ("FOCUS_WEIGHTS", "page=2", 'a table such as {"name": 1}'),
        ("ALLOWED_PRIVATE_NETWORKS", "10.0.0.1/8", "networks such as 10.0.0.0/8"),
        ("LOG_LEVEL", "foo", "DEBUG, INFO"),
        # Scrapy's own: a crawl told of a wrong value without its name, or in a traceback.
        ("DOWNLOAD_DELAY", "x", "a number of at least 0"),
        ("DEPTH_PRIORITY", "1.5", "DEPTH_PRIORITY is '1.5'; give a whole number"),
        ("CLOSESPIDER_TIMEOUT", "x", "CLOSESPIDER_TIMEOUT is 'x'; give a number"),
        ("DNSCACHE_ENABLED", "yes", "DNSCACHE_ENABLED is 'yes'; give 1 for yes, 0 for no"),
        ("ROBOTSTXT_OBEY", "0", "ROBOTSTXT_OBEY is off; leave it out"),
    ],
)
def test_wrong_values(name, value, range_):
    with pytest.raises(InputError) as told:
        check_settings(Settings({name: value}), [f"{name}={value}"])
    assert range_ in str(told.value)
    assert "\n" not in str(told.value)


def test_a_depth_limit_of_0_is_none(tmp_path):
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("http://a.sample/\n", "utf-8")
    settings = Settings(PROJECT_DEFAULTS)
    settings.set("DEPTH_LIMIT", "0", priority="cmdline")
    OdpSpider.check({"seeds": str(seeds)}, settings)


def test_a_slip_of_the_pen_is_found():
    with pytest.raises(InputError, match="HOST_DELAY_SEC; is HOST_DELAY_SECS meant"):
        check_settings(Settings(), ["HOST_DELAY_SEC=3"])
    with pytest.raises(InputError, match="CONCURRENT_REQUEST; is CONCURRENT_REQUESTS meant"):
        check_settings(Settings(), ["HTTPCACHE_ENABLED=1", "CONCURRENT_REQUEST=3"])
