"""Pipelines, spiders and settings of somebody else's project: no page is lost, no crawl hangs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy, scrapy_command
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes

SETTINGS = """
SPIDER_MODULES = ["mine.spiders"]
ADDONS = {{"crawler.addon.Winnow": 500}}
USER_AGENT = "mine/1.0"
ALLOWED_PRIVATE_NETWORKS = ["127.0.0.0/8"]
HOSTS_FILE = {hosts!r}
CORPUS_DIR = {corpus!r}
HOST_DELAY_SECS = 0.3
FETCH_RETRIES = 0
DEDUP_THRESHOLD = 0
"""

PIPELINES = """
import asyncio
from dataclasses import replace
from scrapy.exceptions import DropItem

class Raising:
    def process_item(self, item):
        raise ValueError("broken")

class Dropping:
    def process_item(self, item):
        raise DropItem("not mine")

class Cancelling:
    async def process_item(self, item):
        await _await_what_was_cancelled()

async def _await_what_was_cancelled():
    task = asyncio.create_task(asyncio.sleep(60))
    task.cancel()
    await task

class CancellingOutput:
    async def process_spider_output(self, response, result):
        await _await_what_was_cancelled()
        async for entry in result:
            yield entry

class CancellingLater:
    async def process_spider_output(self, response, result):
        async for entry in result:
            yield entry
        await _await_what_was_cancelled()

class CancellingInput:
    def process_spider_input(self, response):
        raise asyncio.CancelledError

class CancellingException:
    def process_spider_exception(self, response, exception):
        raise asyncio.CancelledError

class First:
    seen = 0
    def process_item(self, item):
        First.seen += 1
        if First.seen == 1:
            raise DropItem("only the first")
        return item

class AsDict:
    def process_item(self, item):
        return {"url": item["url"] if isinstance(item, dict) else item.url}

class Copying:
    def process_item(self, item):
        return item if isinstance(item, dict) else replace(item)
"""

SPIDERS = """
import asyncio
import scrapy

class Mine(scrapy.Spider):
    name = "mine"

    async def start(self):
        yield scrapy.Request("http://one.sample/", errback=self.failed)
        yield scrapy.Request("http://nowhere.sample/", errback=self.failed)

    def failed(self, failure):
        yield {"url": failure.request.url}

    def check(self, response, number):
        return response

class Plain(Mine):
    name = "plain"
    def parse(self, response):
        yield {"url": "before"}
        yield response.meta["winnow_page"]
        yield {"url": "after"}

class Starting(Plain):
    name = "starting"
    async def start(self):
        async for request in super().start():
            yield request
        raise RuntimeError("start")

class Passing(Mine):
    name = "passing"
    def parse(self, response):
        page = response.meta["winnow_page"]
        page.model.links.follow[:] = False
        yield page
        yield scrapy.Request("http://two.sample/", self.other, meta=response.meta)
    def other(self, response):
        if False:
            yield

class Again(Mine):
    name = "again"
    n_asked = 0
    def parse(self, response):
        self.n_asked += 1
        if self.n_asked == 1:
            yield response.request

class Cancelled(Mine):
    name = "cancelled"
    async def parse(self, response):
        task = asyncio.create_task(asyncio.sleep(60))
        task.cancel()
        await task

class Raising(Mine):
    name = "raising"
    def parse(self, response):
        yield {"url": "before"}
        raise RuntimeError("callback")
"""

ANSWERS = {
    "one/": reply(page(b'<a href="http://two.sample/">two</a>'), HTML),
    "one/copy": reply(page(b'<a href="http://two.sample/">two</a>'), HTML),
    "one/robots.txt": reply(b"", status=b"404 Not Found"),
    "two/": reply(page(b"<b>An end of its own.</b>"), HTML),
    "away/": reply(b"", b"Location: http://one.sample/", status=b"302 Found"),
    "away/robots.txt": reply(b"", status=b"404 Not Found"),
    "failing/": reply(b"", status=b"503 Later"),
}


@pytest.fixture
def crawl(tmp_path):
    """Run a spider of the project with more lines of settings; return (process, {url: reason})."""

    def run(spider, settings="", *arguments, returncode=0):
        project = tmp_path / "mine"
        project.mkdir()
        (project / "__init__.py").touch()
        (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = mine.settings\n")
        (project / "parts.py").write_text(PIPELINES)
        (project / "spiders.py").write_text(SPIDERS)
        text = SETTINGS.format(hosts=str(tmp_path / "hosts.tsv"), corpus=str(tmp_path / "corpus"))
        (project / "settings.py").write_text(f"{text}\n{settings}\n")
        with served_bytes(tmp_path, Hostile(ANSWERS)):
            (tmp_path / "copies.txt").write_text("http://one.sample/\nhttp://one.sample/copy\n")
            done = run_scrapy("crawl", spider, *arguments, profile="default", cwd=tmp_path)
        assert done.returncode == returncode, done.stderr
        corpus = Corpus.open(tmp_path / "corpus")
        rows = [(row["url"], "kept") for row in corpus.documents(["url"])]
        rows += [(row["url"], row["reason"]) for row in corpus.rejected(["url", "reason"])]
        assert len(rows) == len(dict(rows))
        return done, {url[7:].partition(".")[0]: reason for url, reason in rows}

    return run


@pytest.mark.parametrize(
    ("pipeline", "order", "reason"),
    [
        pytest.param("Raising", 300, "error_ValueError", marks=pytest.mark.long),
        pytest.param("Raising", 870, "error_ValueError", marks=pytest.mark.long),
        ("Raising", 900, "error_ValueError"),
        ("Cancelling", 300, "error_WorkCancelledError"),
        pytest.param("Dropping", 300, "dropped", marks=pytest.mark.long),
        pytest.param("Dropping", 870, "dropped", marks=pytest.mark.long),
        ("AsDict", 300, "not_stored"),
        pytest.param("Copying", 300, "not_stored", marks=pytest.mark.long),
        pytest.param("AsDict", 900, "kept", marks=pytest.mark.long),
    ],
)
def test_pipelines(crawl, pipeline, order, reason):
    done, rows = crawl("plain", f'ITEM_PIPELINES = {{"mine.parts.{pipeline}": {order}}}')
    assert rows["one"] == reason, done.stderr
    assert "AttributeError" not in done.stderr


@pytest.mark.parametrize(
    ("middleware", "spider", "reason"),
    [
        ("Output", "plain", "exception"),
        ("Later", "plain", "kept"),
        pytest.param("Input", "plain", "exception", marks=pytest.mark.long),
        pytest.param("Exception", "raising", "exception", marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("order", [50, pytest.param(950, marks=pytest.mark.long)])
def test_spider_middleware_that_awaits_what_was_cancelled(crawl, middleware, spider, reason, order):
    settings = f'SPIDER_MIDDLEWARES = {{"mine.parts.Cancelling{middleware}": {order}}}'
    done, rows = crawl(spider, settings)
    assert rows["one"] == reason, done.stderr
    assert "WorkCancelledError" in done.stderr


def test_copy_of_a_page_that_was_dropped_late_is_kept(crawl, tmp_path):
    settings = 'ITEM_PIPELINES = {"mine.parts.First": 870}\nCOMMIT_GROUP_PAGES = 1\n'
    _, rows = crawl("odp", settings, "-a", f"seeds={tmp_path / 'copies.txt'}")
    assert sorted(rows.values()) == ["dropped", "kept"]


def test_request_with_the_meta_of_another_page(crawl):
    assert crawl("passing")[1] == {"one": "kept", "two": "not_yielded", "nowhere": "dns"}


def test_request_of_the_answer_itself(crawl):
    assert crawl("again")[1]["one"] == "not_yielded"


def test_start_that_raises(crawl):
    done, rows = crawl("starting", "", "--nolog", returncode=1)
    assert rows["one"] == "kept"
    assert done.stderr == (
        "winnow: the spider's start ended in an error (RuntimeError); run it without --nolog to see more\n"
    )


def test_start_that_raises_with_a_log(crawl):
    """It was told to be run without --nolog, which nobody had given."""
    done, _ = crawl("starting", "", returncode=1)
    assert done.stderr.endswith(
        "\nwinnow: the spider's start ended in an error (RuntimeError); the log says more\n"
    )


def test_callback_that_raises(crawl):
    assert crawl("raising")[1]["one"] == "exception"


def test_callback_that_awaits_what_was_cancelled(crawl):
    assert crawl("cancelled")[1]["one"] == "exception"


def test_redirects_and_retries_of_scrapy(crawl, tmp_path):
    settings = "REDIRECT_ENABLED = True\nRETRY_ENABLED = True\nRETRY_TIMES = 1\n"
    _, rows = crawl("odp", settings, "-a", f"seeds={tmp_path / 'seeds.txt'}")
    assert rows.pop("two") in ("kept", "duplicate")
    assert rows == {"away": "redirect", "one": "kept", "failing": "status_503"}


@pytest.mark.slow
def test_projects_without_the_add_on_run_as_ever(tmp_path):
    """Also one whose settings module bears the name of our package."""
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = settings\n")
    (tmp_path / "settings.py").write_text('SPIDER_MODULES = ["theirs"]\n')
    (tmp_path / "theirs.py").write_text(
        "import scrapy\nclass Theirs(scrapy.Spider):\n    name = 'theirs'\n"
        "    start_urls = ['data:,hello']\n    def check(self): return 1\n"
        "    def parse(self, response): yield {'said': response.text}\n"
    )
    done = subprocess.run(
        scrapy_command("crawl", "theirs", "-o", "-:jsonl", "-L", "ERROR"), cwd=tmp_path,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout.strip()) == (0, '{"said": "hello"}'), done.stderr
    ours = subprocess.run(
        [sys.executable, "-m", "scrapy", "clean", "page.html"], cwd=tmp_path,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ours.returncode == 2
    assert ours.stderr.startswith("winnow: the name 'settings' belongs to")
    assert ours.stderr.count("\n") == 1
