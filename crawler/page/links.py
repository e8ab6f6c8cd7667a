"""The out-links of a page.

An out-link is a reference to another document that a reader or a browser can follow: ``a`` and
``area``, ``frame`` and ``iframe``, ``rel=next``, feeds, meta refresh, and a redirect. References of
other schemes, and broken ones, are counted, not listed. A reference that is only a fragment
(``#top``) is no link; an empty one is a link of the page to itself. Each occurrence is listed.

``follow`` starts as the page's own wish, and a spider may change it: False for nofollow links, for
feeds, and for files whose name says that they hold no text.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.tags import names
from crawler.urls import MAX_URL_CHARS, page_keys, page_url

if TYPE_CHECKING:
    from collections.abc import Sequence

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
# Links from which on their endings are read by a kernel.
_MIN_BATCH = 8

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
    the page's references. ``n_unusable`` counts those without a key. Spiders write ``follow`` and ``priority`` (higher is earlier).
    """

    key: list[PageKey]
    kind: npt.NDArray[np.uint8]
    nofollow: npt.NDArray[np.bool_]
    block: npt.NDArray[np.uint32]
    anchor: list[str]
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


@dataclass(slots=True, eq=False)
class References:
    """The references of a page as they stand in its source, as a struct of arrays over m of them.

    ``href`` has its character references decoded and no whitespace around it; ``anchor`` is the text
    of an ``a``, with the ``alt`` of its images, and the ``alt`` of an ``area``; empty for others.
    """

    href: list[str]
    anchor: list[str]
    kind: npt.NDArray[np.uint8]
    nofollow: npt.NDArray[np.bool_]
    block: npt.NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.href)


def no_references() -> References:
    """Return the references of a page without any."""
    none = np.zeros(0, dtype=np.uint32)
    return References([], [], none.astype(np.uint8), none.astype(np.bool_), none)


def no_links() -> Links:
    """Return the links of a page without any."""
    return build_links(no_references(), "", charset="utf-8", max_url_chars=1, nofollow=False)


def build_links(
    found: References, base_url: str, *, charset: str, max_url_chars: int, nofollow: bool
) -> Links:
    """Resolve *found* against *base_url*; *nofollow* says that the page wants none followed."""
    keys = page_keys(found.href, base_url, charset=charset, max_chars=max_url_chars)
    kept = [key for key in keys if key is not None]
    kind, marked, block, anchor = found.kind, found.nofollow, found.block, list(found.anchor)
    reference = np.arange(len(keys), dtype=np.uint32)
    if len(kept) < len(keys):
        usable = np.array([key is not None for key in keys], dtype=np.bool_)
        kind, marked, block = kind[usable], marked[usable], block[usable]
        reference = reference[usable]
        anchor = list(compress(anchor, usable.tolist()))
    marked = marked | nofollow
    return Links(
        key=kept,
        kind=kind,
        nofollow=marked,
        block=block,
        anchor=anchor,
        follow=~(_are_no_text(kept) | marked | (kind == _FEED)),
        priority=np.zeros(len(kept), dtype=np.float32),
        reference=reference,
        n_unusable=len(found) - len(kept),
    )


def _are_no_text(keys: Sequence[PageKey]) -> npt.NDArray[np.bool_]:
    """Return which of *keys* have the name of a file that holds no text."""
    if len(keys) < _MIN_BATCH:
        endings = [local.partition("?")[0].rpartition(".")[2].lower() for _, local in keys]
        return np.array([ending in NON_TEXT_EXTENSIONS for ending in endings], dtype=np.bool_)
    # Links come in batches where a page has been scanned: few processes need the kernel.
    from crawler.page.link_endings import have_endings

    return have_endings([local for _, local in keys], NON_TEXT_EXTENSIONS)


def add_canonical(
    links: Links, key: PageKey, *, nofollow: bool, n_blocks: int, n_references: int
) -> None:
    """Add the canonical link of a page, which is to another one, to its *links*.

    It is no reference that a reader can follow, so the page model does not have it; it stands behind
    all blocks and references, of which the page has so many. It is followed unless *nofollow*.
    """
    links.key.append(key)
    links.anchor.append("")
    links.kind = np.append(links.kind, np.uint8(LinkKind.CANONICAL))
    links.nofollow = np.append(links.nofollow, np.bool_(nofollow))
    links.follow = np.append(links.follow, np.bool_(not nofollow))
    links.priority = np.append(links.priority, np.float32(0))
    links.block = np.append(links.block, np.uint32(n_blocks))
    links.reference = np.append(links.reference, np.uint32(n_references))
    links._url = None


def redirect_link(url: str, location: str) -> Links:
    """Return the one link of an answer of *url* that redirects to *location*; none if unusable."""
    one = np.zeros(1, dtype=np.uint32)
    kind = np.full(1, LinkKind.REDIRECT, dtype=np.uint8)
    found = References([location], [""], kind, one.astype(np.bool_), one)
    links = build_links(found, url, charset="utf-8", max_url_chars=MAX_URL_CHARS, nofollow=False)
    # What the target is shows when it is fetched, whatever its name ends in.
    links.follow[:] = True
    return links
