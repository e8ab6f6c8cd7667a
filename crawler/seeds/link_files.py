"""Files whose only purpose is to list links, read piece by piece: sitemaps and feeds.

A file is unpacked and decoded as it is parsed, up to its limits; what comes before the place where it
is cut, damaged or broken counts. Entities are not expanded, a file that declares some is not read
further (XML bombs), nothing outside of it is ever opened, and elements are let go of as they end.
"""

from __future__ import annotations

import codecs
import re
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_GZIP_MAGIC = b"\x1f\x8b"
_GZIP_WBITS = 31
_PIECE_BYTES = 64 * 1024

# What may stand before the root: declarations, comments, a doctype; then the root's name.
_PROLOG = re.compile(
    r"\s*(?:<\?[^>]*>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[[^\]]*\]\s*)?>|\s+)*",
    re.DOTALL | re.IGNORECASE,
)
_ROOT = re.compile(r"<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)")
_HEAD_BYTES = 4096
# Empty lines that a program printed before it, and byte order marks wherever they stand.
_BEFORE = "\ufeff \t\r\n"
_ENCODING = re.compile(rb"^[\s\xef\xbb\xbf]*<\?xml[^>]*encoding\s*=\s*[\"']([A-Za-z0-9_-]{1,20})")
# Others are read as UTF-8: their URLs are ASCII in any case.
_CODECS = re.compile(
    r"(?:iso-8859-\d{1,2}|windows-125\d|koi8-[ru]|utf-16(?:le|be)?)", re.IGNORECASE
)
# XML 1.0, production 2; an ampersand that begins no reference, the most common mistake of all.
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_BARE = re.compile(r"&(?!(?:#\d{1,7}|#x[0-9A-Fa-f]{1,6}|[A-Za-z]{1,10});)")
_LONGEST_REFERENCE = 12
_NUMBER = re.compile(r"&#(?:(\d{1,7})|x([0-9A-Fa-f]{1,6}));")
_SURROGATES = range(0xD800, 0xE000)
# Of an entry and what stands before it: the tree takes up to 35 bytes for one of the file.
_ENTRY_MAX_CHARS = 2 * 2**20


@dataclass(frozen=True, slots=True)
class LinkFileLimits:
    """What is read of a file at most: unpacked *max_bytes*, *max_urls*; as sitemaps.org allows."""

    max_bytes: int = 50 * 2**20
    max_urls: int = 50_000
    max_url_chars: int = 2048

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}")


class Entry(NamedTuple):
    """A URL as it is written, and when its page changed, as it is written, if that is said."""

    url: str
    lastmod: str | None = None


@dataclass(slots=True)
class LinkFile:
    """What a file lists. *kind* names its format; *problems* why it was not read to its end:

    ``bytes``, ``urls`` (a limit), ``damaged`` (gzip), ``entities``, ``broken`` (XML or JSON).
    """

    kind: str
    entries: list[Entry] = field(default_factory=list)
    problems: set[str] = field(default_factory=set)
    n_seen: int = 0

    def add(self, url: str | None, lastmod: str | None, limits: LinkFileLimits) -> bool:
        """Add an entry unless it has no usable URL; return False when there is no room for more.

        Entries without one take room, too: a file of nothing else takes a minute to read.
        """
        self.n_seen += 1
        if self.n_seen > limits.max_urls:
            self.problems.add("urls")
            return False
        # Where bare ampersands are escaped a CDATA section may stand; some sites escape twice.
        url = (url or "").strip().replace("&amp;", "&")
        if url and len(url) <= limits.max_url_chars:
            self.entries.append(Entry(url, (lastmod or "").strip()[:40] or None))
        return True


def root_name(body: bytes) -> str:
    """Return the local name of the root element of *body*, packed or not; "" for what is no XML.

    >>> root_name(b'<?xml version="1.0"?><!-- x --><sm:urlset xmlns:sm="y">')
    'urlset'
    """
    head = next(_pieces(body, _HEAD_BYTES, set()), b"")[:_HEAD_BYTES]
    text = head.decode(_codec(head), "replace").lstrip(_BEFORE)
    prolog = _PROLOG.match(text)
    match = _ROOT.match(text, prolog.end() if prolog else 0)
    return match[1] if match else ""


def texts(body: bytes, limits: LinkFileLimits, problems: set[str]) -> Iterator[str]:
    """Yield the text of *body* piece by piece, unpacked."""
    pieces = _pieces(body, limits.max_bytes, problems)
    first = next(pieces, b"")
    decoder = codecs.getincrementaldecoder(_codec(first))("replace")
    yield decoder.decode(first).lstrip(_BEFORE)
    for piece in pieces:
        yield decoder.decode(piece)


def elements(
    body: bytes, names: Sequence[str], limits: LinkFileLimits, problems: set[str]
) -> Iterator[Any]:
    """Yield the elements of the XML *body* that have one of *names* in any namespace, each at its end.

    It is let go of when the next one is asked for.
    """
    parser = etree.XMLPullParser(
        events=("end",),
        tag=[f"{{*}}{name}" for name in names],
        encoding="utf-8",
        recover=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    n_kept = 0
    try:
        for text in _mended(texts(body, limits, problems)):
            if "<!ENTITY" in text:
                problems.add("entities")
                return
            n_kept += len(text)
            parser.feed(text.encode("utf-8", "replace"))
            for _, element in parser.read_events():
                yield element
                _let_go(element)
                n_kept = 0
            if n_kept > _ENTRY_MAX_CHARS:
                problems.add("bytes")
                return
        # What it still has is what the end of the file cut: half a URL is none.
        parser.close()
    except etree.XMLSyntaxError:
        problems.add("broken")
    if parser.feed_error_log:
        problems.add("broken")


def _let_go(element: Any) -> None:
    """Free *element* and all that stands before it."""
    element.clear()
    while (parent := element.getparent()) is not None:
        while element.getprevious() is not None:
            del parent[0]
        element = parent


def local_name(element: Any) -> str:
    """Return the name of *element* without its namespace."""
    tag: str = element.tag
    return tag.rpartition("}")[2]


def _mended(pieces: Iterator[str]) -> Iterator[str]:
    """Escape bare ampersands and leave out what XML forbids; the declaration's encoding is ours."""
    rest, is_first = "", True
    for piece in pieces:
        text = rest + piece
        cut = text.rfind("&", max(0, len(text) - _LONGEST_REFERENCE))
        cut = max(cut, text.rfind("<!", max(0, len(text) - _LONGEST_REFERENCE)))
        text, rest = (text, "") if cut < 0 else (text[:cut], text[cut:])
        if is_first and text.lstrip().startswith("<?xml"):
            text = text.partition("?>")[2]
        is_first = False
        yield _legal(text)
    yield _legal(rest)


def _legal(text: str) -> str:
    return _NUMBER.sub(_legal_number, _ILLEGAL.sub("", _BARE.sub("&amp;", text)))


def _legal_number(match: re.Match[str]) -> str:
    """Leave out surrogates: lxml takes their numbers, and cannot give them back."""
    number = int(match[1]) if match[1] else int(match[2], 16)
    return "" if number in _SURROGATES else match[0]


def _codec(head: bytes) -> str:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    match = _ENCODING.match(head)
    name = match[1].decode() if match else ""
    # A declaration that can be read as ASCII is not in UTF-16, whatever it says.
    return name if _CODECS.fullmatch(name) and not name.lower().startswith("utf") else "utf-8"


def _pieces(body: bytes, max_bytes: int, problems: set[str]) -> Iterator[bytes]:
    """Yield *body*, unpacked when it is gzip, up to *max_bytes*."""
    is_packed = body.startswith(_GZIP_MAGIC)
    left = max_bytes
    for piece in _unpacked(body, problems) if is_packed else _cut(body):
        yield piece[:left]
        left -= len(piece)
        if left < 0:
            problems.add("bytes")
            return


def _cut(body: bytes) -> Iterator[bytes]:
    for start in range(0, len(body), _PIECE_BYTES):
        yield body[start : start + _PIECE_BYTES]


def _unpacked(body: bytes, problems: set[str]) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(_GZIP_WBITS)
    try:
        for packed in _cut(body):
            data = packed
            while data and not unpacker.eof:
                piece = unpacker.decompress(data, _PIECE_BYTES)
                if piece:
                    yield piece
                data = unpacker.unconsumed_tail
    except zlib.error:
        problems.add("damaged")
        return
    if not unpacker.eof or unpacker.unused_data:
        problems.add("damaged")
