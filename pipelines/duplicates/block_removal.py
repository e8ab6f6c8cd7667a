"""Pomikálek's removal of duplicate blocks, with their context judged anew.

1. Units are the blocks whose context-free class is good or near-good. Others are neither tested nor
   do they contribute n-grams.
2. Algorithm 3.1 runs over the units; one that is covered to *t* or more becomes ``duplicate``.
3. The context-sensitive classification runs again over the context-free classes of the page, in
   which a duplicate counts as bad: short and some near-good blocks beside duplicates go, too, and no
   stubs remain.
4. A document without a good block is gone.

When the n-grams of a unit go to Gout is the *commit* rule. ``thesis``: as soon as it passes step 2.
What step 3 then drops has used up its n-grams, the next copy is dropped for them, and no copy is
kept. ``safe`` (the default): a document is decided and classified first, then the n-grams of the
units that are kept are moved, so that every n-gram of the collection's units that step 3 kept once is
kept somewhere.

*Source:* Pomikálek 2011, 3.5.2. Stated choices: n-grams do not cross blocks; documents are ordered
by :func:`pipelines.duplicates.removal.by_duplicate_share` by the caller, blocks stay in page order.

Shapes: one class and one array of n-gram hashes a block. Invariant: with no duplicates the result
is that of the context-sensitive classification.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from pipelines.duplicates.removal import MAX_COVERAGE, NGRAM_WORDS, is_kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import numpy as np
    import numpy.typing as npt

    from pipelines.duplicates.removal import DuplicateNgrams

    U64 = npt.NDArray[np.uint64]
    I64 = npt.NDArray[np.int64]
    Classify = Callable[[Sequence[str]], Sequence[bool]]

GOOD, NEAR_GOOD, BAD, DUPLICATE = "good", "neargood", "bad", "duplicate"
UNITS = frozenset({GOOD, NEAR_GOOD})

Commit = Literal["safe", "thesis"]


class DocumentBlocks(NamedTuple):
    """The blocks of one document: context-free classes, and the n-grams of each."""

    classes: Sequence[str]
    hashes: Sequence[U64]


class DecidedBlocks(NamedTuple):
    """What became of the blocks of one document: whether each is kept, and which are duplicates."""

    kept: Sequence[bool]
    is_duplicate: Sequence[bool]


class BlockRemoval:
    """Decides documents in the order in which they are given.

    *classify* is the context-sensitive classification: context-free classes of a page to whether each
    block is kept; without one the units that are no duplicates are. Raises ValueError for another
    *commit*.
    """

    def __init__(
        self,
        ngrams: DuplicateNgrams,
        *,
        n: int = NGRAM_WORDS,
        t: float = MAX_COVERAGE,
        commit: Commit = "safe",
        classify: Classify | None = None,
    ):
        if commit not in {"safe", "thesis"}:
            raise ValueError(f"commit must be safe or thesis, got {commit!r}")
        self.ngrams = ngrams
        self.n = n
        self.t = t
        self.commit = commit
        self.classify = classify or _units

    def decide(self, documents: Iterable[DocumentBlocks]) -> Iterator[DecidedBlocks]:
        """Yield what becomes of each of *documents*."""
        for document in documents:
            places = [self.ngrams.places(hashes) for hashes in document.hashes]
            classes = [
                DUPLICATE if cls in UNITS and self._is_duplicate(found) else cls
                for cls, found in zip(document.classes, places, strict=True)
            ]
            read = [BAD if cls == DUPLICATE else cls for cls in classes]
            kept = list(self.classify(read))
            if self.commit == "safe":
                self._move(found for found, keep in zip(places, kept, strict=True) if keep)
            yield DecidedBlocks(kept, [cls == DUPLICATE for cls in classes])

    def _is_duplicate(self, places: I64) -> bool:
        n_words = len(places) + self.n - 1 if len(places) else 0
        kept = is_kept(self.ngrams.coverage(places, self.n, n_words), self.t)
        if kept and self.commit == "thesis":
            self.ngrams.move(places)
        return not kept

    def _move(self, kept: Iterable[I64]) -> None:
        for places in kept:
            self.ngrams.move(places)


def _units(classes: Sequence[str]) -> list[bool]:
    return [cls in UNITS for cls in classes]
