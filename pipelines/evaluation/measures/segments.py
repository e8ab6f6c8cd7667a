"""Segment F: which of the segments that must, and must not, be in a text are there.

A required segment that is found is a true positive, one that is not a false negative; a forbidden one
that is found a false positive. All segments of all pages are counted as one (:func:`segment_counts`,
`counts.pooled`); F1 of one page is of few segments.
*Source: the evaluation of trafilatura (Barbaresi 2021), where a page has about three of each.*
Whitespace is collapsed in texts and segments, for methods break lines as they like.
Cost: linear in text times segments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.page.words import collapsed
from pipelines.evaluation.measures.counts import Counts

if TYPE_CHECKING:
    from collections.abc import Iterable


def segment_counts(extracted: str, required: Iterable[str], forbidden: Iterable[str]) -> Counts:
    """Return how many *required* segments were found, of all found, of all required.

    >>> segment_counts("main  text", ["main text", "more"], ["menu", "text"])
    Counts(found=1, n_extracted=2, n_gold=2)
    """
    text = collapsed(extracted)
    wanted = [collapsed(segment) in text for segment in required]
    unwanted = [collapsed(segment) in text for segment in forbidden]
    return Counts(sum(wanted), sum(wanted) + sum(unwanted), len(wanted))
