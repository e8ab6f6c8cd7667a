"""The explorer of a corpus as a test asks it, and a record of a WARC file for one."""

from __future__ import annotations

import gzip
import http.client
import threading

import uvicorn
from lxml import html
from scrapy.settings import Settings

from crawler.commands.base import PROJECT_DEFAULTS
from crawler.commands.explore import Command
from crawler.explorer.app import make_app
from crawler.explorer.hosts import names_of
from crawler.explorer.serve import listening
from crawler.explorer.state import Explorer


class Site:
    """The explorer of a corpus, served by a thread of this process."""

    def __init__(self, folder):
        self.folder = folder
        command = Command()
        command.settings = Settings(PROJECT_DEFAULTS)
        app = make_app(Explorer(folder), command._inspector(), names_of("127.0.0.1"))
        self._bound = listening("127.0.0.1", 0)
        self.port = self._bound.getsockname()[1]
        self._server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off"))
        sockets = [self._bound]
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": sockets})
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._server.should_exit = True
        self._thread.join(20)
        self._bound.close()

    def ask(self, path, **headers):
        """Return status, headers and body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        body = answer.read().decode()
        connection.close()
        return answer.status, answer.headers, body

    def tree(self, path):
        """Return the tree of the page at *path*, which is there."""
        status, headers, body = self.ask(path)
        if status == 307:
            return self.tree(headers["Location"].removeprefix(f"http://127.0.0.1:{self.port}"))
        assert status == 200, body
        return html.fromstring(body)


def warc_record(address, body, status="200 OK"):
    answer = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\n\r\n".encode() + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {address}\r\n"
        "WARC-Date: 2026-01-02T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(answer)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + answer + b"\r\n\r\n")
