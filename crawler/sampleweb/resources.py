"""What a host serves beside pages: robots.txt, site maps, a feed, files that are no text."""

from __future__ import annotations

import re
from gzip import compress
from html import escape
from typing import TYPE_CHECKING

from crawler.sampleweb import robots
from crawler.sampleweb.answers import Answer
from crawler.sampleweb.document import FEED_PATH

if TYPE_CHECKING:
    from collections.abc import Callable

    from crawler.sampleweb.hosts import Host
    from crawler.sampleweb.layout import Layout
    from crawler.sampleweb.places import Places

# Files of links that a text crawler stores as arcs and does not fetch.
ASSET_SUFFIXES = (".pdf", ".zip", ".jpg")

_XMLNS = "http://www.sitemaps.org/schemas/sitemap/0.9"
# Pages a site map; sitemaps.org allows 50,000 and 50 MB.
SITEMAP_PAGES = 10_000
_PART = re.compile(r"/sitemap-(\d{1,6})\.xml(\.gz)?")
_N_FEED_ITEMS = 10


def is_resource(path: str) -> bool:
    """Whether *path* is one at which hosts serve something that is no page."""
    return path.endswith(ASSET_SUFFIXES) or path in _MAKERS or _PART.fullmatch(path) is not None


def is_followed(path: str) -> bool:
    """Whether a crawl for text follows an ordinary link to *path*: no files, no feeds."""
    return not path.partition("?")[0].endswith(ASSET_SUFFIXES) and path != FEED_PATH


def resource(places: Places, host: Host, path: str) -> Answer:
    """Return the answer for *path*, which must be a resource."""
    part = _PART.fullmatch(path)
    layout = places.library.layout(host.content)
    if part:
        return _sitemap_part(host, layout, int(part[1]), zipped=part[2] is not None)
    if path.endswith(ASSET_SUFFIXES):
        return Answer(200, b"%PDF-1.4\n%%EOF\n", "application/pdf")
    return _MAKERS[path](places, host)


def _robots(places: Places, host: Host) -> Answer:
    file = places.robots(host)
    return Answer(file.status, file.body, file.media_type, file.location)


def _real_robots(places: Places, host: Host) -> Answer:
    if not places.robots(host).location:
        return Answer(404, b"not found\n", "text/plain")
    return Answer(200, b"User-agent: *\nDisallow: /private/\n", "text/plain")


def _sitemap(places: Places, host: Host) -> Answer:
    """Answer with the map of a small host, or with the index of a large one's."""
    layout = places.library.layout(host.content)
    n_parts = -(-layout.n_pages // SITEMAP_PAGES)
    if n_parts == 1 and "sitemaps" not in host.roles:
        return _sitemap_part(host, layout, 0, zipped=False)
    parts = (f"{host.root}/sitemap-{part}.xml.gz" for part in range(n_parts))
    entries = "".join(f"<sitemap><loc>{loc}</loc></sitemap>\n" for loc in parts)
    return _xml(f'<sitemapindex xmlns="{_XMLNS}">\n{entries}</sitemapindex>\n')


def _sitemap_part(host: Host, layout: Layout, part: int, *, zipped: bool) -> Answer:
    pages = range(part * SITEMAP_PAGES, min(layout.n_pages, (part + 1) * SITEMAP_PAGES))
    if not pages:
        return Answer(404, b"not found\n", "text/plain")
    shown = (page for page in pages if layout.kind(page) not in ("hidden", "private"))
    locations = (escape(host.root + layout.path(page)) for page in shown)
    entries = "".join(f"<url><loc>{location}</loc></url>\n" for location in locations)
    answer = _xml(f'<urlset xmlns="{_XMLNS}">\n{entries}</urlset>\n')
    if not zipped:
        return answer
    return Answer(200, compress(answer.body, mtime=0), "application/gzip")


def _feed(places: Places, host: Host) -> Answer:
    layout = places.library.layout(host.content)
    items = []
    for page in range(min(_N_FEED_ITEMS, layout.n_regular)):
        title = escape(places.library.title(host.content, page), quote=False)
        link = escape(host.root + layout.path(page))
        items.append(f"<item><title>{title}</title><link>{link}</link></item>\n")
    return _xml(f'<rss version="2.0"><channel>\n{"".join(items)}</channel></rss>\n')


def _xml(text: str) -> Answer:
    return Answer(
        200, f'<?xml version="1.0" encoding="UTF-8"?>\n{text}'.encode(), "application/xml"
    )


_MAKERS: dict[str, Callable[[Places, Host], Answer]] = {
    "/robots.txt": _robots,
    robots.REAL_ROBOTS: _real_robots,
    "/sitemap.xml": _sitemap,
    FEED_PATH: _feed,
}
