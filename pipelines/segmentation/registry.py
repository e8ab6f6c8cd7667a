"""The segmentation methods by their published names."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from crawler.page.lines import W_MAX
from pipelines.segmentation.block_fusion import VARIANTS, BlockFusion
from pipelines.segmentation.full_text import FullText
from pipelines.segmentation.just_rules import JustRules
from pipelines.segmentation.segmenter import BlockSegmenter, Segmenter
from pipelines.segmentation.tag_gap import TagGap
from pipelines.segmentation.word_wrap import WordWrap

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["BlockSegmenter", "Segmenter", "block_methods", "get", "get_block_method", "methods"]

_FUSIONS = {f"BF-{variant}": partial(BlockFusion, variant=variant) for variant in VARIANTS}
_RULES: dict[str, Callable[[], BlockSegmenter]] = {
    "TagGap": TagGap,
    "JustRules": JustRules,
    "FullText": FullText,
}


def methods() -> tuple[str, ...]:
    """Return the names of all methods."""
    return ("WordWrap", *block_methods())


def block_methods() -> tuple[str, ...]:
    """Return the names of the methods that keep atomic blocks whole."""
    return (*_RULES, *_FUSIONS)


def get(name: str, *, theta: float | None = None, w_max: int = W_MAX) -> Segmenter:
    """Return the method called *name*; ValueError names the known ones.

    *theta* is for Block Fusion, None for the published threshold; *w_max* is for WordWrap (the
    others take blocks that are wrapped). Methods that have no use for one ignore it.
    """
    if name == "WordWrap":
        return WordWrap(w_max=w_max)
    if name not in block_methods():
        raise ValueError(f"unknown segmentation method {name!r}; known are {', '.join(methods())}")
    return get_block_method(name, theta=theta)


def get_block_method(name: str, *, theta: float | None = None) -> BlockSegmenter:
    """Return the method called *name*, which keeps atomic blocks whole; ValueError if none does."""
    if name in _FUSIONS:
        return _FUSIONS[name](theta=theta)
    if name not in _RULES:
        known = ", ".join(block_methods())
        raise ValueError(f"no segmentation method {name!r} numbers blocks; those that do: {known}")
    return _RULES[name]()
