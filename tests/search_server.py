"""A search service on loopback, as SearXNG answers: JSON with results, page by page."""

from __future__ import annotations

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit


class Asked(NamedTuple):
    """A request: its path, the parameters by name, the headers by name."""

    path: str
    parameters: dict[str, str]
    headers: dict[str, str]


class Reply(NamedTuple):
    """An answer: *body*, or what JSON makes of it, after *delay_secs*."""

    body: object
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    delay_secs: float = 0.0


class SearchServer(ThreadingHTTPServer):
    """Answers with what *find* returns for what was *asked*; an object is the list of the results of a page."""

    daemon_threads = True

    def __init__(self, find):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.find = find
        self.asked: list[Asked] = []
        self.ended = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def queries(self) -> list[str]:
        return [asked.parameters["q"] for asked in self.asked]


class _Handler(BaseHTTPRequestHandler):
    server: SearchServer

    def do_GET(self):
        parts = urlsplit(self.path)
        parameters = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        asked = Asked(parts.path, parameters, dict(self.headers))
        self.server.asked.append(asked)
        found = self.server.find(asked)
        reply = (
            found
            if isinstance(found, Reply)
            else Reply({"results": [{"url": url} for url in found]})
        )
        self.server.ended.wait(reply.delay_secs)
        body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        with contextlib.suppress(ConnectionError):
            self.send_response(reply.status)
            for name, value in reply.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def searching(find):
    """Serve while the block runs; yield the server."""
    server = SearchServer(find)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server
    finally:
        server.ended.set()
        server.shutdown()
        thread.join()
        server.server_close()
