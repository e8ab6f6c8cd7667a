"""What keeping WARC files costs a crawl: CPU ms a page of 594 real pages, packed and written.

Each page is a request, a response and a metadata record, in gzip members of their own. The pages come as
servers send them: plain, or in gzip. warcio writes the same three records in turn, where it is
installed; zlib packs the plain bodies alone. fastwarc reads the files back: as many responses, every
digest right.

Measured, of 319 kB (median 205): .30 ms for a page that came in gzip, 1.4 ms for one that came plain, packed by ISA-L
to 63 kB (by zlib's level 4: 4.4 ms, 57 kB; warcio: 9.4 ms).
"""

from __future__ import annotations

import gzip
import sys
import tempfile
import time
import zlib
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from fastwarc.warc import ArchiveIterator

from crawler.durable import warc_records
from crawler.durable.capture import Capture
from crawler.durable.exchange import Exchange, response_head
from crawler.durable.journal import Journal
from crawler.durable.layout import journal_folder
from crawler.durable.warc_writer import WarcWriter
from crawler.errors import ModuleParser
from tests.benchmarks.report import figure
from tests.benchmarks.wcxb_pages import wcxb_pages

GROUP = 100
ZLIB_LEVELS = (1, 4, 6)
REQUEST = b"GET / HTTP/1.1\r\nHost: a.sample\r\nAccept: text/html\r\nUser-Agent: bench\r\n"


def captures_of(pages, *, coded):
    """Return the captures of *pages*, with their answers in gzip if *coded*."""
    captures = []
    for number, page in enumerate(pages):
        body = gzip.compress(page.body, 6) if coded else page.body
        headers = [(b"Content-Type", page.content_type.encode()), (b"Server", b"bench")]
        headers += [(b"Content-Encoding", b"gzip")] * coded
        head = response_head("HTTP/1.1", 200, headers)
        capture = Capture(number, page.url, "a.sample", fetched_at=datetime.now(UTC))
        capture.exchange = Exchange(REQUEST, head, body, ip="192.0.2.1", fetch_ms=100)
        capture.keep({"url": page.url})
        captures.append(capture)
    return captures


def ours(captures, folder):
    """Write *captures* in groups; return CPU seconds."""
    journal = Journal.open_writer(journal_folder(folder))
    writer = WarcWriter(folder, journal, max_bytes=10**9, info=[])
    start = time.process_time()
    for first in range(0, len(captures), GROUP):
        group = captures[first : first + GROUP]
        for capture in group:
            writer.put(capture)
        writer.settle(group)
    secs = time.process_time() - start
    writer.close()
    journal.close()
    return secs


def theirs(exchanges, path):
    """Write the same records with warcio; return CPU seconds."""
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    start = time.process_time()
    with path.open("wb") as stream:
        writer = WARCWriter(stream, gzip=True, warc_version="1.1")
        for url, exchange in exchanges:
            lines = exchange.head.decode("latin-1").splitlines()
            headers = [tuple(line.split(": ", 1)) for line in lines[1:]]
            http = StatusAndHeaders(lines[0].partition(" ")[2], headers, protocol="HTTP/1.1")
            payload = BytesIO(exchange.body)
            writer.write_record(
                writer.create_warc_record(url, "response", payload, http_headers=http)
            )
            request = StatusAndHeaders(
                "GET / HTTP/1.1", [("Host", "a.sample")], is_http_request=True
            )
            writer.write_record(writer.create_warc_record(url, "request", http_headers=request))
            about = BytesIO(b"pageId: 0:1\r\ndepth: 0\r\n")
            writer.write_record(writer.create_warc_record(url, "metadata", payload=about))
    return time.process_time() - start


def check(folder, n_pages):
    """Read the files back to their end; return their bytes."""
    n_responses = 0
    for path in folder.glob("warc/*.warc.gz"):
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream, parse_http=False):
                assert record.verify_block_digest()
                n_responses += record.headers["WARC-Type"] == "response"
    assert n_responses == n_pages, (n_responses, n_pages)
    return sum(path.stat().st_size for path in folder.glob("warc/*.warc.gz"))


def main() -> None:
    """Write the pages in turn by each level and by warcio; print the figures."""
    parser = ModuleParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="59 pages, one round")
    parser.add_argument("--full", action="store_true", help="the same as without")
    options = parser.parse_args()
    pages = wcxb_pages(quick=options.quick)
    data = f"wcxb-dev {len(pages)} pages"
    levels = {"level_1": 1, "level_2": 2, "level_3": 3}
    found: dict[str, list[float]] = {}
    sizes: dict[str, float] = {}
    published = warc_records.LEVEL
    for _ in range(1 if options.quick else 2):
        for name, level in (*levels.items(), ("coded", published)):
            warc_records.LEVEL = level
            with tempfile.TemporaryDirectory() as temporary:
                captures = captures_of(pages, coded=name == "coded")
                exchanges = [(capture.url, capture.exchange) for capture in captures]
                secs = ours(captures, Path(temporary))
                found.setdefault(name, []).append(1000 * secs / len(pages))
                sizes[name] = check(Path(temporary), len(pages)) / len(pages)
                if name == "level_3":
                    with_warcio(exchanges, Path(temporary) / "peer.warc.gz", found)
        for level in ZLIB_LEVELS:
            with_zlib(pages, level, found, sizes)
    warc_records.LEVEL = published
    for name, values in found.items():
        figure("warc", f"cpu_ms_per_page_{name}", values, unit="ms", data=data)
    for name, n_bytes in sizes.items():
        figure("warc", f"bytes_per_page_{name}", [n_bytes], unit="bytes", data=data)


def with_zlib(pages, level, found, sizes):
    """Add time and size of the bodies of *pages*, each packed by zlib at *level* and nothing else."""
    start = time.process_time()
    n_bytes = sum(len(zlib.compress(page.body, level, wbits=31)) for page in pages)
    secs = time.process_time() - start
    found.setdefault(f"zlib_level_{level}", []).append(1000 * secs / len(pages))
    sizes[f"zlib_level_{level}"] = n_bytes / len(pages)


def with_warcio(exchanges, path, found):
    """Add warcio's time, or say that it is missing."""
    try:
        secs = theirs(exchanges, path)
    except ImportError:
        sys.stdout.write("warcio is not installed; nothing to compare with\n")
        return
    found.setdefault("warcio", []).append(1000 * secs / len(exchanges))


if __name__ == "__main__":
    main()
