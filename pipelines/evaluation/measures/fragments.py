"""Fragmentation: into how many pieces, and how long ones, a method cuts the text it keeps.

A fragment is a maximal run of kept text nodes (or blocks) of a page without a removed one between;
its length is that of its nodes in characters, whitespace collapsed. Long fragments are what corpora
want. Perfect cleaning, for comparison, keeps all nodes but those labelled bad.
*Source: Pomikálek 2011, section 2.9.10 and Table 2.11.* Whether he counted what separates nodes is
unknown; we do not.
Cost: linear. Invariant: the lengths sum to the kept characters; mean times fragments a page times
pages is that, too.
"""

from __future__ import annotations

from itertools import groupby
from statistics import fmean, median
from typing import TYPE_CHECKING, NamedTuple

from crawler.page.words import collapsed
from pipelines.evaluation.gold import BAD

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipelines.evaluation.gold import NodeLabel


class Fragmentation(NamedTuple):
    """Mean and median length of all fragments in characters, and fragments a page."""

    mean_chars: float
    median_chars: float
    per_page: float


def fragment_lengths(texts: Sequence[str], kept: Sequence[bool]) -> list[int]:
    """Return the length in characters of each fragment of a page.

    Nodes of whitespace alone are none, and part nothing.

    >>> fragment_lengths(["ab", " ", "c", "d", "e", "", "f", "gh"], [1, 0, 1, 0, 1, 0, 0, 1])
    [3, 1, 2]
    """
    lengths = [len(collapsed(text)) for text in texts]
    nodes = [node for node in zip(map(bool, kept), lengths, strict=True) if node[1]]
    runs = groupby(nodes, lambda node: node[0])
    return [sum(length for _, length in run) for is_kept, run in runs if is_kept]


def fragmentation(pages: Iterable[Sequence[int]]) -> Fragmentation:
    """Return the figures of a set of pages, of the fragment lengths of each; 0 without fragments."""
    lengths = [list(page) for page in pages]
    fragments = [length for page in lengths for length in page]
    if not fragments:
        return Fragmentation(0.0, 0.0, 0.0)
    return Fragmentation(fmean(fragments), median(fragments), len(fragments) / len(lengths))


def perfect_cleaning(labels: Iterable[NodeLabel]) -> list[bool]:
    """Return what perfect cleaning keeps: what is not labelled bad."""
    return [node.label != BAD for node in labels]
