"""Inline elements that the page hides, whose signs are none of the text around them.

What has a word is in no block there, by the rules of the page model; signs are in none anywhere. *Which elements
hide*: those of which the scan of the page says so, by the same rules.

Cost: O(n). Invariant: an element in which a block has a text is not hidden, whatever it says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.page.scanning.state import IS_HIDING_TAG, N_NAME, N_START
from crawler.page.tags import VOID

if TYPE_CHECKING:
    from crawler.page import PageModel
    from crawler.page.markup_events import Tag


class HiddenElement:
    """The outermost open element of *page* that hides; *place* is where its parts begin."""

    def __init__(self, page: PageModel) -> None:
        tags = page.found_tags
        self._starts = frozenset(tags[tags[:, N_NAME] & IS_HIDING_TAG != 0, N_START].tolist())
        self._name = ""
        self._n_open = 0
        self.place = 0

    def forget(self) -> None:
        """Take it for shown, or for ended."""
        self._name = ""

    @property
    def is_open(self) -> bool:
        """Whether there is one."""
        return bool(self._name)

    def is_said_by(self, tag: Tag) -> bool:
        """Tell whether *tag* says that it hides."""
        return tag.start in self._starts

    def ends(self, tag: Tag, place: int) -> bool:
        """Tell whether *tag* ends it; one that begins it has its parts from *place* on."""
        if not self._name:
            if self.is_said_by(tag) and not tag.is_end and tag.name not in VOID:
                self._name, self._n_open, self.place = tag.name, 1, place
            return False
        if tag.name == self._name:
            # An "a" ends with the next one.
            self._n_open += -1 if tag.is_end or tag.name == "a" else 1
            if not self._n_open:
                self._name = ""
        return not self._name
