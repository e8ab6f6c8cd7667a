"""Answers that no server should give, by name: the bytes, and what comes of the page.

What comes of it is None when the text is kept, else the reason of its rejection.
"""

from __future__ import annotations

import gzip
import zlib
from typing import TYPE_CHECKING

import brotli

from crawler.durable.zstandard import zstd
from tests.hostile_server import HTML, TEXT, Endless, page, reply

if TYPE_CHECKING:
    from tests.hostile_server import Answer

OK = b"HTTP/1.1 200 OK\r\n"
KIND = HTML + b"\r\n"
CHUNKED = OK + KIND + b"Transfer-Encoding: chunked\r\n\r\n"
LATE = b"Retry-After: Fri, 31 Dec 99999999999999999999 23:59:59 GMT"
N_ZEROS = 40_000_000

LENGTHS: dict[str, tuple[Answer, str | None]] = {
    "untyped": (reply(page()), None),
    "longerthantold": (reply(page(), HTML, b"Content-Length: 500"), None),
    "shorterthantold": (reply(page(), HTML, b"Content-Length: 9999"), None),
    "nolength": (OK + KIND + b"\r\n" + page(), None),
    "wordlength": (reply(page(), HTML, b"Content-Length: many"), "bad_http"),
    "twolengths": (reply(page(), HTML, b"Content-Length: 5", b"Content-Length: 6"), "bad_http"),
    "minuslength": (reply(page(), HTML, b"Content-Length: -5"), "bad_http"),
    "hugelength": (reply(page(), HTML, b"Content-Length: " + b"9" * 40), "too_large"),
    "nothing": (b"", "connection"),
    "headonly": (OK + KIND, "connection"),
    "empty": (reply(b"", status=b"204 No Content"), "empty"),
    "lostbody": (reply(b"", HTML, b"Content-Length: 9999"), "connection"),
    "emptybody": (reply(b"", HTML, b"Content-Length: 0"), "empty"),
    "larger": (reply(b"word " * 400_000, HTML), "too_large"),
    "badchunk": (CHUNKED + b"fffff\r\n" + page(), None),
    "paddedchunk": (CHUNKED + b"%x  \r\n%b\r\n0 \t;x\r\n\r\n" % (len(page()), page()), None),
    "quotingchunk": (CHUNKED + b'%x;a="\\"";\0\r\n%b\r\n0\r\n\r\n' % (len(page()), page()), None),
    "nochunk": (CHUNKED + page(), "connection"),
    "minuschunk": (CHUNKED + b"-5\r\n" + page(), "connection"),
    "hugechunk": (CHUNKED + b"f" * 15 + b"\r\n" + page(), None),
}

GARBAGE: dict[str, tuple[Answer, str | None]] = {
    "noise": (b"\0\1 what\r\n\r\n", "bad_http"),
    "http09": (page().replace(b"<body>", b"\n<body>"), "bad_http"),
    "nostatus": (b"HTTP/1.1 OK\r\n\r\n" + page(), "bad_http"),
    "transferidentity": (reply(page(), HTML, b"Transfer-Encoding: identity", b"Content-Length: %d" % len(page())), None),
    "transferplain": (reply(page(), HTML, b"Transfer-Encoding: gzip"), None),
    "nocolon": (reply(page(), HTML, b"no colon in here"), None),
    "noname": (reply(page(), HTML, b": no name"), None),
    "oddname": (reply(page(), HTML, b"X-\xe9 (y): odd name"), None),
    "blankname": (reply(page(), b"Content-Type : text/html", b"Transfer-Encoding\t: identity"), None),
    "statusblanks": (OK.replace(b" ", b"  ", 1) + KIND + b"\r\n" + page(), None),
    "halfversion": (OK.replace(b"/1.1", b"") + KIND + b"\r\n" + page(), None),
    "blankline": (b"\r\n" + reply(page(), HTML), None),
    "blankbegin": (OK + b" no header: yet\r\n" + KIND + b"Content-Length: %d\r\n\r\n" % len(page()) + page(), None),
    "noheader": (OK + b"\r\n" + page(), None),
    "status0": (reply(page(), HTML, status=b"000 OK"), "invalid_status"),
    "status70000": (reply(page(), HTML, status=b"70000 OK"), "invalid_status"),
    "minusstatus": (reply(page(), HTML, status=b"-200 OK"), "invalid_status"),
    "denied": (reply(page(), HTML, status=b"999 Denied"), "status_999"),
    "teapot": (reply(page(), HTML, status=b"418 Teapot"), "status_418"),
    "nonsense": (reply(page(), b"Content-Type: text/html; charset=zlib_codec"), None),
    "klingon": (reply(page(), b"Content-Type: text/html; charset=klingon"), None),
    "plain": (reply(TEXT, b"Content-Type: text/plain"), None),
    "pdf": (reply(b"%PDF-1.4\n" + bytes(range(256)), HTML), "content_type"),
    "nuls": (reply(page(b"\0nul\0"), HTML), None),
    "later": (reply(b"", b"Retry-After: Fri, 31 Dec 2999 23:59:59 GMT", status=b"503 No"), "status_503"),
    "soon": (reply(b"", b"Retry-After: soon", status=b"503 No"), "status_503"),
    "minussoon": (reply(b"", b"Retry-After: -5", status=b"503 No"), "status_503"),
    "overflowing": (reply(b"", b"Retry-After: 1" + b"0" * 400, status=b"429 No"), "status_429"),
    "yearzero": (reply(b"", b"Retry-After: Thu, 01 Jan 0000 00:00:00 GMT", status=b"429 No"), "status_429"),
    "yearoverflow": (reply(b"", LATE, status=b"429 No"), "status_429"),
    "notmodified": (reply(b"", status=b"304 Not Modified"), "status_304"),
    "partial": (reply(page(), HTML, b"Content-Range: bytes 0-99/1000", status=b"206 Part"), None),
}  # fmt: skip

HEADERS: dict[str, tuple[Answer, str | None]] = {
    "longheaderline": (reply(page(), HTML, b"X-Big: " + b"x" * 100_000), None),
    "endlessheaderline": (Endless(OK + b"X-Big: ", b"x" * 60_000), "header_too_large"),
    "endlessheaders": (Endless(OK, b"X-Big: " + b"x" * 1000 + b"\r\n"), "header_too_large"),
    "shortheaders": (Endless(OK, b"a:\r\n" * 10_000), "header_too_large"),
    "foldedheaders": (Endless(OK + b"X: x\r\n", b" y\r\n" * 10_000), "header_too_large"),
    "interimanswers": (Endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000), "header_too_large"),
    "manyheaders": (reply(page(), HTML, *[b"X-%d: y" % n for n in range(100_000)]), "header_too_large"),
    "chunkline": (Endless(CHUNKED + b"5;", b"a" * 60_000), "connection"),
    "trailers": (Endless(CHUNKED + b"0\r\n", b"X: " + b"a" * 1000 + b"\r\n"), "connection"),
}  # fmt: skip

ENDLESS: dict[str, tuple[Answer, str | None]] = {
    "endless": (Endless(OK + KIND + b"\r\n", b"words of no end " * 1000), "too_large"),
    "endlesschunks": (Endless(CHUNKED, b"5\r\nword \r\n" * 1000), "too_large"),
}

SLOW: dict[str, tuple[Answer, str | None]] = {
    "slowline": (Endless(b"", b"H", 1.0), "timeout"),
    "slowheader": (Endless(OK + b"X: ", b"a", 1.0), "timeout"),
    "slowbody": (Endless(OK + KIND + b"\r\n", b"a", 1.0), "timeout"),
    "slowlength": (Endless(OK + KIND + b"Content-Length: 999\r\n\r\n", b"a", 1.0), "timeout"),
    "slowchunks": (Endless(CHUNKED, b"1\r\na\r\n", 1.0), "timeout"),
    "slowinterim": (Endless(b"", b"HTTP/1.1 102 Processing\r\n\r\n", 1.0), "timeout"),
    "silent": (Endless(b"", b"", 60.0), "timeout"),
}

REDIRECTS: dict[str, tuple[Answer, str | None]] = {
    "nowhere": (reply(b"", HTML, status=b"302 Found"), "status_302"),
    "badlocation": (reply(b"", b"Location: http://[::1", status=b"302 Found"), "redirect"),
    "emptylocation": (reply(b"", b"Location: ", status=b"302 Found"), "redirect"),
    "fragment": (reply(b"", b"Location: #there", status=b"302 Found"), "redirect"),
    "badport": (reply(b"", b"Location: http://untyped.sample:99999/", status=b"302 Found"), "redirect"),
    "longlocation": (reply(b"", b"Location: /" + b"a" * 100_000, status=b"302 Found"), "redirect"),
    "script": (reply(b"", b"Location: javascript:go()", status=b"302 Found"), "redirect"),
    "file": (reply(b"", b"Location: file:///etc/passwd", status=b"302 Found"), "redirect"),
    "ftp": (reply(b"", b"Location: ftp://untyped.sample/", status=b"302 Found"), "redirect"),
    "data": (reply(b"", b"Location: data:text/html,x", status=b"302 Found"), "redirect"),
    "openredirect": (Endless(b"HTTP/1.1 302 Found\r\nLocation: http://untyped.sample/\r\n\r\n", b"", 60.0), "redirect"),
    "itself": (reply(b"", b"Location: /", status=b"302 Found"), "redirect"),
    "there": (reply(b"", b"Location: http://back.sample/", status=b"301 Moved"), "redirect"),
    "back": (reply(b"", b"Location: http://there.sample/", status=b"307 Moved"), "redirect"),
    "locationof200": (reply(page(), HTML, b"Location: /nowhere"), None),
    "refreshfile": (reply(page(b'<meta http-equiv=refresh content="0;url=file:///etc/passwd">'), HTML), None),
}  # fmt: skip


# Ways to say gzip, once.
LISTS = (
    b"gzip, identity",
    b"identity,gzip",
    b" X-GZip ",
    b",gzip, ,",
    b"gzip,utf-8",
    b"aws-chunked, GZIP",
)


def _coded(coding: bytes, body: bytes) -> bytes:
    return reply(body, HTML, b"Content-Encoding: " + coding)


def _packed(body: bytes, *encodings: str, status: bytes = b"200 OK") -> bytes:
    packers = {
        "gzip": gzip.compress,
        "deflate": zlib.compress,
        "br": lambda data: brotli.compress(data, quality=1),
        "zstd": zstd.compress,
        "zstdwide": lambda data: zstd.compress(
            data, options={zstd.CompressionParameter.window_log: 27}
        ),
    }
    for encoding in encodings:
        body = packers[encoding](body)
    names = ", ".join(encodings).replace("zstdwide", "zstd").encode()
    return reply(body, HTML, b"Content-Encoding: " + names, status=status)


# Ways to say gzip as a transfer coding.
TRANSFERS = (
    (b"Transfer-Encoding: gzip, chunked",),
    (b"Transfer-Encoding: GZIP", b"Transfer-Encoding: Chunked"),
    (b"Transfer-Encoding: identity, x-gzip,chunked", b"Content-Length: 3"),
)


def _transferred(body: bytes, *headers: bytes) -> bytes:
    """An answer with *body* in two chunks."""
    pieces = (body[:99], body[99:], b"")
    return reply(
        b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces), HTML, *headers
    )


def transferred() -> dict[str, tuple[Answer, str | None]]:
    """Answers whose transfer codings pack."""
    packed, deflated = gzip.compress(page()), zlib.compress(page())
    both = (b"Content-Encoding: deflate", b"Transfer-Encoding: gzip, chunked")
    return {
        **{f"transfer{n}": (_transferred(packed, *said), None) for n, said in enumerate(TRANSFERS)},
        "transferdeflate": (_transferred(deflated, b"Transfer-Encoding: deflate, chunked"), None),
        "transferboth": (_transferred(gzip.compress(deflated), *both), None),
        "transferonly": (reply(packed, HTML, b"Transfer-Encoding: gzip"), None),
        "transferfoo": (_transferred(packed, b"Transfer-Encoding: foo, chunked"), "content_encoding"),
        "transferbomb": (_transferred(gzip.compress(bytes(N_ZEROS)), *TRANSFERS[0]), "too_large"),
    }  # fmt: skip


def packed() -> dict[str, tuple[Answer, str | None]]:
    """Bombs of N_ZEROS bytes, packings that are damaged, and some that are neither."""
    zeros = bytes(N_ZEROS)
    cut = _packed(page(bytes(range(32, 60))), "gzip")[:-9]
    return {
        **{f"good{name}": (_packed(page(), name), None) for name in ("gzip", "deflate", "br", "zstd")},
        **{f"bomb{name}": (_packed(zeros, name), "too_large") for name in ("gzip", "deflate", "br", "zstd", "zstdwide")},
        "bombtwice": (_packed(zeros, "gzip", "gzip"), "too_large"),
        "bombthrice": (_packed(zeros, "zstd", "br", "deflate"), "too_large"),
        "fivetimes": (_packed(page(), *["gzip"] * 5), None),
        "sixtimes": (_packed(page(), *["gzip"] * 6), "content_encoding"),
        "cutgzip": (cut, None),
        **{f"no{name}": (reply(page(), HTML, b"Content-Encoding: " + name.encode()), None)
           for name in ("gzip", "deflate", "br", "zstd")},
        **{f"listed{n}": (_coded(coding, gzip.compress(page())), None) for n, coding in enumerate(LISTS)},
        **{f"unpacked{n}": (_coded(name, page()), None) for n, name in enumerate((b"identity", b"UTF-8", b","))},
        **{f"unknown{n}": (_coded(name, gzip.compress(page())), "content_encoding")
           for n, name in enumerate((b"compress", b"foo, gzip", b"gzip, foo"))},
        "movedunpacked": (reply(page(), HTML, b"Content-Encoding: gzip", b"Location: http://utf8.sample/", status=b"301 Moved"), "redirect"),
        "gonebomb": (_packed(zeros, "gzip", status=b"404 Not Found"), "status_404"),
        "gonefoo": (reply(page(), HTML, b"Content-Encoding: foo", status=b"410 Gone"), "status_410"),
        "behindgzip": (_packed(page(), "gzip") + b"more", None),
        "behinddeflate": (_packed(page(), "deflate") + b"more", None),
    }  # fmt: skip


def all_answers() -> dict[str, tuple[Answer, str | None]]:
    """Return all but the slow ones, by a name that is a host's."""
    return LENGTHS | GARBAGE | HEADERS | ENDLESS | REDIRECTS | packed() | transferred()
