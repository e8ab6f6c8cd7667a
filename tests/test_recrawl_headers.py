"""A page whose bytes stay, while the headers change that decide what becomes of it, in a crawl of it again."""

from __future__ import annotations

import pytest
from scrapy.http import HtmlResponse

from crawler.downloadermiddlewares.link_graph import answer_validators, unchanged_by
from crawler.durable.capture import Capture
from crawler.durable.visits import Visit
from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes
from tests.made_warcs import records_of
from tests.test_recrawl import arcs_of

NOINDEX = b"X-Robots-Tag: noindex"
NOARCHIVE = b"X-Robots-Tag: noarchive"
# "Ku\u0107a" in ISO-8859-2.
HOUSE = b" Ku\xe6a stoji tamo gdje put napu\xb9ta selo."


def html(charset):
    return b"Content-Type: text/html; charset=" + charset


# host: the headers at the first and at the second visit, and what becomes of the page at each.
PAGES = {
    "freed": ([HTML, NOINDEX], [HTML], "noindex", "kept"),
    "bound": ([HTML], [HTML, NOINDEX], "kept", "noindex"),
    "same": ([HTML, NOARCHIVE], [HTML, NOARCHIVE], "kept", "kept"),
    "mended": ([html(b"iso-8859-1")], [html(b"iso-8859-2")], "kept", "kept"),
    "reserved": ([HTML], [HTML, b"tdm-reservation: 1"], "kept", "signal_tdm-reservation=1"),
}
TAGGED = b'ETag: "1"'
NOT_MODIFIED = b"304 Not Modified"
AGAIN = ("-a", "recrawl_after=0.001s")


def crawl(folder, *options):
    """Crawl; return what became of each host's page, and the text of those that were kept."""
    done = run_scrapy(
        *("crawl", "odp", "-a", f"seeds={folder / 'seeds.txt'}", "--nolog"),
        *("-s", f"CORPUS_DIR={folder / 'corpus'}", "-s", f"HOSTS_FILE={folder / 'hosts.tsv'}"),
        *("-s", "DEDUP_THRESHOLD=0", "-s", "SIGNALS_OBEY=tdm-reservation=1", *options),
    )
    assert done.returncode == 0, done.stderr
    corpus = Corpus.open(folder / "corpus")
    texts = {name_of(row): row["text"] for row in corpus.documents(["url", "text"])}
    found = {name_of(row): row["reason"] for row in corpus.rejected(["url", "reason"])}
    return found | dict.fromkeys(texts, "kept"), texts


def crawl_files(folder, number):
    """Crawl the WARC files of the crawl in *folder* into a new corpus; return what became of the one page."""
    paths, corpus = folder / "corpus" / "warc" / "*", folder / f"again-{number}"
    settings = ("-s", f"CORPUS_DIR={corpus}", "-s", "DEDUP_THRESHOLD=0", "--nolog")
    done = run_scrapy("crawl", "warc", "-a", f"paths={paths}", *settings)
    assert done.returncode == 0, done.stderr
    rows = [*Corpus.open(corpus).documents(["url"]), *Corpus.open(corpus).rejected()]
    (became,) = (row.get("reason", "kept") for row in rows)
    return became


def name_of(row):
    return row["url"].split("/")[2].partition(".")[0]


def test_headers_that_decide_are_part_of_the_answer(tmp_path):
    def answers(visit):
        body = page(HOUSE * 3)
        return {
            f"{host}/": reply(body.replace(b"old mill", host.encode() * 2), *headers[visit])
            for host, headers in PAGES.items()
        }

    hostile = Hostile(answers(0))
    with served_bytes(tmp_path, hostile):
        first, texts = crawl(tmp_path)
        assert first == {host: expected[2] for host, expected in PAGES.items()}
        assert "Ku\u00e6a" in texts["mended"]
        hostile.answers = answers(1)
        second, texts = crawl(tmp_path, *AGAIN)
    assert second == {host: expected[3] for host, expected in PAGES.items()}
    assert "Ku\u0107a" in texts["mended"]
    visits = {name_of(row): row["outcome"] for row in Corpus.open(tmp_path / "corpus").visits()}
    assert visits == {"same": "same_answer"}


@pytest.mark.parametrize(
    ("header", "meta", "unchanged"),
    [
        (b"noarchive", b"", "same_answer"),
        (b"unavailable_after: 2999-01-01", b"", ""),
        (b"all", b"<meta name=robots content='Unavailable_After: 2999-01-01'>", ""),
    ],
)
def test_a_page_that_may_have_ended_is_looked_at(header, meta, unchanged):
    headers = {"Content-Type": "text/html", "X-Robots-Tag": header}
    response = HtmlResponse("http://a.sample/", headers=headers, body=page(meta))
    validators = answer_validators(response, b"digest")
    capture = Capture(1, response.url, "a.sample", validators=validators)
    assert unchanged_by(capture, response) == ""
    capture.earlier = Visit(1, 1, validators)
    assert unchanged_by(capture, response) == unchanged


@pytest.mark.slow
def test_a_page_that_did_not_change_may_be_withdrawn_and_given_back(tmp_path):
    """As by a server that adds its headers to every answer, a 304 among them."""
    text = page(b"<a href=/next rel=nofollow>next</a>")
    whole = reply(text, HTML, TAGGED)
    hostile = Hostile({"a/": whole})
    found, again = [], {}
    with served_bytes(tmp_path, hostile):
        for answer in (
            whole,
            reply(b"", TAGGED, b"X-Robots-Tag: otherbot: noindex", status=NOT_MODIFIED),
            reply(b"", TAGGED, NOINDEX, status=NOT_MODIFIED),
            reply(text, HTML, TAGGED, NOINDEX),
            whole,
            reply(b"", TAGGED, status=NOT_MODIFIED),
        ):
            hostile.answers["a/"] = answer
            found.append(crawl(tmp_path, "-s", "WARC_ENABLED=1", *AGAIN)[0]["a"])
            assert arcs_of(tmp_path / "corpus") == {"http://a.sample/": {"http://a.sample/next"}}
            if len(found) in {3, 6}:
                again[len(found)] = crawl_files(tmp_path, len(found))
    assert again == {3: "noindex", 6: "kept"}
    assert found == ["kept", "kept", "noindex", "noindex", "kept", "kept"]
    heads = [head for head in hostile.heads if head.startswith("GET / ")]
    assert ["If-None-Match" in head for head in heads] == [False, True, True, False, True, True]
    archived = sorted((tmp_path / "corpus" / "warc").iterdir())
    kinds = [kind for path in archived for kind, _, _ in records_of(path)]
    assert [kind for kind in kinds if kind in {"response", "revisit"}] == [
        "response", "revisit", "revisit", "response", "response", "revisit"
    ]  # fmt: skip


@pytest.mark.slow
def test_a_page_whose_server_refuses_its_conditions_is_had_whole(tmp_path):
    """The visits behind a 412 bore the same ETag, to which the same server said the same."""
    whole, other = reply(page(b""), HTML, TAGGED), page(b"Another mill stands there now, too. " * 9)
    refused = reply(b"", TAGGED, status=b"412 Precondition Failed")
    hostile = Hostile({"a/": whole})
    found = []
    with served_bytes(tmp_path, hostile):
        for answer in (whole, refused, refused, reply(other, HTML, b'ETag: "2"'), whole):
            hostile.answers["a/"] = answer
            found.append("Another mill" in crawl(tmp_path, *AGAIN)[1]["a"])
    assert found == [False, False, False, True, False]
    heads = [head for head in hostile.heads if head.startswith("GET / ")]
    assert ["If-None-Match" in head for head in heads] == [False, True, False, False, True]
    visits = [row["outcome"] for row in Corpus.open(tmp_path / "corpus").visits()]
    assert visits == ["status_412"] * 2
