"""Cleaners of other projects in a crawl: watched, cut and replaced.

=====================================  ======================================================
a page makes the cleaner               what comes of it
=====================================  ======================================================
spin, in Python or in C                cut after ``CLEAN_WORKER_SECS`` (10 s; here 3),
                                       ``cleaner_timeout``
allocate without end                   cut at ``CLEAN_WORKER_BYTES`` more than its start (512
                                       MiB; here 256), ``cleaner_memory``
end its process                        ``cleaner_died``
raise                                  ``cleaner_error``
=====================================  ======================================================

Every other page is cleaned and kept, by the next process, and pages are fetched meanwhile.
"""

from __future__ import annotations

import json
import os
import resource
import time

import pytest
from scrapy.utils.test import get_crawler

from crawler.commands.base import PROJECT_DEFAULTS
from crawler.errors import InputError
from crawler.page import PageRules, build_page
from pipelines.boilerplate.labels import CleaningFailed
from pipelines.corpus.corpus import Corpus
from pipelines.evaluation.foreign_cleaner import ForeignCleaner, Limits, foreign_cleaner
from pipelines.stages.clean import CleanStage
from tests.conftest import run_scrapy
from tests.deadly import ALLOCATED, HostileSubject
from tests.forked_commands import complete_python
from tests.hostile_server import HTML, TEXT, Hostile, hosts_arguments, page, reply, served_bytes

FAILURES = {
    "spin": "cleaner_timeout",
    "backtrack": "cleaner_timeout",
    "allocate": "cleaner_memory",
    "segfault": "cleaner_died",
    "exit": "cleaner_died",
    "raise": "cleaner_error",
}
QUICK = {title: FAILURES[title] for title in ("backtrack", "allocate", "segfault", "raise")}
PIPELINES = {"pipelines.stages.clean.CleanStage": None, "tests.deadly.HostileCleanStage": 820}
SMALL_LIMITS = ("-s", "CLEAN_WORKER_SECS=3", "-s", "CLEAN_WORKER_BYTES=268435456")


def titled(title, words=b""):
    return page(words).replace(b"<title>T<", b"<title>" + title.encode() + b"<")


@pytest.mark.slow
def test_pages_that_hurt_a_cleaner_are_rejected_and_the_crawl_goes_on(tmp_path):
    answers = {f"{title}/": reply(titled(title), HTML) for title in QUICK} | {
        f"good{n}/": reply(titled("good", b"number %d" % n * 20), HTML) for n in range(12)
    }
    hostile = Hostile(answers)
    with served_bytes(tmp_path, hostile):
        done = run_scrapy(
            *hosts_arguments(tmp_path), *SMALL_LIMITS, "-s", "DEDUP_THRESHOLD=0",
            "-s", f"ITEM_PIPELINES={json.dumps(PIPELINES)}",
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    corpus = Corpus.open(tmp_path / "corpus")
    rejected = {row["url"]: (row["stage"], row["reason"]) for row in corpus.rejected()}
    assert rejected == {
        f"http://{title}.sample/": ("clean", reason) for title, reason in QUICK.items()
    }
    kept = list(corpus.documents(["method", "text"]))
    assert {row["method"] for row in kept} == {"peer/hostile"}
    assert len(kept) == 12
    assert "clean/cleaner_timeout" in done.stdout


def children_secs():
    """CPU seconds of the processes that this one started and that ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@pytest.mark.long
def test_a_spinning_cleaner_is_cut_in_ten_seconds_and_half_a_gigabyte(tmp_path, monkeypatch):
    monkeypatch.setenv(ALLOCATED, str(tmp_path / "allocated"))
    worker = ForeignCleaner(
        HostileSubject("peer/hostile", "peer/hostile"),
        Limits(page_secs=PROJECT_DEFAULTS["CLEAN_WORKER_SECS"], memory_bytes=2**29),
    )
    for title, reason in FAILURES.items():
        model = build_page(titled(title), url="http://a.sample/", content_type=None)
        before = children_secs()
        with pytest.raises(CleaningFailed, match=reason):
            worker.label(model)
        # Those that spin have no end of their own. The time that a process got is no longer than the
        # clock's, however busy the machine is; it starts and imports, too.
        assert children_secs() - before < 10 + 10
    worker.close()
    assert (
        2**28
        < int((tmp_path / "allocated").read_text())
        <= 2**29
        == PROJECT_DEFAULTS["CLEAN_WORKER_BYTES"]
    )


@pytest.mark.slow
def test_a_spinning_cleaner_ends_with_the_crawl():
    code = """
import os, sys, threading
from crawler.page import build_page
from pipelines.evaluation.foreign_cleaner import ForeignCleaner, Limits
from tests.deadly import ALLOCATED, HostileSubject
worker = ForeignCleaner(HostileSubject("peer/hostile", "peer/hostile"), Limits(page_secs=60))
def label(title):
    worker.label(build_page(b"<title>%s</title><p>x</p>" % title, url="http://a/", content_type=None))
label(b"good")
print(worker._isolated._process.pid, flush=True)
threading.Timer(0.3, os._exit, [0]).start()
label(b"backtrack")
"""
    worker = int(complete_python("-c", code).stdout)
    for _ in range(100):
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    raise AssertionError("the worker goes on without its crawl")


PAGE = (
    b"<html lang=en><title>A page</title><div><a href=/>Home</a> <a href=/b>News</a></div>"
    b"<h1>The title of the text</h1><p>" + TEXT + b"</p><p>And another. " + TEXT.upper() + b"</p>"
)


@pytest.mark.long
@pytest.mark.parametrize("name", ["peer/trafilatura", "peer/justext"])
def test_blocks_are_kept_as_the_peer_keeps_text(name):
    pytest.importorskip(name.removeprefix("peer/"))
    model = build_page(
        PAGE, url="http://a.sample/", content_type=None, rules=PageRules(inline="transparent")
    )
    worker = foreign_cleaner(name, Limits())
    labels = worker.label(model)
    worker.close()
    kept = dict(zip(model.blocks.text, labels.kept.tolist(), strict=True))
    assert kept.pop("Home News") is False
    assert kept.pop("The title of the text", None) is not None
    assert all(kept.values())
    assert len(kept) == 2


@pytest.mark.parametrize("source", [b"", b"<script>x</script>"])
def test_a_page_without_text_has_no_labels(source):
    pytest.importorskip("justext")
    worker = foreign_cleaner("peer/justext", Limits())
    labels = worker.label(build_page(source, url="", content_type="text/html"))
    worker.close()
    assert (labels.kept.tolist(), list(labels.label)) == ([], [])


@pytest.mark.long
def test_a_crawl_and_a_command_clean_with_a_peer(tmp_path):
    pytest.importorskip("trafilatura")
    with served_bytes(tmp_path, Hostile({"one/": reply(PAGE, HTML)})):
        done = run_scrapy(*hosts_arguments(tmp_path), "-s", "CLEAN_METHOD=peer/trafilatura")
    assert done.returncode == 0, done.stderr
    [row] = Corpus.open(tmp_path / "corpus").documents(["method", "text"])
    assert row["method"] == "peer/trafilatura"
    assert "Home" not in row["text"]
    file = tmp_path / "page.html"
    file.write_bytes(PAGE)
    cleaned = run_scrapy("clean", "--method", "peer/trafilatura", file)
    assert cleaned.stdout.strip() == row["text"].strip()


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"CLEAN_METHOD": "nobody"}, "change CLEAN_METHOD"),
        ({"CLEAN_OPTIONS": {"a": 1}}, "change CLEAN_METHOD or CLEAN_OPTIONS"),
        ({"LINK_LABELLER": "nobody"}, "change LINK_LABELLER"),
        ({"CLEAN_METHOD": "peer/nobody"}, "unknown"),
        ({"CLEAN_METHOD": "peer/justext", "CLEAN_WORKER_SECS": 0}, "page_secs must be above 0"),
        ({"CLEAN_METHOD": "peer/justext", "CLEAN_OPTIONS": {"a": 1}}, "takes no CLEAN_OPTIONS"),
    ],
)
def test_wrong_settings_are_told(settings, told):
    crawler = get_crawler(settings_dict={**PROJECT_DEFAULTS, **settings})
    with pytest.raises(InputError, match=told):
        CleanStage.from_crawler(crawler)
