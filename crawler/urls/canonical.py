"""The canonical form of a URL's path and query.

As :func:`w3lib.url.canonicalize_url` writes them: the query's fields sorted by name, then value; percent-escapes
decoded where the character may stand plain, upper-case where it may not; non-ASCII as UTF-8; dot segments removed.
``%25``, ``%2F``, ``%3B`` and ``%3F`` stay escaped in a path, for they mean another thing than the character.

Where we deviate: a ``%`` of a path that begins no escape becomes ``%25`` (w3lib leaves it, and then ``%%34a`` changes
at every pass); path parameters are canonicalised like the rest of the path. A field without ``=`` gets none: what is
canonical is fetched, and to a wiki that reads all of the query as a name ``?WikiPage=`` is another page.

Invariant: both functions are idempotent.
"""

from __future__ import annotations

import re
from urllib.parse import quote_from_bytes, unquote_to_bytes

# RFC 3986 section 2.2 and 2.3, without # and ?; | as in w3lib. What needs no change in a path.
PLAIN_PATH_CHARS = r"A-Za-z0-9._~:/\[\]@!$&'()*+,;=|\-"
# What needs no change in a query: unreserved characters, and + for a space.
PLAIN_QUERY_CHARS = r"A-Za-z0-9._~+\-"

# Escapes that stay as they are: of bytes that are no character of the lists above, in upper case.
KEPT_PATH_ESCAPES = "%(?:[0189A-F][0-9A-F]|2[025F]|3[BCEF]|5[CE]|60|7[BDF])"
KEPT_QUERY_ESCAPES = "%(?:[0189A-F][0-9A-F]|2[1-9A-CF]|3[A-F]|40|5[B-E]|60|7[BCDF])"

_PLAIN_PATH = re.compile(f"[{PLAIN_PATH_CHARS}]*")
_PATH_SAFE = "%:/[]@!$&'()*+,;=|"
_NO_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})")
_KEPT_ESCAPE = re.compile("%(2[5Ff]|3[BbFf])")
_ENCODED = re.compile(f"[^{PLAIN_QUERY_CHARS}&=]|[+]|=[^&]*=")
# What each byte of a query is written as.
_QUOTED = [quote_from_bytes(bytes([byte]), " ").replace(" ", "+") for byte in range(256)]
_UNRESERVED = bytes(byte for byte, written in enumerate(_QUOTED) if written == chr(byte))
_PERCENT_AND_SPACE = frozenset(b"% ")
_SURROGATE = re.compile("[\ud800-\udfff]")


def canonical_path(path: str) -> str:
    """Return the canonical form of *path*, which is empty or begins with a slash.

    >>> canonical_path("/a/./b/../%7Euser/é%2f")
    '/a/~user/%C3%A9%2F'
    """
    if not _PLAIN_PATH.fullmatch(path):
        escaped = _NO_ESCAPE.sub("%25", path) if "%" in path else path
        shielded = _KEPT_ESCAPE.sub(lambda match: "%25" + match[1].upper(), escaped)
        path = quote_from_bytes(unquote_to_bytes(utf8(shielded)), _PATH_SAFE)
    if "/." in path:
        path = without_dot_segments(path)
    return path or "/"


def canonical_query(query: str) -> str:
    """Return the canonical form of *query*, given without its question mark.

    >>> canonical_query("b=2&b=1&&a&c=x%20y")
    'a&b=1&b=2&c=x+y'
    """
    if not _ENCODED.search(query):
        texts = sorted(field.partition("=") for field in query.split("&") if field)
        return "&".join(map("".join, texts))
    fields = [field.partition(b"=") for field in utf8(query).split(b"&") if field]
    parts = sorted(
        (_unquote_plus(name), mark, _unquote_plus(value)) for name, mark, value in fields
    )
    return "&".join(
        f"{_quote_plus(name)}{mark.decode()}{_quote_plus(value)}" for name, mark, value in parts
    )


def utf8(text: str) -> bytes:
    """Return *text* as UTF-8, lone surrogates as U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text).encode()


def _unquote_plus(data: bytes) -> bytes:
    data = data.replace(b"+", b" ")
    return unquote_to_bytes(data) if b"%" in data else data


def _quote_plus(data: bytes) -> str:
    special = data.translate(None, _UNRESERVED)
    if not special:
        return data.decode()
    if not special.isascii():
        return "".join(map(_QUOTED.__getitem__, data))
    # What replaces a character holds a percent sign, or is the plus for a space.
    text = data.decode().replace("%", "%25")
    for byte in set(special) - _PERCENT_AND_SPACE:
        text = text.replace(chr(byte), _QUOTED[byte])
    return text.replace(" ", "+")


def without_dot_segments(path: str) -> str:
    """Return *path* without dot segments (RFC 3986 section 5.2.4); it cannot climb above its root."""
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    return "/" + "/".join(kept)
