"""The variables on the text of elements that tests of elISA may use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pipelines.boilerplate.tree_nodes import TreeNodes

# Of own text no more is looked at: rules ask for notices of a few words.
_MAX_OWN_CHARS = 1000


class TextVariables:
    """The variables of each element in *nodes*."""

    def __init__(self, nodes: TreeNodes):
        is_linked = nodes.nearest(nodes.is_link)[nodes.holder] >= 0
        own = nodes.own(nodes.chars)
        chars = nodes.within(own)
        linked = nodes.within(nodes.own(nodes.chars * is_linked))
        self._chars, self._own = chars.tolist(), own.tolist()
        self._quota = (linked / np.maximum(chars, 1)).tolist()
        self._own_text = nodes.own_text(_MAX_OWN_CHARS)

    def has_text(self, element: int) -> bool:
        """Tell whether visible text is in *element*."""
        return bool(self._chars[element])

    def of(self, element: int) -> dict[str, float | str]:
        """Return the variables of *element* by name."""
        return by_name(
            self._chars[element],
            self._own[element],
            self._quota[element],
            self._own_text.get(element, ""),
        )


def by_name(
    text_chars: int, own_chars: int, link_quota: float, own_text: str
) -> dict[str, float | str]:
    """Return the variables of an element by the names that tests have for them."""
    return {
        "TextChars": text_chars,
        "OwnChars": own_chars,
        "LinkQuota": link_quota,
        "OwnText": own_text,
    }


NAMES = by_name(0, 0, 0, "").keys()
