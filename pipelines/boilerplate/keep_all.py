"""The baseline of every score: all text of the page is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.labels import Labels, labels_of

if TYPE_CHECKING:
    from crawler.page import Blocks


class KeepAll:
    """Keeps every block."""

    def label(self, blocks: Blocks) -> Labels:
        """Label all of *blocks* content."""
        return labels_of(np.ones(len(blocks.text), dtype=np.bool_))
