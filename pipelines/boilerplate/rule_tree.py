"""Published decision trees as data: one definition labels all blocks at once and tells the way of each.

Shapes: features are arrays with one entry a block, by name. Cost: O(n) a question, vectorised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.neighbours import following, previous
from pipelines.boilerplate.reasons import Reason, Reasons, apart

if TYPE_CHECKING:
    from typing import ClassVar

    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Inline

    Bools = npt.NDArray[np.bool_]

WORDS, LINKS, DENSITY = "words", "link density", "text density"
_ATTRIBUTES = {WORDS: "n_words", LINKS: "link_density", DENSITY: "text_density"}
_PREVIOUS, _NEXT = "previous ", "next "


class Question(NamedTuple):
    """Whether a *feature* is at most *limit*, and what follows: another question, or whether it is content."""

    feature: str
    limit: float
    at_most: Question | bool
    above: Question | bool


class RuleTree:
    """A method that asks the questions of *tree* of each block; subclasses say which.

    Features are the words, the link density and the text density of a block, and ``previous`` and ``next`` those
    of its neighbours, 0 beyond the ends of the page.
    """

    inline: Inline = "gap"
    tree: ClassVar[Question]

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        return labels_of(_answers(self.tree, _Features(page)))

    def reasons(self, page: PageModel) -> Reasons:
        """Return the answers that led each block of *page* to its label."""
        features = _Features(page)
        return Reasons(
            ["Below a text stands what was asked of it, up to the answer that decided."],
            [Reason(_way(self.tree, features, place)) for place in range(len(page.blocks))],
        )


class _Features(dict[str, "npt.NDArray[Any]"]):
    """The features of the blocks of a page, each made when it is asked for."""

    def __init__(self, page: PageModel) -> None:
        super().__init__()
        self.blocks = page.blocks

    def __missing__(self, name: str) -> npt.NDArray[Any]:
        if name.startswith(_PREVIOUS):
            self[name] = previous(self[name.removeprefix(_PREVIOUS)])
        elif name.startswith(_NEXT):
            self[name] = following(self[name.removeprefix(_NEXT)])
        else:
            self[name] = getattr(self.blocks, _ATTRIBUTES[name])
        return self[name]


def _answers(tree: Question, features: _Features) -> Bools:
    is_above: Bools = features[tree.feature] > tree.limit
    # Whole arrays are put together only where both answers are open.
    if isinstance(tree.above, bool):
        if isinstance(tree.at_most, bool):
            return is_above & tree.above | ~is_above & tree.at_most
        below = _answers(tree.at_most, features)
        return is_above | below if tree.above else below & ~is_above
    if isinstance(tree.at_most, bool):
        above = _answers(tree.above, features)
        return ~is_above | above if tree.at_most else above & is_above
    return np.where(is_above, _answers(tree.above, features), _answers(tree.at_most, features))


def _way(tree: Question | bool, features: _Features, place: int) -> str:
    """Return the questions and answers for the block at *place*, in order."""
    steps = []
    while not isinstance(tree, bool):
        value = features[tree.feature][place]
        is_above = not value <= tree.limit
        shown, limit = apart(value, tree.limit)
        steps.append(f"{tree.feature} {shown} {'>' if is_above else '≤'} {limit}")
        tree = tree.above if is_above else tree.at_most
    return ", ".join(steps)
