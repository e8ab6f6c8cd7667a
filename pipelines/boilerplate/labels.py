"""What a cleaner says of the blocks of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from crawler.page import Blocks

CONTENT = "content"
BOILERPLATE = "boilerplate"


class Labels(NamedTuple):
    """One entry a block: whether it is kept, and the method's own label."""

    kept: npt.NDArray[np.bool_]
    label: list[str]


class Cleaner(Protocol):
    """A method of boilerplate removal."""

    def label(self, blocks: Blocks) -> Labels:
        """Label each of *blocks*, the atomic blocks of one page in its order."""


def labels_of(kept: npt.NDArray[np.bool_]) -> Labels:
    """Return the labels of a method that knows two."""
    return Labels(kept, [CONTENT if keep else BOILERPLATE for keep in kept.tolist()])
