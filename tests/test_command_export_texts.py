"""``scrapy export`` of documents: each format read again, what is chosen, wrong calls."""

from __future__ import annotations

import json
import re
import textwrap
from contextlib import closing
from datetime import timedelta
from itertools import pairwise

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xxhash import xxh3_128_hexdigest

from crawler.durable.journal import Journal
from crawler.durable.layout import journal_folder
from crawler.items import Page
from pipelines.corpus.shards import ShardSealer
from pipelines.duplicates.onion_vertical import read_vertical
from pipelines.jobs.text_export.options import FORMATS
from pipelines.jobs.text_export.vertical import ATTRIBUTES, vertical_lines
from tests.conftest import run_scrapy
from tests.graph_commands import run_command
from tests.laws_corpus import AT, block, url, write_pages

DOCUMENTS = (
    ("en", 'A "fine" <title> & more', ("A heading", "Don't stop: it is 3.5 km.")),
    ("de", None, ("Über U.S.A. und z.B. Zug-Fahrten",)),
    ("zh", "数据", ("数据科学。",)),
    ("en", None, ()),
)


@pytest.fixture
def folder(tmp_path):
    pages = []
    for i, (language, title, texts) in enumerate(DOCUMENTS):
        blocks = [block("Home", 0) | {"kept": False}, *(block(text, 1) for text in texts)]
        n_words = sum(len(text.split()) for text in texts)
        pages.append(
            Page(
                1, i, url(i), "a.com", AT, 200, language=language, title=title, blocks=blocks,
                text="\n".join(texts), n_words=n_words,
            )
        )  # fmt: skip
    write_pages(tmp_path / "corpus", pages)
    return tmp_path / "corpus"


def export(folder, *options):
    done = run_command("export", "--corpus", folder, *options, "--json")
    assert done.code == 0, done.errors
    return json.loads(done.out)


def test_text(folder):
    report = export(folder, "--format", "text")
    assert report["file"] == str(folder / "export" / "documents.txt")
    assert (report["documents"], report["words"], report["left_out"]) == (4, 14, 0)
    text = (folder / "export" / "documents.txt").read_text("utf-8")
    assert text.split("\n\n") == [*("\n".join(texts) for _, _, texts in DOCUMENTS[:3]), ""]


def test_an_empty_line_in_code_ends_no_document(tmp_path):
    code = "def f():\n\n \t\n    return 1"
    pages = [
        Page(1, i, url(i), "a.com", AT, 200, language_score=0.1, blocks=[], text=text, n_words=4)
        for i, text in enumerate((f"Run it:\n{code}", code, "End."))
    ]
    write_pages(tmp_path, pages)
    export(tmp_path, "--format", "text")
    text = (tmp_path / "export" / "documents.txt").read_text("utf-8")
    short = "def f():\n    return 1"
    assert text == f"Run it:\n{short}\n\n{short}\n\nEnd.\n\n"
    # No language was looked for; `scrapy keywords` counts such texts as "und", too.
    assert export(tmp_path, "--format", "text", "--language", "und")["documents"] == 3
    export(tmp_path, "--format", "jsonl")
    lines = (tmp_path / "export" / "documents.jsonl").read_text("utf-8").splitlines()
    rows = list(map(json.loads, lines))
    assert [row["text"] for row in rows] == [page.text for page in pages]
    assert {row["language_score"] for row in rows} == {0.1}


@pytest.mark.parametrize("format_", ["text", "vertical", "tei", "jsonl", "parquet"])
def test_hosts_that_are_wanted(tmp_path, format_):
    hosts = ["a.si", "www.a.si", "asi.com", "b.si:8080", "xn--bcher-kva.de", "de.com"]
    columns = {"blocks": [], "text": "word", "n_words": 1, "title": "x"}
    pages = [
        Page(i, 0, f"http://{host}/", host, AT, 200, **columns) for i, host in enumerate(hosts)
    ]
    write_pages(tmp_path, pages)
    wanted_of = {"si": 3, "a.si": 2, "www.a.si,bücher.de": 2, " DE ,.a.si": 3, "com": 2}
    for wanted, n in wanted_of.items():
        found = export(tmp_path, "--format", format_, "--hosts", wanted)
        assert (found["documents"], found["left_out"], found["words"]) == (n, 6 - n, n)


def test_vertical(folder):
    export(folder, "--format", "vertical", "--language", "en, zh", "--min-words", "1")
    lines = (folder / "export" / "documents.vert").read_text("utf-8").splitlines()
    assert lines[0] == (
        f'<doc url="{url(0)}" host="a.com" title="A &quot;fine&quot; &lt;title&gt; &amp; more" language="en" '
        f'fetched_at="{AT:%Y-%m-%dT%H:%M:%S}Z" n_words="8">'
    )
    assert lines[1:5] == ['<p kind="paragraph">', "A", "heading", "</p>"]
    assert lines[5:14] == [
        '<p kind="paragraph">', "Don't", "stop", "<g/>", ":", "it", "is", "3.5", "km",
    ]  # fmt: skip
    assert "<g/>\n学".encode() in (folder / "export" / "documents.vert").read_bytes()
    documents = list(read_vertical(line.encode() + b"\n" for line in lines))
    assert [len(document.tokens) for document in documents] == [10, 5]


def test_sentences_of_the_vertical_format(folder):
    export(folder, "--format", "vertical", "--sentences")
    found = (folder / "export" / "documents.vert").read_text("utf-8")
    assert '<p kind="paragraph">\n<s>\nA\nheading\n</s>\n</p>' in found
    export(folder, "--format", "vertical")
    plain = (folder / "export" / "documents.vert").read_text("utf-8")
    assert re.sub("</?s>\n", "", found) == plain
    tokens = [
        [
            len(document.tokens)
            for document in read_vertical(text.encode().splitlines(keepends=True))
        ]
        for text in (found, plain)
    ]
    assert tokens[0] == tokens[1]


def test_sentences_are_around_their_tokens():
    row = dict.fromkeys(ATTRIBUTES) | {
        "blocks": [
            block("He left. She (J. D.) stayed.", 0),
            block("好。是", 0),
            block(" \u200b", 0),
        ]
    }
    lines = " ".join(vertical_lines(row, with_sentences=True))
    assert lines.removeprefix("<doc > ") == (
        '<p kind="paragraph"> <s> He left <g/> . </s> '
        "<s> She ( <g/> J <g/> . D <g/> . <g/> ) stayed <g/> . </s> </p> "
        '<p kind="paragraph"> <s> 好 <g/> 。 </s> <g/> <s> 是 </s> </p> <p kind="paragraph"> </p> </doc>'
    )


def test_sentences_go_on_in_lines_that_were_wrapped_by_hand():
    text = (
        "It was late in the evening when the old man came home from the fields. Nobody in "
        "the village had seen him since the morning of that day, and he had said nothing to "
        "his wife about where he wanted to go. She did not ask, for she was used to it."
    )
    blocks = [block(line, 0) for line in textwrap.wrap(text, 50)]
    row = dict.fromkeys(ATTRIBUTES) | {"blocks": [*blocks, block("The end", 0)]}
    lines = list(vertical_lines(row, with_sentences=True))
    assert (lines.count("<s>"), lines.count('<p kind="paragraph">')) == (4, 2)
    # Each in an element of its own, or with what is not kept between.
    for other in ({"path": "body/div"}, {"kept": False}):
        apart = [each for line in blocks for each in (line, {**block("No", 0), **other})]
        lines = list(vertical_lines(row | {"blocks": apart}))
        assert lines.count("</p>") == sum(each["kept"] for each in apart)


@given(st.text() | st.text('aA.!?。」" \n\u200b\u200f\u200d1(-'))
def test_sentences_change_no_token(text):
    row = dict.fromkeys(ATTRIBUTES) | {"blocks": [block(text, 0)]}
    lines = list(vertical_lines(row, with_sentences=True))
    assert [line for line in lines if line not in {"<s>", "</s>"}] == list(vertical_lines(row))
    kinds = [line for line in lines if line in {"<s>", "</s>"}]
    assert kinds == ["<s>", "</s>"] * (len(kinds) // 2)
    # None is empty, and none ends without a token.
    assert "<s> </s>" not in " ".join(lines)
    assert not any(
        first == "</s>" and second not in {"<s>", "<g/>", "</p>"}
        for first, second in pairwise(lines)
    )


def test_the_help_names_the_attributes_of_the_vertical_format():
    """Corpus managers want them declared."""
    assert f"<doc {' '.join(ATTRIBUTES)}>" in FORMATS["vertical"]


def test_categories_of_the_vertical_format(tmp_path):
    """Those of a crawl of searches are the queries: what a subcorpus is made of."""
    categories = ['mill "sea bass"', "a|b"]
    page = Page(1, 1, url(1), "a.com", AT, 200, category=categories, blocks=[], text="", n_words=0)
    write_pages(tmp_path, [page])
    export(tmp_path, "--format", "vertical")
    text = (tmp_path / "export" / "documents.vert").read_text("utf-8")
    assert ' category="mill &quot;sea bass&quot;|a b" ' in text


def test_rows(folder):
    report = export(folder, "--format", "jsonl", "--language", "de")
    assert (report["documents"], report["left_out"]) == (1, 3)
    export(folder, "--format", "parquet", "--language", "de")
    lines = (folder / "export" / "documents.jsonl").read_text("utf-8").splitlines()
    (row,) = map(json.loads, lines)
    (stored,) = pq.read_table(folder / "export" / "documents.parquet").to_pylist()
    assert row == stored | {"fetched_at": AT.isoformat()}
    assert (row["url"], row["text"]) == (url(1), DOCUMENTS[1][2][0])


def test_an_id_is_that_of_page_and_time_and_not_of_the_corpus(tmp_path):
    found = {}
    for name, host_id, at in (("a", 1, AT), ("b", 7, AT), ("later", 7, AT + timedelta(seconds=1))):
        columns = {"blocks": [], "text": "word", "n_words": 1}
        pages = [Page(host_id, i, url(i), "a.com", at, 200, **columns) for i in range(2)]
        write_pages(tmp_path / name, pages if name == "a" else pages[::-1])
        for kind in ("jsonl", "parquet"):
            export(tmp_path / name, "--format", kind)
        lines = (tmp_path / name / "export" / "documents.jsonl").read_text("utf-8").splitlines()
        rows = list(map(json.loads, lines))
        found[name] = {row["url"]: row["id"] for row in rows}
        stored = pq.read_table(tmp_path / name / "export" / "documents.parquet")["id"].to_pylist()
        assert stored == [row["id"] for row in rows]
        assert [
            xxh3_128_hexdigest(f"{row['fetched_at']} {row['url']}".encode()) for row in rows
        ] == stored
    assert found["a"] == found["b"]
    assert len({each for ids in found.values() for each in ids.values()}) == 4


def test_to_standard_output(folder):
    done = run_scrapy("export", "--corpus", folder, "--format", "text", "--output", "-")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("A heading\nDon't stop")
    assert "documents  4" in done.stderr
    assert not (folder / "export").exists()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--format", "txt"), "--format is 'txt'; give one of text, vertical"),
        (("--format", "text", "--language", "German"), "such as de,en, not 'German'"),
        (("--format", "text", "--sentences"), "--sentences is for --format vertical; leave it out"),
        (("--format", "text", "--min-words", "few"), "--min-words is 'few'"),
        (("--format", "text", "--hosts", "a.si/x"), "--hosts has 'a.si/x', which is no host"),
        (
            ("--format", "text", "--hosts", "si,b.org"),
            "is of si or b.org, or a host below; `scrapy",
        ),
        (("--format", "edges", "--hosts", "si"), "--hosts is for --format text, "),
        (("--format", "edges", "--language", "de"), "--language is for --format text, "),
        (("--format", "edges", "--output", "-"), "--format edges needs a folder"),
        (("--format", "text", "--level", "host"), "--level is for --format edges, webgraph; leave"),
        (
            ("--format", "text", "--language", "de,nb"),
            "--language has 'nb', whose texts are 'no' here",
        ),
        (("--format", "text", "--language", "zz,sw"), "is in sw or zz; its languages are de, en"),
        (("--format", "text", "--language", "de,cz"), "has 'cz', which no text of {} can get; its"),
        (("--format", "text", "--language", "deu"), "ISO 639-1 such as de,en, not 'deu'"),
        (("--format", "jsonl", "--output", "/dev/null"), "is /dev/null, which is no folder; name"),
        (("--format", "text", "--output", "/proc/none"), "cannot write /proc/none/documents.txt"),
    ],
)
def test_wrong_calls(folder, options, told):
    done = run_command("export", "--corpus", folder, *options)
    assert (done.code, done.out) == (2, "")
    assert told.format(folder) in done.errors
    assert done.errors.count("\n") == 1


def test_of_a_damaged_shard_nothing_is_left(folder):
    with closing(Journal.open_writer(journal_folder(folder))) as journal:
        ShardSealer(folder, rows=1, n_bytes=1)(journal)
    (shard,) = (folder / "documents").glob("*.parquet")
    shard.write_bytes(shard.read_bytes()[:-9] + b"x" * 9)
    before = sorted(folder.rglob("*"))
    for kind in ("text", "parquet"):
        done = run_command("export", "--corpus", folder, "--format", kind)
        assert (done.code, done.out) == (2, "")
        assert f"{shard} is damaged" in done.errors
    assert sorted(folder.rglob("*")) == before


def test_no_corpus_and_parquet_to_a_stream(folder, tmp_path):
    assert "no corpus in" in run_command("export", "--corpus", tmp_path, "--format", "text").errors
    done = run_scrapy("export", "--corpus", folder, "--format", "parquet", "--output", "-")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Parquet needs a file" in done.stderr
