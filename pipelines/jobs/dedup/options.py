"""What ``scrapy dedup`` is asked to do; `--help` asks for the defaults alone, without the kernels that rules load."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from pipelines.duplicates.block_removal import Commit
    from pipelines.duplicates.verdicts import NearMethod, NearRule

Unit = Literal["document", "block"]
Keep = Literal["longest", "first", "rank", "complete"]
Engine = Literal["local", "spark"]
StopWords = Literal["keep", "exclude"]

UNITS = get_args(Unit)
KEEP_RULES = get_args(Keep)
MIN_MEMORY = 2**26


@dataclass(frozen=True, slots=True)
class DedupOptions:
    """Options of a run; ValueError for values out of range, naming them.

    *unit* ``document``: near-duplicates are by *method*, *threshold*, *shingle_words* and *distance*
    (:class:`NearRule`); of each cluster the *keep* rule keeps one. ``block``: Pomikálek's removal of
    blocks that are covered to *coverage* or more by n-grams of *ngram_words* words kept before; *stop_words*
    ``exclude``: of the words that are none (:mod:`pipelines.jobs.dedup.content_words`).
    *memory*, in bytes, bounds what is held beside some bytes a document; the rest is in temporary files.
    """

    unit: Unit = "document"
    method: NearMethod = "mutual-containment"
    threshold: float = 0.75
    shingle_words: int = 3
    distance: int = 3
    keep: Keep = "longest"
    coverage: float = 0.5
    ngram_words: int = 7
    stop_words: StopWords = "keep"
    commit: Commit = "safe"
    memory: int = 2**31
    engine: Engine = "local"

    def __post_init__(self) -> None:
        from pipelines.duplicates.block_removal import Commit

        for name, known in (
            ("unit", UNITS),
            ("keep", KEEP_RULES),
            ("stop_words", get_args(StopWords)),
            ("commit", get_args(Commit)),
            ("engine", get_args(Engine)),
        ):
            if getattr(self, name) not in known:
                raise ValueError(
                    f"{name} must be one of {', '.join(known)}, got {getattr(self, name)}"
                )
        if not 0 < self.coverage <= 1:
            raise ValueError(f"coverage must be above 0 and at most 1, got {self.coverage}")
        if self.ngram_words < 1:
            raise ValueError(f"ngram_words must be at least 1, got {self.ngram_words}")
        if self.memory < MIN_MEMORY:
            raise ValueError(f"memory must be at least 64M, got {self.memory} bytes")
        _ = self.rule

    @property
    def rule(self) -> NearRule:
        """What makes near-duplicates."""
        from pipelines.duplicates.verdicts import NearRule

        return NearRule(self.method, self.threshold, self.shingle_words, self.distance)
