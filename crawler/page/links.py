"""The out-links of a page.

An out-link is a reference to another document that a reader or a browser can follow: ``a`` and
``area``, ``frame`` and ``iframe``, ``rel=next``, feeds, meta refresh, and a redirect. References of
other schemes, and broken ones, are counted, not listed. A reference that is only a fragment
(``#top``) is no link; an empty one is a link of the page to itself. Each occurrence is listed.

``follow`` starts as the page's own wish, and a spider may change it: False for nofollow links, for
feeds, and for files whose name says that they hold no text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.tags import names
from crawler.page.words import collapsed
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
    in, or of the next one, and the number of blocks when none follows. ``n_unusable`` counts the
    references without a key. Spiders write ``follow`` and ``priority`` (higher is earlier).
    """

    key: list[PageKey]
    kind: npt.NDArray[np.uint8]
    nofollow: npt.NDArray[np.bool_]
    block: npt.NDArray[np.uint32]
    anchor: list[str]
    follow: npt.NDArray[np.bool_]
    priority: npt.NDArray[np.float32]
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


@dataclass(slots=True)
class FoundLink:
    """A reference as it was found in the source."""

    href: str
    kind: LinkKind
    block: int
    nofollow: bool = False
    anchor: list[str] = field(default_factory=list)


def build_links(
    found: Sequence[FoundLink], base_url: str, *, charset: str, max_url_chars: int, nofollow: bool
) -> Links:
    """Resolve *found* against *base_url*; *nofollow* says that the page wants none followed."""
    keys = page_keys(
        [link.href for link in found], base_url, charset=charset, max_chars=max_url_chars
    )
    usable = [(key, link) for key, link in zip(keys, found, strict=True) if key is not None]
    kind = np.array([link.kind for _, link in usable], dtype=np.uint8)
    marked = np.array([nofollow or link.nofollow for _, link in usable], dtype=np.bool_)
    textual = np.array([_may_hold_text(key.local) for key, _ in usable], dtype=np.bool_)
    return Links(
        key=[key for key, _ in usable],
        kind=kind,
        nofollow=marked,
        block=np.array([link.block for _, link in usable], dtype=np.uint32),
        anchor=[collapsed("".join(link.anchor)) for _, link in usable],
        follow=textual & ~marked & (kind != LinkKind.FEED),
        priority=np.zeros(len(usable), dtype=np.float32),
        n_unusable=len(found) - len(usable),
    )


def redirect_link(url: str, location: str) -> Links:
    """Return the one link of an answer of *url* that redirects to *location*; none if unusable."""
    found = [FoundLink(location, LinkKind.REDIRECT, block=0)]
    links = build_links(found, url, charset="utf-8", max_url_chars=MAX_URL_CHARS, nofollow=False)
    # What the target is shows when it is fetched, whatever its name ends in.
    links.follow[:] = True
    return links


def _may_hold_text(local: str) -> bool:
    name = local.partition("?")[0].rpartition("/")[2]
    return "." not in name or name.rpartition(".")[2].lower() not in NON_TEXT_EXTENSIONS
