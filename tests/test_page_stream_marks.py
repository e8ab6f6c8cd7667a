"""Marks of what React sends later: as an expression finds them."""

from __future__ import annotations

import random
import re

import pytest

from crawler.page.scanning.stream_marks import COMMENT, DIV, TABLE, TEMPLATE, stream_marks
from tests.traced_memory import least_traced

MARKUP = re.compile(
    rb"<(?:!--(?P<comment>(?>(?:[^-]++|-(?!->))*))"
    rb"|(?P<raw>script|style|textarea|title)\b(?>(?:[^<]++|<(?!/(?P=raw)))*)"
    rb"|(?P<name>div|template)\b(?P<attributes>[^<>]*+)>(?:</template>)?"
    rb"|(?P<table>table\b[^<>]*+>)(?P<row><(?:tbody|tr)\b[^<>]*+>)?"
    rb"|(?P<row_end>/(?:tbody|tr)><)?(?P<end>/(?P<closed>div|table)\b)[^<>]*+>?)",
    re.IGNORECASE,
)
NUMBER = re.compile(rb"[BPS]:")


def slow_marks(source):
    marks, opened = [], {b"div": [], b"table": []}
    for match in MARKUP.finditer(source):
        start, end = match.span()
        if match["comment"] is not None:
            if match["comment"].startswith((b"$", b"/$")):
                marks.append([COMMENT, start, end])
        elif match["closed"]:
            ends_last = opened[match["closed"].lower()]
            mark = ends_last.pop() if ends_last else []
            mark[4:] = [match.start("end") - 1, start, end]
        elif match["name"] or match["table"]:
            name = (match["name"] or b"table").lower()
            row = match.end("table") if match["table"] else match.end("attributes") + 1
            size = len(source)
            mark = [TABLE if name == b"table" else DIV, start, end, row, size, size, size]
            if NUMBER.search(match[0]):
                marks.append(mark if name != b"template" else [TEMPLATE, start, end])
            if name != b"template":
                opened[name].append(mark)
    return marks


PIECES = (
    *(b"<div", b"<DIV ", b" id=S:1", b' id="S:a"', b" hidden", b">", b">", b"</div>", b"</div"),
    *(b"</dIv x", b"<table", b"<table hidden>", b"<tbody id='S:3'>", b"<tr id=S:4", b"</tbody>"),
    *(
        b"</tr>",
        b"</table>",
        b"</table",
        b"<template id='B:1'>",
        b"</template>",
        b"<template id=P:a",
    ),
    *(b"<!--$-->", b"<!--$?-->", b"<!--/$-->", b"<!--", b"-->", b"-", b"<!-", b"$", b"<script>"),
    *(
        b"</script>",
        b"</SCRIPT",
        b"<style>",
        b"</style",
        b"<title>",
        b"</titles>",
        b"<div_",
        b"<divs>",
    ),
    *(
        b" ",
        b"<",
        b"/",
        b"\xc3\xa4",
        b"<tr>",
        b"<div id='S:1'>",
        b"</tr></table>",
        b"</tbody></div>",
    ),
)


@pytest.mark.parametrize("seed", range(20))
def test_marks_are_those_of_the_expression(seed):
    chosen = random.Random(seed)
    for _ in range(200):
        pieces = chosen.sample(PIECES, chosen.randrange(3, len(PIECES)))
        source = b"".join(chosen.choices(pieces, k=chosen.randrange(1, 40)))
        expected = slow_marks(source)
        found = [list(mark) for mark in stream_marks(source)]
        assert [m[: len(e)] for m, e in zip(found, expected, strict=True)] == expected


def test_a_part_without_an_end_goes_to_the_end():
    (mark,) = stream_marks(b"<div id=S:1><div></div>one")
    assert mark == (DIV, 0, 12, 12, 26, 26, 26)


@pytest.mark.slow
def test_marks_of_a_page_that_has_nothing_else_take_little_memory():
    """All at once they took a hundred times its bytes."""
    source = b"<!--$-->" * 2**17
    n_marks, _, most = least_traced(lambda: sum(1 for _ in stream_marks(source)))
    assert n_marks == 2**17
    assert most < 8 * len(source)  # 5 for what the kernel finds
