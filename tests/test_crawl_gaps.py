"""Gaps between fetches, over the wire: read from when the server was asked."""

from __future__ import annotations

import asyncio
import itertools

import pytest

from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes

# What the clocks of two processes, and the way between them, may differ in; seconds.
TOLERANCE = 0.02

LINKS = b'<a href="/two">two</a>'


def moved(url):
    return reply(b"", b"Location: " + url.encode(), status=b"302 Found")


def text(word, links=b""):
    return reply(page(b" ".join([word.encode()] * 40) + links), HTML)


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """(host/path, when) of a crawl of six hosts of three domains on one address.

    The robots.txt files of some are another host's: of one that is crawled too, and of one that is not.
    """
    folder = tmp_path_factory.mktemp("gaps")
    hosts = [f"{name}{n}" for name in ("a", "b", "c") for n in range(2)]
    answers = {f"{host}/": text(host, LINKS) for host in hosts}
    answers |= {f"{host}/two": text(host * 2) for host in hosts}
    answers |= {f"c{n}/robots.txt": moved("http://a0.a.sample/rules") for n in range(2)}
    answers |= {f"b{n}/robots.txt": moved("http://d.sample/robots.txt") for n in range(2)}
    answers |= dict.fromkeys(("a0/rules", "d/robots.txt"), reply(b"User-agent: *\nDisallow: /x\n"))
    hostile = Hostile(answers)
    with served_bytes(folder, hostile):
        # Of each pair of hosts one domain: a0.sample is www.a.sample …
        for name in ("seeds.txt", "hosts.tsv"):
            lines = (folder / name).read_text(encoding="utf-8")
            for host in hosts:
                lines = lines.replace(f"{host}.sample", f"{host}.{host[0]}.sample")
            (folder / name).write_text(lines, encoding="utf-8")
        seeds = (folder / "seeds.txt").read_text(encoding="utf-8")
        (folder / "seeds.txt").write_text(seeds.replace("http://d.sample/\n", ""), encoding="utf-8")
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
    assert sorted(path for path in paths if "/r" not in path) == sorted(
        f"{name}{n}{path}" for name in "abc" for n in range(2) for path in ("/", "/two")
    )


def test_rules_of_another_site_are_asked_for_once(asked):
    """b0 and b1 are led to the robots.txt of d; what c0 and c1 are led to is no site's robots.txt."""
    paths = [path for path, _ in asked]
    assert paths.count("d/robots.txt") == 1
    assert paths.count("a0/rules") == 2


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


class Halting:
    """A stream that stops for *secs* before the last bytes of what it is to write."""

    def __init__(self, writer, secs):
        self.writer, self.secs, self.data = writer, secs, b""

    def write(self, data):
        self.data = data

    async def drain(self):
        self.writer.write(self.data[:-9])
        await asyncio.sleep(self.secs)
        self.writer.write(self.data[-9:])

    def close(self):
        self.writer.close()


class SlowBodies(Hostile):
    async def answer(self, reader, writer):
        await super().answer(reader, Halting(writer, 0.6))


def test_a_host_rests_as_long_as_all_of_its_answer_took(tmp_path):
    links = b"".join(b"<a href=/%d>x</a>" % n for n in range(3))
    hostile = SlowBodies({"a/": text("a", links), **{f"a/{n}": text(f"a{n}") for n in range(3)}})
    with served_bytes(tmp_path, hostile):
        done = run_scrapy(
            "crawl", "odp", "-a", f"seeds={tmp_path / 'seeds.txt'}", "-L", "INFO",
            *("-s", f"CORPUS_DIR={tmp_path / 'corpus'}", "-s", f"HOSTS_FILE={tmp_path / 'hosts.tsv'}"),
            *("-s", "HOST_DELAY_LATENCY_FACTOR=2"),
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    pages = [
        at for path, at in zip(hostile.asked, hostile.asked_at, strict=True) if path[-1] in "012"
    ]
    assert min(later - at for at, later in itertools.pairwise(pages)) >= 3 * 0.6 - TOLERANCE
