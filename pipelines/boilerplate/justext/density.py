"""Stop-word densities, and in which language's stop words a page is read."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.words import alpha_words, has_spaceless_script
from pipelines.linguistics.stop_lists import best_language, cased, known_language, stop_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from crawler.page import PageModel

    Bools = npt.NDArray[np.bool_]

DEFAULT_LANGUAGE = "English"
# measured: enough for 1,712 of 1,735 labelled gold texts
READ_WORDS = 1000


def page_language(page: PageModel) -> str:
    """Return the language of *page*: the declared one, else that of the list it has most words of.

    A declared language without a stop list is as none. English for a page without a known word.
    """
    declared = known_language(page.declared_language)
    if declared is not None:
        return declared
    return best_language(islice(_words(page.blocks.text.strings), READ_WORDS)) or DEFAULT_LANGUAGE


def page_densities(
    page: PageModel,
    text: list[str],
    asked: Bools,
    language: str | None,
    stop_list: frozenset[str] | None = None,
    *,
    characters: bool = False,
) -> npt.NDArray[np.float64]:
    """Return :func:`densities` by *stop_list*, by that of *language*, or of the page when both are None."""
    if not asked.any():
        return np.zeros(len(text))
    stops = stop_words(language or page_language(page)) if stop_list is None else stop_list
    return densities(text, asked, cased(stops), characters=characters)


def densities(
    text: list[str], asked: Bools, stops: frozenset[str], *, characters: bool = False
) -> npt.NDArray[np.float64]:
    """Return the share of the words of each text that are in *stops*, 0 for those not *asked*.

    *characters*: of a text with a script that is written without spaces, that of such characters.
    """
    density = np.zeros(len(text))
    for number in np.flatnonzero(asked).tolist():
        words = alpha_words(text[number])
        if characters and has_spaceless_script(text[number]):
            words = list(filter(has_spaceless_script, text[number]))
        if words:
            density[number] = sum(map(stops.__contains__, words)) / len(words)
    return density


def _words(texts: list[str]) -> Iterator[str]:
    for text in texts:
        yield from alpha_words(text)
