"""The filters of boilerpipe that its Default, Article and Largest Content extractors are made of.

A filter takes the text blocks of a page and gives those that are left, marked anew.

*Source: the released boilerpipe 1.1 (Kohlschütter 2009-2011), by the name of the filter; the chains of
the port boilerpy3 are the same.* Thresholds and the order of looking are theirs, odd as they may be:
a run of content blocks takes in the block before it, whatever that is (ProximityFusion over all
blocks). Cost: O(n) each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from pipelines.boilerplate.boilerpipe.blocks import features
from pipelines.boilerplate.densitometric_tree import DensitometricTree
from pipelines.boilerplate.numwords_tree import NumWordsTree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from crawler.page import PageModel
    from pipelines.boilerplate.boilerpipe.blocks import Features, TextBlock
    from pipelines.boilerplate.labels import Cleaner

# IgnoreBlocksAfterContentFilter: words in dense content blocks before an end of text counts as one.
MIN_WORDS_BEFORE_END = 60
MIN_FULL_TEXT_DENSITY = 9
MAX_DISTANCE = 1


def simple_fusion(blocks: Sequence[TextBlock]) -> list[TextBlock]:
    """SimpleBlockFusionProcessor: fuse neighbours of equal text density."""
    fused: list[TextBlock] = []
    for block in blocks:
        if fused and _as_dense(fused[-1], block):
            fused[-1].fuse(block)
        else:
            fused.append(block)
    return fused


def _as_dense(one: TextBlock, other: TextBlock) -> bool:
    return one.full_line_words * other.full_lines == other.full_line_words * one.full_lines


def proximity_fusion(blocks: Sequence[TextBlock], *, content_only: bool = False) -> list[TextBlock]:
    """BlockProximityFusion: fuse a content block with the one before that is near enough.

    That one has to be content, too, if *content_only*.
    """
    fused: list[TextBlock] = []
    for block in blocks:
        before = fused[-1] if fused else None
        if (
            before is not None
            and block.is_content
            and (before.is_content or not content_only)
            and block.first - before.last - 1 <= MAX_DISTANCE
        ):
            before.fuse(block)
        else:
            fused.append(block)
    return fused


def density_rules(blocks: list[TextBlock]) -> list[TextBlock]:
    """DensityRulesClassifier: mark *blocks* by the densitometric tree."""
    return _marked_by(DensitometricTree(), blocks)


def numwords_rules(blocks: list[TextBlock]) -> list[TextBlock]:
    """NumWordsRulesClassifier: mark *blocks* by the NumWords tree."""
    return _marked_by(NumWordsTree(), blocks)


class _Document(NamedTuple):
    """What a tree asks of a page."""

    blocks: Features


def _marked_by(tree: Cleaner, blocks: list[TextBlock]) -> list[TextBlock]:
    document = cast("PageModel", _Document(features(blocks)))
    for block, is_content in zip(blocks, tree.label(document).kept.tolist(), strict=True):
        block.is_content = is_content
    return blocks


def ignore_after_end(blocks: list[TextBlock]) -> list[TextBlock]:
    """IgnoreBlocksAfterContentFilter: nothing is content after an end of text."""
    n_words = 0
    is_ended = False
    for block in blocks:
        if block.is_content and block.text_density >= MIN_FULL_TEXT_DENSITY:
            n_words += block.n_words
        is_ended = is_ended or (block.ends_text and n_words >= MIN_WORDS_BEFORE_END)
        block.is_content = block.is_content and not is_ended
    return blocks


def drop_boilerplate(blocks: Sequence[TextBlock]) -> list[TextBlock]:
    """BoilerplateBlockFilter: take out what is no content; offsets stay."""
    return [block for block in blocks if block.is_content]


def keep_largest(blocks: list[TextBlock]) -> list[TextBlock]:
    """KeepLargestBlockFilter: of content, only the block of most words, the first of equals, stays."""
    if len(blocks) < 2:
        return blocks
    largest = max((block for block in blocks if block.is_content), key=_n_words, default=None)
    for block in blocks:
        block.is_content = block is largest
        block.might_be_content = not block.is_content
    return blocks


def _n_words(block: TextBlock) -> int:
    return block.n_words


def expand_title(blocks: list[TextBlock]) -> list[TextBlock]:
    """ExpandTitleToContentFilter: what is between the title and the content may be content, too."""
    start = next((place for place, block in enumerate(blocks) if block.is_content), -1)
    titles = [place for place, block in enumerate(blocks[: start + 1]) if block.is_title]
    if titles:
        for block in blocks[titles[-1] : start]:
            block.is_content = block.is_content or block.might_be_content
    return blocks
