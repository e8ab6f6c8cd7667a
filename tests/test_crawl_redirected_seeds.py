"""Seeds that redirect: the categories of a directory stay with the site when it has moved within its domain."""

from __future__ import annotations

import pytest

from crawler.fleet.owners import owner_of
from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy
from tests.graph_commands import run_command
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes


def moved(url):
    return reply(b"", b"Location: " + url, status=b"301 Moved")


# Each of these hosts belongs to another process than the one that redirects to it, where hosts are divided.
BY_HOST = ("fleet", "odp", "-p", "3", "-s", "FLEET_DIVIDE_BY=host")
OWNERS = [owner_of(f"sample.dir.{host}", range(3)) for host in ("old", "www", "new")]
assert OWNERS[0] != OWNERS[1] != OWNERS[2]


@pytest.mark.parametrize("command", [("crawl", "odp"), BY_HOST], ids=["alone", "by host"])
def test_hosts_that_seeds_redirect_to_within_their_domain_have_the_categories(tmp_path, command):
    link = b"<p><a href=/in>in</a> <a href=http://linked.dir.sample/>linked</a></p>"
    hostile = Hostile({
        "old/": moved(b"http://www.dir.sample/"),
        "www/": moved(b"http://new.dir.sample/start"),
        "new/start": reply(page(b"new") + link, HTML),
        "new/in": reply(page(b"in") + b"<p><a href=/later>later</a></p>", HTML),
        "new/later": moved(b"http://later.dir.sample/"),
        "later/": reply(page(b"behind a link"), HTML),
        "linked/": reply(page(b"linked"), HTML),
        "parked/": moved(b"http://seller.sample/"),
        "seller/": reply(page(b"to be sold"), HTML),
    })  # fmt: skip
    (tmp_path / "seeds.tsv").write_text(
        "Top/A\thttp://old.dir.sample/\nTop/B\thttp://old.dir.sample/\nTop/C\thttp://parked.sample/\n"
        "Top/D\thttp://new.dir.sample/\n",
        encoding="utf-8",
    )
    with served_bytes(tmp_path, hostile):
        hosts = (tmp_path / "hosts.tsv").read_text(encoding="utf-8")
        inside = hosts + hosts.replace(".sample", ".dir.sample")
        (tmp_path / "hosts.tsv").write_text(inside, encoding="utf-8")
        done = run_scrapy(
            *(*command, "-a", f"seeds={tmp_path / 'seeds.tsv'}", "--nolog"),
            *("-s", f"CORPUS_DIR={tmp_path / 'corpus'}", "-s", "DEDUP_THRESHOLD=0"),
            *("-s", f"HOSTS_FILE={tmp_path / 'hosts.tsv'}"),
        )
    assert done.returncode == 0, done.stderr
    corpus = Corpus.open(tmp_path / "corpus")
    found = {row["url"]: row["category"] for row in corpus.documents(["url", "category"])}
    assert found == {
        "http://new.dir.sample/start": ["Top/A", "Top/B", "Top/D"],
        "http://new.dir.sample/in": ["Top/A", "Top/B", "Top/D"],
        "http://linked.dir.sample/": [],
        "http://later.dir.sample/": [],
        "http://seller.sample/": [],
    }
    ranked = run_command("pagerank", "--corpus", tmp_path / "corpus", "--topics", "seeds", "--json")
    assert ranked.code == 0, ranked.errors
