"""What the laws are fitted to, taken from the segments of a corpus in one pass.

Memory: fixed but for the terms and fingerprints (`BoundedCounts`, at most *max_entries* each), the words seen of late
(`TextRuns`) and 8 bytes a document for its averages. Notes of 14 bytes a segment wait on disk (`SegmentSpool`).
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipelines.jobs.laws.segments import worded
from pipelines.linguistics.bounded_counts import MAX_ENTRIES
from pipelines.linguistics.laws.fingerprints import TEMPLATE_FREQUENCY, FingerprintCounts, Templates
from pipelines.linguistics.laws.full_stop import sentence_lengths
from pipelines.linguistics.laws.histograms import (
    DENSITY_CLASSES,
    LengthCounts,
    token_histogram,
)
from pipelines.linguistics.laws.text_runs import TextRuns
from pipelines.linguistics.term_typicality import (
    MIN_DOCUMENTS,
    SPARSE_DENSITY,
    TermCounts,
    Typicality,
)
from pipelines.segmentation.density_quotient import Densities, quotient_classes

if TYPE_CHECKING:
    import numpy.typing as npt

    from pipelines.jobs.laws.segments import Segments
    from pipelines.jobs.laws.spool import SegmentSpool

    Ints = npt.NDArray[np.int64]

# What a word may be of: main text without its links, other text without them, links.
CLASSES = ("main text", "other text", "linked text")


@dataclass(frozen=True, slots=True)
class LawsOptions:
    """What is counted as a term, as a template, and how much of it is held in memory.

    *min_documents*: documents that a term must be in; None: the published share of the corpus.
    *template_frequency*: segments that bear the fingerprint of a template, 2 or more.
    *max_entries*: terms, and fingerprints, counted at once, 2 or more.
    *latin_only*: fingerprints of the Latin letters alone, as published.
    """

    min_documents: int | None = MIN_DOCUMENTS
    template_frequency: int = TEMPLATE_FREQUENCY
    max_entries: int = MAX_ENTRIES
    latin_only: bool = False

    def __post_init__(self) -> None:
        bounds = {"template_frequency": 2, "max_entries": 2, "min_documents": 1}
        for name, bound in bounds.items():
            value = getattr(self, name)
            if value is not None and value < bound:
                raise ValueError(f"{name} must be at least {bound}, got {value}")


@dataclass(frozen=True, slots=True)
class LawsData:
    """The data of all laws; histograms are int64, index is the value counted.

    *density_tokens*, *density_segments*: [k, 2] by rounded density and full stop. *class_density*, *class_words*: words
    of `CLASSES`, [k, 3], by the rounded density of their atomic block and by its words. *template_tokens*: [k, 2, 2] by
    rounded density, template and full stop. *token_lengths*: tokens by the average token length of their segment,
    rounded. *average_length*, *average_density*: of each document, float32[n]. *n_cut*: lengths above `MAX_LENGTH`, and
    entries forgotten, by what they are of.
    """

    n_documents: int
    n_empty: int
    quotients: npt.NDArray[np.int64]
    segment_lengths: npt.NDArray[np.int64]
    block_lengths: npt.NDArray[np.int64]
    sentence_lengths: npt.NDArray[np.int64]
    token_lengths: npt.NDArray[np.int64]
    density_tokens: npt.NDArray[np.int64]
    density_segments: npt.NDArray[np.int64]
    class_density: npt.NDArray[np.int64]
    class_words: npt.NDArray[np.int64]
    template_tokens: npt.NDArray[np.int64]
    average_length: npt.NDArray[np.float32]
    average_density: npt.NDArray[np.float32]
    typicality: Typicality
    templates: Templates
    n_terms: int
    n_cut: dict[str, int]


class LawsGatherer:
    """Takes documents, some at a time; `data` gives what came of all of them."""

    def __init__(self, options: LawsOptions, spool: SegmentSpool) -> None:
        self.options = options
        self.n_documents = 0
        self.n_empty = 0
        self._spool = spool
        self._runs = TextRuns(latin_only=options.latin_only)
        self._terms = TermCounts(max_terms=options.max_entries)
        self._fingerprints = FingerprintCounts(
            min_frequency=options.template_frequency,
            max_fingerprints=options.max_entries,
        )
        self._lengths = {
            name: LengthCounts() for name in ("quotient", "segment", "block", "sentence", "token")
        }
        self._density = np.zeros((2, DENSITY_CLASSES, 2), dtype=np.int64)
        self._class_density = [LengthCounts() for _ in CLASSES]
        self._class_words = [LengthCounts() for _ in CLASSES]
        self._average_length = array("f")
        self._average_density = array("f")

    def add(self, segments: Segments) -> None:
        """Count the documents of *segments*; one without a token only as empty."""
        n_before = len(segments.urls)
        segments = worded(segments)
        n_documents = len(segments.urls)
        self.n_empty += n_before - n_documents
        if not n_documents:
            return
        self.n_documents += n_documents
        counts = segments.counts
        rounded = counts.rounded
        runs, block_ends = self._runs.number(segments.texts)
        ends = block_ends[segments.last_blocks]
        full_stop = self._runs.full_stops(runs, ends)
        self._lengths["block"].add(segments.blocks.n_tokens)
        self._lengths["segment"].add(counts.n_tokens)
        densities = Densities(counts.words, counts.lines)
        self._lengths["quotient"].add(quotient_classes(densities, segments.documents))
        self._add_densities(counts.n_tokens, rounded, full_stop)
        self._add_classes(segments)
        self._add_lengths(segments, runs, ends)
        self._add_sentences(segments, runs, ends, full_stop)
        self._add_terms(segments, runs, ends)
        serials = self._fingerprints.add_all(self._runs.normal_forms(runs, ends))
        self._spool.add(serials, counts.n_tokens, rounded, full_stop)

    def _add_densities(
        self, n_tokens: Ints, rounded: Ints, full_stop: npt.NDArray[np.bool_]
    ) -> None:
        ones = np.ones_like(rounded)
        for row, weights in enumerate((n_tokens, ones)):
            for flag in (0, 1):
                chosen = full_stop == flag
                self._density[row, :, flag] += token_histogram(rounded[chosen], weights[chosen])

    def _add_classes(self, segments: Segments) -> None:
        """Count the words of `CLASSES`, by the density of their block and by its words."""
        blocks = segments.blocks
        unlinked = blocks.n_tokens - blocks.linked
        of_class = (unlinked * blocks.kept, unlinked * ~blocks.kept, blocks.linked)
        for number, words in enumerate(of_class):
            self._class_density[number].add(blocks.rounded, words)
            self._class_words[number].add(blocks.n_tokens, words)

    def _add_lengths(self, segments: Segments, runs: Ints, ends: Ints) -> None:
        """Count lengths of tokens, and note their average and that of the density in each document."""
        n_tokens = segments.counts.n_tokens
        n_letters = self._runs.n_letters(runs, ends)
        has_token = n_tokens > 0
        nearest = (2 * n_letters[has_token] + n_tokens[has_token]) // (2 * n_tokens[has_token])
        self._lengths["token"].add(nearest, n_tokens[has_token])
        density = segments.counts.density
        total = segments.n_tokens
        start = 0
        for end, n in zip(segments.segment_ends.tolist(), total.tolist(), strict=True):
            self._average_length.append(float(n_letters[start:end].sum() / n))
            self._average_density.append(float(density[start:end] @ n_tokens[start:end]) / n)
            start = end

    def _add_sentences(
        self, segments: Segments, runs: Ints, ends: Ints, full_stop: npt.NDArray[np.bool_]
    ) -> None:
        """Count the lengths of the sentences of segments with a full stop."""
        # Scripts without spaces have words within runs.
        spaceless = self._runs.spaceless(runs, ends) & full_stop
        self._lengths["sentence"].add(
            self._runs.sentence_lengths(runs, ends, full_stop & ~spaceless)
        )
        for i in np.flatnonzero(spaceless).tolist():
            blocks = segments.texts[segments.starts[i] : segments.last_blocks[i] + 1]
            self._lengths["sentence"].add(
                np.array(sentence_lengths("\n".join(blocks)), dtype=np.int64)
            )

    def _add_terms(self, segments: Segments, runs: Ints, ends: Ints) -> None:
        parts = 2 * segments.documents + (segments.counts.rounded > SPARSE_DENSITY)
        parts, numbers = self._runs.terms(runs, np.repeat(parts, np.diff(ends, prepend=0)))
        self._terms.add_documents(len(segments.urls), parts, numbers, self._runs.term_names)

    def data(self) -> LawsData:
        """Return the data of all documents so far."""
        templates = self._fingerprints.templates()
        lengths = {name: counted.counts for name, counted in self._lengths.items()}
        n_cut = {f"{name} lengths": counted.n_cut for name, counted in self._lengths.items()}
        n_cut["terms"] = self._terms.n_forgotten
        n_cut["fingerprints"] = self._fingerprints.n_forgotten
        return LawsData(
            n_documents=self.n_documents,
            n_empty=self.n_empty,
            quotients=lengths["quotient"],
            segment_lengths=lengths["segment"],
            block_lengths=lengths["block"],
            sentence_lengths=lengths["sentence"],
            token_lengths=lengths["token"],
            density_tokens=self._density[0],
            density_segments=self._density[1],
            class_density=_side_by_side(self._class_density),
            class_words=_side_by_side(self._class_words),
            template_tokens=self._spool.template_tokens(templates.serials),
            average_length=np.array(self._average_length, dtype=np.float32),
            average_density=np.array(self._average_density, dtype=np.float32),
            typicality=self._terms.typicality(self.options.min_documents),
            templates=templates,
            n_terms=self._terms.n_terms,
            n_cut={name: count for name, count in n_cut.items() if count},
        )


def _side_by_side(counts: list[LengthCounts]) -> npt.NDArray[np.int64]:
    """Return *counts* as columns."""
    size = max(len(each.counts) for each in counts)
    return np.stack([np.pad(each.counts, (0, size - len(each.counts))) for each in counts], axis=1)
