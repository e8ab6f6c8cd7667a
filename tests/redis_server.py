"""A real Redis on loopback for the tests that need one; they are skipped where it is not installed."""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import time
from itertools import count

import pytest

from crawler.fleet.crawl_keys import CrawlKeys
from crawler.fleet.redis import connect

NAMES = count()


class RedisServer:
    """A redis-server on a port of its own, with *options*, which keeps its data in *folder*."""

    def __init__(self, folder, *options):
        self.options = options
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process = None

    def start(self):
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        command += ["--appendonly", "yes", "--appendfsync", "always", "--dir", str(self.folder)]
        command += self.options
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            time.sleep(0.02)
        raise AssertionError("redis-server does not answer")

    def kill(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory):
    """A running Redis, for all tests of a process: each takes a crawl's name of its own."""
    if shutil.which("redis-server") is None:
        pytest.skip("no redis-server here; install Debian's package of that name")
    server = RedisServer(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server
    server.kill()


@pytest.fixture
def client(redis_server):
    found = connect(redis_server.url)
    yield found
    found.close()


@pytest.fixture
def keys():
    """The keys of a crawl of its own."""
    return CrawlKeys(f"test-{next(NAMES)}")
