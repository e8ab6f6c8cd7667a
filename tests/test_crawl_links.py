"""``-a links=0``: the pages of a list alone, and what sitemaps and feeds list."""

from __future__ import annotations

from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes

LINK = b"<a href=/linked>further</a>"
ANSWERS = {
    "a/one": reply(page(b"one" + LINK), HTML),
    "a/moved": reply(b"", b"Location: /two", status=b"301 Moved"),
    "a/two": reply(page(b"two" + LINK), HTML),
    "a/refresh": reply(b"<meta http-equiv=refresh content='0; url=/three'>", HTML),
    "a/three": reply(page(b"three" + LINK), HTML),
    "a/linked": reply(page(b"linked"), HTML),
    "a/robots.txt": reply(b"Sitemap: /map.xml"),
    "a/map.xml": reply(b"<urlset><url><loc>http://a.sample/listed</loc></url></urlset>",
                       b"Content-Type: application/xml"),
    "a/listed": reply(page(b"listed" + LINK), HTML),
}  # fmt: skip


def crawl(folder, *arguments):
    return run_scrapy(
        *("crawl", *arguments, "--nolog", "-s", f"CORPUS_DIR={folder / 'corpus'}"),
        *("-s", "DEDUP_THRESHOLD=0", "-s", f"HOSTS_FILE={folder / 'hosts.tsv'}"),
    )


def test_a_list_of_urls_is_fetched_alone(tmp_path):
    hostile = Hostile(ANSWERS)
    seeds = tmp_path / "urls.txt"
    seeds.write_text("".join(f"http://a.sample/{name}\n" for name in ("one", "moved", "refresh")))
    with served_bytes(tmp_path, hostile):
        done = crawl(tmp_path, "odp", "-a", f"seeds={seeds}", "-a", "links=0")
    assert done.returncode == 0, done.stderr
    assert documents(tmp_path) == {"one", "two", "three"}
    assert "a/linked" not in hostile.asked


def test_sitemaps_are_followed_without_links_of_pages(tmp_path):
    hostile = Hostile(ANSWERS)
    seeds = tmp_path / "urls.txt"
    seeds.write_text("http://a.sample/one\n")
    with served_bytes(tmp_path, hostile):
        done = crawl(tmp_path, "odp", "-a", f"seeds={seeds}", "-a", "links=0", "-a", "sitemaps=1")
    assert done.returncode == 0, done.stderr
    assert documents(tmp_path) == {"one", "listed"}
    assert "a/linked" not in hostile.asked


def test_a_site_without_any_links_is_refused(tmp_path):
    done = crawl(tmp_path, "site", "-a", "url=http://a.sample/", "-a", "links=0")
    assert done.returncode == 2
    assert "give sitemaps=1 or feeds=1" in done.stderr


def documents(folder):
    rows = Corpus.open(folder / "corpus").documents(["url"])
    return {row["url"].rpartition("/")[2] for row in rows}
