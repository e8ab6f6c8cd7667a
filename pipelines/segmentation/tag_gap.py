"""TagGap: every atomic block is a segment, the text between any two tags but ``a``.

*Source: Kohlschütter 2011, section 4.2.3 (TAGGAP).* Cost: O(n).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.segmentation.segmenter import BlockSegmenter

if TYPE_CHECKING:
    import numpy.typing as npt

    from pipelines.segmentation.segmenter import WrappedBlocks


class TagGap(BlockSegmenter):
    """Leaves the atomic blocks as they are."""

    name = "TagGap"

    def segment(self, blocks: WrappedBlocks) -> npt.NDArray[np.uint32]:
        """Return the number of each block."""
        return np.arange(len(blocks.n_tokens), dtype=np.uint32)
