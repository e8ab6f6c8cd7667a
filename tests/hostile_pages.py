"""Pages that are made to hurt: each grows with *n*, and some parser was slow, deep or blind on it."""

from __future__ import annotations

import json
import random
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

HTML, XHTML, PLAIN = "text/html", "application/xhtml+xml", "text/plain"


class Hostile(NamedTuple):
    """A page of *n* parts: how it is made, how many parts it has at its worst, what is true of it.

    *text* is the text of its only block, None when that is not told; *cuts* are the limits that
    the worst one meets.
    """

    make: Callable[[int], bytes]
    worst: int
    text: str | None = None
    cuts: tuple[str, ...] = ()
    content_type: str = HTML


MILLION = 1_000_000
# Elements that end otherwise than others do, or hide what is in them, when they are never closed.
UNCLOSED = (
    *(
        "a",
        "p",
        "b",
        "font",
        "div",
        "span",
        "h1",
        "ul",
        "li",
        "dl",
        "dd",
        "table",
        "tr",
        "td",
        "th",
    ),
    *("form", "button", "label", "nobr", "address", "blockquote", "pre", "center", "frameset"),
    *("script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes", "noscript"),
    *(
        "plaintext",
        "listing",
        "template",
        "svg",
        "math",
        "select",
        "option",
        "optgroup",
        "datalist",
    ),
    *(
        "object",
        "applet",
        "canvas",
        "audio",
        "video",
        "head",
        "body",
        "html",
        "caption",
        "colgroup",
    ),
    *("br", "img", "input", "meta", "link", "base", "area", "frame", "hr", "my-tag", "ruby", "rt"),
)


def _numbered(pattern: str) -> Callable[[int], bytes]:
    return lambda n: "".join(pattern.format(i) for i in range(n)).encode()


def _noise(n: int) -> bytes:
    return random.Random(n).randbytes(n)


def _unclosed(name: str) -> Callable[[int], bytes]:
    return lambda n: f"<{name}>x ".encode() * n


HOSTILE: dict[str, Hostile] = {
    # Nesting
    "nested boxes": Hostile(lambda n: b"<div>" * n + b"text", MILLION, "text", ("depth",)),
    "nested inline": Hostile(lambda n: b"<i><b>" * n + b"text", MILLION, "text", ("depth",)),
    "nested a": Hostile(lambda n: b"<a href=x>" * n + b"text", MILLION, "text", ("links",)),
    "nested lists": Hostile(lambda n: b"<ul><li>" * n + b"text", MILLION, "text", ("depth",)),
    "nested tables": Hostile(
        lambda n: b"<table><tr><td>" * n + b"text", MILLION, "text", ("depth",)
    ),
    "nested and closed": Hostile(
        lambda n: b"<div>" * n + b"text" + b"</div>" * n, MILLION, "text", ("depth",)
    ),
    "closed by others": Hostile(
        lambda n: b"<b>" * n + b"</i>" * n + b"text", MILLION, "text", ("depth",)
    ),
    "crossed": Hostile(lambda n: b"<b><i></b></i>" * n + b"text", MILLION, "text"),
    "implied ends": Hostile(lambda n: b"<div>" * n + b"<p><li><td>" * n + b"text", MILLION // 2),
    "never opened": Hostile(lambda n: b"</div></p></a>" * n + b"text", MILLION, "text"),
    "distinct names": Hostile(
        lambda n: _numbered("<x{}>")(n) + b"text", MILLION, "text", ("depth",)
    ),
    "distinct closed names": Hostile(_numbered("<x{0}></x{0}>"), MILLION),
    "long name": Hostile(lambda n: b"<" + b"x" * n + b">text", 20 * MILLION, "text"),
    # Text
    "text node": Hostile(lambda n: b"word " * n, 10 * MILLION),
    "one word": Hostile(lambda n: b"x" * n, 50 * MILLION),
    "spaces": Hostile(lambda n: b"one" + b" " * n + b"two", 50 * MILLION, "one two"),
    "signs": Hostile(lambda n: b"- " * n, 10 * MILLION),
    "no spaces": Hostile(lambda n: "数据".encode() * n, 5 * MILLION),
    "many blocks": Hostile(lambda n: b"<p>x" * n, MILLION, None, ("blocks",)),
    "wordless blocks": Hostile(lambda n: b"<p>- " * n + b"<p>text", MILLION, "text"),
    "marks": Hostile(lambda n: ("a" + "\u0301" * n).encode(), MILLION),
    "unsorted marks": Hostile(lambda n: ("a" + "\u0301\u0316" * n).encode(), MILLION // 2),
    "marks and words": Hostile(lambda n: ("e\u0301 " * n).encode(), MILLION),
    "Hangul parts": Hostile(lambda n: ("\u1100\u1161\u11a8" * n).encode(), MILLION),
    # Characters
    "NUL": Hostile(lambda n: b"\0" * n + b"<p>text", 20 * MILLION, "text"),
    "NUL in names": Hostile(lambda n: b"<d\0iv>te\0xt" * n, MILLION, None, ("blocks", "depth")),
    "controls": Hostile(lambda n: b"a\x01\x7f\x1b" * n, MILLION),
    "surrogates in UTF-8": Hostile(lambda n: b"\xed\xa0\x80" * n + b"<p>text", MILLION),
    "surrogates in UTF-16": Hostile(
        lambda n: b"\xff\xfe" + b"\x00\xd8" * n + "<p>text".encode("utf-16-le"), MILLION
    ),
    "odd UTF-16": Hostile(lambda n: b"\xfe\xff" + b"\0x" * n + b"\0", 10 * MILLION),
    "noise": Hostile(_noise, 20 * MILLION),
    "binary": Hostile(lambda n: bytes(range(256)) * n, 50_000),
    "high bytes": Hostile(lambda n: b"\xff" * n, 20 * MILLION),
    "leading bytes": Hostile(lambda n: b"\xf0\x9f" * n, 10 * MILLION),
    "references": Hostile(lambda n: b"&eacute;" * n, MILLION, None),
    "open references": Hostile(lambda n: b"&amp&lt&#x41&#65" * n, MILLION),
    "longest references": Hostile(lambda n: b"&CounterClockwiseContourIntegra" * n, MILLION),
    "wide references": Hostile(lambda n: b"&NotEqualTilde;&nGt;" * n + b"x", MILLION),
    "ampersands": Hostile(lambda n: b"&" * n + b"x", MILLION),
    "long number": Hostile(lambda n: b"&#" + b"9" * n + b"; x", 20 * MILLION),
    # Tags that do not end
    "less-than signs": Hostile(lambda n: b"<" * n + b"x", MILLION),
    "open tags": Hostile(lambda n: b"<a " * n, MILLION),
    "open end tags": Hostile(lambda n: b"</a " * n, MILLION),
    "comments": Hostile(lambda n: b"<!--" * n + b"x", MILLION // 2),
    "comments in comments": Hostile(lambda n: b"<!-- <!-- -- > --!" * n + b"x", MILLION // 2),
    "declarations": Hostile(lambda n: b"<!" * n + b"x", MILLION),
    "instructions": Hostile(lambda n: b"<?x" * n, MILLION),
    "CDATA": Hostile(lambda n: b"<![CDATA[" * n + b"x", MILLION),
    "quotes": Hostile(lambda n: b'<a x="' * n, MILLION),
    "quotes in quotes": Hostile(lambda n: b"<a x='<a x=\"" * n, MILLION // 2),
    "closed quotes": Hostile(lambda n: b'<a x="<a" ' * n, MILLION // 2),
    "open raw text": Hostile(lambda n: b"<script><style><title><textarea>" * n + b"x", 300_000),
    "raw ends": Hostile(lambda n: b"<script></scrip" * n + b"x", 500_000),
    "title ends": Hostile(lambda n: b"<title>x</titl" * n, 500_000),
    "mixed drawings": Hostile(lambda n: b"<svg><object><select><option>x" * n, 300_000),
    # Attributes
    "attributes": Hostile(lambda n: b"<p" + b" b=c" * n + b">text", 100_000, "text"),
    "distinct attributes": Hostile(
        lambda n: b"<a " + _numbered("b{}='c' ")(n) + b" href=/x>text</a>", 100_000, "text"
    ),
    "same attribute": Hostile(lambda n: b"<a" + b" href=/x" * n + b">text</a>", 100_000, "text"),
    "equals signs": Hostile(lambda n: b"<a " + b"=" * n + b">text", 20 * MILLION, "text"),
    "spaces in a tag": Hostile(lambda n: b"<a x" + b" " * n + b"y>text", 20 * MILLION, "text"),
    "slashes in a tag": Hostile(lambda n: b"<a" + b"/" * n + b">text", 20 * MILLION, "text"),
    "long reference": Hostile(
        lambda n: b'<a href="' + b"x" * n + b'">text</a>', 20 * MILLION, "text"
    ),
    "long attribute": Hostile(
        lambda n: b"<p title='" + b"x " * n + b"'>text", 10 * MILLION, "text"
    ),
    "long alt": Hostile(
        lambda n: b"<a href=x><img alt='" + b"y " * n + b"'>text</a>",
        10 * MILLION,
        "text",
        ("anchors",),
    ),
    "long rel": Hostile(
        lambda n: b"<a href=x rel='" + b"nofollow x " * n + b"'>text</a>", 2 * MILLION, "text"
    ),
    "long refresh": Hostile(
        lambda n: b'<meta http-equiv=refresh content="' + b"1; " * n + b'">text',
        5 * MILLION,
        "text",
    ),
    "long description": Hostile(
        lambda n: b"<meta name=description content='" + b"x " * n + b"'>text",
        10 * MILLION,
        "text",
        ("head",),
    ),
    "long style": Hostile(
        lambda n: b"<p style='" + b"display: x; " * n + b"'>text", 2 * MILLION, "text"
    ),
    # Links and head
    "links": Hostile(_numbered("<a href=/{0}>t{0}</a> "), MILLION, None, ("links",)),
    "links of one block": Hostile(lambda n: b"<a href=x>y</a> " * n, MILLION, None, ("links",)),
    "links to nowhere": Hostile(lambda n: b"<a href=#><a href='javascript:x'>" * n, MILLION // 2),
    "frames": Hostile(lambda n: b"<frame src=x><area href=y>" * n, MILLION // 2, None, ("links",)),
    "long anchor": Hostile(
        lambda n: b"<a href=x>" + b"word " * n + b"</a>", 5 * MILLION, None, ("anchors",)
    ),
    "dots": Hostile(lambda n: b'<a href="' + b"../" * n + b'">text', 5 * MILLION, "text"),
    "bases": Hostile(lambda n: b"<base href=/x>" * n + b"text", MILLION // 2, "text"),
    "titles": Hostile(lambda n: b"<title>x</title>" * n + b"text", MILLION // 2, "text"),
    "long title": Hostile(lambda n: b"<title>" + b"x " * n + b"</title>text", 10 * MILLION, None),
    "metas": Hostile(lambda n: b"<meta name=robots content=x>" * n + b"text", MILLION // 2, "text"),
    "many charsets": Hostile(lambda n: b"<meta charset=x>" * n + b"text", MILLION // 2, "text"),
    # Other types
    "self-closed": Hostile(lambda n: b"<p/><div/>" * n + b"text", MILLION, "text", (), XHTML),
    "paragraphs": Hostile(lambda n: b"x\n\n" * n, MILLION, None, ("blocks",), PLAIN),
    "blank lines": Hostile(lambda n: b"\n \r\n\t" * n + b"text", 5 * MILLION, "text", (), PLAIN),
    "carriage returns": Hostile(lambda n: b"\r" * n + b"text", 20 * MILLION, "text", (), PLAIN),
    **{f"unclosed {name}": Hostile(_unclosed(name), 300_000) for name in UNCLOSED},
}


def _peak_bytes() -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return 1024 * int(re.search(r"VmHWM:\s*(\d+)", status)[1])  # type: ignore[index]  # Linux has it


def main(name: str) -> None:
    """Build the worst page of *name*; print its bytes, and those that memory grew by at the most."""
    from crawler.page import build_page

    hostile = HOSTILE[name]
    body = hostile.make(hostile.worst)
    # Tables, and what is kept for the next page.
    build_page(b"<p>text", url="http://a.sample/", content_type=hostile.content_type)
    # The peak begins anew (proc(5), clear_refs).
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = _peak_bytes()
    build_page(body, url="http://a.sample/", content_type=hostile.content_type)
    print(json.dumps((len(body), _peak_bytes() - before)))


if __name__ == "__main__":
    main(sys.argv[1])
