"""jusText as the thesis has it: Algorithm 2.2, then 2.3, on paragraphs of the page model's blocks.

With the tokens of a paragraph its runs of non-whitespace, ``ld`` the share of its words that are
linked, and ``sd`` the share of its words (runs of letters) that are in the stop list::

    the text has (c)                    bad
    ld > max_link_density               bad
    tokens < length_low                 bad if ld > 0 else short
    sd > stopwords_high                 good if tokens > length_high else near-good
    sd > stopwords_low                  near-good
    else                                bad

All comparisons are strict. Short and near-good paragraphs are settled by
:func:`~pipelines.boilerplate.justext.classes.context_sensitive`. The label of a block is that of its
paragraph: ``good`` or ``bad``, or the context-free class with what became of it, as ``short-good``.

*Source: Pomikálek 2011, sections 2.7 and 2.9.6, table 2.7.* The parameter sets::

    ======== ================ ========== ============= =========== ==============
    jusText  max_link_density length_low stopwords_low length_high stopwords_high
    ======== ================ ========== ============= =========== ==============
    A        0.20             10         0.30          30          0.32
    B        0.20             0          0.30          26          0.32
    C        0.20             10         0.25          25          0.25
    D        0.20             10         0.20          20          0.25
    ======== ================ ========== ============= =========== ==============

Deviations: link density counts the page model's words, of which a token without a letter or digit
is none, and no word in an ``a`` with a ``name`` and no ``href`` is linked; a gap that joins parts words,
also in the middle of one (``w<kbd>or</kbd>d``), but for tags of text style; the stop lists are the released
ones, longer than the thesis's 319 words of English, with their entries as words of a page are divided.

*Language.* The option; else the language that the page declares, if it has a stop list; else that of
the list which holds the largest share of the page's first 1,000 words (English for a page without
any known word). Scripts without spaces: a line of Chinese is one token, and no stop word stands by
itself, so that the thesis's method keeps next to nothing. With ``spaceless="units"`` tokens are the
page model's words (two characters of Chinese make one), and of a paragraph with such a script
the share of stop characters counts, with a list of characters (Chinese and Japanese have one).

*Headings* (the released program's, not in the thesis; off by default): a short heading with a good
paragraph behind it, at most 200 characters away, becomes near-good before the neighbours are asked,
and a heading that ends up bad without having been so becomes good before a finally good one.

Cost: O(n).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import numpy as np

from pipelines.boilerplate.justext.classes import (
    BAD,
    GOOD,
    MAX_HEADING_DISTANCE,
    NEAR_GOOD,
    SHORT,
    context_sensitive,
    headings_before_good,
    label_names,
)
from pipelines.boilerplate.justext.density import page_densities
from pipelines.boilerplate.justext.paragraphs import paragraphs_of, splitting_tags
from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.option_ranges import check_least, check_shares
from pipelines.boilerplate.reasons import comparisons, of_blocks
from pipelines.linguistics.stop_lists import stop_words

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Inline
    from pipelines.boilerplate.justext.paragraphs import Paragraphs
    from pipelines.boilerplate.reasons import Reasons

    I8 = npt.NDArray[np.int8]
    I64 = npt.NDArray[np.int64]
    F64 = npt.NDArray[np.float64]

COPYRIGHT_SIGN = "\N{COPYRIGHT SIGN}"


class Features(NamedTuple):
    """What Algorithm 2.2 reads, one entry a paragraph; *forced*: bad whatever the rest."""

    n_tokens: I64
    link_density: F64
    stop_word_density: F64
    forced: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class JusText:
    """The thesis's jusText, set A by default.

    Lengths are in tokens, densities shares from 0 to 1. *language* is a name or tag with a stop list, *stop_list* the
    words themselves, instead of it. *tags* split paragraphs: the ``thesis``'s 31, all that ``html5`` shows as blocks,
    or others by their names. Raises ValueError for values out of range and unknown languages.
    """

    inline: ClassVar[Inline] = "transparent"

    max_link_density: float = 0.2
    length_low: int = 10
    length_high: int = 30
    stopwords_low: float = 0.30
    stopwords_high: float = 0.32
    language: str | None = None
    stop_list: frozenset[str] | None = None
    headings: bool = False
    tags: str = "thesis"
    spaceless: Literal["words", "units"] = "words"

    def __post_init__(self) -> None:
        check_shares(
            max_link_density=self.max_link_density,
            stopwords_low=self.stopwords_low,
            stopwords_high=self.stopwords_high,
        )
        check_least(0, length_low=self.length_low, length_high=self.length_high)
        splitting_tags(self.tags)
        if self.spaceless not in {"words", "units"}:
            raise ValueError(f"spaceless must be words or units, got {self.spaceless!r}")
        if self.language is not None:
            stop_words(self.language)

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* by the classes of its paragraph."""
        paragraphs = paragraphs_of(page, self.tags)
        before = self.context_free(page, paragraphs)
        after = self.in_context(page, paragraphs, before)
        label = label_names(before, after)[paragraphs.of_block]
        return Labels((after == GOOD)[paragraphs.of_block], label.tolist())

    def reasons(self, page: PageModel) -> Reasons:
        """Return the rules that gave each block of *page* its label."""
        from pipelines.boilerplate.justext.reasons import reasons_of

        paragraphs = paragraphs_of(page, self.tags)
        before = self.context_free(page, paragraphs)
        return reasons_of(self, page, paragraphs, before, self.in_context(page, paragraphs, before))

    def context_free(self, page: PageModel, paragraphs: Paragraphs) -> I8:
        """Return the class of each of *paragraphs* by itself (Algorithm 2.2)."""
        features = self.features(page, paragraphs)
        asked = ~features.forced & (features.link_density <= self.max_link_density)
        asked &= features.n_tokens >= self.length_low
        density = self._stop_word_density(page, paragraphs.text, asked)
        return self.classify(features._replace(stop_word_density=density))

    def features(
        self, page: PageModel, paragraphs: Paragraphs, *, all_densities: bool = False
    ) -> Features:
        """Return what classes are made of; stop-word densities are 0 unless *all_densities*."""
        n = len(paragraphs)
        asked = np.full(n, all_densities)
        return Features(
            n_tokens=paragraphs.n_words if self.spaceless == "units" else paragraphs.n_tokens,
            link_density=paragraphs.linked_words / paragraphs.n_words,
            stop_word_density=self._stop_word_density(page, paragraphs.text, asked),
            forced=np.array([COPYRIGHT_SIGN in text for text in paragraphs.text], np.bool_),
        )

    def classify(self, features: Features) -> I8:
        """Return the class of each paragraph by its *features* alone."""
        is_bad = features.forced | (features.link_density > self.max_link_density)
        is_high = features.stop_word_density > self.stopwords_high
        classes: I8 = np.select(
            [
                is_bad,
                features.n_tokens < self.length_low,
                is_high & (features.n_tokens > self.length_high),
                is_high | (features.stop_word_density > self.stopwords_low),
            ],
            [BAD, np.where(features.link_density > 0, BAD, SHORT), GOOD, NEAR_GOOD],
            BAD,
        ).astype(np.int8)
        return classes

    def in_context(self, page: PageModel, paragraphs: Paragraphs, before: I8) -> I8:
        """Return the final classes (Algorithm 2.3) of paragraphs of the classes *before*."""
        if not self.headings:
            return context_sensitive(before)
        levels = page.blocks.heading_level
        is_heading = np.bincount(paragraphs.of_block, levels, len(paragraphs)) > 0
        n_chars = np.array([len(text) for text in paragraphs.text], np.int64)
        leads = is_heading & (before == SHORT)
        leads = headings_before_good(leads, before == GOOD, n_chars, MAX_HEADING_DISTANCE)
        after = context_sensitive(np.where(leads, NEAR_GOOD, before).astype(np.int8))
        lost = is_heading & (after == BAD) & (before != BAD)
        found = headings_before_good(lost, after == GOOD, n_chars, MAX_HEADING_DISTANCE)
        return np.where(found, GOOD, after).astype(np.int8)

    def _stop_word_density(
        self, page: PageModel, text: list[str], asked: npt.NDArray[np.bool_]
    ) -> F64:
        characters = self.spaceless == "units"
        stops = self.stop_list
        return page_densities(page, text, asked, self.language, stops, characters=characters)


@dataclass(frozen=True, slots=True)
class TokenStopWordFilter:
    """Keep the paragraphs of at least *min_tokens* tokens and stop-word density *min_density*.

    Those of a link density above *max_link_density* go; by default none does. The thesis looks at each of the three by
    itself, too. *stop_list* and *tags* as of `JusText`. *Source: Pomikálek 2011, sections 2.9.3 and 2.9.6
    (tc20-sw0.30).* No context is looked at. Raises ValueError as `JusText` does.
    """

    inline: ClassVar[Inline] = "transparent"

    min_tokens: int = 20
    min_density: float = 0.30
    language: str | None = None
    max_link_density: float = 1.0
    stop_list: frozenset[str] | None = None
    tags: str = "thesis"

    def __post_init__(self) -> None:
        splitting_tags(self.tags)
        check_shares(min_density=self.min_density, max_link_density=self.max_link_density)
        check_least(0, min_tokens=self.min_tokens)
        if self.language is not None:
            stop_words(self.language)

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* by its paragraph."""
        paragraphs = paragraphs_of(page, self.tags)
        asked = paragraphs.n_tokens >= self.min_tokens
        asked &= paragraphs.linked_words / paragraphs.n_words <= self.max_link_density
        density = self._densities(page, paragraphs, asked)
        return labels_of((asked & (density >= self.min_density))[paragraphs.of_block])

    def reasons(self, page: PageModel) -> Reasons:
        """Return the tokens and the stop-word density of the paragraph of each block of *page*."""
        paragraphs = paragraphs_of(page, self.tags)
        asked = np.ones(len(paragraphs), np.bool_)
        stops = self._densities(page, paragraphs, asked).tolist()
        told = [
            comparisons("tokens", paragraphs.n_tokens.tolist(), self.min_tokens, or_equal=True),
            comparisons("stop-word density", stops, self.min_density, or_equal=True),
        ]
        if self.max_link_density < 1:
            links = (paragraphs.linked_words / paragraphs.n_words).tolist()
            told.append(comparisons("link density", links, self.max_link_density))
        said = [", ".join(each) for each in zip(*told, strict=True)]
        note = "Long paragraphs of many stop words are kept."
        return of_blocks(note, [said[k] for k in paragraphs.of_block.tolist()])

    def _densities(
        self, page: PageModel, paragraphs: Paragraphs, asked: npt.NDArray[np.bool_]
    ) -> F64:
        return page_densities(page, paragraphs.text, asked, self.language, self.stop_list)
