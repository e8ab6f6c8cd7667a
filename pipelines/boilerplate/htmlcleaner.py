"""Htmlcleaner: the run of blocks with most characters in function words and fewest in links.

With the page split at all tags but those of text style, nFW the characters of a block that are in
function words, and nA those that are anchored, the contiguous run of blocks is kept for which
the sum of nFW - nA is largest.

*Source: Girardi 2007, as Pomikálek 2011, section 2.6.5, describes it.* Function words are those of the
stop list of the page's language (as jusText takes it), whatever their case; of scripts without spaces,
stop characters, where there is a list of them. Where links are part of a block, its anchored characters are its
characters in the share of its words that are linked. Cost: O(n). Ties as of maximum subsequences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from crawler.page.words import alpha_words, has_spaceless_script
from pipelines.boilerplate.justext.density import page_language
from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.max_subsequence import best_run
from pipelines.linguistics.stop_lists import stop_words

if TYPE_CHECKING:
    from crawler.page import PageModel


class HtmlCleaner:
    """Keeps one run of blocks; *language* is a name or tag with a stop list, None for the page's."""

    inline: ClassVar[Literal["gap", "transparent"]] = "transparent"

    def __init__(self, *, language: str | None = None):
        if language is not None:
            stop_words(language)
        self.language = language

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate."""
        blocks = page.blocks
        kept = np.zeros(len(blocks), np.bool_)
        if len(blocks):
            stops = stop_words(self.language or page_language(page))
            in_function_words = [_function_chars(text, stops) for text in blocks.text]
            n_chars = np.array([sum(map(len, text.split())) for text in blocks.text])
            start, end = best_run(np.array(in_function_words) - n_chars * blocks.link_density)
            kept[start:end] = True
        return labels_of(kept)


def _function_chars(text: str, stops: frozenset[str]) -> int:
    units = filter(has_spaceless_script, text) if has_spaceless_script(text) else alpha_words(text)
    return sum(len(unit) for unit in units if unit.lower() in stops)
