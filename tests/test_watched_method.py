"""Our own methods in a watched process, as the explorer runs them: the same labels and reasons, and an end."""

from __future__ import annotations

import time
from contextlib import closing

import pytest
from scrapy.settings import Settings

from crawler.commands.base import PROJECT_DEFAULTS
from crawler.commands.explore import Command
from crawler.errors import InputError
from crawler.page import PageLimits, PageRules, build_page
from pipelines.boilerplate import registry
from pipelines.boilerplate.labels import CleaningFailed
from pipelines.evaluation.harness.isolation import SourcePage
from pipelines.evaluation.watched_method import Limits, WatchedMethod
from tests.explorer_site import warc_record

PAGE = (
    b"<title>Rain</title><h1>Rain</h1><ul><li><a href=/>Home</a><li><a href=/b>News of the day</a></ul>"
    + b"<p>The words of a paragraph that is as long as one of an article, and in plain English." * 3
    + b"<p hidden>Some more.<p><a href=/c>Further</a>"
)
# Elements that a rule looks through from each of them.
WIDE = b"<p>x" * 100_000
SLOW_RULE = "<RULE context='P'><CHECK><WHENEVER test='count(preceding::*) &lt; 0'/></CHECK></RULE>"
ADDRESS = "http://a.example/"
RULES = PageRules(inline="transparent", hidden="drop")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"), [("justext", {"length_low": 5}), ("elisa", {}), ("lqf-25", {})]
)
def test_it_says_what_the_method_says(name, options):
    cleaner, limits = registry.get(name, **options), PageLimits(max_blocks=6)
    model = build_page(PAGE, url=ADDRESS, content_type="text/html", limits=limits, rules=RULES)
    expected = cleaner.label(model)
    with closing(WatchedMethod(name, options, cleaner, Limits())) as watched:
        labels, reasons = watched.judge(SourcePage(PAGE, ADDRESS, "text/html", limits, RULES))
    assert labels.kept.tolist() == expected.kept.tolist()
    assert list(labels.label) == list(expected.label)
    told = cleaner.reasons(model)
    assert reasons == (told.page, list(told.blocks))


@pytest.fixture
def slow_options(tmp_path):
    rules = tmp_path / "rules.xml"
    rules.write_text(SLOW_RULE)
    return {"rules_file": str(rules)}


@pytest.mark.slow
def test_a_page_that_takes_too_long_or_too_much_ends_with_the_process(slow_options):
    cleaner = registry.get("elisa", **slow_options)
    wide = SourcePage(WIDE, ADDRESS, "text/html", PageLimits(), RULES)
    for limits, reason in (
        (Limits(page_secs=1.5), "cleaner_timeout"),
        (Limits(memory_bytes=2**20), "cleaner_memory"),
    ):
        with closing(WatchedMethod("elisa", slow_options, cleaner, limits)) as watched:
            with pytest.raises(CleaningFailed) as failed:
                watched.judge(wide)
            assert failed.value.reason == reason
            page = wide._replace(body=PAGE)
            if reason == "cleaner_timeout":  # the next one gets another process
                assert len(watched.judge(page)[0].kept)


def inspector_of(**settings):
    command = Command()
    command.settings = Settings({**PROJECT_DEFAULTS, **settings})
    return command._inspector()


def test_the_explorer_watches_all_methods_but_the_default():
    assert not isinstance(inspector_of().cleaner, WatchedMethod)
    ours = inspector_of(CLEAN_METHOD="elisa", CLEAN_WORKER_SECS=2.5, CLEAN_WORKER_BYTES=300_000_000)
    assert ours.cleaner.limits == Limits(page_secs=2.5, memory_bytes=300_000_000)


@pytest.mark.slow
def test_a_page_that_is_too_much_for_a_method_is_told_in_the_explorer(tmp_path, slow_options):
    for name, body in (("page", PAGE), ("wide", WIDE)):
        (tmp_path / name).write_bytes(warc_record(ADDRESS, body))
    inspector = inspector_of(
        CLEAN_METHOD="elisa", CLEAN_OPTIONS=slow_options, CLEAN_WORKER_SECS=4.0
    )
    with closing(inspector.cleaner):
        shown = inspector.html(tmp_path, {"warc_file": "page", "warc_offset": 0})
        assert "The words of a paragraph" in shown
        start = time.monotonic()
        with pytest.raises(InputError, match="ends the method in cleaner_timeout"):
            inspector.html(tmp_path, {"warc_file": "wide", "warc_offset": 0})
        assert time.monotonic() - start < 60
