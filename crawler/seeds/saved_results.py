"""Pages of results that somebody saved from a browser: search engines without a service for programs.

The results of a page are its links to other sites. Links of the engine itself are none, but where one leads
on to an address within it: ``/url?q=https://…``, ``/l/?uddg=https%3A…``, a base64 of it behind ``a1``, or
``/RU=https%3A…/`` in the path. Whose page it is says the comment that browsers write at its top ("Mark of the Web"),
else its canonical link or base; of an engine with domains in several countries all are its own. A file of MHTML says
it where it names the page.
"""

from __future__ import annotations

import glob
import re
from base64 import urlsafe_b64decode
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from crawler.errors import InputError, cause
from crawler.page import build_page
from crawler.page.links import LinkKind
from crawler.seeds.mhtml import RootPage, root_page
from crawler.urls import page_key, registrable_domain
from crawler.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Where a page is that does not say so; RFC 2606, section 2.
_NOWHERE = "http://saved.invalid/"
_MARK = re.compile(rb"<!--\s*saved from url=\(\d{1,8}\)(\S{1,4000})", re.IGNORECASE)
_MARK_BYTES = 2048
_IN_PATH = re.compile(r"/RU=(https?[^/]+)")
_ENCODED = "a1"


class SavedResults(NamedTuple):
    """*title*: of the page, or the name of its file; *urls*: its results, in order, each once."""

    title: str
    urls: list[str]


def find_saved(pattern: str) -> list[Path]:
    """Return the files that *pattern* (a path, or a glob) names, sorted; raise `InputError` for none, or for one that
    cannot be read.
    """
    try:
        paths = _named(pattern)
        for path in paths:
            path.open("rb").close()
    except OSError as error:
        raise InputError(
            f"cannot read {error.filename} of saved={pattern}: {cause(error)}; have it readable"
        ) from error
    if not paths:
        raise InputError(f"no file matches saved={pattern}; give pages of results, or a glob")
    return paths


def check_saved(paths: Sequence[Path]) -> None:
    """Raise `InputError` when none of the pages in *paths* has results; they are read up to the first that has."""
    if not any(read_saved(path).urls for path in paths):
        raise InputError(without_results(paths))


def without_results(paths: Sequence[Path]) -> str:
    """Return what to say of the pages in *paths*, one at least, which have no results."""
    others = f" and {counted(len(paths) - 1, 'other')}" * (len(paths) > 1)
    has = "has" if len(paths) == 1 else "have"
    return (
        f"{paths[0]}{others} {has} no link to another site; save pages of results as HTML or MHTML"
    )


def _named(pattern: str) -> list[Path]:
    if Path(pattern).is_file():  # whatever brackets are in its name
        return [Path(pattern)]
    paths = [Path(name) for name in sorted(glob.glob(pattern, recursive=True))]
    return [path for path in paths if path.is_file()]


def read_saved(path: Path) -> SavedResults:
    """Return the results of the page in *path*; raise `InputError` when it cannot be read."""
    try:
        return saved_results(path.read_bytes(), path.name)
    except OSError as error:
        raise InputError(f"cannot read {path}: {cause(error)}; have it readable") from error


def saved_results(data: bytes, name: str) -> SavedResults:
    """Return the results of the page *data*, of any bytes; *name* is its title where it has none.

    >>> saved_results(b'<title>mill</title><a href="/url?q=http://a.test/&s=1">A</a><a href="/about">B</a>', "x")
    SavedResults(title='mill', urls=['http://a.test/'])
    """
    page = root_page(data) or _page(data)
    url = page.url if page_key(page.url) else _NOWHERE
    model = build_page(page.body, url=url, content_type=page.content_type)
    own = {_brand(address) for address in (url, model.canonical or "", model.base_url)}
    links = model.links
    references = (links.url[place] for place in (links.kind == LinkKind.A).nonzero()[0].tolist())
    found = (target for reference in references for target in _targets(reference, own))
    return SavedResults((model.title or name).strip(), list(dict.fromkeys(found)))


def _page(data: bytes) -> RootPage:
    mark = _MARK.search(data[:_MARK_BYTES])
    return RootPage(data, mark[1].decode("utf-8", "replace") if mark else "", "text/html")


def _targets(url: str, own: set[str]) -> Iterator[str]:
    """Yield *url* if it is of another site, or the first address within it that is."""
    if _brand(url) not in own:
        yield url
        return
    for target in _within(url):
        if page_key(target) is not None and _brand(target) not in own:
            yield target
            return


def _within(url: str) -> Iterator[str]:
    parts = urlsplit(url)
    for _, value in parse_qsl(parts.query):
        if value.startswith(("http://", "https://")):
            yield value
        elif value.startswith(_ENCODED):
            yield _decoded(value[len(_ENCODED) :])
    if match := _IN_PATH.search(parts.path):
        yield unquote(match[1])


def _decoded(text: str) -> str:
    """Return the address that the base64 *text* is, else nothing."""
    try:
        found = urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode("ascii")
    except ValueError:
        return ""
    return found if found.startswith(("http://", "https://")) else ""


def _brand(url: str) -> str:
    """Return the name of the site of *url* without what its country adds: of www.a.co.uk ``a``."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return registrable_domain(host).partition(".")[0] if host else ""
