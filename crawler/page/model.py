"""What the scan of a page gives: the page model."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.links import build_links, no_references
from crawler.page.pagelets import Pagelets, with_residuals
from crawler.page.runs import TextRuns
from crawler.urls import canonical_url, resolve

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from crawler.durable.capture import Capture
    from crawler.page.blocks import Blocks
    from crawler.page.limits import PageLimits
    from crawler.page.links import Links, References
    from crawler.page.tree import PageTree


def _nothing(n_columns: int) -> npt.NDArray[np.uint32]:
    return np.zeros((0, n_columns), dtype=np.uint32)


@dataclass(slots=True, eq=False)
class PageModel:
    """A page: its encoding, what it says of itself, its atomic blocks and its references.

    *reject* is None, ``content_type`` (no HTML and no text; nothing was scanned) or ``empty`` (no word of text; the
    links count). *source* is the page in UTF-8, as it was scanned: images of formulas are text there, for one.
    *charset_source* is bom, header, meta, guess or default; *replacement_share* the share of characters that are
    U+FFFD. *title_source* is title, og:title or h1. *canonical_href* is the canonical link as it is written. *noindex*
    and *nofollow* are the wishes of the page's robots meta, *signals* (`crawler.page.signals`) what it and others say
    of the use of its text. *body_digest*: of the answer's bytes, where it came by an answer. *cuts* names the limits
    that cut something.

    Made when they are asked for: *canonical*, *links*, *pagelets* and *runs* (of what the scan found), *tree*,
    *code_texts*. Written later: *segments* (the segment number of each block), *kept* and *labels* (by the cleaner),
    *capture* (the page on its way to the commit).
    """

    url: str
    base_url: str
    limits: PageLimits
    blocks: Blocks
    source: bytes = b""
    is_xml: bool = False
    charset: str | None = None
    charset_source: str | None = None
    replacement_share: float = 0.0
    reject: str | None = None
    title: str | None = None
    title_source: str | None = None
    declared_language: str | None = None
    description: str | None = None
    canonical_href: str | None = None
    noindex: bool = False
    nofollow: bool = False
    signals: frozenset[str] = frozenset()
    body_digest: bytes | None = None
    references: References = field(default_factory=no_references)
    cuts: tuple[str, ...] = ()
    segments: npt.NDArray[np.uint32] | None = None
    kept: npt.NDArray[np.bool_] | None = None
    labels: Sequence[str] | None = None
    capture: Capture | None = None
    found_pagelets: npt.NDArray[np.uint32] = field(default_factory=partial(_nothing, 4))
    found_runs: npt.NDArray[np.uint32] = field(default_factory=partial(_nothing, 3))
    found_tags: npt.NDArray[np.uint32] = field(default_factory=partial(_nothing, 3))
    _links: Links | None = None
    _tree: PageTree | None = None
    _code_texts: dict[int, str] | None = None

    @property
    def canonical(self) -> str | None:
        """The canonical link as a canonical URL."""
        if not self.canonical_href:
            return None
        target = resolve(self.base_url, self.canonical_href)
        return None if target is None else canonical_url(target)

    @property
    def links(self) -> Links:
        """The references with a key, resolved against the page's base."""
        if self._links is None:
            self._links = build_links(
                self.references,
                self.base_url,
                charset=self.charset or "utf-8",
                max_url_chars=self.limits.max_url_chars,
                nofollow=self.nofollow,
            )
        return self._links

    @property
    def pagelets(self) -> Pagelets:
        """The pagelets, ranges of blocks and references."""
        return with_residuals(self.found_pagelets, len(self.blocks), len(self.references))

    @property
    def runs(self) -> TextRuns:
        """The runs of text in *source* that the blocks were made of."""
        start, end, block = self.found_runs.T.copy()
        return TextRuns(start, end, block)

    @property
    def code_texts(self) -> dict[int, str]:
        """The texts of the blocks that stand in code, by number, with their lines and blanks."""
        if self._code_texts is None:
            from crawler.page.code_lines import code_texts

            self._code_texts = code_texts(self)
        return self._code_texts

    def main_text(self, kept: npt.NDArray[np.bool_]) -> str:
        """Return the texts of the blocks that are *kept*, bool[n]: one a line, but for the lines of code."""
        texts = self.blocks.text
        codes = self.code_texts
        if not codes:
            return texts.joined(kept)
        places = np.flatnonzero(kept).tolist()
        return "\n".join([codes.get(place) or texts[place] for place in places])

    @property
    def tree(self) -> PageTree:
        """An lxml tree of the same source, with the place of each block's text in it."""
        if self._tree is None:
            from crawler.page.tree import build_tree

            self._tree = build_tree(self.source, self.runs, is_xml=self.is_xml)
        return self._tree
