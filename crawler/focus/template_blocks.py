"""Which blocks of a page stand on other pages of its host, too: the template flag of a link's block.

A block is a template's when a block of the same text stood on at least :data:`SEEN_PAGES` earlier pages of the host.
Bar-Yossef and Rajagopalan 2002 (section 3) ask the same of pagelets, of pages that are linked together, once all are
there; a crawl knows the pages that it has fetched, and its unit is the block.

Texts are counted in a table of bytes by a fingerprint of host and text. When a fourth as many were counted as it has
places all counts are halved, so that about two blocks in a thousand are taken for a template's by chance, however
long the crawl. Memory: :data:`N_SLOTS` bytes. Cost: a hash a block. It begins anew with each run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from xxhash import xxh3_64_intdigest

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

N_SLOTS = 1 << 23
SEEN_PAGES = 3
_MOST = 255


class TemplateBlocks:
    """The blocks of the pages of a crawl."""

    def __init__(self, n_slots: int = N_SLOTS) -> None:
        self._counts = np.zeros(n_slots, np.uint8)
        self._n_counted = 0

    def flags(self, host_key: str, texts: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Return whether each of *texts*, blocks of one page of the host, is a template's; count them."""
        seed = xxh3_64_intdigest(host_key.encode("utf-8", "surrogatepass"))
        n_slots = len(self._counts)
        prints = (xxh3_64_intdigest(text.encode("utf-8", "surrogatepass"), seed) for text in texts)
        slots = np.array([each % n_slots for each in prints], np.int64)
        is_template: npt.NDArray[np.bool_] = self._counts[slots] >= SEEN_PAGES
        distinct = np.unique(slots)
        self._counts[distinct] = np.minimum(self._counts[distinct], _MOST - 1) + 1
        self._n_counted += len(distinct)
        if self._n_counted >= n_slots // 4:
            self._counts >>= 1
            self._n_counted = 0
        return is_template
