"""What the scan of a page gives: the page model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from crawler.durable.capture import Capture
    from crawler.page.blocks import Blocks
    from crawler.page.links import Links


@dataclass(slots=True, eq=False)
class PageModel:
    """A page: its encoding, what it says of itself, its atomic blocks and its out-links.

    *reject* is None, ``content_type`` (no HTML and no text; nothing was scanned) or ``empty`` (no
    word of text; the links count). *charset_source* is bom, header, meta, guess or default;
    *replacement_share* the share of characters that are U+FFFD. *title_source* is title, og:title or
    h1. *canonical* is the canonical link as a canonical URL. *noindex* and *nofollow* are the wishes
    of the page's robots meta. *cuts* names the limits that cut something.

    Written later: *segments* (the segment number of each block), *kept* and *labels* (by the
    cleaner), *capture* (the page on its way to the commit).
    """

    url: str
    base_url: str
    charset: str | None
    charset_source: str | None
    replacement_share: float
    reject: str | None
    title: str | None
    title_source: str | None
    declared_language: str | None
    description: str | None
    canonical: str | None
    noindex: bool
    nofollow: bool
    blocks: Blocks
    links: Links
    cuts: tuple[str, ...] = ()
    segments: npt.NDArray[np.uint32] | None = None
    kept: npt.NDArray[np.bool_] | None = None
    labels: list[str] | None = None
    capture: Capture | None = None
