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
from tests.test_light_http import ANSWERS


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
