"""Reading gold standards in the uniform layout, guessing the layout, and packages with damaged bytes."""

from __future__ import annotations

import gzip
import json
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pytest

from crawler.errors import InputError
from pipelines.evaluation.gold import BAD, GOOD, TIED, UNCERTAIN, NodeLabel
from pipelines.evaluation.readers import LAYOUTS, guess_layout, open_dataset

ROWS = [
    {"id": "b", "url": "http://www.example.co.uk/b", "lang": "en", "page_type": "forum"},
    {"id": "a", "host": "news.example.org", "lang_detected": "pl", "charset_conflict": True},
    {"id": "c", "domain": "example.net", "with": ["must"], "without": ["must not", "nor this"]},
]


def made_set(folder, rows=ROWS):
    """A set of three pages, with all that a page can have."""
    for name in ("pages", "gold", "gold_full", "gold_23", "gold_tagged", "gold_blocks"):
        (folder / name).mkdir(parents=True)
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    (folder / "manifest.jsonl").write_text("\n".join([*lines, ""]), encoding="utf-8")
    (folder / "pages" / "a.html.gz").write_bytes(gzip.compress(b"<p>a \xff"))
    (folder / "pages" / "b.html").write_bytes(b"<p><kw>b</kw>")
    (folder / "pages" / "c.html").write_bytes(b"<p>c")
    (folder / "gold" / "a.txt").write_bytes("über\r\n".encode())
    (folder / "gold" / "b.txt").write_bytes(b"b")
    (folder / "gold_full" / "b.txt").write_bytes(b"b and comments")
    (folder / "gold_23" / "b.txt").write_bytes(b"b and doubts")
    (folder / "gold_tagged" / "b.tsv").write_bytes(b"h\tb\np\ttext\n")
    classes = [{"class": number, "text": f"node {number}"} for number in (1, 2, 3, 7)]
    (folder / "gold_blocks" / "b.jsonl").write_text("\n".join(map(json.dumps, classes)))
    return folder


def test_byte_order_marks_are_no_text(tmp_path):
    folder = made_set(tmp_path / "made", [])
    (folder / "manifest.jsonl").write_bytes(b'\xef\xbb\xbf{"id": "b"}\n')
    (folder / "gold" / "b.txt").write_bytes(b"\xef\xbb\xbfb")
    assert [page.gold for page in open_dataset(folder)] == ["b"]


def test_a_page_that_its_server_had_packed_is_read(tmp_path):
    folder = made_set(tmp_path / "made", [{"id": "b"}])
    (folder / "pages" / "b.html").write_bytes(gzip.compress(b"<p>b"))
    assert [page.body for page in open_dataset(folder)] == [b"<p>b"]


def test_pages_are_sorted_and_whole(tmp_path):
    a, b, c = open_dataset(made_set(tmp_path / "made"))
    assert [page.page_id for page in (a, b, c)] == ["a", "b", "c"]
    assert {page.dataset for page in (a, b, c)} == {"made"}
    assert (a.body, a.gold) == (b"<p>a \xff", "über\r\n")
    # The page says something else than UTF-8, and is UTF-8 all the same.
    assert a.content_type == "text/html; charset=utf-8"
    assert (a.url, a.site, a.language) == ("", "example.org", "pl")
    # Without KrdWrd's marks of text nodes.
    assert (b.body, b.gold, b.content_type) == (b"<p>b", "b", None)
    assert (a.marked_body, b.marked_body) == (None, b"<p><kw>b</kw>")
    assert (b.full_gold, b.lenient_gold) == ("b and comments", "b and doubts")
    assert b.tagged_gold == "h\tb\np\ttext\n"
    assert (b.site, b.page_type) == ("example.co.uk", "forum")
    assert b.node_labels == (
        NodeLabel("node 1", BAD),
        NodeLabel("node 2", UNCERTAIN),
        NodeLabel("node 3", GOOD),
        NodeLabel("node 7", TIED),
    )
    assert (c.gold, c.full_gold, c.node_labels) == (None, None, ())
    assert (c.required, c.forbidden) == (("must",), ("must not", "nor this"))


def test_folder_of_sets_and_laziness(tmp_path):
    made_set(tmp_path / "second")
    made_set(tmp_path / "first")
    pages = open_dataset(tmp_path)
    (tmp_path / "second" / "pages" / "c.html").unlink()
    assert [next(pages).dataset for _ in range(5)] == ["first"] * 3 + ["second"] * 2
    with pytest.raises(
        InputError, match=r"'c' has neither pages/c\.html nor pages/c\.html\.gz; add"
    ):
        next(pages)


def test_hidden_folders_are_no_sets(tmp_path):
    for name in (".git", "seen"):
        made_set(tmp_path / name)
    assert {page.dataset for page in open_dataset(tmp_path)} == {"seen"}
    assert {page.dataset for page in open_dataset(tmp_path / ".git")} == {".git"}  # asked for


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("manifest.jsonl", b"\n", "names no page; add lines to its manifest.jsonl"),
        ("manifest.jsonl", b'{"id": "b"}\n[]', r"manifest.jsonl, line 2 is no JSON object; mend"),
        (
            "manifest.jsonl",
            b'{"id": "b"}\n{"id": "b"}',
            "line 2: the id 'b' is none or given twice;",
        ),
        ("manifest.jsonl", b'{"id": "../b"}', "the id '../b' is none or given twice;"),
        ("manifest.jsonl", b'{"id": "a\\u0000"}', r"the id 'a\\x00' is none or given twice;"),
        ("manifest.jsonl", b'{"id": "a\\nb"}', r"the id 'a\\nb' is none or given twice;"),
        ("manifest.jsonl", b'{"id": "a\\ud800"}', r"the id 'a\\ud800' is none or given twice;"),
        ("manifest.jsonl", b'{"id": "' + b"a" * 300 + b'"}', "is none or given twice; give each"),
        ("manifest.jsonl", b'{"id": 7}', "the id 7 is none or given twice;"),
        ("manifest.jsonl", b'{"id": "\xff"}', "is not UTF-8"),
        ("manifest.jsonl", b'{"id": "c"}', "page 'c' has neither gold/c.txt nor segments"),
        ("pages/a.html.gz", b"no gzip", r"a\.html\.gz cannot be read .*; restore it"),
        ("gold/b.txt", b"\xff", r"b\.txt is not UTF-8"),
        ("manifest.jsonl", b'{"id": "b", "with": "x"}', "'with' of page 'b' is no list of texts;"),
        (
            "manifest.jsonl",
            b'{"id": "b", "without": ["menu", " \\n"]}',
            "'without' of page 'b' has a text without words; take it out",
        ),
        ("gold_blocks/b.jsonl", b'{"class": 4}', "class must be one of .*; mend it"),
        ("gold_blocks/b.jsonl", b'{"class": [3]}', "class must be one of .*; mend it"),
        ("gold_blocks/b.jsonl", b'{"class": true}', "class must be one of .*; mend it"),
        ("gold_blocks/b.jsonl", b'{"class": 3, "text": 7}', "line 1: text is no text; mend it"),
        ("manifest.jsonl", b'{"id": "b"}\n{"id": "a", "lang": 7}', "line 2: lang is no text; mend"),
        ("manifest.jsonl", b'{"id": "b", "url": ["http://b/"]}', "line 1: url is no text; mend it"),
    ],
)
def test_bad_files_are_named(tmp_path, file, content, message):
    folder = made_set(tmp_path / "made")
    (folder / file).write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        list(open_dataset(folder))
    assert "\n" not in str(caught.value)


def test_unknown_paths_and_layouts(tmp_path):
    with pytest.raises(InputError, match="nowhere does not exist; give"):
        open_dataset(tmp_path / "nowhere")
    with pytest.raises(
        InputError, match=r"is of no known layout .* manifest\.jsonl, pages and gold"
    ):
        open_dataset(tmp_path)
    with pytest.raises(InputError, match="layout 'xml' is unknown; give one of uniform,"):
        open_dataset(tmp_path, "xml")
    for layout in LAYOUTS:
        with pytest.raises(InputError, match=r"; (give|write)"):
            open_dataset(tmp_path, layout)
    for folder in ("en_original", "en_cleaned"):
        (tmp_path / folder).mkdir()
    with pytest.raises(InputError, match=r"has no page N\.html with its gold .*; add some"):
        open_dataset(tmp_path)


def test_layout_is_guessed(tmp_path):
    made_set(tmp_path / "made")
    assert guess_layout(tmp_path / "made") == guess_layout(tmp_path) == "uniform"


def test_real_sets(shared):
    """Every kind of file of the real sets is read; one page each, for time."""
    for part, n_sets in (("dev", 10), ("train", 6)):
        folders = sorted(shared.joinpath("data/extraction", part).glob("*/manifest.jsonl"))
        assert len(folders) == n_sets
        for manifest in folders:
            page = next(open_dataset(manifest.parent))
            assert page.body
            assert page.gold or page.required
            assert (page.tagged_gold is not None) == (page.dataset == "cleaneval-dev")
            assert (page.lenient_gold is not None) == (page.dataset == "krdwrd-canola")
            assert bool(page.node_labels) == (page.dataset == "krdwrd-canola")
            assert (page.full_gold is not None) == (page.dataset == "dragnet")


@pytest.mark.long
def test_all_real_pages_are_read(shared):
    counts = [
        len(list(open_dataset(shared / "data/extraction" / part))) for part in ("dev", "train")
    ]
    # ../shared/data/README.md
    assert counts == [
        479 + 300 + 154 + 130 + 89 + 86 + 57 + 34 + 22 + 20,
        440 + 121 + 109 + 35 + 81,
    ]


@pytest.mark.parametrize(
    ("packing", "place", "byte", "said"),
    [
        (ZIP_DEFLATED, -74, 99, "is no zip file"),  # the version of zip that can unpack it
        (ZIP_LZMA, 46, 255, "is missing or damaged"),  # the properties of its packing
    ],
)
def test_a_byte_of_a_package_may_be_another(tmp_path, packing, place, byte, said):
    with ZipFile(path := tmp_path / "p.zip", "w", packing) as archive:
        archive.writestr("package.json", '{"format": "winnow-gold", "version": 1}')
    data = bytearray(path.read_bytes())
    data[place] = byte
    path.write_bytes(data)
    with pytest.raises(InputError, match=said):
        open_dataset(path)
