"""References of a page, resolved against its base URL, one by one or as a batch.

Source: URL living standard, section 4.4 (basic URL parser), for the special schemes http and https.
Most links of most pages are of plain characters. One expression recognises those, which need no rewriting
but for dot segments. Of many at once a kernel reads nearly all (`crawler.urls.ordinary`), in a third of the time.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote_from_bytes

import numpy as np

from crawler.urls.canonical import (
    KEPT_PATH_ESCAPES,
    KEPT_QUERY_ESCAPES,
    PLAIN_PATH_CHARS,
    PLAIN_QUERY_CHARS,
    canonical_query,
    without_dot_segments,
)
from crawler.urls.hosts import host_key, host_name
from crawler.urls.key_list import KeyList
from crawler.urls.keys import (
    MAX_URL_CHARS,
    SCHEMES,
    PageKey,
    checked_key,
    clean_reference,
    page_key,
    split_url,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from crawler.urls.ordinary.references import Read

# Longer references are dropped unread: escapes shrink to a third at most, so that at the usual
# limit of 2,048 characters only references full of dot segments are lost.
MAX_REFERENCE_CHARS = 16_384
_UNBOUNDED = 1 << 62
# References from which on they are read by the kernel; its call takes as long as a few of them.
MIN_BATCH = 8
# What a URL has more than its keys, at most: a key shorter by this needs no closer look.
_SCHEME_CHARS = len("https://")

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):")
_REFERENCE = re.compile(r"([^?#]*)(\?[^#]*)?")
_PATH = f"[{PLAIN_PATH_CHARS}]*(?:{KEPT_PATH_ESCAPES}[{PLAIN_PATH_CHARS}]*)*"
_PART = f"[{PLAIN_QUERY_CHARS}]*(?:{KEPT_QUERY_ESCAPES}[{PLAIN_QUERY_CHARS}]*)*"
_FIELD = f"(?=[^=]){_PART}={_PART}"
_ORDINARY = re.compile(
    r"(?:(?:(https?):)?//([A-Za-z0-9.\-]+(?::[0-9]+)?)(?=[/?#]|\Z))?"
    rf"({_PATH})(?:\?(?:({_FIELD}(?:&{_FIELD})*)(?=#|\Z)|([!-\"$-~]*)))?(?:#.*)?",
    re.DOTALL,
)
# PageKey(...) takes twice as long.
_new_key = partial(tuple.__new__, PageKey)


class _Base(NamedTuple):
    """A base URL in canonical parts; *query* with its question mark, *bit* the scheme's."""

    bit: str
    host: str
    path: str
    folder: str
    query: str


# What an absolute reference is resolved against where the page has no base.
_NOWHERE = _Base("0", "", "", "", "")


@lru_cache(maxsize=256)
def _base(url: str) -> _Base | None:
    match = _ORDINARY.fullmatch(url)
    host, local = (None, None) if match is None else _ordinary(match, None)
    if not host or not local:
        key = page_key(url, max_chars=_UNBOUNDED)
        if key is None:
            return None
        host, local = key
    path, mark, query = local[1:].partition("?")
    return _Base(local[0], host, path, path[: path.rindex("/") + 1], mark + query)


def base_key(url: str) -> PageKey | None:
    """Return the key of *url*, which is remembered as a page's base is, however long it is."""
    parent = _base(url)
    return None if parent is None else PageKey(parent.host, parent.bit + parent.path + parent.query)


@lru_cache(maxsize=1 << 14)
def _host(authority: bytes, bit: int) -> str:
    """Return the host key of an *authority* of ASCII, with the *bit* of its scheme; empty if it has none."""
    return host_key(SCHEMES[chr(bit) == "1"], authority.decode("ascii")) or ""


def resolve(base: str, href: str, *, charset: str = "utf-8") -> str | None:
    """Return the absolute http(s) URL that *href* means on a page of base URL *base*.

    Not yet canonical, and without its fragment. Non-ASCII characters of the query are escaped in
    *charset*, the page's, as a browser would send them. None for other schemes, and for a relative
    *href* when *base* is no http(s) URL.

    >>> resolve("http://a.com/b/c?d", " ../e "), resolve("http://a.com/b", "mailto:x@a.com")
    ('http://a.com/b/../e', None)
    """
    if len(href) > MAX_REFERENCE_CHARS:
        return None
    reference = clean_reference(href).partition("#")[0]
    if not reference.isascii():
        reference = _escaped_query(reference, charset)
    parent = _base(base)
    scheme = _SCHEME.match(reference)
    if scheme is None:
        return None if parent is None else _joined(parent, reference)
    rest = reference[scheme.end() :]
    # "http:page.html" is relative when the base has the same scheme, "http:/page.html" too.
    if parent is not None and scheme[1].lower() == SCHEMES[parent.bit == "1"]:
        return _joined(parent, rest)
    return reference if split_url(reference) else None


def page_keys(
    hrefs: Sequence[str],
    base: str,
    *,
    charset: str = "utf-8",
    max_chars: int = MAX_URL_CHARS,
) -> list[PageKey | None]:
    """Return the key of each of *hrefs* on a page of base URL *base*, None where there is none.

    Equal to ``page_key(resolve(base, href))`` one by one.
    """
    n = len(hrefs)
    lines = "\n".join((*hrefs, "")).encode("utf-8", "surrogatepass") if n >= MIN_BATCH else b""
    if not lines or lines.count(b"\n") != n:
        return list(map(partial(_key, base, _base(base), charset, max_chars), hrefs))
    keys, usable = keys_of_lines(lines, n, base, charset=charset, max_chars=max_chars)
    found = iter(keys)
    return [next(found) if is_usable else None for is_usable in usable.tolist()]


def keys_of_lines(
    lines: bytes, n: int, base: str, *, charset: str, max_chars: int
) -> tuple[KeyList, npt.NDArray[np.bool_]]:
    """Return the keys of the *n* references that are *lines*, and which of these have one: bool[n].

    A line feed stands behind each reference; they are in UTF-8, lone surrogates as such.
    """
    # References come in batches where a page has been scanned: few processes need the kernel.
    from crawler.urls.ordinary import references as at

    parent = _base(base)
    read = at.read_ordinary(
        lines,
        n,
        parent,
        is_utf=_is_utf(charset),
        max_chars=max_chars,
        longest=MAX_REFERENCE_CHARS,
    )
    hosts = ["" if parent is None else parent.host]
    hosts += [_host(lines[start:end], bit) for start, end, bit in read.authorities]
    usable = read.rows[at.KIND] == at.DONE
    if "" in hosts:
        usable &= np.array([host != "" for host in hosts])[read.rows[at.NUMBER]]
    data, long = read.local_keys, np.flatnonzero(read.rows[at.KIND] == at.LONG).tolist()
    if long:
        data += _read_long(lines, read, long, hosts, usable, _single(base, charset, max_chars))
    host, starts, ends = (read.rows[row][usable] for row in (at.NUMBER, at.KEY_START, at.KEY_END))
    return KeyList(hosts, host, data, starts, ends), usable


def _read_long(
    lines: bytes,
    read: Read,
    places: list[int],
    hosts: list[str],
    usable: npt.NDArray[np.bool_],
    single: Callable[[str], PageKey | None],
) -> bytes:
    """Read the references at *places* the long way: into *read*, *hosts* and *usable*.

    Return their local keys, which stand behind those that were read before.
    """
    from crawler.urls.ordinary import references as at

    found, end = [], len(read.local_keys)
    for place in places:
        start, stop = read.rows[[at.REFERENCE_START, at.REFERENCE_END], place].tolist()
        key = single(str(lines[start:stop], "utf-8", "surrogatepass"))
        if key is None:
            continue
        found.append(key.local.encode("ascii"))
        row = len(hosts), end, end + len(found[-1])
        read.rows[[at.NUMBER, at.KEY_START, at.KEY_END], place] = row
        hosts.append(key.host)
        usable[place], end = True, end + len(found[-1])
    return b"".join(found)


def _single(base: str, charset: str, max_chars: int) -> Callable[[str], PageKey | None]:
    """Return what gives the key of a reference, and looks at each only once."""
    return cache(partial(_key, base, _base(base), charset, max_chars))


def _key(
    base: str, parent: _Base | None, charset: str, max_chars: int, href: str
) -> PageKey | None:
    match = _ORDINARY.fullmatch(href) if len(href) <= MAX_REFERENCE_CHARS else None
    host, local = _other(href) if match is None else _ordinary(match, parent)
    if local is None:
        url = resolve(base, href, charset=charset)
        return None if url is None else page_key(url, max_chars=max_chars)
    if not host:
        return None
    if len(host) + len(local) + _SCHEME_CHARS <= max_chars:
        return _new_key((host, local))
    return checked_key(host, local, max_chars=max_chars)


def _ordinary(match: re.Match[str], parent: _Base | None) -> tuple[str | None, str | None]:
    """Return host key and local key of an ordinary reference; no local key: the long way; no host: none."""
    scheme, authority, path, query, other_query = match.groups()
    if parent is None:
        if scheme is None:
            return None, None
        parent = _NOWHERE
    bit, host = parent.bit, parent.host
    if authority is not None:
        bit = bit if scheme is None else "01"[scheme == "https"]
        host = host_key(SCHEMES[bit == "1"], authority) or ""
        path = path or "/"
    elif path[:2] == "//" or (":" in path and _SCHEME.match(path)):
        return _other(path)
    elif not path:
        path = parent.path + ("" if query or other_query is not None else parent.query)
    elif path[0] != "/":
        path = parent.folder + path
    if "/." in path:
        path = without_dot_segments(path)
    if not query and not other_query:
        return host, bit + path
    if query is None or "&" in query:
        query = canonical_query(query or other_query)
    return host, f"{bit}{path}?{query}" if query else bit + path


def _other(href: str) -> tuple[None, str | None]:
    """Return what :func:`_ordinary` does of any other reference: one of another scheme has no host."""
    named = _SCHEME.match(href)
    return None, None if named is None or named[1].lower() in SCHEMES else ""


def _joined(parent: _Base, reference: str) -> str:
    """Join *reference*, which has no scheme and no fragment, to *parent*."""
    match = _REFERENCE.match(reference)
    assert match is not None  # it matches the empty string
    path, query = match[1].replace("\\", "/"), match[2]
    scheme = SCHEMES[parent.bit == "1"]
    if path.startswith("//"):
        return f"{scheme}:{path}{query or ''}"
    if not path:
        path, query = parent.path, parent.query if query is None else query
    elif path[0] != "/":
        path = parent.folder + path
    return f"{scheme}://{host_name(parent.host)}{path}{query or ''}"


def _escaped_query(reference: str, charset: str) -> str:
    head, mark, query = reference.partition("?")
    # UTF-16 pages send UTF-8 (URL standard, "get an output encoding").
    if not mark or _is_utf(charset):
        return reference
    try:
        data = query.encode(charset)
    except (UnicodeError, LookupError):
        return reference
    return f"{head}?{quote_from_bytes(data, _QUERY_ASCII)}"


def _is_utf(charset: str) -> bool:
    return charset.lower().startswith("utf")


# Every printable ASCII character stays: escaping the rest is left to canonical_query.
_QUERY_ASCII = "".join(map(chr, range(0x20, 0x7F)))
