"""What a page declares in its head, beside the steps of the standard."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page.encoding.charsets import charset_of
from crawler.page.encoding.prescan import prescan


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"<meta charset=utf-8>", "utf-8"),
        (b"<META CHARSET='GB2312'>", "gbk"),
        (b'<meta/charset = "koi8-r"/>', "koi8-r"),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">', "koi8-r"),
        (b'<meta content="text/html; charset=koi8-r" http-equiv=content-type />', "koi8-r"),
        (b"<meta content='x; charset=\"koi8-r\"' http-equiv=content-type>", "koi8-r"),
        (b"<meta content='x; charset=\"koi8-r' http-equiv=content-type>", None),
        (b"<meta content='charset charset = koi8-r;' http-equiv=content-type>", "koi8-r"),
        (b'<meta name=x content="charset=koi8-r">', None),
        (b"<meta charset=big5 charset=koi8-r>", "big5"),
        (b"<meta charset=none http-equiv=content-type content='charset=big5'>", None),
        (b"<!-- <meta charset=koi8-r> --><meta charset=big5>", "big5"),
        (b"<!--><meta charset=big5>", "big5"),
        (b"<!-- <meta charset=big5>", None),
        (b"<p title='<meta charset=koi8-r>'><meta charset=big5>", "big5"),
        (b"<p title='><meta charset=koi8-r>", None),
        (b"<!doctype x '><meta charset=big5>", "big5"),
        (b"</p <meta charset=koi8-r><meta charset=big5>", "big5"),
        (b"<metadata charset=koi8-r>", None),
        (b"<meta charset=nonsense><meta charset=big5>", "big5"),
        (b"<meta charset=utf-16>", "utf-8"),  # it was read as ASCII
        (b"<meta charset=x-user-defined>", "windows-1252"),
        (b"<meta charset=iso-2022-kr>", "replacement"),
        (b"<meta charset=utf-7>", None),
        (b"<meta charset=koi8-r", None),
        (b"<?xml version='1.0' encoding='euc-jp'?><html>", "euc-jp"),
        (b"<?xml version='1.0' encoding='euc-jp'?><meta charset=big5>", "big5"),
        (b"<?xml version='1.0' encoding='utf-16'?>", "utf-8"),
        (b"<?xml encoding='euc jp'?>", None),
        (b" <?xml encoding='euc-jp'?>", None),
        (b"<?xml <p encoding='euc-jp'", None),
        (b"<title>charset=koi8-r</title>", None),
        (b"<!--" * 2000 + b"charset", None),
        (b"<a " * 2700 + b"charset", None),
        (b"<a b='" * 1300 + b"charset", None),
        (b"", None),
    ],
)
def test_prescan(head, expected):
    charset = prescan(head)
    assert (charset.name if charset else None) == expected


SPACE = b"\t\n\f\r "


def skipped(head, at, some):
    while head[at] in some:
        at += 1
    return at


def attribute_slowly(head, at):
    """Get an attribute, step by step as the standard says; IndexError at the end of the bytes."""
    at = skipped(head, at, SPACE + b"/")
    if head[at] == ord(">"):
        return None, at
    name = b""
    while not (head[at] == ord("=") and name):
        if head[at] in SPACE:
            at = skipped(head, at, SPACE)
            if head[at] != ord("="):
                return (name, b""), at
            break
        if head[at] in b"/>":
            return (name, b""), at
        name += head[at : at + 1].lower()
        at += 1
    start = at = skipped(head, at + 1, SPACE)
    if head[at] in b"\"'":
        end = head.index(head[at], at + 1)
        return (name, head[start + 1 : end].lower()), end + 1
    while head[at] not in SPACE + b">":
        at += 1
    return (name, head[start:at].lower()), at


def meta_slowly(head, at):
    found = {}
    while True:
        pair, at = attribute_slowly(head, at)
        if pair is None:
            return found, at
        found.setdefault(*pair)


def prescan_slowly(head):
    at = 0
    try:
        while at < len(head):
            rest = head[at:].lower()
            if rest.startswith(b"<!--"):
                at = head.index(b"-->", at + 2) + 2
            elif rest.startswith(b"<meta") and rest[5] in SPACE + b"/":
                found, at = meta_slowly(head, at + 5)
                if charset := charset_of(found.get(b"charset", b"").decode("latin-1")):
                    return {"utf-16le": "utf-8", "x-user-defined": "windows-1252"}.get(
                        charset.name, charset.name
                    )
            elif rest[:1] == b"<" and rest[1:].removeprefix(b"/")[:1].isalpha():
                while head[at] not in SPACE + b">":
                    at += 1
                _, at = meta_slowly(head, at)
            elif rest[:2] in {b"<!", b"</", b"<?"}:
                at = head.index(b">", at)
            at += 1
    except (IndexError, ValueError):
        return None


PIECES = [
    *(
        b"<meta ",
        b"<META/",
        b"charset=",
        b"charset",
        b" = ",
        b'"',
        b"'",
        b"big5",
        b"utf-16",
        b"none",
    ),
    *(
        b">",
        b">",
        b">",
        b"<!--",
        b"-->",
        b"--",
        b"<p ",
        b"</p",
        b"<a href=",
        b"name=x ",
        b"/",
        b" ",
    ),
    *(b"\n", b"<", b"<!doctype", b"<?php", b"x", b"=", b"<meta charset=x-user-defined>"),
    *(b"<meta charset=big5>", b'charset="koi8-r"'),
]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map(b"".join))
def test_prescan_takes_the_steps_of_the_standard(head):
    charset = prescan(head)
    assert (charset.name if charset else None) == prescan_slowly(head)
