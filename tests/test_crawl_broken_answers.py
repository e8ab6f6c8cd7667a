"""Answers that no server should give: each ends as one row with its reason, and the crawl ends."""

from __future__ import annotations

import asyncio
import gzip
import threading

import pytest

from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy

TEXT = "Plain words of a text that is long enough to be kept as the content of this page. " * 6
HTML = f"<title>T</title><p>{TEXT}</p>"
OK = b"HTTP/1.1 200 OK\r\n"
KIND = b"Content-Type: text/html; charset=utf-8\r\n"


def answer(body: bytes | str, *headers: bytes, status: bytes = OK) -> bytes:
    body = body.encode() if isinstance(body, str) else body
    length = b"Content-Length: %d\r\n" % len(body)
    return status + b"".join(headers) + length + b"Connection: close\r\n\r\n" + body


def unlike(word: str) -> str:
    """A page like no other of these."""
    return HTML.replace("words", f"{word} {word[::-1]}").replace("text", word * 2)


# Path: what is sent, and what comes of it: None is a document, else the reason of the rejection.
# The connection is closed behind each.
ANSWERS: dict[str, tuple[bytes, str | None]] = {
    "/robots.txt": (answer(b"", status=b"HTTP/1.1 404 Not Found\r\n"), None),
    "/no-type": (answer(unlike("alpha")), None),
    "/nonsense-charset": (answer(unlike("beta"), b"Content-Type: text/html; charset=klingon\r\n"), None),
    "/short-body": (OK + KIND + b"Content-Length: 99999\r\n\r\n" + unlike("gamma").encode(), None),
    "/no-length": (OK + KIND + b"\r\n" + unlike("delta").encode(), None),
    "/nul": (answer(unlike("epsi").replace("<p>", "<p>\0\0"), KIND), None),
    "/plain": (answer(TEXT.replace("words", "zeta eta"), b"Content-Type: text/plain\r\n"), None),
    "/location-of-200": (answer(unlike("iota"), KIND, b"Location: /nowhere\r\n"), None),
    "/pdf-as-html": (answer(b"%PDF-1.7\n" + bytes(range(256)) * 40, KIND), "content_type"),
    "/empty-body": (answer(b"", KIND), "empty"),
    "/no-content": (OK.replace(b"200 OK", b"204 No Content") + b"\r\n", "empty"),
    "/no-answer": (b"", "connection"),
    "/garbage": (b"\x00\x01garbage\r\n\r\n", "connection"),
    "/no-location": (answer(b"", status=b"HTTP/1.1 302 Found\r\n"), "status_302"),
    "/bad-location": (answer(b"", b"Location: javascript:alert(1)\r\n", status=b"HTTP/1.1 302 Found\r\n"), "redirect"),
    "/loop": (answer(b"", b"Location: /loop\r\n", status=b"HTTP/1.1 301 Moved\r\n"), "redirect"),
    "/teapot": (answer(HTML, KIND, status=b"HTTP/1.1 418 Teapot\r\n"), "status_418"),
    "/tagged": (answer(unlike("kappa"), KIND, b"X-Robots-Tag: noindex\r\n"), "noindex"),
    "/too-long": (answer(b"<p>" + b"word " * 400_000, KIND), "too_large"),
    "/bomb": (answer(gzip.compress(b" " * 40_000_000), KIND, b"Content-Encoding: gzip\r\n"), "too_large"),
    "/cut-gzip": (answer(gzip.compress(HTML.encode() * 50)[:60], KIND, b"Content-Encoding: gzip\r\n"), "empty"),
    "/endless": (OK + KIND + b"\r\n<p>", "timeout"),
}  # fmt: skip


async def serve(reader, writer):
    line = await reader.readline()
    path = line.split(b" ")[1].decode() if line.count(b" ") > 1 else "/"
    sent, _ = ANSWERS.get(path, (answer(b"", status=b"HTTP/1.1 404 Not Found\r\n"), None))
    try:
        writer.write(sent)
        await writer.drain()
        for _ in range(60 if path == "/endless" else 0):
            writer.write(b"word ")
            await writer.drain()
            await asyncio.sleep(0.1)
    except ConnectionError:
        pass  # the crawler has had enough
    finally:
        writer.close()


@pytest.fixture
def broken_server():
    """The port of a server on loopback that gives the answers above."""
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(asyncio.start_server(serve, "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield server.sockets[0].getsockname()[1]
    loop.call_soon_threadsafe(server.close)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    for task in asyncio.all_tasks(loop):
        task.cancel()
    loop.run_until_complete(asyncio.sleep(0.01))
    loop.close()


def test_each_broken_answer_has_its_reason(tmp_path, broken_server):
    paths = [path for path in ANSWERS if path != "/robots.txt"]
    seeds, hosts, corpus = tmp_path / "seeds.txt", tmp_path / "hosts.tsv", tmp_path / "corpus"
    # A host a path, so that none waits for another.
    urls = [f"http://h{number}.sample{path}" for number, path in enumerate(paths)]
    seeds.write_text("\n".join(urls), encoding="utf-8")
    lines = [f"h{number}.sample\t127.0.0.1\t{broken_server}" for number in range(len(paths))]
    hosts.write_text("\n".join(lines), encoding="utf-8")
    log = tmp_path / "crawl.log"
    done = run_scrapy(
        "crawl", "odp", "-a", f"seeds={seeds}", "-s", f"CORPUS_DIR={corpus}",
        "-s", f"HOSTS_FILE={hosts}", "-s", "DOWNLOAD_MAXSIZE=1000000", "-s", "DOWNLOAD_TIMEOUT=2",
        "-s", "FETCH_RETRIES=1", "-s", "FETCH_RETRY_SECS=0.1", "--logfile", log, "-L", "INFO",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in log.read_text(encoding="utf-8")
    folder = Corpus.open(corpus)
    found = dict.fromkeys([row["url"] for row in folder.documents(["url"])])
    found |= {row["url"]: row["reason"] for row in folder.rejected(["url", "reason"])}
    assert found == dict(zip(urls, [ANSWERS[path][1] for path in paths], strict=True))
