"""The out-links of a page.

An out-link is a reference to another document that a reader or a browser can follow: ``a`` and
``area``, ``frame`` and ``iframe``, ``rel=next``, feeds, meta refresh, and a redirect. References of
other schemes, and broken ones, are counted, not listed. A reference that is only a fragment
(``#top``) is no link; an empty one is a link of the page to itself. Each occurrence is listed.

Of the ``link`` elements of a head, ``next``, feeds and (crawler.downloadermiddlewares.link_graph) the canonical link
are out-links. ``prev`` and the translations (``alternate`` with ``hreflang``) are none: no reader sees them. What they
name is linked in the body, too, or in sitemaps; and the translations of a page name each other, up to forty of them,
which is no vote for any in the ranks, and would fill the queue with languages that nobody asked for. Scrapy's
LinkExtractor takes ``a`` and ``area`` alone; Heritrix, which archives all of a site, follows nearly every ``link``.

``follow`` starts as the page's own wish, and a spider may change it: False for nofollow links, for
feeds, and for files whose name says that they hold no text.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.joined_texts import JoinedTexts
from crawler.page.tags import names
from crawler.urls import MAX_URL_CHARS, KeyList, page_keys, page_url
from crawler.urls.join import MIN_BATCH, keys_of_lines
from crawler.urls.key_list import with_last

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.urls import PageKey


class LinkKind(IntEnum):
    """What a link is; the codes are stored with the arcs."""

    A = 0
    AREA = 1
    FRAME = 2
    IFRAME = 3
    NEXT = 4
    FEED = 5
    REFRESH = 6
    REDIRECT = 7
    CANONICAL = 8


_FEED = np.uint8(LinkKind.FEED)

# Endings of file names that never hold text worth reading here: Scrapy's IGNORED_EXTENSIONS by
# kind, and what pages embed.
NON_TEXT_EXTENSIONS = names(
    # images, fonts
    "ai avif bmp cdr drw dxf eot eps gif heic heif icns ico jfif jpe jpeg jpg mng otf pct png "
    "ps psd psp pst svg tif tiff ttf webp woff woff2 "
    # audio, video
    "3gp aac aif aiff asf asx au avi flac flv m3u m3u8 m4a m4v mid mkv mov mp2 mp3 mp4 mpeg "
    "mpg ogg oga ogv opus qt ra ram rm swf ts wav webm wma wmv "
    # documents that are not HTML
    "csv djvu doc docm docx dot dotx epub mobi odg odp ods odt pdf pot pps ppt pptm pptx rtf "
    "tex vsd xls xlsm xlsx "
    # archives, programs, data, parts of pages
    "7z apk bin bz2 cab class crx css deb dll dmg exe gz iso jar js json lzh mjs msi rar rpm "
    "sit sql tar tgz torrent wasm xpi xz z zip zst"
)


@dataclass(slots=True, eq=False)
class Links:
    """The out-links of a page with a key, as a struct of arrays over m links.

    ``kind`` holds codes of :class:`LinkKind`; ``block`` the index of the block that the link stands
    in, or of the next one, and the number of blocks when none follows; ``reference`` its index among
    the page's references, whose texts ``anchors`` are. ``n_unusable`` counts those without a key. Spiders
    write ``follow`` and ``priority`` (higher is earlier).
    """

    key: KeyList
    kind: npt.NDArray[np.uint8]
    nofollow: npt.NDArray[np.bool_]
    block: npt.NDArray[np.uint32]
    anchors: JoinedTexts
    follow: npt.NDArray[np.bool_]
    priority: npt.NDArray[np.float32]
    reference: npt.NDArray[np.uint32]
    n_unusable: int = 0
    _url: list[str] | None = None

    def __len__(self) -> int:
        return len(self.key)

    @property
    def url(self) -> list[str]:
        """The absolute URLs, canonical."""
        if self._url is None:
            self._url = [page_url(key) for key in self.key]
        return self._url

    @property
    def anchor(self) -> list[str]:
        """The texts of the links, empty for one that is no reference of the page."""
        texts = self.anchors.strings
        n = len(texts)
        return [texts[place] if place < n else "" for place in self.reference.tolist()]


@dataclass(slots=True, eq=False)
class References:
    """The references of a page as they stand in its source, as a struct of arrays over m of them.

    ``href`` has its character references decoded and no whitespace around it; ``anchor`` is the text
    of an ``a``, with the ``alt`` of its images, and the ``alt`` of an ``area``; empty for others.
    """

    hrefs: JoinedTexts
    anchors: JoinedTexts
    kind: npt.NDArray[np.uint8]
    nofollow: npt.NDArray[np.bool_]
    block: npt.NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def href(self) -> list[str]:
        """The references as strings."""
        return self.hrefs.strings

    @property
    def anchor(self) -> list[str]:
        """Their texts."""
        return self.anchors.strings


def no_references() -> References:
    """Return the references of a page without any."""
    none = np.zeros(0, dtype=np.uint32)
    nothing = JoinedTexts.of([])
    return References(nothing, nothing, none.astype(np.uint8), none.astype(np.bool_), none)


def no_links() -> Links:
    """Return the links of a page without any."""
    return build_links(no_references(), "", charset="utf-8", max_url_chars=1, nofollow=False)


def build_links(
    found: References, base_url: str, *, charset: str, max_url_chars: int, nofollow: bool
) -> Links:
    """Resolve *found* against *base_url*; *nofollow* says that the page wants none followed."""
    keys, usable = _keys(found, base_url, charset, max_url_chars)
    kind, marked, block = found.kind, found.nofollow, found.block
    reference = np.arange(len(found), dtype=np.uint32)
    if len(keys) < len(found):
        kind, marked, block = kind[usable], marked[usable], block[usable]
        reference = reference[usable]
    marked = marked | nofollow
    return Links(
        key=keys,
        kind=kind,
        nofollow=marked,
        block=block,
        anchors=found.anchors,
        follow=~(_are_no_text(keys) | marked | (kind == _FEED)),
        priority=np.zeros(len(keys), dtype=np.float32),
        reference=reference,
        n_unusable=len(found) - len(keys),
    )


def _keys(
    found: References, base_url: str, charset: str, max_chars: int
) -> tuple[KeyList, npt.NDArray[np.bool_]]:
    """Return the keys of *found*, and which of these have one."""
    n = len(found)
    if n >= MIN_BATCH:
        return keys_of_lines(found.hrefs.utf8, n, base_url, charset=charset, max_chars=max_chars)
    keys = page_keys(found.href, base_url, charset=charset, max_chars=max_chars)
    usable = np.array([key is not None for key in keys], dtype=np.bool_)
    return KeyList.of([key for key in keys if key is not None]), usable


def _are_no_text(keys: KeyList) -> npt.NDArray[np.bool_]:
    """Return which of *keys* have the name of a file that holds no text."""
    if len(keys) < MIN_BATCH:
        endings = [local.partition("?")[0].rpartition(".")[2].lower() for _, local in keys]
        return np.array([ending in NON_TEXT_EXTENSIONS for ending in endings], dtype=np.bool_)
    # Links come in batches where a page has been scanned: few processes need the kernel.
    from crawler.page.link_endings import have_endings

    return have_endings(keys, NON_TEXT_EXTENSIONS)


def add_declared(
    links: Links, key: PageKey, kind: LinkKind, *, nofollow: bool, n_blocks: int, n_references: int
) -> None:
    """Add to the *links* of a page one that no reader can follow: its canonical link, or a header's refresh.

    The page model does not have it among its references; it stands behind all blocks and references, of
    which the page has so many. It is followed unless *nofollow*; a refresh to what has the name of a file
    without text is not, as one within the page.
    """
    follow = not nofollow
    if kind is LinkKind.REFRESH:
        follow = follow and not _are_no_text(KeyList.of([key]))[0]
    links.key = links.key.with_last(key)
    links.kind = with_last(links.kind, kind)
    links.nofollow = with_last(links.nofollow, nofollow)
    links.follow = with_last(links.follow, follow)
    links.priority = with_last(links.priority, 0)
    links.block = with_last(links.block, n_blocks)
    links.reference = with_last(links.reference, n_references)
    links._url = None


def redirect_link(url: str, location: str) -> Links:
    """Return the one link of an answer of *url* that redirects to *location*; none if unusable."""
    one = np.zeros(1, dtype=np.uint32)
    kind = np.full(1, LinkKind.REDIRECT, dtype=np.uint8)
    found = References(
        JoinedTexts.of([location]), JoinedTexts.of([""]), kind, one.astype(np.bool_), one
    )
    links = build_links(found, url, charset="utf-8", max_url_chars=MAX_URL_CHARS, nofollow=False)
    # What the target is shows when it is fetched, whatever its name ends in.
    links.follow[:] = True
    return links
