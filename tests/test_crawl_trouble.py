"""Hosts in trouble over the wire: left alone, parked, given up; read from what the server was asked."""

from __future__ import annotations

import itertools
import signal
import time
from functools import partial

from pipelines.corpus.corpus import Corpus
from tests import before_commands
from tests.conftest import run_scrapy, start_scrapy
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes

PAGES = 10
LINKS = b" ".join(b'<a href="/p%d">p</a>' % n for n in range(PAGES))
HOME = reply(page(LINKS), HTML)
NO_RULES = reply(b"", status=b"404 Not Found")


def text(word):
    return reply(page(b" ".join([word.encode()] * 40)), HTML)


def command(folder, *settings):
    files = {"CORPUS_DIR": folder / "corpus", "HOSTS_FILE": folder / "hosts.tsv"}
    values = [f"{name}={value}" for name, value in files.items()] + list(settings)
    options = itertools.chain.from_iterable(("-s", value) for value in values)
    return ("crawl", "odp", "-a", f"seeds={folder / 'seeds.txt'}", "-L", "INFO", *options)


def times(hostile, path):
    return [at for name, at in zip(hostile.asked, hostile.asked_at, strict=True) if name == path]


def reasons(folder):
    rows = Corpus.open(folder / "corpus").rejected(["url", "reason"])
    return {row["url"][7:].replace(".sample", ""): row["reason"] for row in rows}


def test_busy_and_dead_hosts(tmp_path):
    answers = {
        **{f"{host}/p{n}": text(f"{host}{n}") for host in ("asks", "later") for n in range(PAGES)},
        "asks/": HOME,
        "asks/p0": [reply(b"", b"Retry-After: 2", status=b"429 Slow"), text("asks")],
        "later/": HOME,
        "later/p0": [reply(b"", status=b"503 Later"), text("later")],
        "later/p1": [reply(b"", status=b"503 Later"), text("later too")],
        "down/": HOME,
        "down/robots.txt": NO_RULES,
        **{f"down/p{n}": b"" for n in range(PAGES)},
        "never/robots.txt": b"",
        "never/": HOME,
    }
    hostile = Hostile(answers)
    with served_bytes(tmp_path, hostile):
        done = run_scrapy(
            *command(tmp_path, "FETCH_RETRY_SECS=0.5", "HOST_PARK_ERRORS=3", "HOST_PARK_SECS=0.3", "HOST_PARKS=2")
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "] ERROR" not in done.stderr
    # All of the host waits, not only the page that it said so of.
    after = [times(hostile, f"asks/p{n}")[-1] for n in range(PAGES)]
    assert min(after) - times(hostile, "asks/p0")[0] >= 2
    later = sorted(at for n in range(PAGES) for at in times(hostile, f"later/p{n}"))
    for refused in (times(hostile, "later/p0")[0], times(hostile, "later/p1")[0]):
        assert min(at for at in later if at > refused) - refused >= 0.5
    failed = sorted(at for n in range(PAGES) for at in times(hostile, f"down/p{n}"))
    assert len(failed) == 5  # then it was dead
    assert failed[3] - failed[2] >= 0.3
    assert failed[4] - failed[3] >= 0.6
    rows = reasons(tmp_path)
    assert {rows[f"down/p{n}"] for n in range(PAGES)} == {"host_dead"}
    # A host with one page parks with nothing to keep: the page has its own end.
    assert rows["never/"] == "connection"
    assert times(hostile, "never/") == []


def wait_for(hostile, n, crawl):
    deadline = time.monotonic() + 60
    while sum(name.startswith("down/p") for name in hostile.asked) < n:
        assert crawl.poll() is None, crawl.communicate()[1]
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_host_is_parked_over_a_kill(tmp_path):
    park_secs = 5
    answers = {"down/": HOME, "down/robots.txt": NO_RULES}
    hostile = Hostile(answers | {f"down/p{n}": b"" for n in range(PAGES)})
    settings = ("HOST_PARK_ERRORS=2", f"HOST_PARK_SECS={park_secs}", "IDLE_END_SECS=0")
    with served_bytes(tmp_path, hostile):
        crawl = start_scrapy(*command(tmp_path, *settings))
        wait_for(hostile, 2, crawl)
        time.sleep(0.3)  # what was noted is committed at once; the server may be ahead of it
        crawl.send_signal(signal.SIGKILL)
        crawl.communicate()
        parked_at, n_asked = hostile.asked_at[-1], len(hostile.asked)
        hostile.answers.update({f"down/p{n}": text(f"up{n}") for n in range(PAGES)})
        done = run_scrapy(*command(tmp_path, *settings))
    assert done.returncode == 0, done.stderr
    assert hostile.asked_at[n_asked] - parked_at >= park_secs - 0.1
    # The robots.txt too, if the kill came before it was on the disk.
    asked = set(hostile.asked[n_asked:]) - {"down/robots.txt"}
    assert asked == {f"down/p{n}" for n in range(PAGES)}
    assert "connection" not in reasons(tmp_path).values()


def test_a_crawl_delay_that_is_cut_is_reported(tmp_path):
    rules = reply(b"User-agent: *\nCrawl-delay: 60\n")
    hostile = Hostile({"slow/robots.txt": rules, "slow/": text("slow")})
    with served_bytes(tmp_path, hostile):
        done = run_scrapy(*command(tmp_path, "CRAWL_DELAY_MAX_SECS=0.2", "STATS_DUMP=True"))
    assert done.returncode == 0, done.stderr
    assert (
        "http://slow.sample asks for a Crawl-delay of 60 s, and is asked after 0.2 s" in done.stderr
    )
    assert "'robots/crawl_delay_cut': 1" in done.stderr


def test_a_frontier_that_fails_ends_the_crawl_which_goes_on(tmp_path):
    """Its engine would ask it again and again."""
    hosts = [f"h{n}" for n in range(8)]
    with served_bytes(tmp_path, Hostile({f"{host}/": text(host) for host in hosts})):
        failed = run_scrapy(
            *command(tmp_path), timeout=30, before=partial(before_commands.fail_in_the_frontier, 5)
        )
        done = run_scrapy(*command(tmp_path))
    assert failed.returncode == 1, failed.stderr
    assert "winnow: the frontier fails (IndexError: no such place), and" in failed.stderr
    assert "Traceback" in failed.stderr  # in the log
    assert done.returncode == 0, done.stderr
    corpus = Corpus.open(tmp_path / "corpus")
    assert corpus.n_rows("documents") + corpus.n_rows("rejected") == len(hosts)
