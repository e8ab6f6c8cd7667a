"""The light engine with components that do what they should not: no page is lost, none waits for ever."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tests.conftest import scrapy_environment
from tests.forked_commands import complete_python

# Scrapy's engine never ends the first two, and loses count of the others.
OWN = ("cancelled", "starting", "same", "itself")
BOTH = ("many", "closing", "pressed", "asking")


def crawled(kind, *cases):
    arguments = ("-m", "tests.light_oddities", kind, *cases)
    done = complete_python(*arguments, environment=scrapy_environment(), timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def crawls():
    """What came of the cases with the light engine, and with Scrapy's."""
    return {"light": crawled("light", *OWN, *BOTH), "scrapys": crawled("scrapys", *BOTH)}


@pytest.mark.parametrize("case", [*OWN, *BOTH])
def test_nothing_is_left(crawls, case):
    assert set(crawls["light"][case]["left"]) == {0}


def test_what_was_cancelled_is_an_error_of_its_page_alone(crawls):
    seen = Counter(crawls["light"]["cancelled"]["seen"])
    assert seen.pop("begun") == 8
    # Of four callbacks, an errback and a pipeline; one of a listener is logged.
    assert seen.pop("WorkCancelledError") == 6
    assert set(seen) == {
        *("outputs 1", "generator 1", "pipeline 2", "listener 1", "listener 2", "none"),
    }


def test_start_that_awaits_what_was_cancelled(crawls):
    seen = crawls["light"]["starting"]["seen"]
    assert sorted(seen) == ["WorkCancelledError", "answer", "begun"]


def test_one_request_several_times(crawls):
    assert crawls["light"]["same"]["seen"].count("answer") == 5
    seen = Counter(crawls["light"]["itself"]["seen"])
    assert seen == {"begun": 9, "0": 2, "1": 2, "2": 2}


def test_the_engine_has_no_bug_to_tell_of(crawls):
    assert crawls["light"]["bugs"] == []


@pytest.mark.parametrize("kind", ["light", "scrapys"])
def test_others_have_their_turn_between_many_outputs(crawls, kind):
    seen = crawls[kind]["many"]["seen"]
    assert seen.index("turn") < seen.index("outputs, few")


@pytest.mark.parametrize("kind", ["light", "scrapys"])
def test_what_is_under_way_at_the_close_comes_to_its_end(crawls, kind):
    seen = Counter(crawls[kind]["closing"]["seen"])
    assert 3 <= seen["begun"] == seen["item"] < 10
    assert seen["closed enough"] == 1


@pytest.mark.parametrize("kind", ["light", "scrapys"])
def test_answers_that_wait_for_callbacks_keep_requests_back(crawls, kind):
    most = crawls[kind]["pressed"]["most"]
    assert most["downloads"] <= 3
    # Two are more than may be active; up to three were under way then.
    assert 2 <= most["callbacks"] <= 5


@pytest.mark.parametrize("kind", ["light", "scrapys"])
def test_callback_that_downloads_and_has_a_time_out(crawls, kind):
    seen = crawls[kind]["asking"]["seen"]
    assert seen == ["begun", "begun", "http://a.example/other", "timeout"]
