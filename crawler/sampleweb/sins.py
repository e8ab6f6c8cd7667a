"""The pages without a number: redirects, errors, slow answers and the other sins, at fixed paths.

Each role of a host has its table of them; the home page of the host links to all that are *linked*.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from crawler.sampleweb import article

if TYPE_CHECKING:
    from collections.abc import Callable

    from crawler.sampleweb.hosts import Host
    from crawler.sampleweb.layout import Layout

Table = dict[str, "Special"]

# Seconds; Retry-After is never longer, so that a test crawl ends.
RETRY_AFTER_SECS = 1
# A soft 404 host shows one page at every path that it does not know, such as this.
ANY_SOFT404 = "/gone/0"
SLOW_SECS = (0.3, 0.5, 0.8, 1.0)
CHAIN_LENGTH = 4
LONG_CHAIN_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Special:
    """A page at a fixed path.

    *kind* names it in the answers. *location* is the absolute target of a redirect or meta refresh,
    *header* its spelling in the Location header when that differs. *first_status* is what the
    first request gets instead of *status*. *n_words* is the length of its main text, 0 for none.
    """

    kind: str
    status: int = 200
    location: str = ""
    header: str = ""
    delay_secs: float = 0.0
    first_status: int = 0
    retry_after_secs: int = 0
    media_type: str = "text/html"
    n_words: int = 0
    linked: bool = True
    nofollow: bool = False


def specials(host: Host, layout: Layout) -> Table:
    """Return the special pages of *host* by path, in a fixed order."""
    table: Table = {}
    for role, make in _TABLES.items():
        if role in host.roles:
            table |= make(host, layout)
    return table


def _redirects(host: Host, layout: Layout) -> Table:
    root = host.root
    page = root + layout.path(2)
    elsewhere = layout.table.host((host.index + 1) % layout.table.n_hosts)
    statuses = (301, 302, 303, 307, 308)
    table = {f"/go/{code}": Special("redirect", code, page) for code in statuses}
    table["/go/relative"] = Special("redirect", 302, page, header=layout.path(2))
    table["/go/out"] = Special("redirect", 301, f"{elsewhere.root}/")
    table["/go/dead"] = Special("redirect", 301, f"{root}/go/nowhere")
    table["/go/self"] = Special("redirect_loop", 302, f"{root}/go/self")
    table["/go/unsaid"] = Special("redirect_unsaid", 302)
    for number in range(3):
        target = f"{root}/go/loop-{(number + 1) % 3}"
        table[f"/go/loop-{number}"] = Special("redirect_loop", 302, target, linked=number == 0)
    table |= _chain(root, "chain", CHAIN_LENGTH, page)
    return table | _chain(root, "long", LONG_CHAIN_LENGTH, f"{root}/go/far")


def _chain(root: str, name: str, length: int, end: str) -> Table:
    targets = [f"{root}/go/{name}-{number}" for number in range(1, length)] + [end]
    return {
        f"/go/{name}-{number}": Special("redirect_chain", 301, target, linked=number == 0)
        for number, target in enumerate(targets)
    }


def _errors(_host: Host, _layout: Layout) -> Table:
    table = {f"/err/{code}": Special("error", code) for code in (403, 404, 410, 500)}
    table["/err/503"] = Special("error", 503, retry_after_secs=RETRY_AFTER_SECS)
    for code in (503, 429, 500):
        table[f"/err/{code}-once"] = Special(
            "recovers", first_status=code, retry_after_secs=RETRY_AFTER_SECS, n_words=150
        )
    return table


def _slow(_host: Host, _layout: Layout) -> Table:
    return {
        f"/slow/{number}": Special("slow", delay_secs=secs, n_words=120)
        for number, secs in enumerate(SLOW_SECS)
    }


def _soft404(_host: Host, _layout: Layout) -> Table:
    return {f"/gone/{number}": Special("soft404", n_words=90) for number in range(4)}


def _refresh(host: Host, layout: Layout) -> Table:
    target = host.root + layout.path(2)
    return {
        "/refresh/0": Special(
            "refresh", location=target, header="0; url=", n_words=article.THIN_WORDS
        ),
        "/refresh/1": Special("refresh", location=target, header="5;URL=", n_words=120),
        "/refresh/2": Special("refresh", header="600", n_words=120),
    }


def _types(_host: Host, _layout: Layout) -> Table:
    return {
        "/files/plain": Special("plain", media_type="text/plain", n_words=150),
        "/files/strict": Special("xhtml", media_type="application/xhtml+xml", n_words=150),
        "/files/document": Special("not_text", media_type="application/pdf"),
        "/files/data": Special("not_text", media_type="application/json"),
        "/files/picture": Special("not_text", media_type="image/png"),
        "/files/empty": Special("empty"),
    }


def _frames(host: Host, layout: Layout) -> Table:
    target = host.root + layout.path(1)
    table = {
        f"/frames/{kind}": Special("frames", location=target, header=kind)
        for kind in ("set", "inline", "map")
    }
    return table | {"/frames/inner": Special("framed", n_words=150, linked=False)}


def _wildcard(_host: Host, _layout: Layout) -> Table:
    open_page, closed = Special("allowed", n_words=100), Special("private", n_words=100)
    return {
        "/shelf/one": open_page,
        "/shelf/one?print=1": closed,
        "/shelf/two.pdfx": open_page,
        "/shelf/deep/draft": closed,
        "/shelf/deep/draft/open": open_page,
    }


def _groups(_host: Host, _layout: Layout) -> Table:
    return {
        "/for-all/closed": Special("allowed", n_words=100),
        "/for-winnow/closed": Special("private", n_words=100),
        "/for-winnow/open": Special("allowed", n_words=100),
    }


_TABLES: dict[str, Callable[[Host, Layout], Table]] = {
    "redirects": _redirects,
    "errors": _errors,
    "slow": _slow,
    "soft404": _soft404,
    "refresh": _refresh,
    "types": _types,
    "frames": _frames,
    "robots-wildcard": _wildcard,
    "robots-groups": _groups,
}
