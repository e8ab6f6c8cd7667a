"""Blocks made from numbers, for the tests of what works on them."""

from __future__ import annotations

import numpy as np

from crawler.page import PageLimits, PageModel
from crawler.page.blocks import Blocks, TagPaths
from crawler.page.joined_texts import JoinedTexts
from crawler.page.tags import GAP_BITS


def made_blocks(lines, gaps=None, linked=None) -> Blocks:
    """Blocks of the given token counts a line, tag names of the gap before each, linked words."""
    n_words = [sum(block) for block in lines]
    gaps = gaps or [{"p"}] * len(lines)
    return Blocks(
        text=JoinedTexts.of([" ".join(["word"] * n) for n in n_words]),
        n_words=np.array(n_words, dtype=np.uint32),
        linked_words=np.array(linked or [0] * len(lines), dtype=np.uint32),
        n_lines=np.array([len(block) for block in lines], dtype=np.uint32),
        last_line_tokens=np.array([block[-1] for block in lines], dtype=np.uint32),
        gap_mask=np.array([sum(GAP_BITS[tag] for tag in gap) for gap in gaps], dtype=np.uint64),
        hidden=np.zeros(len(lines), dtype=np.bool_),
        path_number=np.zeros(len(lines), dtype=np.uint32),
        paths=TagPaths.of("body/p"),
    )


def page_of(blocks: Blocks) -> PageModel:
    """A page of nothing but these blocks."""
    return PageModel(url="", base_url="", limits=PageLimits(), blocks=blocks)
