"""Gaps between fetches, over the wire: read from when the server was asked."""

from __future__ import annotations

import itertools

import pytest

from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes

# What the clocks of two processes, and the way between them, may differ in; seconds.
TOLERANCE = 0.02

LINKS = b'<a href="/two">two</a>'
NO_RULES = reply(b"", status=b"404 Not Found")


def text(word, links=b""):
    return reply(page(b" ".join([word.encode()] * 40) + links), HTML)


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """(host/path, when) of a crawl of six hosts of three domains on one address."""
    folder = tmp_path_factory.mktemp("gaps")
    hosts = [f"{name}{n}" for name in ("a", "b", "c") for n in range(2)]
    answers = {f"{host}/": text(host, LINKS) for host in hosts}
    answers |= {f"{host}/two": text(host * 2) for host in hosts}
    hostile = Hostile(answers)
    with served_bytes(folder, hostile):
        # Of each pair of hosts one domain: a0.sample is www.a.sample …
        for name in ("seeds.txt", "hosts.tsv"):
            lines = (folder / name).read_text(encoding="utf-8")
            for host in hosts:
                lines = lines.replace(f"{host}.sample", f"{host}.{host[0]}.sample")
            (folder / name).write_text(lines, encoding="utf-8")
        done = run_scrapy(
            "crawl", "odp", "-a", f"seeds={folder / 'seeds.txt'}", "-L", "INFO",
            *("-s", f"CORPUS_DIR={folder / 'corpus'}", "-s", f"HOSTS_FILE={folder / 'hosts.tsv'}"),
            *("-s", "HOST_DELAY_SECS=0.9", "-s", "DOMAIN_DELAY_SECS=0.5", "-s", "IP_DELAY_SECS=0.2"),
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "] ERROR" not in done.stderr
    return list(zip(hostile.asked, hostile.asked_at, strict=True))


def gaps(asked, key):
    groups = {}
    for path, at in asked:  # a robots.txt is a fetch like any other
        groups.setdefault(key(path), []).append(at)
    return [later - at for times in groups.values() for at, later in itertools.pairwise(times)]


def test_all_was_fetched(asked):
    paths = [path for path, _ in asked]
    assert sorted(path for path in paths if "robots" not in path) == sorted(
        f"{name}{n}{path}" for name in "abc" for n in range(2) for path in ("/", "/two")
    )


@pytest.mark.parametrize(
    ("key", "secs"),
    [
        (lambda path: path.partition("/")[0], 0.9),
        (lambda path: path[0], 0.5),
        (lambda path: "", 0.2),
    ],
    ids=["host", "domain", "address"],
)
def test_gaps(asked, key, secs):
    assert min(gaps(asked, key)) >= secs - TOLERANCE
