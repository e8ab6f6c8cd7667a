"""What the page table holds unsealed, sorted and packed for a run; a thread of its own may do it.

The pages lie in arrays that are only added to until the run is committed, so those that were there
when the work began do not change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.webgraph.pages.blocks import pack_groups

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.webgraph.texts import Texts


class Unsealed(NamedTuple):
    """Pages uint64[n] and their local keys, all hosts, and the last sequence of the log."""

    ids: npt.NDArray[np.uint64]
    texts: Texts
    n_hosts: int
    last: int


class SortedPages(NamedTuple):
    """The same with *ids* ascending, and the texts in their order in packed *groups*."""

    ids: npt.NDArray[np.uint64]
    groups: list[bytes]
    n_hosts: int
    last: int


def sorted_pages(unsealed: Unsealed) -> SortedPages:
    """Return *unsealed* sorted and packed."""
    order = np.argsort(unsealed.ids)
    groups = pack_groups(unsealed.texts, order)
    return SortedPages(unsealed.ids[order], groups, unsealed.n_hosts, unsealed.last)
