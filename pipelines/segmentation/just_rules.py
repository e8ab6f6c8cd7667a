"""JustRules: a segment begins at every gap with a tag of FORCE_GAP, whatever the densities.

It is BF-rule-based with an infinite theta. Code that compares delta' with theta alone would fuse
across forced gaps too, for then both are infinite.

*Source: Kohlschütter 2011, section 4.2.2 (JUSTRULES).* Cost: O(n).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.page.tags import FORCE_GAP
from pipelines.segmentation.segmenter import BlockSegmenter

if TYPE_CHECKING:
    import numpy.typing as npt

    from pipelines.segmentation.segmenter import WrappedBlocks

_FORCE_GAP = np.uint64(FORCE_GAP)


class JustRules(BlockSegmenter):
    """Cuts at forced gaps and nowhere else."""

    name = "JustRules"

    def segment(self, blocks: WrappedBlocks) -> npt.NDArray[np.uint32]:
        """Return the number of the segment that each of *blocks* belongs to."""
        begins = (blocks.gap_mask & _FORCE_GAP) != 0
        begins[:1] = False
        return np.cumsum(begins, dtype=np.uint32)
