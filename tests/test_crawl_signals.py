"""Signals of what a text may be used for: kept with the page, and obeyed when asked to."""

from __future__ import annotations

from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, hosts_arguments, page, reply, served_bytes

WORDS = {host: host.encode() * 40 for host in ("file", "header", "meta", "tdm", "plain", "other")}
ANSWERS = {
    "file/robots.txt": reply(b"User-agent: *\nContent-Signal: search=yes, ai-train=no\nDisallow:"),
    "header/": reply(
        page(WORDS["header"]), HTML, b"Content-Signal: ai-train=no", b"X-Robots-Tag: winnow: noimageai",
        b"X-Robots-Tag: otherbot: noai", b"TDM-Reservation: 0",
    ),
    "meta/": reply(page(b"<meta name=robots content=noai>" + WORDS["meta"]), HTML),
    "tdm/": reply(page(WORDS["tdm"]), HTML, b"tdm-reservation: 1"),
    "plain/": reply(page(WORDS["plain"]), HTML),
    "named/": reply(page(b"<meta name=Winnow content=noai>" + WORDS["plain"][::-1]), HTML),
    "unwanted/": reply(page(b"<meta name=winnow content=none><a href=/x>x</a>"), HTML),
    "file/": reply(page(WORDS["file"]), HTML),
}  # fmt: skip
SIGNALS = {
    "file": ["ai-train=no", "search=yes"],
    "header": ["ai-train=no", "noimageai", "tdm-reservation=0"],
    "meta": ["noai"],
    "tdm": ["tdm-reservation=1"],
    "plain": [],
    "named": ["noai"],
}


def crawl(folder, corpus, *options, profile="local"):
    return run_scrapy(
        "crawl", "odp", "-a", f"seeds={folder / 'seeds.txt'}", "-L", "INFO",
        *("-s", f"CORPUS_DIR={corpus}", "-s", f"HOSTS_FILE={folder / 'hosts.tsv'}"),
        *("-s", "DEDUP_THRESHOLD=0", *options),
        profile=profile,
    )  # fmt: skip


def test_signals_are_kept_and_obeyed(tmp_path):
    hostile = Hostile(ANSWERS)
    with served_bytes(tmp_path, hostile):
        done = crawl(tmp_path, tmp_path / "kept")
        assert done.returncode == 0, done.stderr
        rows = Corpus.open(tmp_path / "kept").documents(["host", "signals"])
        found = {row["host"].partition(".")[0]: row["signals"] for row in rows}
        assert found == SIGNALS
        assert "unwanted/x" not in hostile.asked
        obeyed = "SIGNALS_OBEY=ai-train=no,noai,tdm-reservation=1"
        n_asked = len(hostile.asked)
        done = crawl(tmp_path, tmp_path / "obeyed", "-s", obeyed)
        assert done.returncode == 0, done.stderr
    corpus = Corpus.open(tmp_path / "obeyed")
    reasons = {row["url"][7:].partition(".")[0]: row["reason"] for row in corpus.rejected()}
    assert reasons == {
        **dict.fromkeys(("file", "header"), "signal_ai-train=no"),
        **dict.fromkeys(("meta", "named"), "signal_noai"),
        "unwanted": "noindex",
        "tdm": "signal_tdm-reservation=1",
    }
    assert [row["host"] for row in corpus.documents(["host"])] == ["plain.sample"]
    assert "file/" not in hostile.asked[n_asked:]  # robots.txt said so beforehand


def test_a_crawl_of_loopback_that_names_nobody_goes_nowhere_else(tmp_path):
    link = b'<a href="http://out.sample/">x</a> <a href="http://93.184.216.34/">y</a>'
    with served_bytes(tmp_path, Hostile({"in/": reply(page(link), HTML)})):
        with (tmp_path / "hosts.tsv").open("a", encoding="utf-8") as hosts:
            hosts.write("out.sample\t93.184.216.34\t9\n")
        done = crawl(tmp_path, tmp_path / "corpus", "-L", "ERROR", "-s", "USER_AGENT=winnow")
    assert done.returncode == 0, done.stderr
    corpus = Corpus.open(tmp_path / "corpus")
    assert [row["host"] for row in corpus.documents(["host"])] == ["in.sample"]
    reasons = {row["url"]: row["reason"] for row in corpus.rejected()}
    assert reasons == dict.fromkeys(("http://out.sample/", "http://93.184.216.34/"), "no_contact")
    assert done.stderr.count("USER_AGENT names nobody") == 1


def test_a_crawl_that_names_nobody_is_refused_in_one_line(tmp_path):
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("http://a.sample/\n", encoding="utf-8")
    (tmp_path / "hosts.tsv").write_text("a.sample\t127.0.0.1\t9\n", encoding="utf-8")
    done = crawl(tmp_path, tmp_path / "corpus", profile="default")
    assert done.returncode == 2
    assert done.stderr.startswith("winnow: USER_AGENT ")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "corpus").exists()


def test_pages_that_ask_to_follow_none_of_their_links_are_told(tmp_path):
    """Else nobody knows why a site ends with its first page."""
    link = b"<a href=/other>other</a>"
    answers = {
        "meta/": reply(page(b"meta<meta name=robots content=nofollow>" + link), HTML),
        "header/": reply(page(b"header" + link), HTML, b"X-Robots-Tag: nofollow"),
        "link/": reply(page(b"link<a rel=nofollow href=/other>other</a>"), HTML),
    }
    with served_bytes(tmp_path, hostile := Hostile(answers)):
        done = run_scrapy(*hosts_arguments(tmp_path), "-s", "DEDUP_THRESHOLD=0")
    assert not [asked for asked in hostile.asked if asked.endswith("other")]
    assert (
        "  nofollow           2  pages marked so as a whole, whose links were left" in done.stdout
    )
