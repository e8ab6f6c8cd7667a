"""Sitemaps: the pages that a site wishes to be found (sitemaps.org, version 0.9).

A sitemap is XML (``urlset``, or ``sitemapindex`` that lists others) or a text of one URL a line, plain
or gzip; lines of it that begin with ``#`` are comments. Which of them a file is shows in it, not in its name or type.
Only the ``loc`` of a page counts, not those of its images, videos and translations; ``lastmod`` is kept as it is
written.
"""

from __future__ import annotations

import re
from itertools import islice

from crawler.seeds.link_files import (
    LinkFile,
    LinkFileLimits,
    elements,
    local_name,
    root_name,
    texts,
)

URLSET, INDEX, TEXT = "urlset", "sitemapindex", "text"

# What sitemaps have in their names, whoever makes them.
_SITEMAP_WORD = "sitemap"
_SITEMAP_ENDS = (".xml", ".xml.gz")
_ENTRIES = ("url", "sitemap")
_DEFAULT_LIMITS = LinkFileLimits()
# Lines that must all be URLs for a text to be a sitemap, those apart that are empty or comments: no standard knows
# these, and people write them. Where texts were put together, byte order marks stand between lines, too.
_SNIFFED_LINES = 20
_LONGEST_LINE_CHARS = 64 * 1024
_COMMENT = "#"
_BOM = "\ufeff"
_LINE_ENDS = re.compile(r"[\r\n]+")


def read_sitemap(body: bytes, limits: LinkFileLimits = _DEFAULT_LIMITS) -> LinkFile | None:
    """Return what the sitemap *body* lists, None when it is none; ``kind`` tells an index from others.

    >>> read_sitemap(b"<urlset><url><loc> http://a.example/ </loc></url>").entries
    [Entry(url='http://a.example/', lastmod=None)]
    """
    root = root_name(body)
    if root in (URLSET, INDEX):
        return _xml(body, LinkFile(root), limits)
    if root:
        return None
    return _text(body, limits)


def _xml(body: bytes, found: LinkFile, limits: LinkFileLimits) -> LinkFile:
    for element in elements(body, _ENTRIES, limits, found.problems):
        # The first of each counts.
        children = element.iterchildren("{*}loc", "{*}lastmod", reversed=True)
        fields = {local_name(child): child.text for child in children}
        if not found.add(fields.get("loc"), fields.get("lastmod"), limits):
            break
    return found


def _text(body: bytes, limits: LinkFileLimits) -> LinkFile | None:
    found = LinkFile(TEXT)
    rest, n_left = "", _SNIFFED_LINES
    for text in texts(body, limits, found.problems):
        *lines, rest = _LINE_ENDS.split(rest + text)
        first = list(islice(filter(_says, lines), n_left))
        if not all(map(_is_url, first)):
            return None
        n_left -= len(first)
        if len(rest) > _LONGEST_LINE_CHARS or not _add_lines(lines, found, limits):
            rest = ""
            break
    if n_left and _says(rest) and not _is_url(rest):
        return None
    _add_lines([rest], found, limits)
    return found if found.entries else None


def _add_lines(lines: list[str], found: LinkFile, limits: LinkFileLimits) -> bool:
    return all(
        found.add(_bare(line) if _is_url(line) else None, None, limits)
        for line in filter(None, lines)
    )


def _bare(line: str) -> str:
    return line.strip().lstrip(_BOM).lstrip()


def _says(line: str) -> bool:
    """Tell whether *line* is neither empty nor a comment."""
    return not (_bare(line) or _COMMENT).startswith(_COMMENT)


def _is_url(line: str) -> bool:
    line = _bare(line)
    return line[:8].lower().startswith(("http://", "https://")) and not any(map(str.isspace, line))


def says_sitemap(url: str) -> bool:
    """Tell whether *url* says to be of a sitemap, by its word or by its path's end.

    >>> says_sitemap("http://a.example/sitemap?page=2"), says_sitemap("http://a.example/s1.xml.gz?v=1")
    (True, True)
    >>> says_sitemap("http://a.example/map.html?as=.xml")
    False
    """
    plain = url.lower()
    return _SITEMAP_WORD in plain or plain.partition("?")[0].endswith(_SITEMAP_ENDS)
