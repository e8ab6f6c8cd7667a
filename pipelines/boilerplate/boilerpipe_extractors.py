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
:mod:`pipelines.boilerplate.boilerpipe_blocks` for what differs. Cost: O(n).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.boilerplate import boilerpipe_filters as filters
from pipelines.boilerplate.boilerpipe_blocks import (
    features,
    kept_parts,
    mark_ends_of_text,
    mark_titles,
    text_blocks,
)
from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.neighbours import following, previous

if TYPE_CHECKING:
    from typing import Literal

    from crawler.page import PageModel
    from pipelines.boilerplate.boilerpipe_blocks import TextBlock


class _Extractor:
    inline: Literal["gap", "transparent"] = "transparent"
    # whether titles and ends of the text are looked for in the words themselves
    reads_text = False

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        blocks = text_blocks(page)
        if self.reads_text:
            mark_ends_of_text(blocks, page)
            mark_titles(blocks, page)
        return labels_of(kept_parts(self.filtered(blocks), len(page.blocks)))

    def filtered(self, blocks: list[TextBlock]) -> list[TextBlock]:
        """Return what the filters make of the atomic *blocks* of a page."""
        raise NotImplementedError


class DefaultExtractor(_Extractor):
    """boilerpipe's extractor for any kind of page."""

    def filtered(self, blocks: list[TextBlock]) -> list[TextBlock]:
        """Fuse and classify."""
        return filters.density_rules(filters.simple_fusion(blocks))


class ArticleExtractor(_Extractor):
    """boilerpipe's extractor for news."""

    reads_text = True

    def filtered(self, blocks: list[TextBlock]) -> list[TextBlock]:
        """Classify, cut, fuse and choose."""
        blocks = filters.numwords_rules(blocks)
        blocks = filters.ignore_after_end(blocks)
        blocks = filters.proximity_fusion(blocks)
        blocks = filters.drop_boilerplate(blocks)
        blocks = filters.proximity_fusion(blocks, content_only=True)
        blocks = filters.keep_largest(blocks)
        return filters.expand_title(blocks)


class LargestContentExtractor(_Extractor):
    """boilerpipe's extractor of one region."""

    def filtered(self, blocks: list[TextBlock]) -> list[TextBlock]:
        """Classify, fuse and choose."""
        blocks = filters.proximity_fusion(filters.numwords_rules(blocks))
        return filters.keep_largest(blocks)


class CanolaExtractor(_Extractor):
    """boilerpipe's extractor trained on KrdWrd Canola."""

    def filtered(self, blocks: list[TextBlock]) -> list[TextBlock]:
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
