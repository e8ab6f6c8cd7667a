"""The score of a link: what is known of it before it is fetched.

::

    score = place (w_page page + w_anchor anchor + w_host host) / (w_page + w_anchor + w_host)

with the topical relevance of the page that the link stands on, that of its anchor text and of the words of its
address, and what is known of its target's host (its rank, and the relevance of its pages so far); each from 0 to 1.
*place* is what the block that it stands in is worth: 1 for main text; for boilerplate, and for a template, less, so
that such a link is still followed, later (Bar-Yossef & Rajagopalan 2002, section 4, case 2, leave links in template
pagelets out). Of main text a block counts the more, the denser its text is: from 3/4 for none to 1 for a text density
of :data:`FULL_DENSITY` and above (Schäfer, Barbaresi & Bildhauer 2014 order links by such features of the page that
they stand on).

The weights are of our choosing, and options.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    F32 = npt.NDArray[np.float32]
    F64 = npt.NDArray[np.float64]

FULL_DENSITY = 10.0
_LEAST_DENSE = 0.75


@dataclass(frozen=True, slots=True)
class LinkWeights:
    """Weights of the page, of the anchor and of the host, 0 or more; what boilerplate is worth, 0 to 1.

    Raises ValueError when all weights are 0, or one is out of its range.
    """

    page: float = 1.0
    anchor: float = 1.0
    host: float = 0.5
    boilerplate: float = 0.5

    def __post_init__(self) -> None:
        weights = (self.page, self.anchor, self.host)
        if not sum(weights) > 0 or min(weights) < 0:
            raise ValueError(f"weights must be 0 or more, and one of them above 0, got {weights}")
        if not 0 <= self.boilerplate <= 1:
            raise ValueError(f"boilerplate must be worth 0 to 1, got {self.boilerplate}")


@dataclass(frozen=True, slots=True)
class LinkEvidence:
    """What is known of the n links of a page.

    *page*: the page's relevance; *anchor*, *host*: float[n], relevance; *is_main*: bool[n], whether the
    block that the link stands in is main text, and no template's; *density*: float[n], its text density.
    """

    page: float
    anchor: F32
    host: F32
    is_main: npt.NDArray[np.bool_]
    density: F64


def link_scores(evidence: LinkEvidence, weights: LinkWeights) -> F32:
    """Return the score of each link, 0 to 1, float32[n]."""
    total = weights.page + weights.anchor + weights.host
    known = weights.anchor * evidence.anchor + weights.host * evidence.host
    worth = (weights.page * evidence.page + known) / total
    dense = np.minimum(evidence.density / FULL_DENSITY, 1.0)
    main = _LEAST_DENSE + (1 - _LEAST_DENSE) * dense
    return (worth * np.where(evidence.is_main, main, weights.boilerplate)).astype(np.float32)
