"""Measures of how well an extracted text agrees with a page's gold text, by name.

``MEASURES`` score a page, and pages are averaged (`averages.macro`); ``POOLED`` count on a page, and
the counts of all pages are scored as one (`counts.pooled`). Both take the extracted text and the page.
``MARKED`` are as ``MEASURES``, but of a text with marks, which `cleaneval.marked` makes.

======================== ======================================== ======================
``token-f1``             `token_f1`, against the main text        our headline
``token-f1-full``        the same, with user comments             ``full_gold``
``token-f1-lenient``     the same, with what was uncertain        ``lenient_gold``
``cs, ws, bow, sow``     `gottron`                                Gottron 2008
``ws-blanks`` and so on  the last three, words apart by blanks    Gottron 2008
``cleaneval``            `cleaneval.text_only`; the score is F1   Baroni et al. 2008
``rouge-lsum``           `rouge`                                  Bevendorff et al. 2023
``shingle-f1``           `shingles`                               Zyte 2019
``segments``             pooled: `segments`                       Barbaresi 2021
``text-nodes``           pooled: `text_nodes`, of lines of text   Pomikálek 2011
``text-nodes-100``       the same, where all annotators agree,    Pomikálek 2011
                         80 and 50: where so many percent do
``cleaneval-py``         pooled: `cleaneval.word_counts`          Evert 2008
``cleaneval-py-lenient`` the same, with what was uncertain        ``lenient_gold``
``cleaneval-py-exact``   the same, by an LCS, and all characters  Evert 2008, mended
``cleaneval-marks``      marked: `cleaneval.text_and_marks`       Baroni et al. 2008
======================== ======================================== ======================

What needs more than text (kept blocks, agreement, two methods) are functions: `node_alignment`,
`text_nodes`, `fragments`, `sweeps`, `significance`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from pipelines.evaluation.gold import Scores
from pipelines.evaluation.measures import cleaneval, gottron
from pipelines.evaluation.measures.counts import Counts
from pipelines.evaluation.measures.node_alignment import counts_of_text
from pipelines.evaluation.measures.rouge import rouge_lsum
from pipelines.evaluation.measures.segments import segment_counts
from pipelines.evaluation.measures.shingles import shingle_f1
from pipelines.evaluation.measures.text_nodes import node_scores
from pipelines.evaluation.measures.token_f1 import token_f1

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipelines.evaluation.gold import GoldPage

__all__ = ["MARKED", "MEASURES", "POOLED", "Measure", "applies", "pooled_scores"]

_Result = TypeVar("_Result", Scores, Counts)


@dataclass(frozen=True, slots=True)
class Measure(Generic[_Result]):
    """A measure of an extracted text and one of the texts of a page, named by its field."""

    compare: Callable[[str, str], _Result]
    field: str = "gold"

    def applies(self, page: GoldPage) -> bool:
        """Tell whether *page* has the text to compare with."""
        return getattr(page, self.field) is not None

    def __call__(self, extracted: str, page: GoldPage) -> _Result:
        """Measure *extracted*; ValueError when *page* has no such text."""
        text = getattr(page, self.field)
        if text is None:
            raise ValueError(f"page {page.page_id!r} of {page.dataset!r} has no {self.field}")
        return self.compare(extracted, text)


class _Segments:
    """The measure of segments, which a page has in two fields."""

    @staticmethod
    def applies(page: GoldPage) -> bool:
        return bool(page.required or page.forbidden)

    def __call__(self, extracted: str, page: GoldPage) -> Counts:
        return segment_counts(extracted, page.required, page.forbidden)


@dataclass(frozen=True, slots=True)
class _TextNodes:
    """The measure of text nodes on whose label *min_agreement* percent of the annotators agree."""

    min_agreement: int = 0

    @staticmethod
    def applies(page: GoldPage) -> bool:
        return bool(page.node_labels)

    def __call__(self, extracted: str, page: GoldPage) -> Counts:
        return counts_of_text(extracted, page.node_labels, min_agreement=self.min_agreement)


def _cleaneval_py(extracted: str, gold: str) -> Counts:
    """Return the words that cleaneval.py counts, marks stripped and without non-ASCII characters."""
    plain = cleaneval.without_marks(extracted), cleaneval.without_marks(gold)
    return cleaneval.word_counts(*plain).words


def _cleaneval_py_exact(extracted: str, gold: str) -> Counts:
    """Return the words by the longest alignment, those of all scripts, marks stripped."""
    plain = cleaneval.without_marks(extracted), cleaneval.without_marks(gold)
    return cleaneval.word_counts(*plain, ascii_only=False, exact=True).words


def _cleaneval_marks(extracted: str, tagged: str) -> Scores:
    return cleaneval.text_and_marks(extracted, cleaneval.marked_gold(tagged))


MEASURES: dict[str, Measure[Scores]] = {
    "token-f1": Measure(token_f1),
    "token-f1-full": Measure(token_f1, "full_gold"),
    "token-f1-lenient": Measure(token_f1, "lenient_gold"),
    "cs": Measure(gottron.character_sequence),
    "ws": Measure(gottron.word_sequence),
    "bow": Measure(gottron.bag_of_words),
    "sow": Measure(gottron.set_of_words),
    "ws-blanks": Measure(partial(gottron.word_sequence, words=gottron.blank_words)),
    "bow-blanks": Measure(partial(gottron.bag_of_words, words=gottron.blank_words)),
    "sow-blanks": Measure(partial(gottron.set_of_words, words=gottron.blank_words)),
    "cleaneval": Measure(cleaneval.text_only),
    "rouge-lsum": Measure(rouge_lsum),
    "shingle-f1": Measure(shingle_f1),
}
POOLED: dict[str, Measure[Counts] | _Segments | _TextNodes] = {
    "segments": _Segments(),
    "text-nodes": _TextNodes(),
    **{f"text-nodes-{percent}": _TextNodes(percent) for percent in (50, 80, 100)},
    "cleaneval-py": Measure(_cleaneval_py),
    "cleaneval-py-lenient": Measure(_cleaneval_py, "lenient_gold"),
    "cleaneval-py-exact": Measure(_cleaneval_py_exact),
}
MARKED: dict[str, Measure[Scores]] = {"cleaneval-marks": Measure(_cleaneval_marks, "tagged_gold")}


def pooled_scores(name: str, counts: Counts) -> Scores:
    """Return the scores of the pooled *counts* of the measure called *name*, one of ``POOLED``."""
    return node_scores(counts) if isinstance(POOLED[name], _TextNodes) else counts.scores


def applies(name: str, page: GoldPage) -> bool:
    """Tell whether *page* has what the measure called *name* compares with.

    Raises ValueError for an unknown measure.
    """
    measure = MEASURES.get(name) or POOLED.get(name) or MARKED.get(name)
    if measure is None:
        known = ", ".join([*MEASURES, *POOLED, *MARKED])
        raise ValueError(f"unknown measure {name!r}; known are {known}")
    return measure.applies(page)
