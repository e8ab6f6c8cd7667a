"""Reading Canola, L3S-GN1 and evaluation packages, on pages made here."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from zipfile import ZipFile

import pytest

from crawler.errors import InputError
from crawler.page import build_page
from pipelines.evaluation.gold import BAD, GOOD, TIED, UNCERTAIN, GoldPage
from pipelines.evaluation.measures.text_nodes import node_counts, node_scores
from pipelines.evaluation.readers import gottron_zip, guess_layout, l3s_gn1, open_dataset
from pipelines.evaluation.readers.gottron_zip import Package, linked_pages, write_package

# The sample of Pomikálek 2011, Figure 2.4; the length of each node is in Figure 2.5.
LOREM = """sed eiusmod tempor incidunt ut labore et dolore magna
aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris
nisi ut aliquid ex ea commodi consequat. Quis aute iure reprehenderit in
voluptate velit esse cillum dolore eu fugiat nulla pariatur. Excepteur sint
obcaecat cupiditat non proident, sunt in culpa qui officia deserunt mollit
anim id est laborum."""
CANOLA = f"""<html><head><title>not a node</title></head><body>
<a href="home.html"><kw class="krdwrd-tag-1-100">Home</kw></a>
<a href="search.html"><kw class="krdwrd-tag-1-100">Search</kw></a>
<h1><kw class="krdwrd-tag-2-80">Lorem ipsum</kw></h1>
<kw class="krdwrd-tag-3-100">Lorem ipsum dolor sit amet, <strong>consectetur
adipisici elit</strong>, {LOREM}</kw>
<a href="full.html"><kw class="krdwrd-tag-mrgtie-50">more...</kw></a>
<script>no node</script><select><option>nor this</option></select>
<div class="footer"><kw class="krdwrd-tag-1-80">Copyright (c) 2010. All rights reserved.</kw></div>
</body></html>"""


def test_hidden_files_are_no_pages(tmp_path):
    """What macOS sets beside each file that it copies has no node, and so none without a label."""
    for name in ("1", "._1"):
        (tmp_path / f"{name}.html").write_text(CANOLA if name == "1" else "\0")
    assert [page.page_id for page in open_dataset(tmp_path, "canola")] == ["1"]
    (tmp_path / "original").mkdir()
    (tmp_path / "annotated").mkdir()
    for file in tmp_path.glob("*.html"):
        file.rename(tmp_path / "annotated" / file.name)
    assert [page.page_id for page in open_dataset(tmp_path)] == ["1"]


def test_canola(tmp_path):
    tmp_path.joinpath("1.html").write_text(CANOLA, encoding="utf-8")
    tmp_path.joinpath("1.html.gz").write_bytes(gzip.compress(CANOLA.encode()))  # of gzip -k
    tmp_path.joinpath("2.html").write_text(CANOLA.replace("</body>", "nobody<p></body>"))
    assert guess_layout(tmp_path) == "canola"
    (page,) = open_dataset(tmp_path)  # the second page has a node that nobody annotated
    assert page.page_id == "1"
    lengths = [len(node.text) for node in page.node_labels]
    assert lengths == [4, 6, 11, 27, 26, 375, 7, 40]
    assert [(node.label, node.agreement) for node in page.node_labels] == [
        *[(BAD, 100)] * 2,
        (UNCERTAIN, 80),
        *[(GOOD, 100)] * 3,
        (TIED, 50),
        (BAD, 80),
    ]
    assert b"<kw" not in page.body
    assert b"</kw" not in page.body
    assert b"<strong>consectetur" in page.body
    assert page.gold.startswith("Lorem ipsum dolor sit amet, consectetur adipisici elit, sed")
    assert page.lenient_gold.split("\n")[0] == "Lorem ipsum"
    assert page.lenient_gold.split("\n")[-1].endswith("laborum. more...")
    # All kept, of annotations on which all agree, and of all.
    everything = [True] * 8
    counts = node_counts(page.node_labels, everything, min_agreement=100)
    assert node_scores(counts).precision == 428 / 438
    assert node_scores(node_counts(page.node_labels, everything)).precision == 428 / 478


L3S = """<html><body><div><span class="x-nc-sel1">A <b>head</b>line</span> menu</div>
<div class="text x-nc-sel2">First <span class="x-nc-sel0">advertisement</span> then<p>second</div>
<p><span class="x-nc-sel5">a <SPAN class=byline>user's</SPAN> comment</span></p>
<p><span class='x-nc-linearized x-nc-sel4'>more of it</span> <span>end</span></span>
<p>one <span class="x-nc-linearized">text <span class=x-nc-invisible>of</span></span> its</body></html>"""


@pytest.fixture
def l3s(tmp_path):
    for name, body in (("original", "<p>served"), ("annotated", L3S)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "0a-1.html").write_text(body)
    mapping = "<urn:uuid:0a-1> http://news.example.com/story\n"
    (tmp_path / "url-mapping.txt").write_text(mapping)
    return tmp_path


def test_l3s_gn1(l3s):
    assert guess_layout(l3s) == "l3s-gn1"
    (page,) = open_dataset(l3s)
    assert page.site == "example.com"
    assert page.gold == "A headline\nFirst\nthen\nsecond\na user's comment\nmore of it"
    nodes = {node.text: node for node in page.node_labels}
    assert nodes["advertisement"].label == nodes["menu"].label == nodes["end"].label == BAD
    parts = {text: nodes[text].part for text in ("head", "second", "more of it", "menu")}
    assert {nodes[text].label for text in ("head", "second", "more of it")} == {GOOD}
    assert parts == {
        "head": "headline",
        "second": "full text",
        "more of it": "related content",
        "menu": "not content",
    }


def test_pages_of_l3s_gn1_are_the_annotated_ones_without_the_marks(l3s):
    (page,) = open_dataset(l3s)
    assert b"x-nc-" not in page.body.replace(b"text x-nc-sel2", b"")
    # Spans of the page stay, and so does an end tag of none.
    assert page.body.count(b"<span>") == page.body.count(b"<SPAN class=byline>") == 1
    assert page.body.count(b"</span>") == 2
    blocks = build_page(page.body, url="http://a.example/", content_type=None).blocks
    assert blocks.text == [
        *("A", "head", "line menu", "First advertisement then", "second", "a", "user's"),
        *("comment", "more of it", "end", "one text of its"),
    ]
    (page,) = l3s_gn1.read(l3s, served=True)
    assert page.body == b"<p>served"


def warc_record(kind, body, *headers, url="http://news.example.com/story"):
    head = [f"WARC/1.0\r\nWARC-Type: {kind}", f"WARC-Target-URI: {url}", *headers]
    lines = [*head, "WARC-Date: 2010-01-30T20:39:47Z", f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode() + body.encode() + b"\r\n\r\n"


SERVED = warc_record("resource", "<p>served", "WARC-Record-ID: <urn:uuid:0a-1>")
REFERRING = ("WARC-Record-ID: <urn:uuid:ff-9>", "WARC-Refers-To: <urn:uuid:0a-1>")
INFO = warc_record("warcinfo", "software: annotator", url="")


@pytest.mark.parametrize("headers", [REFERRING, REFERRING[:1]], ids=["by-id", "by-address"])
@pytest.mark.parametrize("ending", [".warc", ".warc.gz"])
def test_l3s_gn1_in_its_archive(l3s, tmp_path, ending, headers):
    records = [INFO, warc_record("conversion", L3S, *headers), SERVED]
    file = tmp_path / f"L3S{ending}"
    file.write_bytes(b"".join(map(gzip.compress, records) if ending.endswith("gz") else records))
    assert guess_layout(file) == "l3s-gn1"
    (unpacked,), (page,) = open_dataset(l3s), open_dataset(file)
    assert page.dataset == "L3S"
    for name in ("page_id", "url", "site", "body", "gold", "full_gold", "node_labels"):
        assert getattr(page, name) == getattr(unpacked, name)
    (page,) = l3s_gn1.read(file, served=True)
    assert page.body == b"<p>served"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (INFO + SERVED, "holds no conversion record; give the WARC file of the set"),
        (b"no archive", "cannot be read as WARC"),
        (warc_record("conversion", L3S), "holds a conversion record of no other"),
        (SERVED + warc_record("conversion", L3S, *REFERRING)[:-30], "ends within a record"),
    ],
)
def test_damaged_archives_of_l3s_gn1(tmp_path, data, said):
    (tmp_path / "L3S.warc").write_bytes(data)
    with pytest.raises(InputError, match=said):
        open_dataset(tmp_path / "L3S.warc")


def test_archive_without_a_served_page(tmp_path):
    (tmp_path / "L3S.warc").write_bytes(warc_record("conversion", L3S, *REFERRING))
    with pytest.raises(InputError, match="page 0a-1 is there only annotated"):
        list(l3s_gn1.read(tmp_path / "L3S.warc", served=True))


def test_l3s_gn1_of_the_authors():
    """The licence forbids copies; L3S_GN1 names the folder, or the WARC file, of who has one."""
    folder = os.environ.get("L3S_GN1")
    if not folder:
        pytest.skip("needs the folder of L3S-GN1 in the environment variable L3S_GN1")
    pages = list(open_dataset(Path(folder), "l3s-gn1"))
    assert len(pages) == 621
    assert all(page.gold for page in pages)
    # Table 2.9: all text has precision 62.69.
    share = node_scores(node_counts(pages[0].node_labels, [True] * len(pages[0].node_labels)))
    assert 0 < share.precision < 1


def documents():
    yield GoldPage(
        "made", "b", b"<p>\xff", "text/html", "http://example.org/b", "über", language="de"
    )
    yield GoldPage("made", "a", b"<p>a", gold="", page_type="forum")


def test_package(tmp_path):
    path = tmp_path / "made.zip"
    linked = {"http://example.org/x": b"<p>x", "http://example.org/a": b"<p>linked"}
    write_package(path, Package("spiegel", "de", "news"), documents(), linked=linked)
    assert guess_layout(path) == "gottron-zip"
    a, b = open_dataset(path)
    assert (a.page_id, a.body, a.gold, a.page_type, a.language) == ("a", b"<p>a", "", "forum", "de")
    assert (b.body, b.gold, b.content_type) == (b"<p>\xff", "über", "text/html")
    assert (b.dataset, b.site, b.page_type) == ("spiegel", "example.org", "news")
    assert dict(linked_pages(path)) == linked
    first = path.read_bytes()
    write_package(path, Package("spiegel", "de", "news"), documents(), linked=linked)
    assert path.read_bytes() == first


def test_package_without_linked_pages(tmp_path):
    write_package(tmp_path / "p.zip", Package("p"), documents())
    assert dict(linked_pages(tmp_path / "p.zip")) == {}
    with pytest.raises(ValueError, match="must have a gold text"):
        write_package(tmp_path / "p.zip", Package("p"), [GoldPage("p", "a", b"")])


def test_what_the_packing_program_added_is_no_document(tmp_path):
    write_package(tmp_path / "p.zip", Package("p"), documents())
    with ZipFile(tmp_path / "p.zip", "a") as archive:
        for name in ("__MACOSX/._a.html", "__MACOSX/a.html", "._b.html", ".hidden/c.html"):
            archive.writestr(name, b"\0")
    assert [page.page_id for page in open_dataset(tmp_path / "p.zip")] == ["a", "b"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"PK\x03\x04 the first half", r"p\.zip is no zip file .*; give a package"),
        (b"PK\x05\x06" + bytes(18), r"p\.zip: package\.json is missing or damaged; write"),
    ],
)
def test_a_zip_file_that_is_no_package_is_told_as_such(tmp_path, data, said):
    (tmp_path / "p.zip").write_bytes(data)
    with pytest.raises(InputError, match=said):
        open_dataset(tmp_path / "p.zip")


def test_damaged_packages(tmp_path, monkeypatch):
    path = tmp_path / "p.zip"
    path.write_bytes(b"PK no zip")
    with pytest.raises(InputError, match="is no zip file"):
        open_dataset(path, "gottron-zip")
    with ZipFile(path, "w") as archive:
        archive.writestr("package.json", '{"format": "winnow-gold", "version": 2}')
    with pytest.raises(InputError, match="is no package of version 1; write it anew"):
        open_dataset(path)
    write_package(path, Package("p"), documents())
    with ZipFile(path, "a") as archive:
        archive.writestr("c.html", "a page without gold text")
    with pytest.raises(InputError, match=r"c\.txt is missing or damaged"):
        list(open_dataset(path))
    monkeypatch.setattr(gottron_zip, "MAX_MEMBER_BYTES", 3)
    with pytest.raises(InputError, match="is larger than 3 bytes; take it out"):
        list(open_dataset(path))


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({}, "has no document; add ID.html and ID.txt to it"),
        ({"a.html": "x", "a.txt": b"caf\xe9"}, r"a\.txt is not UTF-8 .*; convert it"),
        ({"a.html": "x", "a.txt": "x", "a.json": '{"url": 5}'}, "url is no text; mend it"),
        (
            {"a.html": "x", "a.txt": "x", "a.json": '{"content_type": []}'},
            "content_type is no text",
        ),
        ({"a.html": "x", "a.txt": "x", "a.json": b'{"url": "\xff"}'}, r"a\.json is not UTF-8"),
    ],
)
def test_documents_that_cannot_be_scored(tmp_path, members, said):
    with ZipFile(tmp_path / "p.zip", "w") as archive:
        archive.writestr("package.json", '{"format": "winnow-gold", "version": 1}')
        for name, data in members.items():
            archive.writestr(name, data)
    with pytest.raises(InputError, match=said):
        list(open_dataset(tmp_path / "p.zip"))


def test_a_description_of_another_type(tmp_path):
    with ZipFile(tmp_path / "p.zip", "w") as archive:
        said = '{"format": "winnow-gold", "version": 1, "language": 5}'
        archive.writestr("package.json", said)
    with pytest.raises(InputError, match="language is no text; mend it"):
        open_dataset(tmp_path / "p.zip")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_byte_order_mark_and_a_member_that_was_replaced(tmp_path):
    write_package(tmp_path / "p.zip", Package("p"), [GoldPage("p", "a", b"<p>old", gold="\ufeffx")])
    with ZipFile(tmp_path / "p.zip", "a") as archive:
        archive.writestr("a.html", "<p>new")
    (page,) = open_dataset(tmp_path / "p.zip")
    assert (page.body, page.gold) == (b"<p>new", "x")
