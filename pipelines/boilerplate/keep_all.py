"""The baseline of every score: all text of the page is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.labels import Labels, labels_of

if TYPE_CHECKING:
    from typing import Literal

    from crawler.page import PageModel


class KeepAll:
    """Keeps every block."""

    inline: Literal["gap", "transparent"] = "gap"

    def label(self, page: PageModel) -> Labels:
        """Label all blocks of *page* content."""
        return labels_of(np.ones(len(page.blocks), dtype=np.bool_))
