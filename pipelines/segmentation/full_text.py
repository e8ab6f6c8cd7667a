"""FullText: the page is one segment, the baseline of the near-duplicate experiment.

*Source: Kohlschütter 2011, section 4.2.5, table 4.3 (FULLTEXT).* Cost: O(n).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.segmentation.segmenter import BlockSegmenter

if TYPE_CHECKING:
    import numpy.typing as npt

    from pipelines.segmentation.segmenter import WrappedBlocks


class FullText(BlockSegmenter):
    """Puts all blocks into one segment."""

    name = "FullText"

    def segment(self, blocks: WrappedBlocks) -> npt.NDArray[np.uint32]:
        """Return 0 for each block."""
        return np.zeros(len(blocks.n_tokens), dtype=np.uint32)
