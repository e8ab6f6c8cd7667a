"""Proxies on loopback that do what they are told to, for the tests of those that are subjects."""

from __future__ import annotations

import contextlib
import socket
import threading
from urllib.request import urlopen

from pipelines.evaluation.gold import GoldPage
from pipelines.evaluation.harness import subject
from pipelines.evaluation.harness.live_proxy import LiveProxies

HTML = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
PAGE = GoldPage("set", "a", b"<p>of the page", "text/html", url="http://a.sample/x", gold="")


@contextlib.contextmanager
def listening(serve):
    """Accept connections, each given to *serve*, as a proxy; give its port."""
    server = socket.create_server(("127.0.0.1", 0))

    def run():
        while True:
            try:
                client = server.accept()[0]
            except OSError:
                return
            threading.Thread(target=handle, args=(client,), daemon=True).start()

    def handle(client):
        with client, contextlib.suppress(OSError):
            serve(client)

    threading.Thread(target=run, daemon=True).start()
    try:
        yield server.getsockname()[1]
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()


def request_of(client):
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += client.recv(1)
    return head.split()[1].decode()


def fetched(address):
    with urlopen(address, timeout=20) as answer:
        return answer.read()


def answering(make):
    """A proxy that fetches the page itself, and answers with what *make* makes of it."""

    def serve(client):
        client.sendall(make(fetched(request_of(client))))

    return serve


def extracted(port, page=PAGE, *, secs=20.0, upstream="", max_bytes=2**20):
    proxies = LiveProxies(secs, max_bytes)
    try:
        return proxies.extract(subject(f"proxy/http://127.0.0.1:{port}{upstream}").proxy, page)
    finally:
        proxies.close()
