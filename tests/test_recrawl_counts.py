"""What a re-crawl says became of its pages, where duplicates are among them."""

from __future__ import annotations

import random
from collections import Counter

from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes

AGAIN = ("-a", "recrawl_after=0.001s")
FIRST = b"The people of the valley brought their grain to the old mill."


def words(name, number):
    drawn = random.Random(name)
    letters = [drawn.choices("abcdefghijklmnopqrst", k=drawn.randint(3, 9)) for _ in range(number)]
    return " ".join(map("".join, letters)).encode()


def text(*parts):
    return reply(b"<title>T</title><p>" + b" ".join((FIRST, *parts)) + b"</p>", HTML)


def home(*names):
    return reply(page(b"".join(b"<a href=/%s>l</a> " % name for name in names)), HTML)


def crawl(folder, *options):
    done = run_scrapy(
        *("crawl", "odp", "-a", f"seeds={folder / 'seeds.txt'}", "--nolog", *options),
        *("-s", f"CORPUS_DIR={folder / 'corpus'}", "-s", f"HOSTS_FILE={folder / 'hosts.tsv'}"),
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_duplicate_that_is_the_same_has_not_changed(tmp_path):
    """It is fetched whole, as its text is gone; its capture is another one, its answer is not."""
    copy = text(words("x", 300))
    answers = {f"a/{name}": copy for name in ("x", "y")}
    hostile = Hostile({"a/": home(b"x", b"y"), **answers})
    with served_bytes(tmp_path, hostile):
        crawl(tmp_path)
        for n_replaced in (1, 2):
            told = crawl(tmp_path, *AGAIN)
            assert "    same_answer                             3\n" in told
            assert "    changed " not in told
            replaced = [*Corpus.open(tmp_path / "corpus").replaced()]
            assert Counter(row["reason"] for row in replaced) == {"same_answer": n_replaced}
        hostile.answers["a/y"] = text(words("y", 300))
        told = crawl(tmp_path, *AGAIN)
        assert "    changed                                 1\n" in told
    assert len([*Corpus.open(tmp_path / "corpus").documents(["url"])]) == 3


def test_a_re_crawl_that_goes_on_by_the_plain_command_says_what_became_of_its_pages(tmp_path):
    answers = {f"a/{name}": text(words(name, 300)) for name in ("x", "y", "z")}
    with served_bytes(tmp_path, Hostile({"a/": home(b"x", b"y", b"z"), **answers})):
        assert "due again" not in crawl(tmp_path)
        assert "  due again          4  pages\n" in crawl(tmp_path, *AGAIN, "-a", "max_pages=1")
        told = crawl(tmp_path)
    assert "  due again          3  pages of a re-crawl that an earlier run began\n" in told
    assert "    same_answer                             3\n" in told


def test_a_document_that_a_changed_page_replaces_is_told(tmp_path):
    """All pages are fetched; the one that is dropped at the end was left as it was."""
    own, more = words("own", 330), words("more", 80)
    hostile = Hostile({
        "a/": home(b"x", b"z"),
        "a/x": text(own),
        "a/z": [text(words("other", 300)), text(own, more)],
    })  # fmt: skip
    with served_bytes(tmp_path, hostile):
        crawl(tmp_path)
        told = crawl(tmp_path, *AGAIN)
    assert "decided            1  document of all runs dropped as duplicates, 1 taken back" in told
    (row,) = Corpus.open(tmp_path / "corpus").rejected(["url", "duplicate_of"])
    assert (row["url"], row["duplicate_of"]) == ("http://a.sample/x", "http://a.sample/z")
