"""``scrapy explore`` over corpora that change, are damaged, or lack what others have."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
from dataclasses import replace

import pytest
from scrapy.settings import Settings

from crawler.commands.base import PROJECT_DEFAULTS
from crawler.commands.explore import Command
from crawler.durable.files import temporary
from crawler.durable.journals import open_writers
from crawler.durable.sealing import read_shards
from crawler.errors import FormatError
from crawler.explorer.app import _Views
from crawler.explorer.state import PAGE_ROWS, Explorer
from crawler.items import Page
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.new_shards import take_place
from pipelines.corpus.shards import ShardSealer
from tests.conftest import start_scrapy
from tests.explorer_site import Site, warc_record
from tests.laws_corpus import AT, block, url, write_pages


def test_what_was_rejected_of_a_host_stands_behind_its_documents(small_crawl):
    with Site(small_crawl[1]) as site:
        for row in Corpus.open(site.folder).rejected(["host_id", "stage", "reason"]):
            cells = site.tree(f"/host/{row['host_id']}").xpath("//td[last()]")
            told = [cell.text_content() for cell in cells]
            assert len(told) == PAGE_ROWS or f"{row['stage']}/{row['reason']}" in told
            assert told == sorted(told, key=bool)


def test_a_corpus_that_grows_is_read_again(tmp_path):
    write_pages(tmp_path / "corpus", [Page(1, 0, url(0), "a.com", AT, 200, n_words=1)])
    explorer = Explorer(tmp_path / "corpus")
    assert explorer.facts().n_documents == 1
    shutil.rmtree(tmp_path / "corpus")
    write_pages(tmp_path / "corpus", [Page(1, i, url(i), "a.com", AT, 200) for i in range(3)])
    (tmp_path / "corpus" / "manifest.json").write_text(
        json.dumps({"format": 1, "settings": "", "counts": {}, "shards": [], "winnow": "1"})
    )
    assert explorer.facts().n_documents == 3
    assert explorer.page(1, 2) is not None


def test_files_that_a_job_replaces_are_read_again(tmp_path):
    corpus = tmp_path / "corpus"
    write_pages(corpus, [Page(1, 0, url(0), "a.com", AT, 200, text="Some text.", n_words=2)])
    with open_writers(corpus) as (journal,):
        ShardSealer(corpus, rows=1, n_bytes=1)(journal, force=True)
    with Site(corpus) as served:
        assert served.ask("/page/1/0")[0] == 200
        with open_writers(corpus) as (journal,):
            with journal.read() as txn:
                (old,) = read_shards(txn)
            new = replace(old, name="documents/0000-000009.parquet", serial=9)
            shutil.copy(corpus / old.name, temporary(corpus / new.name))
            take_place(corpus, [journal], [old], [new])
        assert not (corpus / old.name).exists()
        assert served.ask("/page/1/0")[0] == 200


@pytest.mark.slow
def test_ctrl_c_ends_the_server_while_it_counts(tmp_path):
    write_pages(tmp_path, [Page(1, 0, url(0), "a.com", AT, 200)])
    os.mkfifo(tmp_path / "closed-0.tsv")  # who reads it waits for ever
    process = start_scrapy("explore", "--port", 0, "--corpus", tmp_path)
    try:
        port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", process.stderr.readline())[1])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", "/")
        assert "is being counted" in connection.getresponse().read().decode()
        connection.close()
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(20)
    finally:
        process.kill()
    assert (process.returncode, "Traceback" in told) == (0, False), told


def test_damage_that_is_found_while_counting_is_told(tmp_path):
    write_pages(tmp_path, [Page(1, 0, url(0), "a.com", AT, 200)])
    (tmp_path / "ranks").mkdir()
    (tmp_path / "ranks" / "pagerank.parquet").write_bytes(b"nonsense")
    explorer = Explorer(tmp_path)
    with pytest.raises(
        FormatError, match=r"pagerank\.parquet cannot be read as Parquet; run `scrapy pagerank`"
    ):
        explorer.facts()
    (tmp_path / "ranks" / "pagerank.parquet").unlink()
    explorer.renew()
    assert explorer.facts().n_documents == 1


def test_blocks_without_numbers_are_shown(tmp_path):
    """As a crawl without a stage that sets them leaves them."""
    bare = dict.fromkeys(block("", 0)) | {"text": "A bare block."}
    write_pages(tmp_path, [Page(1, 0, url(0), "a.com", AT, 200, blocks=[bare])])
    with Site(tmp_path) as served:
        status, _, body = served.ask("/page/1/0")
    assert status == 200, body
    assert "A bare block." in body


def test_what_stored_answers_can_say_is_offered(tmp_path):
    """All answers of 2xx are pages of a crawl; of redirects and errors there are no blocks to tell of."""
    body = b"<h1>Head</h1><p>" + b"Words of the main text. " * 40
    page = warc_record(url(0), body, "203 Non-Authoritative Information")
    error = warc_record(url(1), body, "404 Not Found")
    (tmp_path / "warc").mkdir()
    (tmp_path / "warc" / "0.warc.gz").write_bytes(page + error)
    stored = {"warc_file": "warc/0.warc.gz"}
    gone = {"host_id": 1, "local_id": 1, "url": url(1), "host": "a.com", "fetched_at": AT}
    gone |= {"stage": "fetch", "reason": "status_404", "warc_offset": len(page), **stored}
    kept = Page(1, 0, url(0), "a.com", AT, 203, warc_offset=0, **stored)
    write_pages(tmp_path, [kept], rejected=[gone])
    with Site(tmp_path) as served:
        assert "/inspect/1/0" in served.ask("/page/1/0")[2]
        status, _, shown = served.ask("/inspect/1/0")
        told = served.ask("/page/1/1")[2]
    assert status == 200, shown
    assert "Words of the main text." in shown
    assert "status_404" in told
    assert "/inspect/" not in told


@pytest.mark.slow
def test_the_report_is_drawn_once_for_each_count(tmp_path):
    write_pages(tmp_path, [Page(1, 0, url(0), "a.com", AT, 200, n_words=3)])
    explorer, command = Explorer(tmp_path), Command()
    command.settings = Settings(PROJECT_DEFAULTS)
    views = _Views(explorer, command._inspector())
    first = views._parts(explorer.facts())
    assert "<img" in first
    assert views._parts(explorer.facts()) is first
    explorer.renew()
    assert views._parts(explorer.facts()) == first


def test_segments_of_a_page_stand_apart(tmp_path):
    of_page = [[0, 0, 1, 2, 2], [0, 0], [None, None]]
    write_pages(
        tmp_path / "corpus",
        [
            Page(1, i, url(i), "a.com", AT, 200, blocks=[block(f"Text {s}", s) for s in segments])
            for i, segments in enumerate(of_page)
        ],
    )
    with Site(tmp_path / "corpus") as site:
        pages = [site.tree(f"/page/1/{i}") for i in range(3)]
    apart = [
        ["apart" in b.get("class") for b in p.xpath("//div[@class='blocks']/div")] for p in pages
    ]
    assert apart == [[False, False, True, True, False], [False, False], [False, False]]
    told = ["".join(page.xpath("//p[@class='note']/text()")) for page in pages]
    assert told == ["3 segments, parted by gaps", "1 segment", ""]


def test_the_diagram_of_a_page_leads_to_its_blocks(tmp_path):
    blocks = [
        {**block("Menu", 0), "kept": False, "label": "boilerplate"},
        {**block("Main", 1), "words": 31, "text_density": 12.5},
        {**block("Said", 1), "kept": False, "label": "comment"},
        {**block("", 2), "words": 0, "text_density": None},
    ]
    odd = [{**block("Old", 0), "text_density": None}]
    pages = [
        Page(1, i, url(i), "a.com", AT, 200, blocks=each) for i, each in enumerate([blocks, odd])
    ]
    write_pages(tmp_path, pages)
    with Site(tmp_path) as served:
        tree, other = served.tree("/page/1/0"), served.tree("/page/1/1")
    bars = tree.xpath("//figure//a")
    assert [bar[0].get("class") for bar in bars] == ["cut pale", "kept", "other pale", "kept"]
    assert "12.5 words a line, 3 lines" in bars[1].text_content()
    texts = [tree.xpath(f"string(//div[@id='{bar.get('href')[1:]}']/p)") for bar in bars]
    assert texts == ["Menu", "Main", "Said", ""]
    assert len(tree.xpath("//svg[@class='bars']/line[@class='border']")) == 2
    assert not other.xpath("//figure")
