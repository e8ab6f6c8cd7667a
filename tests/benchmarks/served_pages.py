"""A web of real pages on loopback, for bench_crawl: ``served_pages.py FOLDER STEP CORE``.

The pages of ``../shared`` of 50 to 900 kB (mean 176 kB, median 117 kB, many languages; the pages of
article-extraction-benchmark, on which the peers were measured before, have 174 and 115 kB), every
*STEP*-th of them, as they were served, on made hosts. Each has its own links, which lead out of the web
or nowhere, and 20 more to pages of the web. Writes ``hosts.tsv``, ``seeds.tsv`` and ``urls.txt`` (all
pages) to *FOLDER* and serves until it is ended; *CORE* is the processor it keeps to.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
import sys
from pathlib import Path

from tests.conftest import SHARED

EXTRACTION = SHARED / "data" / "extraction"
MIN_BYTES, MAX_BYTES = 50_000, 900_000

N_HOSTS = 24
N_LINKS = 20
_BODY_END = re.compile(rb"(?i)</body")


def page_url(number: int) -> str:
    """Return the URL of page *number*."""
    return f"http://h{number % N_HOSTS:02}.sample/page/{number}.html"


def read_pages(step: int) -> list[tuple[bytes, str]]:
    """Return (body, header Content-Type) of every *step*-th page, in an order that mixes the sets."""
    found = []
    for manifest in sorted(EXTRACTION.glob("*/*/manifest.jsonl")):
        for line in manifest.read_text(encoding="utf-8").splitlines():
            told = json.loads(line)
            path = manifest.parent / "pages" / f"{told['id']}.html.gz"
            charset = "; charset=utf-8" if told.get("charset_conflict") else ""
            found.append((path.name, path, f"text/html{charset}"))
    pages = ((gzip.decompress(path.read_bytes()), kind) for _, path, kind in sorted(found)[::step])
    return [page for page in pages if MIN_BYTES <= len(page[0]) <= MAX_BYTES]


def linked(body: bytes, number: int, n_pages: int) -> bytes:
    """Return *body* with links to two pages that nothing else need lead to, and to others."""
    targets = [2 * number + 1, 2 * number + 2]
    targets += [number * 7_919 + place * 104_729 for place in range(N_LINKS - len(targets))]
    links = "".join(f'<a href="{page_url(t % n_pages)}">page {t % n_pages}</a> ' for t in targets)
    ends = list(_BODY_END.finditer(body))
    place = ends[-1].start() if ends else len(body)
    return body[:place] + f"<div>{links}</div>".encode() + body[place:]


def answers(step: int) -> dict[bytes, bytes]:
    """Return the whole answer of each path."""
    pages = read_pages(step)
    found = {}
    for number, (body, kind) in enumerate(pages):
        whole = linked(body, number, len(pages))
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(whole)}\r\n\r\n"
        found[f"/page/{number}.html".encode()] = head.encode() + whole
    return found


class PageProtocol(asyncio.Protocol):
    """Answers GET requests of a connection, one after the other."""

    pages: dict[bytes, bytes]
    missing = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n"

    def connection_made(self, transport):
        self.transport = transport
        self.received = b""

    def data_received(self, data):
        self.received += data
        while (end := self.received.find(b"\r\n\r\n")) >= 0:
            path = self.received.split(b" ", 2)[1]
            self.received = self.received[end + 4 :]
            self.transport.write(self.pages.get(path, self.missing))


async def serve(folder: Path, step: int) -> None:
    """Serve the pages and write down where; the last file is ``hosts.tsv``."""
    PageProtocol.pages = answers(step)
    n_pages = len(PageProtocol.pages)
    server = await asyncio.get_running_loop().create_server(PageProtocol, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    urls = [page_url(number) for number in range(n_pages)]
    (folder / "urls.txt").write_text("\n".join(urls), encoding="utf-8")
    seeds = "".join(f"Top/Made\t{url}\n" for url in urls[:N_HOSTS])
    (folder / "seeds.tsv").write_text(seeds, encoding="utf-8")
    hosts = "".join(f"h{number:02}.sample\t127.0.0.1\t{port}\n" for number in range(N_HOSTS))
    unfinished = folder / "hosts.unfinished"
    unfinished.write_text(hosts, encoding="utf-8")
    unfinished.rename(folder / "hosts.tsv")
    await server.serve_forever()


if __name__ == "__main__":
    os.sched_setaffinity(0, {int(sys.argv[3])})
    asyncio.run(serve(Path(sys.argv[1]), int(sys.argv[2])))
