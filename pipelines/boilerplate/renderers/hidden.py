"""Inline elements that the page hides, whose signs are none of the text around them.

What has a word is in no block there, by the rules of the page model; signs are in none anywhere. *Which elements
hide*: those that say ``hidden`` or ``popover``, or a style of no display or no visibility, and are not just folded up,
and what KaTeX draws of a formula beside its MathML.

Cost: O(n). Invariant: an element in which a block has a text is not hidden, whatever it says.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crawler.page.attributes import written_values
from crawler.page.folded import is_folded
from crawler.page.tags import VOID

if TYPE_CHECKING:
    from crawler.page.markup_events import Tag

_MAY_HIDE = re.compile(rb"hidden|none|popover|katex-html", re.IGNORECASE)
_HIDING_STYLE = re.compile(
    rb"(?<![\w-])(?:display\s*+:\s*+none|visibility\s*+:\s*+hidden)", re.IGNORECASE
)
_DRAWN = b"katex-html"
# What may be found is folded up, not withheld.
_FOUND = b"until-found"


class HiddenElement:
    """The outermost open element that hides; *place* is where its parts begin."""

    def __init__(self) -> None:
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

    def ends(self, tag: Tag, place: int) -> bool:
        """Tell whether *tag* ends it; one that begins it has its parts from *place* on."""
        if not self._name:
            if not tag.is_end and tag.name not in VOID and hides(tag.attributes):
                self._name, self._n_open, self.place = tag.name, 1, place
            return False
        if tag.name == self._name:
            # An "a" ends with the next one.
            self._n_open += -1 if tag.is_end or tag.name == "a" else 1
            if not self._n_open:
                self._name = ""
        return not self._name


def hides(attributes: bytes) -> bool:
    """Tell whether an element with these *attributes* hides what it holds.

    >>> hides(b' class="hidden"'), hides(b" hidden"), hides(b" style='color: red; display : none'")
    (False, True, True)
    >>> hides(b" popover=auto"), hides(b' style="backface-visibility: hidden"')
    (True, False)
    """
    if not _MAY_HIDE.search(attributes) or is_folded(attributes):
        return False
    for name, value in written_values(attributes):
        said = value.lower()
        if name == b"hidden" and not said.startswith(_FOUND):
            return True
        if name == b"popover":
            return True
        if name == b"class" and said.startswith(_DRAWN):
            return True
        if name == b"style" and _HIDING_STYLE.search(said):
            return True
    return False
