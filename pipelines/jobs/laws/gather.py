"""What the laws are fitted to, taken from the segments of a corpus in one pass.

Memory: fixed but for the terms and fingerprints (`BoundedCounts`, at most *max_entries* each) and 8
bytes a document for its averages. Notes of 14 bytes a segment wait on disk (`SegmentSpool`).
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipelines.linguistics.bounded_counts import MAX_ENTRIES
from pipelines.linguistics.fingerprints import TEMPLATE_FREQUENCY, FingerprintCounts, Templates
from pipelines.linguistics.full_stop import has_full_stop, sentence_lengths
from pipelines.linguistics.histograms import (
    DENSITY_CLASSES,
    LengthCounts,
    token_histogram,
)
from pipelines.linguistics.term_typicality import (
    MIN_DOCUMENTS,
    SPARSE_DENSITY,
    TermCounts,
    Typicality,
)
from pipelines.segmentation.density_quotient import Densities, quotient_classes

if TYPE_CHECKING:
    import numpy.typing as npt

    from pipelines.jobs.laws.segments import DocumentSegments
    from pipelines.jobs.laws.spool import SegmentSpool

# A token is its letters and digits (Kohlschütter 2011, section 4.2.1).
# What a word may be of: main text without its links, other text without them, links.
CLASSES = ("main text", "other text", "linked text")
_NO_LETTER_OR_DIGIT = re.compile(r"[\W_]+")


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

    *density_tokens*, *density_segments*: [k, 2] by rounded density and full stop.
    *class_density*, *class_words*: words of `CLASSES`, [k, 3], by the rounded density of their atomic block and by its words.
    *template_tokens*: [k, 2, 2] by rounded density, template and full stop.
    *token_lengths*: tokens by the average token length of their segment, rounded.
    *average_length*, *average_density*: of each document, float32[n].
    *n_cut*: lengths above `MAX_LENGTH`, and entries forgotten, by what they are of.
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
    """Takes documents one by one; `data` gives what came of all of them."""

    def __init__(self, options: LawsOptions, spool: SegmentSpool) -> None:
        self.options = options
        self.n_documents = 0
        self.n_empty = 0
        self._spool = spool
        self._terms = TermCounts(max_terms=options.max_entries)
        self._fingerprints = FingerprintCounts(
            min_frequency=options.template_frequency,
            max_fingerprints=options.max_entries,
            latin_only=options.latin_only,
        )
        self._lengths = {
            name: LengthCounts() for name in ("quotient", "segment", "block", "sentence", "token")
        }
        self._density = np.zeros((2, DENSITY_CLASSES, 2), dtype=np.int64)
        self._class_density = [LengthCounts() for _ in CLASSES]
        self._class_words = [LengthCounts() for _ in CLASSES]
        self._average_length = array("f")
        self._average_density = array("f")

    def add(self, document: DocumentSegments) -> None:
        """Count *document*; one without a token only as empty."""
        counts = document.counts
        n_tokens = int(counts.n_tokens.sum())
        if not n_tokens:
            self.n_empty += 1
            return
        self.n_documents += 1
        rounded = counts.rounded
        full_stop = np.array([has_full_stop(text) for text in document.texts])
        self._lengths["block"].add(document.block_words)
        self._lengths["segment"].add(counts.n_tokens)
        self._lengths["quotient"].add(quotient_classes(Densities(counts.words, counts.lines)))
        self._add_densities(document, rounded, full_stop)
        self._add_classes(document)
        self._add_lengths(document, full_stop)
        self._average_density.append(float(counts.density @ counts.n_tokens) / n_tokens)
        sparse = rounded <= SPARSE_DENSITY
        texts = document.texts
        self._terms.add(
            (text for text, flag in zip(texts, sparse, strict=True) if flag),
            (text for text, flag in zip(texts, sparse, strict=True) if not flag),
        )
        serials = [self._fingerprints.add(text) for text in texts]
        self._spool.add(serials, counts.n_tokens, rounded, full_stop)

    def _add_densities(
        self,
        document: DocumentSegments,
        rounded: npt.NDArray[np.int64],
        full_stop: npt.NDArray[np.bool_],
    ) -> None:
        ones = np.ones_like(rounded)
        for row, weights in enumerate((document.counts.n_tokens, ones)):
            for flag in (0, 1):
                chosen = full_stop == flag
                self._density[row, :, flag] += token_histogram(rounded[chosen], weights[chosen])

    def _add_classes(self, document: DocumentSegments) -> None:
        unlinked = document.block_words - document.block_linked
        of_class = (
            unlinked * document.block_kept,
            unlinked * ~document.block_kept,
            document.block_linked,
        )
        for number, words in enumerate(of_class):
            self._class_density[number].add(document.block_rounded, words)
            self._class_words[number].add(document.block_words, words)

    def _add_lengths(self, document: DocumentSegments, full_stop: npt.NDArray[np.bool_]) -> None:
        """Count lengths of sentences and of tokens, and note the average of the latter."""
        n_tokens = document.counts.n_tokens
        letters = [len(_NO_LETTER_OR_DIGIT.sub("", text)) for text in document.texts]
        n_letters = np.array(letters, dtype=np.int64)
        worded = n_tokens > 0
        nearest = (2 * n_letters[worded] + n_tokens[worded]) // (2 * n_tokens[worded])
        self._lengths["token"].add(nearest, n_tokens[worded])
        self._average_length.append(float(n_letters.sum() / n_tokens.sum()))
        sentences: list[int] = []
        for text, flag in zip(document.texts, full_stop.tolist(), strict=True):
            if flag:
                sentences += sentence_lengths(text)
        self._lengths["sentence"].add(np.array(sentences, dtype=np.int64))

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
