"""The kept blocks of documents as Markdown, of the answers that the documents were made of.

A corpus has the text of blocks alone. Their headings, lists, tables, links, emphasis and formulas are in the page: it
is made again by the rules of the crawl, and of its blocks are taken those that the corpus keeps now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pipelines.boilerplate.labels import labels_of
from pipelines.boilerplate.renderers import markdown
from pipelines.jobs.stored_answers import AnswerIndex, texts_digest, url_hash

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipelines.jobs.stored_answers import PageMaker


class MarkdownMaker:
    """Makes the Markdown of rows of ``documents``; *left* counts those of which none can be made, by reason.

    Reasons: `NO_PAGE`, and ``other_blocks`` when the answer does not give the blocks that the corpus has.
    """

    def __init__(self, pages: PageMaker, *, with_links: bool) -> None:
        self.left: dict[str, int] = {}
        self._pages = pages
        self._index = AnswerIndex(pages.answers)
        self._with_links = with_links

    def markdown(self, row: Mapping[str, Any]) -> str | None:
        """Return the Markdown of *row*, which has ``url`` and ``blocks``; None where it cannot be made."""
        (place,) = self._index.places(np.array([url_hash(row["url"])], np.uint64)).tolist()
        page = self._pages.page(place)
        blocks = row["blocks"] or []
        if not isinstance(page, str):
            stored = texts_digest([block["text"] for block in blocks])
            page = page if texts_digest(page.blocks.text) == stored else "other_blocks"
        if isinstance(page, str):
            self.left[page] = self.left.get(page, 0) + 1
            return None
        kept = np.array([block["kept"] for block in blocks], np.bool_)
        return markdown(page, labels_of(kept), with_links=self._with_links)
