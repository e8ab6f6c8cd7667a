"""Measures of how well an extracted text agrees with a page's gold text, by name.

``MEASURES`` score a page, and pages are averaged (`averages.macro`); ``POOLED`` count on a page, and
the counts of all pages are scored together, most as one (`counts.pooled`). Both take the extracted text and the page.
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
``shingle-f1-zyte``      pooled: the benchmark's, the F1 of means  Zyte 2019
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
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Generic, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import numpy.typing as npt

    from pipelines.evaluation.gold import GoldPage, Scores
    from pipelines.evaluation.measures.counts import Counts

__all__ = ["MARKED", "MEASURES", "POOLED", "Measure", "applies", "pooled_scores"]

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Measure(Generic[_Result]):
    """A measure of an extracted text and one of the texts of a page, named by its field.

    *function* is MODULE.NAME beside this module, imported when it is asked for: kernels load slowly, and who only
    names the measures needs none.
    """

    function: str
    field: str = "gold"

    @cached_property
    def compare(self) -> Callable[[str, str], _Result]:
        """The function of the two texts."""
        module, name = self.function.split(".")
        found = getattr(import_module(f"{__name__}.{module}"), name)
        return cast("Callable[[str, str], _Result]", found)

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
        from pipelines.evaluation.measures.segments import segment_counts

        return segment_counts(extracted, page.required, page.forbidden)


@dataclass(frozen=True, slots=True)
class _TextNodes:
    """The measure of text nodes on whose label *min_agreement* percent of the annotators agree."""

    min_agreement: int = 0

    @staticmethod
    def applies(page: GoldPage) -> bool:
        return bool(page.node_labels)

    def __call__(self, extracted: str, page: GoldPage) -> Counts:
        from pipelines.evaluation.measures.node_alignment import counts_of_text

        return counts_of_text(extracted, page.node_labels, min_agreement=self.min_agreement)


MEASURES: dict[str, Measure[Scores]] = {
    "token-f1": Measure("token_f1.token_f1"),
    "token-f1-full": Measure("token_f1.token_f1", "full_gold"),
    "token-f1-lenient": Measure("token_f1.token_f1", "lenient_gold"),
    "cs": Measure("gottron.character_sequence"),
    "ws": Measure("gottron.word_sequence"),
    "bow": Measure("gottron.bag_of_words"),
    "sow": Measure("gottron.set_of_words"),
    "ws-blanks": Measure("gottron.blank_word_sequence"),
    "bow-blanks": Measure("gottron.bag_of_blank_words"),
    "sow-blanks": Measure("gottron.set_of_blank_words"),
    "cleaneval": Measure("cleaneval.text_only"),
    "rouge-lsum": Measure("rouge.rouge_lsum"),
    "shingle-f1": Measure("shingles.shingle_f1"),
}
POOLED: dict[str, Measure[Counts] | _Segments | _TextNodes] = {
    "shingle-f1-zyte": Measure("shingles.shingle_counts"),
    "segments": _Segments(),
    "text-nodes": _TextNodes(),
    **{f"text-nodes-{percent}": _TextNodes(percent) for percent in (50, 80, 100)},
    "cleaneval-py": Measure("cleaneval.plain_words"),
    "cleaneval-py-lenient": Measure("cleaneval.plain_words", "lenient_gold"),
    "cleaneval-py-exact": Measure("cleaneval.exact_plain_words"),
}
MARKED: dict[str, Measure[Scores]] = {
    "cleaneval-marks": Measure("cleaneval.tagged_text_and_marks", "tagged_gold")
}


def pooled_scores(name: str, counts: npt.NDArray[np.float64]) -> Scores:
    """Return the scores of pages with *counts*, float64[n, 3], of the measure called *name*, one of ``POOLED``."""
    from pipelines.evaluation.measures.counts import pooled
    from pipelines.evaluation.measures.shingles import benchmark_scores
    from pipelines.evaluation.measures.text_nodes import node_scores

    if name == "shingle-f1-zyte":
        return benchmark_scores(counts)
    total = pooled(counts)
    return node_scores(total) if isinstance(POOLED[name], _TextNodes) else total.scores


def applies(name: str, page: GoldPage) -> bool:
    """Tell whether *page* has what the measure called *name* compares with.

    Raises ValueError for an unknown measure.
    """
    measure = MEASURES.get(name) or POOLED.get(name) or MARKED.get(name)
    if measure is None:
        known = ", ".join([*MEASURES, *POOLED, *MARKED])
        raise ValueError(f"unknown measure {name!r}; known are {known}")
    return measure.applies(page)
