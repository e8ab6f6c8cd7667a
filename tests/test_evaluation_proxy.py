"""The replay proxy, asked by real clients."""

from __future__ import annotations

import asyncio
import http.client
import socket
import urllib.request

import pytest

from pipelines.boilerplate.bte import BTE
from pipelines.boilerplate.registry import get
from pipelines.evaluation.gold import GoldPage
from pipelines.evaluation.harness.call import Call, serve_call
from pipelines.evaluation.proxy import MAX_HEAD_BYTES, ReplayProxy, plain_html
from pipelines.evaluation.readers.gottron_zip import Package, write_package
from pipelines.evaluation.replayed_pages import StoredPages
from tests.gold_standard import article, page, write_standard


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = write_standard(tmp_path_factory.mktemp("gold"))
    manifest = folder / "blogs" / "manifest.jsonl"
    # The standard does not know the URL of one page.
    manifest.write_text(manifest.read_text("utf-8").replace("http://blogs.sample/page/1", ""))
    with StoredPages([folder]) as stored:
        yield stored


@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("my set", "my-set.invalid"),
        ("news: 2008 [it]", "news-2008-it-.invalid"),
        ("a" * 80, f"{'a' * 63}.invalid"),
        ("ü" * 63, "set.invalid"),  # too long as xn--...
    ],
)
def test_sets_called_as_no_host_is_are_there(tmp_path, name, host):
    folder = write_standard(tmp_path, [(name, 2)])
    manifest = folder / name / "manifest.jsonl"
    manifest.write_text('{"id": "0"}\n{"id": "1"}')
    with StoredPages([folder]) as stored:
        assert len(stored) == 2
        assert stored.get(f"http://{host}/1").url.endswith(".invalid/1")


def through(proxy, client):
    """What *client* returns that is given the proxy's address; it runs in a thread of its own."""

    async def run():
        server = await proxy.start(0)
        async with server:
            return await asyncio.to_thread(client, server.sockets[0].getsockname())

    return asyncio.run(run())


def asked(address, url, method="GET"):
    client = http.client.HTTPConnection(*address, timeout=30)
    client.request(method, url)
    answer = client.getresponse()
    body = answer.read().decode()
    client.close()
    return answer, body


@pytest.fixture(scope="module")
def proxy(pages):
    return ReplayProxy(pages, get("numwords-tree"), plain_html)


def test_a_page_is_answered_cleaned(proxy):
    def client(address):
        handler = urllib.request.ProxyHandler({"http": f"http://{address[0]}:{address[1]}"})
        with urllib.request.build_opener(handler).open("http://news.sample/page/2#top") as answer:
            return answer.headers["Content-Type"], answer.read().decode()

    content_type, html = through(proxy, client)
    assert content_type == "text/html; charset=utf-8"
    assert "<title>Title of page 2</title>" in html
    assert "<h1>Title of page 2</h1>" in html
    assert f"<p>{article(2).splitlines()[1]}</p>" in html
    assert "All news" not in html


@pytest.mark.parametrize(
    ("url", "method", "status"),
    [
        ("http://news.sample/page/0", "GET", 200),
        ("http://news.sample/page/0", "HEAD", 200),
        ("http://blogs.invalid/1", "GET", 200),  # its URL is unknown
        ("http://news.sample/page/9", "GET", 404),
        ("http://news.sample/page/9", "HEAD", 404),
        ("/page/0", "HEAD", 400),
        ("http://news.sample/style.css", "GET", 404),
        ("http://news.sample/page/0", "POST", 405),
        ("news.sample:443", "CONNECT", 405),
        ("/page/0", "GET", 400),
        ("ftp://news.sample/page/0", "GET", 400),
        ("http://news.sample/" + "x" * MAX_HEAD_BYTES, "GET", 431),
    ],
)
def test_answers(proxy, url, method, status):
    answer, body = through(proxy, lambda address: asked(address, url, method))
    assert answer.status == status
    assert ("<p>" in body) == (method != "HEAD")
    assert (answer.getheader("Allow") == "GET, HEAD") == (status == 405)


def raw(address, request):
    with socket.create_connection(address, timeout=30) as client:
        client.sendall(request)
        return b"".join(iter(lambda: client.recv(2**16), b""))


ODD = [
    GoldPage("odd", "a", b"<p>umlaut", url="http://a.sample/\u00fc?q=\u00e9", gold="umlaut"),
    GoldPage("odd", "b", b"<p>type", "text/html; \u00fc", url="http://a.sample/type", gold="type"),
    GoldPage("odd", "c", b"<p>line", "a/b\r\nSet: 1", url="http://a.sample/line", gold="line"),
]


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    path = tmp_path_factory.mktemp("odd") / "odd.zip"
    linked = {"http://a.sample/linked": b"<p>linked", "http://a.sample/type": b"<p>not this"}
    write_package(path, Package("odd"), ODD, linked=linked)
    with StoredPages([path]) as stored:
        yield ReplayProxy(stored, None, plain_html)


@pytest.mark.parametrize(
    ("request_line", "head", "body"),
    [
        ("GET http://a.sample/\u00fc?q=\u00e9 HTTP/1.1", b"HTTP/1.1 200 OK", b"<p>umlaut"),
        ("GET http://a.sample/%C3%BC?q=%c3%a9 HTTP/1.0", b"HTTP/1.1 200 OK", b"<p>umlaut"),
        ("\r\nGET http://a.sample/linked#x HTTP/1.1", b"HTTP/1.1 200 OK", b"<p>linked"),
        ("GET http://a.sample/type HTTP/1.1", b"Content-Type: text/html\r\n", b"<p>type"),
        ("GET http://a.sample/line HTTP/1.1", b"Content-Type: text/html\r\n", b"<p>line"),
        ("HEAD http://a.sample/none HTTP/1.1", b"HTTP/1.1 404 Not Found", b""),
        ("OPTIONS * HTTP/1.1", b"HTTP/1.1 405 Method Not Allowed", b"Ask by GET or HEAD"),
    ],
)
def test_odd_requests_and_pages(odd, request_line, head, body):
    request = f"{request_line}\r\nHost: a.sample\r\n\r\n".encode()
    said, _, sent = through(odd, lambda address: raw(address, request)).partition(b"\r\n\r\n")
    assert head in said + b"\r\n"
    assert body in sent
    assert bool(sent) == bool(body)
    assert b"\r\nSet: 1" not in said


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_large_request_is_answered_when_it_is_whole(pages, method):
    start = f"{method} http://news.sample/page/1 HTTP/1.1\r\nContent-Length: 9000000\r\n\r\n"
    proxy = ReplayProxy(pages, None, plain_html)
    answer = through(proxy, lambda address: raw(address, start.encode() + b"x" * 9_000_000))
    assert answer.startswith(b"HTTP/1.1 200" if method == "GET" else b"HTTP/1.1 405")


def test_what_a_page_hides_is_as_in_the_table(tmp_path):
    shown = "<p>A sentence of the main text that is long enough to be kept, and one more.</p>" * 3
    html = f"<html lang=en><article>{shown}{shown.replace('<p>', '<p hidden>Hidden: ')}</article>"
    page = GoldPage("set", "a", html.encode(), url="http://a.sample/", gold="")
    write_package(path := tmp_path / "set.zip", Package("set"), [page])
    with StoredPages([path]) as stored:
        proxy = ReplayProxy(stored, get("winnow"), plain_html)
        _, body = through(proxy, lambda address: asked(address, "http://a.sample/"))
    assert "A sentence" in body
    assert "Hidden" not in body


def test_a_method_has_run_before_its_proxy_is_told(tmp_path, monkeypatch):
    folder, seen, label = write_standard(tmp_path, [("news", 1)]), [], BTE.label

    def noted(method, page):
        seen.append("run")
        return label(method, page)

    def told(_):
        seen.append("served")
        raise KeyboardInterrupt  # as of who ends it

    monkeypatch.setattr(BTE, "label", noted)
    serve_call(Call((folder,), ("bte",), ()), 0, say=told)
    assert seen[0] == "run"
    assert seen[-1] == "served"


def test_no_request_and_half_a_request(pages):
    proxy = ReplayProxy(pages, None, plain_html, head_secs=0.2)

    def client(address):
        with socket.create_connection(address, timeout=30) as slow:
            slow.sendall(b"GET http://a.sample/ HTTP/1.1\r\n")
            late = slow.recv(100)
        with socket.create_connection(address, timeout=30) as gone:
            gone.sendall(b"nonsense\r\n\r\n")
            return late, gone.recv(100)

    late, nonsense = through(proxy, client)
    assert late.startswith(b"HTTP/1.1 408")
    assert nonsense.startswith(b"HTTP/1.1 400")


class Failing:
    """A method that fails on one page."""

    inline = get("numwords-tree").inline

    def label(self, page):
        if page.url.endswith("/2"):
            raise LookupError(page.url)
        return get("numwords-tree").label(page)


def test_a_method_that_fails_is_told_and_the_next_page_answered(pages):
    def client(address):
        urls = ("http://news.sample/page/2", "http://news.sample/page/0")
        return [asked(address, url) for url in urls]

    (failed, said), (answered, _) = through(ReplayProxy(pages, Failing(), plain_html), client)
    assert (failed.status, answered.status) == (500, 200)
    assert "scrapy clean" in said


def test_without_a_method_pages_are_as_stored(pages):
    proxy = ReplayProxy(pages, None, plain_html)
    _, body = through(proxy, lambda address: asked(address, "http://news.sample/page/1"))
    assert body.encode() == page(1)
    assert len(pages) == 5


@pytest.mark.parametrize(
    ("methods", "port", "said"),
    [
        (("keep-all", "numwords-tree"), 0, "one method"),
        (("peer/goose3",), 0, "is a peer"),
        (("keep-all",), 70_000, "0 to 65535"),
    ],
)
def test_wrong_calls(methods, port, said):
    with pytest.raises(ValueError, match=said):
        serve_call(Call((), methods, ()), port, say=print)


def test_a_port_that_is_taken():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        call, port = Call((), ("keep-all",), ()), taken.getsockname()[1]
        with pytest.raises(ValueError, match="cannot be listened on"):
            serve_call(call, port, say=print)
