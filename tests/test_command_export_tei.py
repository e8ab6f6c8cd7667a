"""``scrapy export --format tei``: what a TEI schema takes, with all texts, and the structure that blocks tell."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from crawler.items import Page
from pipelines.jobs.text_export.tei import COLUMNS, HEAD, TAIL, tei_document
from tests.graph_commands import run_command
from tests.laws_corpus import AT, block, url, write_pages

T = "{http://www.tei-c.org/ns/1.0}"
KINDS = ("paragraph", "heading1", "heading2", "heading6", "item", "cell", "code", "quote")


def row(blocks, **known):
    values = {"url": url(1), "host": "a.com", "fetched_at": AT, "n_words": 3, "blocks": blocks}
    return dict.fromkeys(COLUMNS) | values | known


def body_of(blocks, **known):
    """Return the body as XML, without namespace, tags of more than one line joined."""
    parsed = etree.fromstring((HEAD + tei_document(row(blocks, **known)) + TAIL).encode())
    body = etree.tostring(parsed.find(f".//{T}body"), encoding="unicode", with_tail=False)
    return body.replace(' xmlns="http://www.tei-c.org/ns/1.0"', "").replace("\n", "")


def of_kinds(*kinds, label="main"):
    return [
        block(f"{kind} {i}", 0) | {"kind": kind, "label": label} for i, kind in enumerate(kinds)
    ]


def is_valid(document):
    """Tell whether trafilatura's schema of TEI takes *document*, an element."""
    pytest.importorskip("trafilatura", reason="the schema is that of trafilatura (extra [peers])")
    from trafilatura.xml import validate_tei

    return validate_tei(etree.fromstring(etree.tostring(document)))


@pytest.mark.parametrize("author", [None, "Jane Doe", "Meier, Anna; Kurz & Roe; 王小明"])
def test_each_author_is_an_element(author):
    document = etree.fromstring((HEAD + tei_document(row([], author=author)) + TAIL).encode())
    names = author.split("; ") if author else []
    for place in ("titleStmt", "bibl"):
        found = document.find(f"{T}TEI//{T}{place}").findall(f"{T}author")
        assert [name.text for name in found] == names


def test_headings_begin_divisions():
    kinds = (
        "paragraph",
        "heading2",
        "paragraph",
        "heading3",
        "heading3",
        "item",
        "item",
        "heading1",
    )
    assert body_of(of_kinds(*kinds)) == (
        "<body><p>paragraph 0</p><div><head>heading2 1</head><p>paragraph 2</p>"
        "<div><head>heading3 3</head></div>"
        "<div><head>heading3 4</head><list><item>item 5</item><item>item 6</item></list></div></div>"
        "<div><head>heading1 7</head></div></body>"
    )


def test_code_quotes_and_cells():
    blocks = of_kinds("quote", "quote", "code", "cell", "cell")
    blocks[2]["text"] = "if a < b:\n    return"
    assert body_of(blocks) == (
        "<body><quote><p>quote 0</p><p>quote 1</p></quote>"
        '<ab type="code" xml:space="preserve">if a &lt; b:    return</ab>'
        '<ab type="cell">cell 3</ab><ab type="cell">cell 4</ab></body>'
    )


def test_comments_are_apart_and_what_is_dropped_is_not_there():
    blocks = [
        *of_kinds("heading1", "paragraph"),
        *of_kinds("paragraph", "heading2", label="comment"),
        *(each | {"kept": False} for each in of_kinds("paragraph", label="boilerplate")),
        *of_kinds("paragraph"),
    ]
    assert body_of(blocks) == (
        '<body><div type="text"><div><head>heading1 0</head><p>paragraph 1</p></div></div>'
        '<div type="comments"><p>paragraph 0</p><div><head>heading2 1</head></div></div>'
        '<div type="text"><p>paragraph 0</p></div></body>'
    )
    assert body_of([]) == body_of(None) == "<body><p/></body>"


def test_lines_that_were_wrapped_by_hand_are_one_paragraph():
    lines = (
        "It was late in the evening when the old man came",
        "home from the fields, and nobody in the village had",
        "seen him since the morning of that day; he had said",
        "nothing of it to anybody.",
    )
    blocks = [each | {"text": line} for line in lines for each in of_kinds("paragraph")]
    assert body_of(blocks) == f"<body><p>{' '.join(lines)}</p></body>"
    assert body_of([each | {"kind": "item"} for each in blocks]).count("<item>") == 4


def test_a_block_of_no_kind_is_a_paragraph():
    (one,) = of_kinds("paragraph")
    assert body_of([one | {"kind": None}]) == "<body><p>paragraph 0</p></body>"


@given(
    st.lists(st.tuples(st.sampled_from(KINDS), st.text(), st.booleans(), st.booleans())),
    st.text(),
    st.one_of(st.none(), st.text(min_size=1)),
)
def test_any_text_comes_back(blocks, title, author):
    rows = [
        block(text, 0) | {"kind": kind, "kept": kept, "label": "comment" if comment else "main"}
        for kind, text, kept, comment in blocks
    ]
    known = {"title": title, "author": author, "category": [title], "description": author}
    document = row(rows, url=f"http://a.com/{title}", date=author, language="de", **known)
    parsed = etree.fromstring((HEAD + tei_document(document) + TAIL).encode())
    # Line ends are one character to a reader of XML, and what it cannot have is left out.
    can_be = [
        "".join(c for c in text.replace("\r\n", "\n").replace("\r", "\n") if _is_xml(c))
        for _, text, kept, _ in blocks
        if kept
    ]
    leaves = parsed.iterfind(f".//{T}body//*")
    assert [
        each.text or ""
        for each in leaves
        if not len(each) and each.getparent() is not None and each.tag != f"{T}div"
    ] == (can_be or [""])


def _is_xml(character):
    code = ord(character)
    return character in "\t\n" or 0x20 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or code > 0xFFFF


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.booleans())))
def test_the_schema_takes_it(kinds):
    blocks = [
        block("Some text.", 0) | {"kind": kind, "label": "comment" if comment else "main"}
        for kind, comment in kinds
    ]
    known = {"title": "A", "author": "B", "category": ["Top/Arts"], "description": "C"}
    document = row(blocks, date="2024-05-01", language="en", **known)
    parsed = etree.fromstring((HEAD + tei_document(document) + TAIL).encode())
    assert is_valid(parsed.find(f"{T}TEI"))


def test_a_file(tmp_path):
    pages = [
        Page(
            1, i, url(i), "a.com", AT, 200, title=f"Page {i} & <more>", language="en", date="2025-02",
            author="A. Person", description="What it says", category=["Top/Arts", "Top/News"],
            date_source="modified" if i == 2 else "meta",
            blocks=of_kinds("heading1", "paragraph"), text="heading1 0\nparagraph 1", n_words=4,
        )
        for i in range(3)
    ]  # fmt: skip
    write_pages(tmp_path, pages)
    done = run_command("export", "--corpus", tmp_path, "--format", "tei")
    assert done.code == 0, done.errors
    parsed = etree.parse(tmp_path / "export" / "documents.xml").getroot()
    assert parsed.tag == f"{T}teiCorpus"
    documents = parsed.findall(f"{T}TEI")
    assert [each.findtext(f".//{T}titleStmt/{T}title") for each in documents] == [
        f"Page {i} & <more>" for i in range(3)
    ]
    assert documents[0].find(f".//{T}ptr").get("target") == url(0)
    dates = {each.get("type"): each.get("when") for each in documents[0].iter(f"{T}date")}
    assert dates == {"published": "2025-02", "accessed": "2026-01-02T00:00:00Z"}
    assert [each.get("type") for each in documents[2].iter(f"{T}date")] == ["modified", "accessed"]
    assert [each.text for each in documents[0].iter(f"{T}term")] == ["Top/Arts", "Top/News"]
    assert all(map(is_valid, documents))
    options = ("--part-documents", "2", "--compress", "gzip")
    assert run_command("export", "--corpus", tmp_path, "--format", "tei", *options).code == 0
    parts = sorted((tmp_path / "export").glob("documents-*.xml.gz"))
    found = [etree.fromstring(gzip.decompress(part.read_bytes())) for part in parts]
    assert [len(part.findall(f"{T}TEI")) for part in found] == [2, 1]
