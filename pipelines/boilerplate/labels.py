"""What a cleaner says of the blocks of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from crawler.page import PageModel

CONTENT = "content"
BOILERPLATE = "boilerplate"
COMMENT = "comment"


class Labels(NamedTuple):
    """One entry a block: whether it is kept, and the method's own label."""

    kept: npt.NDArray[np.bool_]
    label: list[str]


class Cleaner(Protocol):
    """A method of boilerplate removal.

    *inline* says for which blocks it was published, those of ``PageRules(inline=...)``; it labels
    those of any other rules, too.
    """

    inline: Literal["gap", "transparent"]

    def label(self, page: PageModel) -> Labels:
        """Label each of the atomic blocks of *page*, in page order."""


def labels_of(kept: npt.NDArray[np.bool_]) -> Labels:
    """Return the labels of a method that knows two."""
    return Labels(kept, [CONTENT if keep else BOILERPLATE for keep in kept.tolist()])
