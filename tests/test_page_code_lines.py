"""The lines of code: in the main text, in the blocks that are stored, and in what is exported."""

from __future__ import annotations

import gzip
from itertools import compress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import build_page, code_lines
from crawler.page.limits import PageRules
from pipelines.corpus.block_columns import block_array, pack_blocks, unpack_blocks
from pipelines.corpus.rows import block_rows
from tests.conftest import SHARED

PROGRAM = "def f(x):\n    for i in range(x):\n\n        print(i)"
MARKED = (
    "<span>def</span> <b>f</b>(x):<span></span>\n    <span>for</span> i <i>in</i> range(x):  \n\n"
    "        print(i)\n"
)


def page_of(body, inline="transparent"):
    source = f"<body>{body}</body>".encode()
    return build_page(source, url="", content_type="text/html", rules=PageRules(inline=inline))


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        (f"<p>Run it:<pre>\n{MARKED}</pre><p>That is all.", {1: PROGRAM}),
        (f"<pre><code>{MARKED}</code></pre>", {0: PROGRAM}),
        ("<pre>a<br>  b<br><br>c</pre>", {0: "a", 1: "  b", 2: "c"}),
        ("<pre><div>  a</div><div>\n</div><div>    b</div></pre>", {0: "  a", 1: "    b"}),
        ("<pre>x = {<b>1</b>\x0b2\r\n}\r\n\r\n;y</pre>", {0: "x = {1 2\n}\n\n;y"}),
        ("<pre>a<script>b\n</script>\n  c</pre>", {0: "a", 1: "  c"}),
        ("<pre>a <i>b</i> c\n<p>d <div> e\n f</div></pre>", {0: "a b c", 1: "d", 2: " e\n f"}),
        ("<preview>a\nb</preview><p>c\nd", {}),
        ("<pre></pre><p>text", {}),
        ("<pre>a&#11;b&#x1c;c&#31d&#1;e&#38;&#00000000000000000011;", {0: "a b c de&\ufffd"}),
        (
            "<pre>&lt;a b=&quot;&amp;lt;&quot;&gt; &&lt;&#39;&am&lt;p;",
            {0: """<a b="&lt;"> &<'&am<p;"""},
        ),
        ("<pre>a\r<b>\nb</b>\r\n\r(<br>\r )<br>\r\n  c", {0: "a\n\nb\n\n(", 1: "  c"}),
    ],
)
def test_code_keeps_its_lines(body, texts):
    assert page_of(body).code_texts == texts


def test_the_rest_of_a_line_is_not_indented():
    page = page_of("<pre>  def <b>f</b> (x):\n   <b>y</b></pre>", inline="gap")
    assert page.code_texts == {0: "  def", 1: "f", 2: "(x):", 3: "   y"}


def test_the_main_text_is_that_of_the_kept_blocks():
    page = page_of(f"<p>Run it:<pre>{MARKED}</pre><p>That is\nall.")
    assert page.main_text(np.array([True, True, True])) == f"Run it:\n{PROGRAM}\nThat is all."
    assert page.main_text(np.array([True, False, True])) == "Run it:\nThat is all."
    assert page.main_text(np.array([False, False, False])) == ""


TAGS = [
    "<pre>",
    "</pre>",
    "<p>",
    "<br>",
    "<div>",
    "</div>",
    "<code>",
    "</code>",
    "<b>",
    "</b>",
    "<listing>",
    "<table><tr><td>",
    "<select>",
    "<!--c-->",
    "<script>x</script>",
]
TEXTS = [
    "one",
    " two",
    "\n",
    "  ",
    "{",
    "=\n",
    "\t",
    "\v",
    "\f",
    "&#11;",
    "&#13;",
    "\r",
    "\x85",
    "\x00",
]
TEXTS += ["\u2028", "e\u0301", "&lt;tag&gt;", "\ufffe", "\x1c"]
MARKUP = st.lists(st.sampled_from(TAGS + TEXTS), max_size=30).map("".join)


@given(MARKUP, st.sampled_from(["transparent", "gap", "phrasing"]))
def test_the_words_are_those_of_the_block(body, inline):
    page = page_of(body, inline)
    for number, text in page.code_texts.items():
        assert text.split() == page.blocks.text[number].split()
        assert text.splitlines() == text.split("\n")
        assert not text.startswith("\n")
        assert text == text.rstrip()
    assert_stored_as_they_are(page)


QUOTED = ["<i title='a>b'>", '<a href="x>', "<b\n>", '<em a="b" c>', "</br>", "<!--->", "<o:p>"]
QUOTED += [
    "<!-- <pre> -->",
    "<!--a--b>c-->",
    "<textarea>",
    "</textarea>",
    "<span hidden>",
    "</span>",
]
SIGNS = ["&nbsp;", "&", "amp;", "&amp;", "&#39;", "&lt", "<", "> ", "&quot;", "\r\n", "\xa0"]
ANY_MARKUP = st.lists(st.sampled_from(TAGS + TEXTS + QUOTED + SIGNS), max_size=30).map("".join)


@given(ANY_MARKUP, st.sampled_from(["transparent", "gap", "phrasing"]))
def test_plain_markup_is_read_as_any(body, inline):
    # Beside a line end, one that is a reference ends a line by itself or not.
    page = page_of("<pre>" + body.replace("&#13;", ""), inline)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(code_lines, "_between", code_lines._read_between)
        patched.setattr(code_lines, "_marked", lambda _source: "")
        slowly = code_lines.code_texts(page)
    assert page.code_texts == slowly


def assert_stored_as_they_are(page):
    kept = np.arange(len(page.blocks)) % 3 > 0
    columns = (page.blocks, kept, ["a"] * len(kept))
    rows = block_rows(*columns, codes=page.code_texts)
    packed = pack_blocks(*columns, codes=page.code_texts)
    assert unpack_blocks(packed) == block_array([rows])[0].as_py()
    assert page.main_text(kept) == "\n".join(compress([row["text"] for row in rows], kept))


def test_a_name_of_a_tag_is_no_code():
    page = page_of("<x\x0by><pre>a\nb</pre>")
    assert "x\x0by" in page.blocks.path[0]
    columns = (page.blocks, np.array([True]), ["content"])
    (stored,) = unpack_blocks(pack_blocks(*columns, codes=page.code_texts))
    assert stored == {**block_rows(*columns)[0], "text": "a\nb"}


def test_real_pages():
    files = sorted(SHARED.glob("data/extraction/*/wcxb-dev/pages/*.html.gz"))[::3]
    if not files:
        pytest.skip("needs ../shared, which is not part of the project")
    n_codes = 0
    for file in files:
        page = build_page(gzip.decompress(file.read_bytes()), url="", content_type="text/html")
        codes = page.code_texts
        n_codes += len(codes)
        for number, text in codes.items():
            assert text.split() == page.blocks.text[number].split()
        assert_stored_as_they_are(page)
    assert n_codes > 50
