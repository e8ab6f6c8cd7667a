"""What a cleaner says of the blocks of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from crawler.page import PageRules
from crawler.page.numbered_labels import NumberedLabels

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Hidden, Inline

CONTENT = "content"
BOILERPLATE = "boilerplate"
COMMENT = "comment"
# By number: kept or not, and of the comments.
_NAMES = (BOILERPLATE, CONTENT, COMMENT, COMMENT)


class Labels(NamedTuple):
    """One entry a block: whether it is kept, and the method's own label."""

    kept: npt.NDArray[np.bool_]
    label: Sequence[str]


class CleaningFailed(Exception):  # noqa: N818  it names what happened to a page, no error of ours
    """A cleaner that runs in a process of its own gave nothing for a page.

    *reason*: ``cleaner_timeout``, ``cleaner_memory``, ``cleaner_died`` or ``cleaner_error``.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Cleaner(Protocol):
    """A method of boilerplate removal.

    *inline* is the ``PageRules(inline=...)`` for whose blocks it was published, or trained; it labels blocks of other
    rules, too. A method may have an attribute ``hidden``, which says the same of ``PageRules(hidden=...)``, and a
    method ``reasons(page)``, which gives the inspector :class:`~pipelines.boilerplate.reasons.Reasons`.
    """

    inline: Inline

    def label(self, page: PageModel) -> Labels:
        """Label each of the atomic blocks of *page*, in page order."""


def rules_of(cleaner: Cleaner) -> PageRules:
    """Return the rules of the pages that *cleaner* was made for."""
    hidden: Hidden = getattr(cleaner, "hidden", "keep")
    return PageRules(inline=cleaner.inline, hidden=hidden)


def labels_of(kept: npt.NDArray[np.bool_], comments: npt.NDArray[np.bool_] | None = None) -> Labels:
    """Return the labels of a method that only keeps or drops; *comments*, if given, marks blocks of users' comments.

    A block of comments is labelled so whether it is kept or not.
    """
    number = kept.astype(np.uint8)
    if comments is not None:
        number = number | comments.view(np.uint8) << np.uint8(1)
    return Labels(kept, NumberedLabels(_NAMES, number))
