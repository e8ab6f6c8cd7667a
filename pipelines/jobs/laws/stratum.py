"""Short and long text of a single document: the distribution of its text density.

*Source: Kohlschütter 2011, section 4.4.4, figure 4.26*: whole works (a thesis, a catalogue, a play)
differ in the share of short text. Long text is counted by density (rounded density from 9, see
:mod:`pipelines.linguistics.term_typicality`) and by the words of the blocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.wording import counted
from pipelines.linguistics.laws.histograms import token_histogram
from pipelines.linguistics.term_typicality import SPARSE_DENSITY

if TYPE_CHECKING:
    import numpy.typing as npt

    from pipelines.jobs.laws.segments import DocumentSegments


@dataclass(frozen=True, slots=True)
class Stratum:
    """The strata of the document *url*.

    *density_tokens*: tokens by rounded density. *long_by_density*: share of the tokens in dense
    segments; *long_by_words*: in blocks of at least *word_threshold* words, None without a
    threshold.
    """

    url: str
    n_segments: int
    n_blocks: int
    density_tokens: npt.NDArray[np.int64]
    long_by_density: float
    long_by_words: float | None
    word_threshold: int | None

    @property
    def n_tokens(self) -> int:
        """Tokens of the document."""
        return int(self.density_tokens.sum())

    @property
    def mode(self) -> int:
        """The rounded density that most tokens have, of equal ones the lowest."""
        return int(np.argmax(self.density_tokens))

    def rows(self) -> list[tuple[str, str]]:
        """Return the figures as rows of a table."""
        rows = [
            ("tokens", f"{self.n_tokens:,}"),
            ("segments", f"{self.n_segments:,}"),
            ("blocks", f"{self.n_blocks:,}"),
            ("mode of the density", str(self.mode)),
            (f"long text (density > {SPARSE_DENSITY})", f"{100 * self.long_by_density:.1f} %"),
        ]
        if self.long_by_words is not None and self.word_threshold is not None:
            name = f"long text (blocks of {counted(self.word_threshold, 'word')} or more)"
            rows.append((name, f"{100 * self.long_by_words:.1f} %"))
        return rows

    def as_json(self) -> dict[str, Any]:
        """Return the figures as plain values."""
        return {
            "url": self.url,
            "tokens": self.n_tokens,
            "segments": self.n_segments,
            "blocks": self.n_blocks,
            "mode": self.mode,
            "long_by_density": self.long_by_density,
            "long_by_words": self.long_by_words,
            "word_threshold": self.word_threshold,
            "density_tokens": self.density_tokens.tolist(),
        }


def document_stratum(document: DocumentSegments, word_threshold: int | None) -> Stratum:
    """Return the strata of *document*; without a token both shares are 0."""
    counts = document.counts
    by_density = token_histogram(counts.rounded, counts.n_tokens)
    total = max(int(by_density.sum()), 1)
    words = document.block_words
    by_words = None
    if word_threshold is not None:
        by_words = int(words[words >= word_threshold].sum()) / total
    return Stratum(
        url=document.url,
        n_segments=len(counts.n_tokens),
        n_blocks=len(words),
        density_tokens=by_density,
        long_by_density=int(by_density[SPARSE_DENSITY + 1 :].sum()) / total,
        long_by_words=by_words,
        word_threshold=word_threshold,
    )
