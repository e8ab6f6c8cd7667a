"""Encryption and names that fail, against real servers with certificates made here.

===================================  =======================================================
item                                 what comes of it
===================================  =======================================================
certificate of its own, expired, of  kept: a crawl reads what browsers warn of (Scrapy's
another name                         ``DOWNLOAD_VERIFY_CERTIFICATES`` is off); ``tls`` when on
HTTP where TLS is due                ``tls``, also for robots.txt; what the host has by http is kept
TLS where HTTP is due                ``bad_http`` or ``connection``
connection reset in the handshake    ``connection``
name that does not resolve           ``dns``
robots.txt by https that is 503      what the host has by http is kept, the rest waits
redirect from http to https, back    ``redirect``: an arc each, asked for once
===================================  =======================================================
"""

from __future__ import annotations

import asyncio
import datetime as dt
import ssl
from contextlib import ExitStack, suppress

import pytest

from crawler.webgraph.graph import Graph
from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, hosts_arguments, listening, page, reply

x509 = pytest.importorskip("cryptography.x509")

NOW = dt.datetime.now(dt.UTC)
DAY = dt.timedelta(days=1)


def tls_of(folder, name, *, until):
    """A server's context with a new certificate of its own for *name*."""
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW - 9 * DAY)
        .not_valid_after(until)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = folder / f"{name}.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    pem.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    return context


class Resetting(Hostile):
    """Hangs up on whoever comes."""

    async def answer(self, reader, writer):
        await reader.read(5)
        writer.transport.abort()


class Refusing(Hostile):
    """Answers what is no HTTP as servers do."""

    async def answer(self, reader, writer):
        if self.answers and await reader.readexactly(1) == b"G":
            await super().answer(reader, writer)
            return
        await reader.read(5)
        writer.write(reply(b"", status=b"400 Bad Request"))
        await writer.drain()
        writer.close()


@pytest.fixture
def ports(tmp_path):
    """Name of a host → the port of its server."""
    good = {f"{name}/": reply(page(), HTML) for name in ("own", "expired", "other")}
    with ExitStack() as stack:
        own = tls_of(tmp_path, "own.sample", until=NOW + DAY)
        expired = tls_of(tmp_path, "expired.sample", until=NOW - DAY)
        yield {
            "own": stack.enter_context(listening(Hostile(good), tls=own)),
            "expired": stack.enter_context(listening(Hostile(good), tls=expired)),
            "other": stack.enter_context(listening(Hostile(good), tls=own)),
            "plain": stack.enter_context(listening(Refusing({}))),
            "reset": stack.enter_context(listening(Resetting({}))),
        }


def ask(folder, ports, *settings):
    """Ask for the root of each host over TLS, and of one that has it over none; return the outcomes."""
    (folder / "hosts.tsv").write_text(
        "".join(f"{name}.sample\t127.0.0.1\t{port}\n" for name, port in ports.items())
        + f"plainly.sample\t127.0.0.1\t{ports['own']}\n",
        encoding="utf-8",
    )
    urls = [f"https://{name}.sample/" for name in ports]
    urls += ["http://plainly.sample/", "https://nobody.sample/"]
    done = run_scrapy(
        "runspider", "tests/asking_spider.py", "-a", f"urls={' '.join(urls)}", "-L", "INFO",
        *("-s", f"CORPUS_DIR={folder / 'corpus'}", "-s", f"HOSTS_FILE={folder / 'hosts.tsv'}"),
        *("-s", "FETCH_RETRIES=0", "-s", "DEDUP_THRESHOLD=0", *settings),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    corpus = Corpus.open(folder / "corpus")
    found = {row["url"]: row["reason"] for row in corpus.rejected(["url", "reason"])}
    found |= dict.fromkeys([row["url"] for row in corpus.documents(["url"])])
    return {url.partition("//")[2].partition(".")[0]: reason for url, reason in found.items()}


def test_what_fails_is_named_and_bad_certificates_are_taken(tmp_path, ports):
    found = ask(tmp_path, ports)
    assert found.pop("plainly") in {"bad_http", "connection"}
    kept = [found[name] for name in ("own", "expired", "other")]
    assert all(reason is None or reason.startswith("duplicate") for reason in kept)
    assert (found["plain"], found["reset"], found["nobody"]) == ("tls", "connection", "dns")


@pytest.mark.long
def test_bad_certificates_are_refused_where_asked(tmp_path, ports):
    found = ask(tmp_path, ports, "-s", "DOWNLOAD_VERIFY_CERTIFICATES=1")
    for name in ("own", "expired", "other", "plain"):
        assert found[name] == "tls", name


def test_pages_by_http_do_not_wait_for_a_robots_txt_that_needs_tls(tmp_path):
    plain = Refusing({"plain/": reply(page(), HTML)})
    with listening(plain) as port:
        (tmp_path / "seeds.txt").write_text(
            "https://plain.sample/\nhttp://plain.sample/\nhttps://plain.sample/2\n",
            encoding="utf-8",
        )
        (tmp_path / "hosts.tsv").write_text(f"plain.sample\t127.0.0.1\t{port}\n", encoding="utf-8")
        run_scrapy(*hosts_arguments(tmp_path))
    corpus = Corpus.open(tmp_path / "corpus")
    assert [row["url"] for row in corpus.documents(["url"])] == ["http://plain.sample/"]
    rows = corpus.rejected(["url", "reason"])
    urls = ["https://plain.sample/", "https://plain.sample/2"]
    assert {row["url"]: row["reason"] for row in rows} == dict.fromkeys(urls, "tls")


class Parting(Hostile):
    """Answers what is plain, and hands what is encrypted on to the server at *port*."""

    def __init__(self, answers, port):
        super().__init__(answers)
        self.port = port

    async def answer(self, reader, writer):
        first = await reader.readexactly(1)
        if first == b"G":
            await super().answer(reader, writer)
            return
        behind, front = await asyncio.open_connection("127.0.0.1", self.port)
        front.write(first)
        await asyncio.gather(carry(reader, front), carry(behind, writer))


async def carry(reader, writer):
    with suppress(ConnectionError):
        while data := await reader.read(2**16):
            writer.write(data)
            await writer.drain()
    writer.close()


@pytest.mark.parametrize("first", ["https", "http"])
@pytest.mark.parametrize("retry_secs", [3600, 0.3])
def test_a_robots_txt_by_https_that_is_unreachable_holds_up_no_pages_by_http(
    tmp_path, first, retry_secs
):
    """They waited as long, and as https was asked for first each time, for 30 days."""
    pages = {f"own/{n}": reply(page(b"%d" % n), HTML) for n in range(3)}
    own = Hostile({**pages, "own/robots.txt": [reply(b"", status=b"503 Later"), reply(b"")]})
    tls = tls_of(tmp_path, "own.sample", until=NOW + DAY)
    with listening(own, tls=tls) as port:
        plain = Parting({**pages, "own/robots.txt": reply(b"")}, port)
        with listening(plain) as front:
            schemes = sorted(["http", "https"], reverse=first == "https")
            urls = [f"{scheme}://own.sample/{n}" for scheme in schemes for n in range(3)]
            (tmp_path / "seeds.txt").write_text("\n".join(urls), encoding="utf-8")
            (tmp_path / "hosts.tsv").write_text(
                f"own.sample\t127.0.0.1\t{front}\n", encoding="utf-8"
            )
            run_scrapy(*hosts_arguments(tmp_path), "-s", f"ROBOTS_RETRY_SECS={retry_secs}")
    asked = ["own/robots.txt", *pages]
    assert sorted(plain.asked) == sorted(asked)
    # What was put off is no attempt, and asked for once the file can be had.
    wanted = ["own/robots.txt"] if retry_secs > 1 else ["own/robots.txt", *asked]
    assert sorted(own.asked) == sorted(wanted)


def test_a_redirect_that_changes_the_scheme_is_as_any_other(tmp_path):
    """From http to https and back, in a circle: each page is asked for once, and has its arc."""
    to_own = reply(b"", b"Location: https://own.sample/up", status=b"301 Moved")
    to_plain = reply(b"", b"Location: http://plain.sample/", status=b"302 Found")
    plain, own = Hostile({"plain/": to_own}), Hostile({"own/up": to_plain})
    with (
        listening(plain) as plain_port,
        listening(own, tls=tls_of(tmp_path, "own.sample", until=NOW + DAY)) as own_port,
    ):
        (tmp_path / "seeds.txt").write_text("http://plain.sample/\n", encoding="utf-8")
        (tmp_path / "hosts.tsv").write_text(
            f"plain.sample\t127.0.0.1\t{plain_port}\nown.sample\t127.0.0.1\t{own_port}\n",
            encoding="utf-8",
        )
        done = run_scrapy(*hosts_arguments(tmp_path))
    assert "Traceback" not in done.stderr
    urls = ["http://plain.sample/", "https://own.sample/up"]
    rows = Corpus.open(tmp_path / "corpus").rejected(["url", "reason"])
    assert {row["url"]: row["reason"] for row in rows} == dict.fromkeys(urls, "redirect")
    assert (plain.asked, own.asked) == (
        ["plain/robots.txt", "plain/"],
        ["own/robots.txt", "own/up"],
    )
    graph = Graph.open(tmp_path / "corpus")
    ids = graph.pages()
    name = dict(zip(ids.tolist(), graph.urls(ids), strict=True))
    sources, targets, _ = graph.arcs(nofollow=True)
    arcs = {(name[a], name[b]) for a, b in zip(sources.tolist(), targets.tolist(), strict=True)}
    assert arcs == {tuple(urls), tuple(reversed(urls))}
