"""``proxy/URL``: a cleaning proxy that runs already is a subject; real proxies on loopback, good and bad ones."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
import time
import warnings
from urllib.parse import urlsplit

import pytest

from pipelines.boilerplate.registry import get
from pipelines.evaluation.gold import GoldPage
from pipelines.evaluation.harness import RunOptions, evaluate, subject, subjects_of
from pipelines.evaluation.harness.isolation import Limits
from pipelines.evaluation.proxy import ReplayProxy, plain_html
from pipelines.evaluation.replayed_pages import StoredPages
from pipelines.evaluation.report.plots import draw
from pipelines.evaluation.report.summary import as_json, summarise
from pipelines.evaluation.report.tables import screen
from tests.gold_standard import article, write_standard
from tests.graph_commands import run_command
from tests.live_proxies import HTML, PAGE, answering, extracted, fetched, listening, request_of

MEASURES = ("token-f1", "ws", "cs", "bow", "sow")


@pytest.fixture(scope="module")
def standard(tmp_path_factory):
    return write_standard(tmp_path_factory.mktemp("gold"))


@contextlib.contextmanager
def own_proxy(standard, method):
    """Our own proxy around *method*; gives its port."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    def done(work):
        return asyncio.run_coroutine_threadsafe(work, loop).result(60)

    async def end(server):
        server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    with StoredPages([standard]) as pages:
        server = done(ReplayProxy(pages, get(method), plain_html).start(0))
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            done(end(server))
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()


def test_our_own_proxy_has_the_scores_of_its_method(standard, tmp_path):
    with own_proxy(standard, "numwords-tree") as port:
        name = f"proxy/http://127.0.0.1:{port}:upstream=0"
        run = evaluate([standard], subjects_of([name, "numwords-tree"]), RunOptions(MEASURES))
    assert not run.missing
    for page in run.pages:
        theirs, ours = page.scores.tolist()
        assert theirs == ours
        assert page.chars[0] == page.chars[1] > 0
    assert run.secs(name).min() > 0
    summary = summarise(run)
    json.dumps(as_json(summary), allow_nan=False)
    assert "; of proxies by the clock" in screen(summary)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        draw(summary, tmp_path / "plot.png")


def test_pages_are_served_one_by_one_at_an_address_of_ours(standard):
    asked = []

    def serve(client):
        address = request_of(client)
        asked.append(address)
        body = fetched(address)
        for other in ("/none.html", "/", "/0.html"):
            with pytest.raises(OSError, match="404"):
                fetched(f"http://{urlsplit(address).netloc}{other}")
        client.sendall(HTML + b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    with listening(serve) as port:
        name = f"proxy/http://127.0.0.1:{port}"
        run = evaluate([standard], subjects_of([name, "keep-all"]), RunOptions(MEASURES))
    assert not run.errors(name)
    assert [urlsplit(each).path for each in asked][1:] == [f"/{n}.html" for n in range(1, 6)]
    assert all(page.scores[0].tolist() == page.scores[1].tolist() for page in run.pages)


def test_pages_come_from_the_upstream_by_their_own_addresses():
    with socket.create_server(("127.0.0.1", 0)) as free:
        upstream = free.getsockname()[1]
    asked = []

    def serve(client):
        asked.append(request_of(client))
        with socket.create_connection(("127.0.0.1", upstream)) as server:
            server.sendall(f"GET {asked[-1]} HTTP/1.1\r\n\r\n".encode())
            # As it comes, to the end of the connection.
            client.sendall(b"".join(iter(lambda: server.recv(9), b"")))

    with listening(serve) as port:
        for url, address in (
            ("http://a.sample/x#top", "http://a.sample/x"),
            ("https://A.sample/ü?q=é", "http://a.sample/%C3%BC?q=%C3%A9"),
            ("", "http://set.invalid/a"),
        ):
            page = GoldPage("set", "a", PAGE.body, "text/html", url=url, gold="")
            found = extracted(port, page, upstream=f":upstream={upstream}")
            assert (found.text, found.error) == ("of the page", None)
            assert asked[-1] == address


def test_time_is_that_behind_the_serving():
    def serve(client):
        address = request_of(client)
        time.sleep(2)
        client.sendall(HTML + b"\r\n" + fetched(address))

    with listening(serve) as port:
        found = extracted(port)
    assert found.text == "of the page"
    assert 0 < found.secs < 2


def test_a_proxy_that_dies_in_the_run_is_counted(standard):
    n_asked = []

    def serve(client):
        address = request_of(client)
        n_asked.append(address)
        if len(n_asked) < 3:
            client.sendall(HTML + b"\r\n" + fetched(address))

    with listening(serve) as port:
        name = f"proxy/http://127.0.0.1:{port}"
        options = RunOptions(MEASURES, limits=Limits(page_secs=20))
        run = evaluate([standard], subjects_of([name, "keep-all"]), options)
    assert run.errors(name) == {"Died": 4}
    assert run.pages[-1].scores[0][0].tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("proxy/127.0.0.1:80", "names no proxy"),
        ("proxy/https://127.0.0.1:80", "names no proxy"),
        ("proxy/http://127.0.0.1", "names no proxy"),
        ("proxy/http://127.0.0.1:80/x", "names no proxy"),
        ("proxy/http://127.0.0.1:99999", "out of range"),
        ("proxy/http://10.0.0.1:80", "is not on this machine"),
        ("proxy/http://proxy.example:80", "is not on this machine"),
        ("proxy/http://127.0.0.1:80:upstream=x", "invalid literal"),
        ("proxy/http://127.0.0.1:80:upstream=70000", "0 to 65535, got 70000"),
    ],
)
def test_specifications(spec, said):
    with pytest.raises(ValueError, match=said):
        subject(spec)


def test_the_command(standard):
    body = article(0).encode()
    with listening(answering(lambda _: HTML.replace(b"html", b"plain") + b"\r\n" + body)) as port:
        name = f"proxy/http://127.0.0.1:{port}"
        done = run_command("evaluate", standard, "--methods", f"keep-all,{name}", "--json")
        several = run_command("evaluate", standard, "--methods", name, "--jobs", "2")
    assert done.code == 0, done.errors
    pages = json.loads(done.out)["pages"]
    assert pages[0]["subjects"][name]["token-f1"] == [1, 1, 1]
    gone = run_command("evaluate", standard, "--methods", name)
    served = run_command("evaluate", standard, "--methods", name, "--proxy", "0")
    for ended, said in (
        (several, "--jobs must be 1 with proxy/"),
        (gone, "gives no answer (Refused)"),
        (served, "is a peer; a proxy serves our methods"),
    ):
        assert (ended.code, ended.errors.count("\n")) == (2, 1)
        assert said in ended.errors
