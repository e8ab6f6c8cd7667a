"""What ``scrapy dedup`` is asked to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from pipelines.duplicates.block_removal import Commit

Unit = Literal["document", "block"]
Keep = Literal["first", "rank", "longest", "complete"]

UNITS = get_args(Unit)
KEEP_RULES = get_args(Keep)
MIN_MEMORY = 2**26


@dataclass(frozen=True, slots=True)
class DedupOptions:
    """Options of a run; ValueError for values out of range, naming them.

    *unit* ``document``: near-duplicates are documents of *resemblance* or more by word shingles of
    *shingle_words*; of each cluster the *keep* rule keeps one. ``block``: Pomikálek's removal of
    blocks that are covered to *coverage* or more by n-grams of *ngram_words* words kept before.
    *memory*, in bytes, bounds what is held beside one row group of documents; the rest is in
    temporary files.
    """

    unit: Unit = "document"
    resemblance: float = 0.7
    shingle_words: int = 3
    keep: Keep = "first"
    coverage: float = 0.5
    ngram_words: int = 7
    commit: Commit = "safe"
    memory: int = 2**31

    def __post_init__(self) -> None:
        for name, known in (("unit", UNITS), ("keep", KEEP_RULES), ("commit", get_args(Commit))):
            if getattr(self, name) not in known:
                raise ValueError(
                    f"{name} must be one of {', '.join(known)}, got {getattr(self, name)}"
                )
        for name in ("resemblance", "coverage"):
            if not 0 < getattr(self, name) <= 1:
                raise ValueError(f"{name} must be above 0 and at most 1, got {getattr(self, name)}")
        for name in ("shingle_words", "ngram_words"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}")
        if self.memory < MIN_MEMORY:
            raise ValueError(f"memory must be at least 64M, got {self.memory} bytes")
