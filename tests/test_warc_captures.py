"""Several captures of a page in WARC files: the latest counts, wherever it stands and whenever it is read."""

from __future__ import annotations

import gzip
import random
import re
import signal
from collections import Counter
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from crawler.extensions.summary import corpus_lines
from pipelines.corpus.corpus import Corpus
from tests.before_commands import kill_at_step
from tests.conftest import run_scrapy
from tests.hostile_server import Hostile, reply, served_bytes
from tests.test_recrawl import arcs_of
from tests.warc_records import html, record

HTML = "Content-Type: text/html; charset=utf-8"
PAGES = [f"http://h{n % 5}.sample/{n}" for n in range(60)]
FIRST = datetime(2015, 1, 1, tzinfo=UTC)
ERRORS = ("403 Forbidden", "503 Busy", "500 Oops", "304 Not Modified", "301 Nowhere")
GONE = ("404 Not Found", "410 Gone")


class Stored(NamedTuple):
    """A capture of a page: when, its status line, its headers and its body."""

    url: str
    date: datetime
    status: str
    headers: tuple[str, ...]
    body: bytes

    @property
    def is_answer(self):
        return self.status not in ERRORS

    @property
    def record(self):
        date = self.date.strftime("%Y-%m-%dT%H:%M:%SZ")
        return record(self.url, self.body, *self.headers, status=self.status, date=date)


def text_of(rng):
    """A text that is kept, like no other."""
    words = ["".join(rng.choices("bdfgklmnprstvwaeiou", k=6)) for _ in range(100)]
    pick = partial(rng.choice, words)
    sentences = (
        f"The {pick()} of the {pick()} was not in the {pick()}, and it is a {pick()} that they have."
        for _ in range(12)
    )
    return " ".join(sentences)


def stored_captures(rng, n, first=FIRST, copies=0.2):
    """*n* captures of `PAGES` at as many moments: pages, a share of them *copies* of another, redirects, errors."""
    found, texts = [], []
    for number in rng.sample(range(10 * n), n):
        url, date = rng.choice(PAGES), first + timedelta(hours=number)
        status, headers, body = rng.choice(ERRORS + GONE), (HTML,), html("Nothing here.")
        kind = rng.random()
        if kind < 0.65:
            text = rng.choice(texts) if texts and rng.random() < copies else text_of(rng)
            texts.append(text)
            status, body = "200 OK", html(text, *rng.sample(PAGES, 3))
        elif kind < 0.75:
            status, headers = "302 Found", (f"Location: {rng.choice(PAGES)}",)
        elif kind < 0.78:
            status, headers, body = "200 OK", (HTML, "Content-Encoding: gzip"), b"no gzip"
        found.append(Stored(url, date, status, headers, body))
    return found


def write(path, captures):
    records = [capture.record for capture in captures]
    packed = map(gzip.compress, records) if path.suffix == ".gz" else records
    path.write_bytes(b"".join(packed))


def latest(captures):
    """For each page its latest answer, of one that has none its latest error."""
    return [
        max(
            (each for each in captures if each.url == url),
            key=lambda each: (each.is_answer, each.date),
        )
        for url in sorted({each.url for each in captures})
    ]


def crawl(paths, corpus, *options, command=("crawl",), before=None):
    arguments = ("warc", "-a", f"paths={paths}", "-s", f"CORPUS_DIR={corpus}", "--nolog")
    small = ("-s", "COMMIT_GROUP_PAGES=7", "-s", "SEAL_ROWS=20")
    return run_scrapy(*command, *arguments, *small, *options, before=before)


def rows_of(corpus):
    """URL → row of each page but for its ids; there is one a page."""
    folder = Corpus.open(corpus)
    rows = [*folder.documents(), *folder.rejected()]
    found = {row["url"]: row for row in rows}
    assert len(found) == len(rows)
    for row in rows:
        del row["host_id"], row["local_id"]
    return found


@cache
def crawled_alone(captures):
    """The rows and arcs of a crawl of *captures*, which several tests come to."""
    with TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus")
        write(Path(folder, "latest.warc"), captures)
        done = crawl(Path(folder, "latest.warc"), corpus)
        assert done.returncode == 0, done.stderr
        return rows_of(corpus), arcs_of(corpus)


def assert_latest(corpus, captures, chosen=None, named=()):
    """See whether *corpus* is what a crawl of the latest of *captures* alone comes to.

    *chosen* are others than the latest by their dates, for captures that are *named*, by URL and date, which may have
    been replaced before they had their page once more.
    """
    chosen = latest(captures) if chosen is None else chosen
    expected, arcs = crawled_alone(tuple(chosen))
    assert len(expected) == len(chosen)
    assert {row.get("reason") for row in expected.values()} > {None, "redirect"}
    assert rows_of(corpus) == expected
    assert {url: targets for url, targets in arcs_of(corpus).items() if targets} == arcs
    replaced = Counter((row["url"], row["fetched_at"]) for row in Corpus.open(corpus).replaced())
    keys = Counter((each.url, each.date) for each in chosen)
    given = Counter((each.url, each.date) for each in captures)
    assert not given - keys - replaced
    # One that was replaced before is listed for that, too.
    before = replaced - (given - keys)
    assert before.keys() <= set(named)
    assert set(before.values()) <= {1}


@pytest.fixture
def captures(tmp_path):
    """140 captures, written to three files below ``warc`` in no order of time."""
    found = stored_captures(random.Random(5), 140)
    (tmp_path / "warc").mkdir()
    for name, part in (
        ("a.warc", found[:25]),
        ("c.warc.gz", found[25:80]),
        ("b.warc", found[80:]),
    ):
        write(tmp_path / "warc" / name, part)
    return found


def test_in_one_file(tmp_path):
    captures = stored_captures(random.Random(3), 150)
    write(tmp_path / "all.warc.gz", captures)
    done = crawl(tmp_path / "all.warc.gz", tmp_path / "corpus")
    assert done.returncode == 0, done.stderr
    numbers = re.findall(r"replaced +(\d+)  captures (?:that had|of a URL)", done.stdout)
    assert len(numbers) == 2
    assert sum(map(int, numbers)) == len(captures) - len(latest(captures))
    assert_latest(tmp_path / "corpus", captures)
    # Those that a later one took the place of were kept, too.
    kept = re.search(r" kept +(\d+)  captures\n", done.stdout)
    at_last = re.search(r" corpus +(\d+)  documents in all", done.stdout)
    n_documents = Corpus.open(tmp_path / "corpus").n_rows("documents")
    assert int(kept[1]) > int(at_last[1]) == n_documents
    again = crawl(tmp_path / "all.warc.gz", tmp_path / "corpus")
    assert " kept               0  documents\n" in again.stdout
    assert re.search(rf" corpus +{n_documents}  documents in all", again.stdout)
    # One that is stopped has not chosen yet.
    told = corpus_lines({"warc/same_url": 1}, {"queued": 0}, "shutdown", tmp_path / "corpus")
    assert f" {n_documents}  captures so far; at the end" in told[0]


def test_in_files_of_no_order_and_again(tmp_path, captures):
    for _ in range(2):
        done = crawl(tmp_path / "warc" / "*", tmp_path / "corpus")
        assert done.returncode == 0, done.stderr
    assert_latest(tmp_path / "corpus", captures)


@pytest.mark.slow
@pytest.mark.parametrize("later", [timedelta(days=-900), timedelta(days=9), timedelta(days=900)])
def test_in_files_that_are_added(tmp_path, later):
    captures = stored_captures(random.Random(8), 150)
    write(tmp_path / "some.warc", captures)
    assert crawl(tmp_path / "some.warc", tmp_path / "corpus").returncode == 0
    more = stored_captures(random.Random(9), 60, FIRST + later)
    write(tmp_path / "more.warc.gz", more)
    for _ in range(2):
        done = crawl(tmp_path / "more.warc.gz", tmp_path / "corpus")
        assert done.returncode == 0, done.stderr
    assert_latest(tmp_path / "corpus", captures + more)


STEPS = ("after commit", "before commit", "seal renamed", "rewrite renamed")


@pytest.mark.slow
def test_with_kills(tmp_path, captures):
    rng = random.Random(2)
    n_killed = 0
    for step in [*STEPS, *rng.choices(STEPS[:3], k=3)]:
        kill = partial(kill_at_step, step, rng.randint(1, 4) if "commit" in step else 1)
        done = crawl(tmp_path / "warc" / "*", tmp_path / "corpus", before=kill)
        n_killed += done.returncode == -signal.SIGKILL
    assert n_killed > 4
    done = crawl(tmp_path / "warc" / "*", tmp_path / "corpus")
    assert done.returncode == 0, done.stderr
    assert_latest(tmp_path / "corpus", captures)


def test_in_a_fleet(tmp_path, captures):
    options = ("-p", "2", "-s", "PROGRESS_SECS=0")
    done = crawl(tmp_path / "warc" / "*", tmp_path / "corpus", *options, command=("fleet",))
    assert done.returncode == 0, done.stderr
    assert_latest(tmp_path / "corpus", captures)


def test_beside_what_the_network_answered(tmp_path):
    url, corpus = "http://h.sample/", tmp_path / "corpus"
    old, fetched, new = (text_of(random.Random(n)) for n in range(3))
    for name, year, text in (("old", 2015, old), ("new", 2077, new)):
        when = datetime(year, 1, 1, tzinfo=UTC)
        write(tmp_path / f"{name}.warc", [Stored(url, when, "200 OK", (HTML,), html(text))])
    with served_bytes(tmp_path, Hostile({"h/": reply(html(fetched), HTML.encode())})):
        arguments = ("crawl", "odp", "-a", f"seeds={tmp_path / 'seeds.txt'}", "--nolog")
        hosts = ("-s", f"HOSTS_FILE={tmp_path / 'hosts.tsv'}", "-s", f"CORPUS_DIR={corpus}")
        done = run_scrapy(*arguments, *hosts)
    assert done.returncode == 0, done.stderr
    for name, text in (("old", fetched), ("new", new)):
        assert crawl(tmp_path / f"{name}.warc", corpus).returncode == 0
        assert rows_of(corpus)[url]["text"] == text
    assert [row["source"] for row in Corpus.open(corpus).replaced()] == ["old.warc:0", None]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-a", "max_pages=20"), r"  unread +40  captures that a limit left out; a higher one"),
        (("-s", "STOP_WORDS_PER_MB=1e9"), r"  unread +[12]  files? not to its end, as the crawl"),
        ((), "  left       +0  pages queued\n  words"),
    ],
)
def test_what_was_not_read_is_told(tmp_path, arguments, said):
    rng = random.Random(1)
    for name in "12":
        pages = [record(f"{page}/{name}", html(text_of(rng)), HTML) for page in PAGES[:30]]
        (tmp_path / f"{name}.warc").write_bytes(b"".join(pages))
    done = run_scrapy(
        *("crawl", "warc", "-a", f"paths={tmp_path / '*.warc'}", "--nolog", *arguments),
        *("-s", f"CORPUS_DIR={tmp_path / 'corpus'}", "-s", "STOP_WINDOW_MB=0.001"),
        *("-s", "COMMIT_GROUP_PAGES=1"),
    )
    assert done.returncode == 0, done.stderr
    assert re.search(said, done.stdout), done.stdout
    assert "0 more in 0 MB" not in done.stdout
