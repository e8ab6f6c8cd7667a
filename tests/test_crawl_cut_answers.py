"""Answers that are cut on their way, by a server or a network that breaks off, and one that its connection ends."""

from __future__ import annotations

from crawler.seeds.warc import WarcReader
from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, hosts_arguments, page, reply, served_bytes


def crawl(folder, *options):
    """Crawl; return what it printed, and host → text."""
    done = run_scrapy(*hosts_arguments(folder), "-s", "FETCH_RETRY_SECS=0.05", *options)
    assert done.returncode == 0, done.stderr
    rows = Corpus.open(folder / "corpus").documents(["host", "text"])
    return done.stdout, {row["host"].partition(".")[0]: row["text"] for row in rows}


LENGTH = b"Content-Length: 9999"
TAG = b'ETag: "1"'


def test_an_answer_that_its_connection_ends_is_no_cut_one(tmp_path):
    answers = {
        "ends/": reply(page(), HTML),
        "cut/": reply(page(b"cut"), HTML, LENGTH),
    }
    with served_bytes(tmp_path, Hostile(answers)):
        crawl(tmp_path, "-s", "WARC_ENABLED=1", "-s", "DEDUP_THRESHOLD=0")
    (path,) = (tmp_path / "corpus" / "warc").iterdir()
    truncated = {record.url: record.truncated for record in WarcReader(path)}
    assert truncated == {"http://ends.sample/": False, "http://cut.sample/": True}


def test_a_page_that_was_cut_is_asked_for_again(tmp_path):
    """The last attempt is taken as it came, and the next visit asks for the page whole, whatever its ETag was."""
    cut = reply(page(), HTML, LENGTH, TAG)
    mended = reply(page(b"mended"), HTML, TAG)
    answers = {
        "once/": [cut, reply(page(b"whole"), HTML)],
        "always/": [cut, cut, cut, mended],
        "moved/": [reply(b"", b"Location: /to", LENGTH, status=b"302 Found")],
        "moved/to": reply(page(b"to"), HTML),
    }
    with served_bytes(tmp_path, hostile := Hostile(answers)):
        out, texts = crawl(tmp_path, "-s", "DEDUP_THRESHOLD=0")
        assert [hostile.asked.count(name) for name in answers] == [2, 3, 1, 1]
        assert texts["once"].endswith("whole")
        assert texts["always"].endswith("channel.")
        assert "  truncated          1  page whose answer was cut at each attempt" in out
        _, texts = crawl(tmp_path, "-s", "DEDUP_THRESHOLD=0", "-a", "recrawl_after=0.001s")
    assert texts["always"].endswith("mended")
    last = [
        head for name, head in zip(hostile.asked, hostile.heads, strict=True) if name == "always/"
    ][-1]
    assert "If-None-Match" not in last


def test_a_page_of_which_nothing_came_is_not_empty(tmp_path):
    """The text of an earlier visit was lost, as if the page had none any more."""
    nothing = reply(b"", HTML, LENGTH)
    answers = {"later/": [reply(page(b"before"), HTML), nothing], "never/": nothing}
    with served_bytes(tmp_path, hostile := Hostile(answers)):
        out, texts = crawl(tmp_path)
        assert "fetch/connection" in out
        assert "truncated" not in out
        assert [*texts] == ["later"]
        _, texts = crawl(tmp_path, "-a", "recrawl_after=0.001s")
    assert [hostile.asked.count(name) for name in answers] == [1 + 3, 3 + 3]
    assert texts["later"].endswith("before")


def test_rules_that_were_cut_are_asked_for_again(tmp_path):
    kind = b"Content-Type: text/plain"
    cut = reply(b"User-agent: *\nDisal", kind, LENGTH)
    answers = {
        "once/robots.txt": [cut, reply(b"User-agent: *\nDisallow: /", kind)],
        "once/": reply(page(b"once"), HTML),
        "always/robots.txt": cut,
        "always/": reply(page(b"always"), HTML),
    }
    with served_bytes(tmp_path, hostile := Hostile(answers)):
        _, texts = crawl(tmp_path)
    assert [hostile.asked.count(name) for name in answers] == [2, 0, 2, 1]
    assert list(texts) == ["always"]


OWN_SPIDER = """
import scrapy


class Own(scrapy.Spider):
    name = "own"

    async def start(self):
        yield scrapy.Request("http://cut.sample/", callback=self.parse_page)

    def parse_page(self, response):
        yield response.meta["winnow_page"]
"""


def test_the_callback_of_a_spiders_own_request_gets_what_came(tmp_path):
    (tmp_path / "own.py").write_text(OWN_SPIDER, encoding="utf-8")
    with served_bytes(tmp_path, hostile := Hostile({"cut/": reply(page(), HTML, LENGTH)})):
        settings = (f"CORPUS_DIR={tmp_path}/corpus", f"HOSTS_FILE={tmp_path}/hosts.tsv")
        options = [option for value in settings for option in ("-s", value)]
        done = run_scrapy("runspider", f"{tmp_path}/own.py", "-L", "INFO", *options)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert hostile.asked.count("cut/") == 1
    assert len([*Corpus.open(tmp_path / "corpus").documents(["url"])]) == 1
