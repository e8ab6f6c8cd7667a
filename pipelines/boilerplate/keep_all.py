"""The baseline of every score: all text of the page is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.reasons import Reasons

if TYPE_CHECKING:
    from crawler.page import PageModel
    from crawler.page.limits import Inline


class KeepAll:
    """Keeps every block."""

    inline: Inline = "gap"

    def label(self, page: PageModel) -> Labels:
        """Label all blocks of *page* content."""
        return labels_of(np.ones(len(page.blocks), dtype=np.bool_))

    def reasons(self, page: PageModel) -> Reasons:  # noqa: ARG002 - of no page there is more to say
        """Return that all of *page* is kept."""
        return Reasons(["Every block is kept."])
