"""``asked_answers.py HANDLER DOWNLOADER PORT``: asks a server for its paths one by one, prints what came.

After each, ``/plain`` is asked for, so that there is a connection that has answered before; and at last with
listeners to what comes. *HANDLER*
and *DOWNLOADER* are the settings' dotted paths. Prints a JSON list, an entry an answer.
"""

from __future__ import annotations

import hashlib
import json
import sys

from pydispatch import dispatcher
from scrapy import Request, Spider, signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.exceptions import StopDownload

from crawler.failures import failure_reason

OK = b"HTTP/1.1 200 OK\r\n"
BODY = b"<p>a page</p>" * 50
LENGTH = b"Content-Length: 650\r\n"
HTML = b"Content-Type: text/html\r\n"

# Pieces of an answer, each sent by itself; an empty one: the connection ends there.
ANSWERS: dict[str, list[bytes]] = {
    "plain": [OK + HTML + LENGTH + b"\r\n" + BODY],
    "no-phrase": [b"HTTP/1.1 200\r\n" + HTML + LENGTH + b"\r\n" + BODY],
    "names": [
        OK + b"etag:x\r\nWWW-authenticate: a\r\nX-Xss-Protection:\t1 \r\n" + LENGTH + b"\r\n" + BODY
    ],
    "twice": [OK + b"Set-Cookie: a=1\r\nX: 1\r\nset-cookie: b=2\r\n" + LENGTH + b"\r\n" + BODY],
    "of-connection": [
        OK + b"Keep-Alive: 3\r\nConnection: keep-alive\r\n" + LENGTH + b"\r\n" + BODY
    ],
    "in-pieces": [OK + HTML, LENGTH + b"\r\n", BODY[:100], BODY[100:]],
    "in-two": [OK + HTML + LENGTH + b"\r\n" + BODY[:1], BODY[1:]],
    "close": [OK + b"Connection: close\r\n" + LENGTH + b"\r\n" + BODY, b""],
    "no-body": [OK + b"Content-Length: 0\r\n\r\n"],
    "not-found": [b"HTTP/1.1 404 Not Found\r\n" + LENGTH + b"\r\n" + BODY],
    "moved": [b"HTTP/1.1 301 Moved\r\nLocation: /\r\n" + LENGTH + b"\r\n" + BODY],
    "no-content": [b"HTTP/1.1 204 No Content\r\n\r\n"],
    "same": [b"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n"],
    "odd-status": [b"HTTP/1.1 999 Go\r\n" + LENGTH + b"\r\n" + BODY],
    "interim": [b"HTTP/1.1 103 Hints\r\nLink: x\r\n\r\n", OK + LENGTH + b"\r\n" + BODY],
    "chunks": [OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", b"2\r\n, \r\n0\r\n\r\n"],
    "no-length": [OK + HTML + b"\r\n" + BODY, b""],
    "rest": [OK + HTML + LENGTH + b"\r\n" + BODY],
    "old": [b"HTTP/1.0 200 OK\r\n" + LENGTH + b"\r\n" + BODY, b""],
    "short": [OK + LENGTH + b"\r\n" + BODY[:99], b""],
    "long": [OK + LENGTH + b"\r\n" + BODY + b"more", b""],
    "same-length-twice": [OK + LENGTH + LENGTH + b"\r\n" + BODY],
    "two-lengths": [OK + LENGTH + b"Content-Length: 3\r\n\r\n" + BODY, b""],
    "no-number": [OK + b"Content-Length: x\r\n\r\n" + BODY, b""],
    "no-colon": [OK + b"nothing\r\n" + LENGTH + b"\r\n" + BODY],
    "folded": [OK + b"X-Long: a\r\n b\r\n" + LENGTH + b"\r\n" + BODY],
    "line-feeds": [b"HTTP/1.1 200 OK\nContent-Length: 650\n\n" + BODY],
    "no-http": [b"hello\r\n\r\n", b""],
    "too-long": [OK + b"Content-Length: 100001\r\n\r\n" + BODY, b""],
    "header-too-long": [OK + b"X: " + b"x" * 300_000 + b"\r\n\r\n", b""],
    "cut-header": [OK + HTML, b""],
    "nothing": [b""],
}
# What comes when the next request is there, in front of its answer.
RESTS = {"rest": b"of a page that is longer than it says</p>"}


class Asker(Spider):
    """Asks for everything twice: over a new connection, and after ``/plain``."""

    name = "asker"

    async def start(self):
        for name in ANSWERS:
            for path in ("plain", name):
                yield await self.asked(path)
        for sender in (self.crawler, dispatcher.Any):
            for hear in (self.hear, self.stop):
                self.heard = []
                for signal in (signals.headers_received, signals.bytes_received):
                    self.crawler.signals.connect(hear, signal, sender=sender)
                answer = await self.asked("plain")
                for signal in (signals.headers_received, signals.bytes_received):
                    self.crawler.signals.disconnect(hear, signal, sender=sender)
                yield {**answer, "heard": self.heard}

    def hear(self, signal, request):
        is_header = signal is signals.headers_received
        self.heard.append(["header" if is_header else "body", request.url])

    def stop(self, signal, request):
        self.hear(signal, request)
        raise StopDownload(fail=False)

    async def asked(self, path):
        request = Request(
            f"{self.base}/{path}#part", meta={"download_timeout": 2}, headers={"X": "y"}
        )
        try:
            answer = await self.crawler.engine.download_async(request)
        except Exception as error:  # noqa: BLE001  whatever it is, it is compared
            return {"path": path, "error": failure_reason(error)}
        return {
            "path": path,
            "url": answer.url,
            "class": type(answer).__name__,
            "status": answer.status,
            "headers": sorted(map(repr, answer.headers.items())),
            "body": hashlib.md5(answer.body, usedforsecurity=False).hexdigest(),
            "flags": answer.flags,
            "ip": str(answer.ip_address),
            "protocol": answer.protocol,
            "has_latency": 0 < request.meta["download_latency"] < 2,
        }


class Items:
    """Prints what the spider yields, at the end."""

    def open_spider(self):
        self.items = []

    def process_item(self, item):
        self.items.append(item)
        return item

    def close_spider(self):
        sys.stdout.write(json.dumps(self.items))


if __name__ == "__main__":
    handler, downloader, port = sys.argv[1:4]
    settings = {
        "DOWNLOAD_HANDLERS": {"http": handler},
        "DOWNLOADER": downloader,
        "DOWNLOAD_FAIL_ON_DATALOSS": False,
        "DOWNLOAD_MAXSIZE": 100_000,
        "DOWNLOAD_WARNSIZE": 0,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "DOWNLOAD_DELAY": 0,
        "CONNECTION_IDLE_SECS": 30,
        "ALLOWED_PRIVATE_NETWORKS": ["127.0.0.0/8"],
        "ITEM_PIPELINES": {Items: 1},
        "RETRY_ENABLED": False,
        "REDIRECT_ENABLED": False,
        "METAREFRESH_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_ENABLED": False,
    }
    process = AsyncCrawlerProcess(settings)
    process.crawl(Asker, base=f"http://127.0.0.1:{port}")
    process.start()
