"""What a hostile web answers: each page ends as one row with a name, and the crawl by itself."""

from __future__ import annotations

import gzip

from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, TEXT, Hostile, page, reply, served_bytes

UTF8_LOCATION = "Location: /café".encode()

# host: (answer to /, the reason of its rejection or None when its text is kept)
ANSWERS = {
    "untyped": (reply(page()), None),
    "nonsense": (reply(page(), b"Content-Type: text/html; charset=zlib_codec"), None),
    "toolong": (reply(page(), HTML, b"Content-Length: 9999"), None),
    "badlength": (reply(page(), HTML, b"Content-Length: many"), "connection"),
    "plain": (reply(TEXT, b"Content-Type: text/plain"), None),
    "pdf": (reply(b"%PDF-1.4\n" + bytes(range(256)), HTML), "content_type"),
    "nuls": (reply(page(b"\0nul\0"), HTML), None),
    "nothing": (b"", "connection"),
    "garbage": (b"\0\1 what\r\n\r\n", "connection"),
    "hugeheader": (reply(page(), HTML, b"X-Big: " + b"x" * 100_000), "connection"),
    "cutgzip": (
        reply(gzip.compress(page(bytes(range(32, 60))))[:-9], HTML, b"Content-Encoding: gzip"),
        None,
    ),
    "nogzip": (reply(page(), HTML, b"Content-Encoding: gzip"), "content_encoding"),
    "nobrotli": (reply(page(), HTML, b"Content-Encoding: br"), "content_encoding"),
    "nodeflate": (reply(page(), HTML, b"Content-Encoding: deflate"), "content_encoding"),
    "bomb": (reply(gzip.compress(b"a" * 9**7), HTML, b"Content-Encoding: gzip"), "too_large"),
    "empty": (reply(b"", status=b"204 No Content"), "empty"),
    "later": (reply(b"", b"Retry-After: Fri, 31 Dec 2999 23:59:59 GMT", status=b"503 No"), "status_503"),
    "soon": (reply(b"", b"Retry-After: soon", status=b"503 No"), "status_503"),
    # Status codes that fit into no column.
    "status0": (reply(page(), HTML, status=b"000 OK"), "invalid_status"),
    "status70000": (reply(page(), HTML, status=b"70000 OK"), "invalid_status"),
    "negative": (reply(page(), HTML, status=b"-200 OK"), "invalid_status"),
    "denied": (reply(page(), HTML, status=b"999 Denied"), "status_999"),
    "nowhere": (reply(b"", HTML, status=b"302 Found"), "status_302"),
    "badlocation": (reply(b"", b"Location: http://[::1", status=b"302 Found"), "redirect"),
    "script": (reply(b"", b"Location: javascript:go()", status=b"302 Found"), "redirect"),
    "loop": (reply(b"", b"Location: /", status=b"302 Found"), "redirect"),
    "utf8": (reply(b"", UTF8_LOCATION, status=b"302 Found"), "redirect"),
    "noindex": (reply(page(), HTML, b"X-Robots-Tag: noindex"), "noindex"),
    "preview": (reply(page(), HTML, b"X-Robots-Tag: max-image-preview:none"), None),
    "otherbot": (reply(page(), HTML, b"X-Robots-Tag: otherbot: noindex"), None),
    "nofollow": (
        reply(page(b'<a href="/secret">x</a>'), HTML, b"X-Robots-Tag: nofollow"), None
    ),
    "endless": (reply(b"", HTML), "too_large"),
    "robotsaway": (reply(page(), HTML), None),
}  # fmt: skip


def test_every_answer_has_its_row(tmp_path):
    answers = {f"{host}/": answer for host, (answer, _) in ANSWERS.items()}
    answers["robotsaway/robots.txt"] = reply(b"", b"Location: http://[::1", status=b"302 Found")
    hostile = Hostile(answers, endless=frozenset({"endless"}))
    with served_bytes(tmp_path, hostile):
        done = run_scrapy(
            "crawl", "odp", "-a", f"seeds={tmp_path / 'seeds.txt'}", "-L", "INFO",
            *("-s", f"CORPUS_DIR={tmp_path / 'corpus'}", "-s", f"HOSTS_FILE={tmp_path / 'hosts.tsv'}"),
            *("-s", "DOWNLOAD_MAXSIZE=1000000", "-s", "FETCH_RETRY_SECS=0.1"),
            *("-s", "DEDUP_THRESHOLD=0"),
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "] ERROR" not in done.stderr
    corpus = Corpus.open(tmp_path / "corpus")
    rows = [(row["url"], None) for row in corpus.documents(["url"])]
    # Texts that are the same are duplicates: they came as far as those that are kept.
    rows += [
        (row["url"], None if row["reason"].startswith("duplicate") else row["reason"])
        for row in corpus.rejected(["url", "reason"])
    ]
    expected = [(f"http://{host}.sample/", reason) for host, (_, reason) in ANSWERS.items()]
    expected.append(("http://utf8.sample/caf%C3%A9", "connection"))  # the default is no HTTP
    assert sorted(rows, key=str) == sorted(expected, key=str)
    assert not [asked for asked in hostile.asked if "secret" in asked]
