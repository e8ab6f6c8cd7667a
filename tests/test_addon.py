"""The add-on in somebody else's project: one line switches Winnow on, a feed exports the pages."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from scrapy.settings import Settings
from scrapy.settings.default_settings import EXTENSIONS_BASE

from crawler.addon import COMPONENTS, DOWNLOAD_HANDLERS, SCRAPY_DEFAULTS, SWITCHES, Winnow
from pipelines.corpus.corpus import Corpus
from tests.conftest import SMALL_WEB, run_scrapy, scrapy_command, served_web

SETTINGS = """
BOT_NAME = "scratch"
SPIDER_MODULES = ["scratch.spiders"]
ADDONS = {{"crawler.addon.Winnow": 500}}
USER_AGENT = "scratch/1.0 (+http://scratch.sample/)"
ALLOWED_PRIVATE_NETWORKS = ["127.0.0.0/8"]
HOSTS_FILE = {hosts!r}
CORPUS_DIR = {corpus!r}
HOST_DELAY_SECS = 0.02
FETCH_RETRIES = 0
"""

SPIDER = """
import scrapy


class OneHost(scrapy.Spider):
    name = "onehost"

    async def start(self):
        yield scrapy.Request(self.url, callback=self.parse_page)
        yield scrapy.Request("http://nowhere.sample/", errback=self.failed)
        yield scrapy.Request("http://nowhere.sample/2")

    def failed(self, failure):
        yield {"failed": failure.request.url}

    def parse_page(self, response):
        page = response.meta["winnow_page"]
        page.model.links.follow[:] = False
        yield page
        for _ in range(3):  # the same page again: a duplicate
            yield response.follow(self.url, self.parse_page)
"""


@pytest.fixture
def scratch(tmp_path):
    """A project made as `scrapy startproject` makes it, with one spider of its own."""
    (tmp_path / "scratch" / "spiders").mkdir(parents=True)
    (tmp_path / "scratch" / "__init__.py").touch()
    (tmp_path / "scratch" / "spiders" / "__init__.py").touch()
    (tmp_path / "scratch" / "spiders" / "onehost.py").write_text(SPIDER, encoding="utf-8")
    (tmp_path / "scrapy.cfg").write_text(
        "[settings]\ndefault = scratch.settings\n", encoding="utf-8"
    )
    return tmp_path


def run_in(folder, *arguments):
    return subprocess.run(
        scrapy_command(*arguments),
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def json_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.slow
def test_scratch_project(scratch, tmp_path):
    corpus, web = tmp_path / "corpus", tmp_path / "web"
    with served_web(web, *SMALL_WEB):
        text = SETTINGS.format(hosts=str(web / "hosts.tsv"), corpus=str(corpus))
        (scratch / "scratch" / "settings.py").write_text(text, encoding="utf-8")
        seed = (web / "seeds.tsv").read_text(encoding="utf-8").splitlines()[0].split("\t")[1]
        own = run_in(scratch, "crawl", "onehost", "-a", f"url={seed}", "-o", "own.jsonl")
        assert own.returncode == 0, own.stderr
        # Before the crawl that leaves a queue, with which this would go on.
        known = run_scrapy(
            "parse",
            "--spider",
            "onehost",
            "-a",
            f"url={seed}",
            seed,
            profile="default",
            cwd=scratch,
        )
        ours = run_scrapy(
            "crawl", "odp", "-a", f"seeds={web / 'seeds.tsv'}",
            "-a", "max_pages=30", "-o", "pages.jsonl", profile="default", cwd=scratch,
        )  # fmt: skip
        assert ours.returncode == 0, ours.stderr
    assert f"{seed} is not fetched, for the corpus has or awaits it" in known.stderr
    own_pages = json_lines(scratch / "own.jsonl")
    assert [page["url"] for page in own_pages if "url" in page] == [seed]
    assert [page for page in own_pages if "url" not in page] == [
        {"failed": "http://nowhere.sample/"}
    ]
    pages = json_lines(scratch / "pages.jsonl")
    assert 5 < len(pages) <= 30
    assert all(page["text"] and page["blocks"] and page["digest"] for page in pages)
    ranked = run_scrapy("pagerank", "--corpus", corpus, profile="default", cwd=scratch)
    assert ranked.returncode == 0, ranked.stderr


@pytest.mark.slow
def test_commands_outside_any_project(tmp_path):
    (tmp_path / "page.html").write_text("<p>" + "word and word again " * 20, encoding="utf-8")
    cleaned = run_in(tmp_path, "clean", "page.html")
    assert cleaned.returncode == 0, cleaned.stderr
    assert cleaned.stdout.startswith("word and word again")


def test_package_of_the_same_name_is_refused_in_one_line(tmp_path):
    (tmp_path / "settings.py").touch()
    code = "from crawler.addon import check_package_names as check; check()"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "the name 'settings' belongs to" in done.stderr


@pytest.mark.parametrize("spider", ["odp", "onehost"])
def test_another_scheduler_is_refused_in_one_line(scratch, tmp_path, spider):
    text = SETTINGS.format(hosts="", corpus=str(tmp_path / "corpus"))
    (scratch / "scratch" / "settings.py").write_text(text, encoding="utf-8")
    (tmp_path / "seeds.txt").write_text("http://127.0.0.1/\n", encoding="utf-8")
    argument = f"seeds={tmp_path / 'seeds.txt'}" if spider == "odp" else "url=http://127.0.0.1/"
    done = run_scrapy(
        *("crawl", spider, "-a", argument, "-s", "SCHEDULER=scrapy.core.scheduler.Scheduler"),
        *("-L", "ERROR"), profile="default", cwd=scratch,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith(
        "winnow: the setting SCHEDULER is scrapy.core.scheduler.Scheduler"
    )
    assert done.stderr.count("\n") == 1


def test_tables_name_components_that_load():
    from scrapy.utils.misc import load_object

    for table in COMPONENTS.values():
        for path in table:
            assert load_object(path)
    for path in filter(None, [SCRAPY_DEFAULTS["SCHEDULER"], *DOWNLOAD_HANDLERS.values()]):
        assert load_object(path)


def test_extensions_that_are_off_are_not_imported():
    assert set(SWITCHES.values()) <= set(EXTENSIONS_BASE)
    settings = Settings({"TELNETCONSOLE_ENABLED": True})
    Winnow().update_settings(settings)
    extensions = settings.getwithbase("EXTENSIONS")
    assert SWITCHES["TELNETCONSOLE_ENABLED"] in extensions
    assert SWITCHES["REMOTE_CONTROL_ENABLED"] not in extensions


def test_scrapy_still_has_what_we_reach_into():
    """Private names of Scrapy and Twisted that have no public way: a change shows here."""
    import inspect

    from scrapy.core import engine
    from scrapy.core.downloader import Downloader
    from scrapy.crawler import CrawlerProcessBase
    from scrapy.utils import defer

    slot = inspect.getsource(engine._Slot.__init__)
    assert "self.nextcall" in slot
    assert "self.closing" in slot
    assert "self._slot" in inspect.getsource(engine.ExecutionEngine.__init__)
    start = inspect.getsource(engine.ExecutionEngine._start_scheduled_requests)
    assert "self._start_scheduled_request()" in start
    assert "self.downloader.fetch(request)" in inspect.getsource(engine.ExecutionEngine._download)
    fetch = inspect.getsource(Downloader.fetch)
    assert "self.middleware.download_async(self._enqueue_request, request)" in fetch
    assert inspect.iscoroutinefunction(engine.ExecutionEngine.close_spider_async)
    assert callable(defer._schedule_coro)
    shutdown = inspect.getsource(CrawlerProcessBase._signal_shutdown)
    assert "install_shutdown_handlers(self._signal_kill)" in shutdown
    assert "self.middleware" in inspect.getsource(Downloader.__init__)
    assert "await self.handlers" in inspect.getsource(Downloader._download)


def test_their_http_client_still_has_what_we_reach_into():
    import inspect

    from scrapy.core.downloader.handlers.http11 import (
        HTTP11DownloadHandler,
        _LenientHTTP11ClientProtocol,
        _ScrapyAgent,
    )
    from twisted.web._newclient import HTTPClientParser
    from twisted.web.client import HTTPConnectionPool
    from twisted.web.http import _ChunkedTransferDecoder

    assert "self._pool" in inspect.getsource(HTTP11DownloadHandler.__init__)
    assert "self._pool._factory" in inspect.getsource(HTTP11DownloadHandler.__init__)
    assert "self._parser.__class__" in inspect.getsource(_LenientHTTP11ClientProtocol.request)
    assert "self.response._bodyDataReceived" in inspect.getsource(HTTPClientParser)
    assert "self.finishCallback" in inspect.getsource(_ChunkedTransferDecoder)
    assert HTTPConnectionPool.cachedConnectionTimeout == 240
    put = inspect.getsource(HTTPConnectionPool._putConnection)
    assert "self._connections" in put
    assert "self._timeouts" in put
    assert "self._removeConnection, key, connection" in put
    assert "self._get_agent(request, timeout)" in inspect.getsource(_ScrapyAgent.download_request)
    assert "writeTo" in inspect.getsource(_LenientHTTP11ClientProtocol.__mro__[1].request)


FAILING = """
class Failing:
    def process_item(self, item):
        raise ValueError("this stage is broken")
"""


def test_pages_of_a_stage_that_fails_are_rejected(scratch, tmp_path):
    corpus, web = tmp_path / "corpus", tmp_path / "web"
    (scratch / "scratch" / "pipelines.py").write_text(FAILING, encoding="utf-8")
    with served_web(web, *SMALL_WEB):
        text = SETTINGS.format(hosts=str(web / "hosts.tsv"), corpus=str(corpus))
        text += 'ITEM_PIPELINES = {"scratch.pipelines.Failing": 300}\n'
        (scratch / "scratch" / "settings.py").write_text(text, encoding="utf-8")
        done = run_scrapy(
            "crawl", "odp", "-a", f"seeds={web / 'seeds.tsv'}", "-a", "max_pages=5",
            profile="default", cwd=scratch,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    reasons = {(row["stage"], row["reason"]) for row in Corpus.open(corpus).rejected()}
    assert ("stages", "error_ValueError") in reasons
    assert Corpus.open(corpus).n_rows("documents") == 0
