"""The extractors of boilerpipe that the theses compare, each a short chain of filters.

- ``DefaultExtractor``: neighbours of equal density are fused, then the densitometric tree.
- ``ArticleExtractor``, for news: the NumWords tree up to the comments, the largest region of it, and
  what stands between the title and that.
- ``LargestContentExtractor``: the largest region that the NumWords tree finds.
- ``CanolaExtractor``: rules learned from the KrdWrd Canola corpus (below).

*Source: the released boilerpipe 1.1 (Kohlschütter 2009-2011), package extractors; compared in
Pomikálek 2011, section 2.6.4 (tables 2.6, 2.8, 2.9).* Later versions give ArticleExtractor more steps
(trailing headlines, lists at the end, same tag level), which the theses did not have. DefaultExtractor's
second step, a fusion of content blocks, is left out: nothing is content before its third.
For Canola, with words n and link density ld of the previous, current and next atomic block, a block
is content iff one of these holds::

    cur.ld > 0  and  next.n > 11
    cur.n > 19
    next.n > 6  and  next.ld = 0  and  prev.ld = 0  and  (cur.n > 6 or prev.n > 7 or next.n > 19)

The blocks are atomic ones of ``PageRules(inline="transparent")``; see
:mod:`pipelines.boilerplate.boilerpipe.blocks` for what differs. Cost: O(n).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from pipelines.boilerplate.boilerpipe import filters
from pipelines.boilerplate.boilerpipe.blocks import (
    features,
    kept_parts,
    mark_ends_of_text,
    mark_titles,
    text_blocks,
)
from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.neighbours import following, previous
from pipelines.boilerplate.reasons import Reason, Reasons

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from crawler.page import PageModel
    from crawler.page.limits import Inline
    from pipelines.boilerplate.boilerpipe.blocks import TextBlock

    Steps = Mapping[str, Callable[[list[TextBlock]], list[TextBlock]]]


class _Extractor:
    inline: Inline = "transparent"
    # whether titles and ends of the text are looked for in the words themselves
    reads_text = False
    # the filters, by what they are to the reader of a page
    steps: ClassVar[Steps]

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        blocks = self._begun(page)
        for step in self.steps.values():
            blocks = step(blocks)
        return labels_of(kept_parts(blocks, len(page.blocks)))

    def reasons(self, page: PageModel) -> Reasons:
        """Return the steps that changed what each block of *page* was taken for."""
        blocks = self._begun(page)
        changes: list[list[str]] = [[] for _ in range(len(page.blocks))]
        kept = np.zeros(len(changes), np.bool_)
        for name, step in self.steps.items():
            blocks = step(blocks)
            before, kept = kept, kept_parts(blocks, len(changes))
            for place in np.flatnonzero(kept != before).tolist():
                changes[place].append(f"{'content' if kept[place] else 'boilerplate'} by {name}")
        told = [Reason(", then ".join(change) or "content to no step") for change in changes]
        return Reasons([f"The steps, in order: {', '.join(self.steps)}."], told)

    def _begun(self, page: PageModel) -> list[TextBlock]:
        """Return the blocks of *page* as the first step takes them."""
        blocks = text_blocks(page)
        if self.reads_text:
            mark_ends_of_text(blocks, page)
            mark_titles(blocks, page)
        return blocks


class DefaultExtractor(_Extractor):
    """boilerpipe's extractor for any kind of page."""

    steps: ClassVar[Steps] = {
        "fusing neighbours of one density": filters.simple_fusion,
        "the densitometric tree": filters.density_rules,
    }


class ArticleExtractor(_Extractor):
    """boilerpipe's extractor for news."""

    reads_text = True
    steps: ClassVar[Steps] = {
        "the NumWords tree": filters.numwords_rules,
        "what ends a text": filters.ignore_after_end,
        "fusing neighbours": filters.proximity_fusion,
        "dropping boilerplate": filters.drop_boilerplate,
        "fusing content": partial(filters.proximity_fusion, content_only=True),
        "the largest region": filters.keep_largest,
        "what follows the title": filters.expand_title,
    }


class LargestContentExtractor(_Extractor):
    """boilerpipe's extractor of one region."""

    steps: ClassVar[Steps] = {
        "the NumWords tree": filters.numwords_rules,
        "fusing neighbours": filters.proximity_fusion,
        "the largest region": filters.keep_largest,
    }


def _canola_rules(blocks: list[TextBlock]) -> list[TextBlock]:
    """Classify each block by itself and its neighbours."""
    n, density, _ = features(blocks)
    next_n, is_next_free = following(n), following(density) == 0
    is_between_free = is_next_free & (previous(density) == 0) & (next_n > 6)
    kept = (density > 0) & (next_n > 11)
    kept |= n > 19
    kept |= is_between_free & ((n > 6) | (previous(n) > 7) | (next_n > 19))
    for block, is_content in zip(blocks, kept.tolist(), strict=True):
        block.is_content = is_content
    return blocks


class CanolaExtractor(_Extractor):
    """boilerpipe's extractor trained on KrdWrd Canola."""

    steps: ClassVar[Steps] = {"the rules learned from Canola": _canola_rules}
