"""WARC files that machines read which share a Redis and nothing else."""

from __future__ import annotations

import signal
import time

import pytest

from pipelines.corpus.corpus import Corpus
from tests.cluster_machines import Machines, until
from tests.conftest import run_scrapy
from tests.redis_server import redis_server
from tests.warc_records import TEXT, html, record

__all__ = ["redis_server"]

N_HOSTS, N_PAGES = 30, 80


class Readers(Machines):
    """Machines that all read the same WARC file, each the hosts that are its own."""

    def command(self, shard, *settings):
        command = ["crawl", "warc", "-a", f"paths={self.web}", "--nolog"]
        own = [f"CORPUS_DIR={self.corpus(shard)}", f"FLEET_SHARD={shard}", "DEDUP_THRESHOLD=0"]
        for setting in [*self.settings, *own, *settings]:
            command += ["-s", setting]
        return command

    def log(self, shard):
        return (self.folder / f"{shard}.log").read_text()

    def n_documents(self):
        corpora = [Corpus.open(self.corpus(shard)) for shard in self.processes]
        return sum(1 for corpus in corpora for _ in corpus.documents(["url"]))


@pytest.fixture
def archive(tmp_path):
    kind = "Content-Type: text/html"
    path = tmp_path / "1.warc"
    with path.open("wb") as file:
        for n in range(N_PAGES):
            for host in range(N_HOSTS):
                text = f"{TEXT} {n} {host}"
                file.write(record(f"http://n{host}.s{host}.sample/{n}", html(text), kind))
    return path


@pytest.mark.long
def test_a_shard_that_rests_for_another_drops_no_captures(tmp_path, archive, redis_server):
    """What it read meanwhile was lost when the other one was given up before it came."""
    with Readers(tmp_path, archive, redis_server, 2) as machines:
        machines.start(0)
        machines.start(1)
        until(lambda: machines.n_hosts(0) and machines.n_hosts(1))
        stopped = machines.processes[1]
        stopped.send_signal(signal.SIGSTOP)
        machines.start(2)
        until(lambda: "Shards [1] must come to rest before others can take part" in machines.log(0))
        time.sleep(2)  # it reads on
        machines.kill(2)
        del machines.processes[2]
        forgotten = [f"CLUSTER_URL={redis_server.url}", machines.settings[1]]
        done = run_scrapy("fleet", "--forget", "2", *(a for s in forgotten for a in ("-s", s)))
        assert done.returncode == 0, done.stderr
        stopped.send_signal(signal.SIGCONT)
        machines.end()
        assert machines.n_documents() == N_HOSTS * N_PAGES


@pytest.mark.long
def test_a_shard_that_comes_in_reads_the_captures_of_its_hosts(tmp_path, archive, redis_server):
    with Readers(tmp_path, archive, redis_server, 2) as machines:
        machines.start(0)
        machines.start(1)
        until(lambda: machines.n_hosts(0) and machines.n_hosts(1))
        machines.start(2)
        machines.end()
        assert machines.n_documents() == N_HOSTS * N_PAGES
