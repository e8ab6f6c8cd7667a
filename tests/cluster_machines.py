"""Processes that stand for machines: all that they share is a Redis, and the sample web."""

from __future__ import annotations

import contextlib
import signal
import time
from itertools import count

from crawler.durable.journal import Journal
from crawler.durable.layout import journal_folder, shard_name
from crawler.frontier.shards.moves import moved_hosts
from crawler.webgraph.hosts.rows import scan_hosts
from tests.conftest import crawl_arguments, run_scrapy, start_scrapy
from tests.test_fleet_crawl import SLOWLY

NAMES = count()
DELAY_SECS = 0.15


class Machines:
    """Processes of one crawl, each with a corpus folder of its own."""

    def __init__(self, folder, web, server, size):
        self.folder, self.web = folder, web
        self.settings = [f"CLUSTER_URL={server.url}", f"CLUSTER_NAME=crawl-{next(NAMES)}"]
        self.settings += [f"CLUSTER_SIZE={size}", f"HOST_DELAY_SECS={DELAY_SECS}"]
        self.processes = {}
        self.has_log = True  # what a shard waits for stands there

    def corpus(self, shard):
        return self.folder / f"machine-{shard}"

    def command(self, shard, *settings):
        command = [*crawl_arguments(self.web, self.corpus(shard)), *SLOWLY]
        for setting in [*self.settings, f"FLEET_SHARD={shard}", *settings]:
            command += ["-s", setting]
        return command

    def start(self, shard, *settings, before=None):
        command = self.command(shard, *settings)
        if self.has_log:
            command.remove("--nolog")
        with (self.folder / f"{shard}.log").open("ab") as log:
            self.processes[shard] = start_scrapy(*command, log=log, before=before)

    def kill(self, shard):
        self.processes[shard].send_signal(signal.SIGKILL)
        self.processes[shard].wait()

    def end(self, *, secs=200):
        deadline = time.monotonic() + secs
        for shard, process in self.processes.items():
            code = process.wait(timeout=max(1, deadline - time.monotonic()))
            assert code == 0, (self.folder / f"{shard}.log").read_text()

    def n_hosts(self, shard):
        """Return how many hosts of the shard are its own, 0 while there is no journal."""
        with contextlib.suppress(Exception):
            journal = Journal.open_reader(journal_folder(self.corpus(shard), shard_name(shard)))
            try:
                with journal.read() as txn:
                    return sum(1 for _ in scan_hosts(txn)) - len(moved_hosts(txn))
            finally:
                journal.close()
        return 0

    def merged(self):
        """Merge the folders, decide over duplicates, and return the corpus."""
        merged = self.folder / "merged"
        folders = [self.corpus(shard) for shard in self.processes]
        done = run_scrapy("export", "--merge", "--output", merged, *folders)
        assert done.returncode == 0, done.stderr
        done = run_scrapy("dedup", "--close", "--corpus", merged)
        assert done.returncode == 0, done.stderr
        return merged

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes.values():
            process.kill()
            process.wait()


def until(condition, *, secs=60):
    deadline = time.monotonic() + secs
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)
