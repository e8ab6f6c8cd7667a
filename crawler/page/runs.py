"""The runs of text that the blocks of a page were made of, as places in its source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class TextRuns:
    """Text between two tags or comments, one entry a run, in page order.

    ``start``, ``end``: byte offsets into the page's source in UTF-8, whitespace at the ends and
    character references as they stand there; ``block``: index of the block that the run belongs to.
    A run is not whitespace alone; runs do not overlap, and those of one block follow each other.

    Shapes: three uint32[n]. Raises ValueError when the lengths differ, a run is empty or reversed, or
    runs are not in page order.
    """

    start: npt.NDArray[np.uint32]
    end: npt.NDArray[np.uint32]
    block: npt.NDArray[np.uint32]

    def __post_init__(self) -> None:
        sizes = {len(self.start), len(self.end), len(self.block)}
        if len(sizes) != 1:
            raise ValueError(f"start, end and block must be of one length, got {sorted(sizes)}")
        if np.any(self.start >= self.end):
            raise ValueError("start must be before end in every run")
        if np.any(self.end[:-1] > self.start[1:]) or np.any(self.block[:-1] > self.block[1:]):
            raise ValueError("runs must be in page order and not overlap")

    def __len__(self) -> int:
        return len(self.start)
