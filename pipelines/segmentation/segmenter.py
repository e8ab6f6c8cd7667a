"""What every segmenter does: it labels the words of a page by the segment that they stand in.

Shapes: a page of n blocks with m density tokens in all gets ``token_labels``: uint32[m], from 0
upwards in page order. A segmenter that keeps atomic blocks whole says the same by block:
``segment``: uint32[n]. WordWrap does not keep them whole (its lines straddle blocks).
Invariant of both: labels never fall and rise by at most 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt


class WrappedBlocks(Protocol):
    """What segmenters read of :class:`crawler.page.Blocks`, one entry a block."""

    @property
    def text(self) -> Sequence[str]:
        """The blocks' texts."""

    @property
    def n_tokens(self) -> npt.NDArray[np.uint32]:
        """Density tokens of the block."""

    @property
    def n_lines(self) -> npt.NDArray[np.uint32]:
        """Lines of the block when it is wrapped."""

    @property
    def last_line_tokens(self) -> npt.NDArray[np.uint32]:
        """Density tokens of the last of them."""

    @property
    def gap_mask(self) -> npt.NDArray[np.uint64]:
        """The tags of the gap before the block, as bits of `crawler.page.tags.GAP_BITS`."""


class Wrapped(NamedTuple):
    """Blocks with nothing but what segmenters read of them."""

    text: Sequence[str]
    n_tokens: npt.NDArray[np.uint32]
    n_lines: npt.NDArray[np.uint32]
    last_line_tokens: npt.NDArray[np.uint32]
    gap_mask: npt.NDArray[np.uint64]


class Segmenter(Protocol):
    """A segmentation method."""

    @property
    def name(self) -> str:
        """The published name."""

    def token_labels(self, blocks: WrappedBlocks) -> npt.NDArray[np.uint32]:
        """Return the segment that each density token of *blocks* belongs to."""


class BlockSegmenter:
    """A segmentation method that keeps atomic blocks whole."""

    name: str

    def segment(self, blocks: WrappedBlocks) -> npt.NDArray[np.uint32]:
        """Return the number of the segment that each of *blocks* belongs to."""
        raise NotImplementedError

    def token_labels(self, blocks: WrappedBlocks) -> npt.NDArray[np.uint32]:
        """Return the segment that each density token of *blocks* belongs to."""
        return np.repeat(self.segment(blocks), blocks.n_tokens)
