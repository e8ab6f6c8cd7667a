"""Gaps of domains and addresses as a server sees them that several processes and machines ask."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import time
from itertools import pairwise
from statistics import median

import pytest

from crawler.downloadermiddlewares.robots import FLUSH_SECS
from crawler.fleet.owners import HOST, Owners
from tests.conftest import ROOT, run_scrapy, scrapy_command, scrapy_environment
from tests.hostile_server import ENDS, HTML, Hostile, listening, page, reply, served_bytes
from tests.redis_server import redis_server

__all__ = ["redis_server"]


@pytest.fixture
def hostile(tmp_path):
    """Sixteen hosts at one address, with seeds, a corpus and a gap among the settings."""
    text = page(b" ".join([b"word"] * 40))
    hostile = Hostile({f"h{number}/": reply(text, HTML) for number in range(16)})
    hostile.call = [
        *("-a", f"seeds={tmp_path / 'seeds.txt'}", "-L", "INFO", "-s", "IP_DELAY_SECS=0.1"),
        *("-s", f"HOSTS_FILE={tmp_path / 'hosts.tsv'}"),
    ]
    with served_bytes(tmp_path, hostile):
        yield hostile


def assert_gaps_kept(hostile):
    pairs = zip(hostile.asked, hostile.asked_at, strict=True)
    pages = {path: at for path, at in pairs if "robots" not in path}
    assert sorted(pages) == sorted(f"h{number}/" for number in range(16))
    assert len(pages) == sum("robots" not in path for path in hostile.asked)
    # What the clocks of two processes, and the way between them, may differ in: 0.02 s.
    assert min(later - at for at, later in pairwise(sorted(pages.values()))) >= 0.1 - 0.02


@pytest.mark.long
def test_a_fleet_keeps_the_gap_of_an_address(tmp_path, hostile):
    corpus = tmp_path / "corpus"
    done = run_scrapy("fleet", "odp", "-p", "2", *hostile.call, "-s", f"CORPUS_DIR={corpus}")
    assert done.returncode == 0, done.stderr
    assert "] ERROR" not in done.stderr
    assert_gaps_kept(hostile)


def start_machine(folder, call, redis_url, name, shard, n_shards):
    """Start a shard of the crawl *name* as if it were alone on its machine."""
    ours = [f"CLUSTER_URL={redis_url}", f"CLUSTER_NAME={name}", f"CLUSTER_SIZE={n_shards}"]
    ours += [f"FLEET_SHARD={shard}", f"CORPUS_DIR={folder / str(shard)}"]
    command = scrapy_command("crawl", "odp", *call)
    command += [part for setting in ours for part in ("-s", setting)]
    with (folder / f"{shard}.log").open("ab") as log:
        return subprocess.Popen(command, cwd=ROOT, env=scrapy_environment(), stdout=log, stderr=log)


@pytest.mark.long
def test_machines_keep_the_gap_of_an_address(tmp_path, hostile, redis_server):
    running = [
        start_machine(tmp_path, hostile.call, redis_server.url, "gaps", shard, 2)
        for shard in range(2)
    ]
    assert_ended_well(tmp_path, running)
    assert_gaps_kept(hostile)


def assert_ended_well(folder, running):
    for shard, process in enumerate(running):
        assert process.wait(timeout=120) == 0
        assert "] ERROR" not in (folder / f"{shard}.log").read_text()


# --- one domain, whose hosts are divided one by one ------------------------------------------------

N_SHARDS, GAP_SECS, SERVICE_SECS = 4, 0.4, 0.1
CRAWLED_HOSTS = 12


def owner_of(name):
    return Owners(0, range(N_SHARDS), divide_by=HOST).owner(".".join(reversed(name.split("."))))


class OneDomain:
    """A server of twelve hosts of one domain, most of one process of four; each page is asked for once."""

    def __init__(self):
        names = [f"h{number}.one.sample" for number in range(200)]
        of_first = [name for name in names if owner_of(name) == 0][: CRAWLED_HOSTS - 3]
        others = [next(name for name in names if owner_of(name) == n) for n in (1, 2, 3)]
        self.names = of_first + others
        self.fetches = []

    async def answer(self, reader, writer):
        begun = time.monotonic()
        with contextlib.suppress(*ENDS):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            path, host = head.split()[1], head.lower().split("host: ")[1].split()[0]
            fetch = [host.partition(":")[0] + path, begun, None]
            self.fetches.append(fetch)
            await asyncio.sleep(SERVICE_SECS)
            is_page = path != "/robots.txt"
            body = page(b" ".join([host.encode()] * 40)) if is_page else b""
            writer.write(reply(body, HTML, status=b"200 OK" if is_page else b"404 Not Found"))
            await writer.drain()
            fetch[2] = time.monotonic()
        writer.close()

    def assert_kept(self, *, n_killed=0):
        """Assert that no two fetches overlap, that all gaps are kept, and none is as long as of a process alone."""
        fetches = sorted(self.fetches, key=lambda fetch: fetch[1])
        asked = [name for name, _, _ in fetches]
        assert {f"{name}/" for name in self.names} <= set(asked)
        twice = [name for name in set(asked) if asked.count(name) > 1]
        n_robots = sum(name.endswith("robots.txt") for name in twice)
        # A killed process had one page on its way and one in its stages; robots.txt is written once a second.
        assert len(twice) - n_robots <= 2 * n_killed
        assert n_robots <= n_killed * (1 + FLUSH_SECS / GAP_SECS)
        assert len(asked) == 2 * len(self.names) + len(twice)
        # One that was killed in the middle of a fetch rests from its new start on.
        gaps = [later - (ended or begun) for (_, begun, ended), (_, later, _) in pairwise(fetches)]
        assert min(gaps) >= GAP_SECS - 0.02
        # The domain is asked as often as by one process. The first page of each takes seconds: models are loaded.
        assert median(gaps) < 0.5 * N_SHARDS * GAP_SECS


@pytest.fixture
def one_domain(tmp_path):
    server = OneDomain()
    with listening(server) as port:
        seeds, hosts = tmp_path / "seeds.txt", tmp_path / "hosts.tsv"
        seeds.write_text("".join(f"http://{name}/\n" for name in server.names))
        hosts.write_text("".join(f"{name}\t127.0.0.1\t{port}\n" for name in server.names))
        server.call = [
            *("-a", f"seeds={seeds}", "-L", "INFO", "-s", f"HOSTS_FILE={hosts}"),
            *("-s", "FLEET_DIVIDE_BY=host", "-s", f"DOMAIN_DELAY_SECS={GAP_SECS}"),
            *("-s", "HOST_DELAY_SECS=0", "-s", "IP_DELAY_SECS=0"),
        ]
        yield server


@pytest.mark.long
def test_a_fleet_keeps_the_gap_of_a_domain_whose_hosts_are_of_several(tmp_path, one_domain):
    corpus = tmp_path / "corpus"
    call = ["fleet", "odp", "-p", str(N_SHARDS), *one_domain.call, "-s", f"CORPUS_DIR={corpus}"]
    done = run_scrapy(*call)
    assert done.returncode == 0, done.stderr
    assert "] ERROR" not in done.stderr
    one_domain.assert_kept()


@pytest.mark.long
def test_machines_keep_the_gap_of_a_domain_also_when_one_is_killed(
    tmp_path, one_domain, redis_server
):
    def start(shard):
        return start_machine(tmp_path, one_domain.call, redis_server.url, "domain", shard, N_SHARDS)

    running = [start(shard) for shard in range(N_SHARDS)]
    deadline = time.monotonic() + 60
    while len(one_domain.fetches) < 6 or one_domain.fetches[-1][2] is not None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    shard = owner_of(one_domain.fetches[-1][0].partition("/")[0])
    running[shard].kill()
    running[shard].wait()
    running[shard] = start(shard)
    assert_ended_well(tmp_path, running)
    one_domain.assert_kept(n_killed=1)
