"""Htmlcleaner: the run of blocks with most characters in function words and fewest in links.

The page is split at all tags but those of text style. Let nFW be the characters of a block that stand in
function words, and nA those that stand in links: the run of blocks with the largest sum of nFW - nA is kept.

*Source: Girardi 2007, as Pomikálek 2011, section 2.6.5, describes it.* Function words are those of the stop
list of the page's language (which jusText would take), in any case, divided as the words of a page are; for
scripts without spaces they are stop characters, where there is a list. Where only a part of a block is
linked, nA is the same share of its characters as of its words. Cost: O(n). Ties as of maximum subsequences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from crawler.page.words import alpha_words, has_spaceless_script
from pipelines.boilerplate.justext.density import page_language
from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.max_subsequence import best_run
from pipelines.boilerplate.reasons import Reasons, of_blocks
from pipelines.linguistics.stop_lists import as_divided, stop_words

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Inline

    F64 = npt.NDArray[np.float64]


class HtmlCleaner:
    """Keeps one run of blocks; *language* is a name or tag with a stop list, None for the page's."""

    inline: ClassVar[Inline] = "transparent"

    def __init__(self, *, language: str | None = None):
        if language is not None:
            stop_words(language)
        self.language = language

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        kept = np.zeros(len(page.blocks), np.bool_)
        in_function_words, linked = self._chars(page)
        start, end = best_run(in_function_words - linked)
        kept[start:end] = True
        return labels_of(kept)

    def reasons(self, page: PageModel) -> Reasons:
        """Return the characters of each block of *page* that count for and against it."""
        told = [
            f"{words:,.0f} characters in function words, {linked:,.0f} linked"
            for words, linked in zip(*(of.tolist() for of in self._chars(page)), strict=True)
        ]
        return of_blocks(
            "Kept is the one run with most characters in function words, less those linked.", told
        )

    def _chars(self, page: PageModel) -> tuple[F64, F64]:
        """Return how many characters of each block are in function words, and in links."""
        blocks = page.blocks
        if not len(blocks):
            return np.zeros(0), np.zeros(0)
        stops = as_divided(stop_words(self.language or page_language(page)))
        in_function_words = [float(_function_chars(text, stops)) for text in blocks.text]
        n_chars = np.array([sum(map(len, text.split())) for text in blocks.text])
        return np.array(in_function_words), n_chars * blocks.link_density


def _function_chars(text: str, stops: frozenset[str]) -> int:
    units = filter(has_spaceless_script, text) if has_spaceless_script(text) else alpha_words(text)
    return sum(len(unit) for unit in units if unit.lower() in stops)
