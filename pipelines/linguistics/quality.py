"""Rules that say whether a page's main text is worth keeping.

Each rule has one bound and one reason slug; they are asked in this order, and the first that is
broken names the reason:

========================  ==================================================  =======================
reason                    the page is rejected when                           bound (0: rule is off)
========================  ==================================================  =======================
`small_page`              ``n_bytes < min_page_bytes``                        bytes, 0 or more
`short_text`              ``n_words < min_words``                             words, 0 or more
`low_kept_share`          ``n_words / n_page_words < min_kept_share``         share, 0 to 1
`replacement_characters`  ``replacement_share > max_replacement_share``       share, 0 to 1
`repeated_lines`          ``repeated / lines > max_repeated_line_share``      share, 0 to 1
========================  ==================================================  =======================

A value on the bound passes. A page without words passes `low_kept_share` (nothing was lost of it), and a text without
lines passes `repeated_lines`. *Source* of the first rule: Baroni et al. 2009 (WaCky) and Pomikálek 2011, section 3.7,
both with 5 kB; of the last: Rae et al. 2021 (Gopher), table A1, share of duplicate lines. The bounds are the user's.
"""

from __future__ import annotations

from dataclasses import dataclass


def repeated_line_share(text: str) -> float:
    r"""Return the share of the lines of *text* that are equal to an earlier one, 0 to 1.

    White space at the ends and blank lines do not count; no lines at all give 0.

    >>> repeated_line_share("a\nb\n a\n\na\n")
    0.5
    """
    lines = list(filter(None, map(str.strip, text.split("\n"))))
    # whole numbers first: 1 - 0.7 would be above a bound of 0.3
    return (len(lines) - len(set(lines))) / len(lines) if lines else 0.0


@dataclass(frozen=True, slots=True)
class QualityRules:
    """The five bounds; each 0 turns its rule off (see the module for what they mean).

    Raises `ValueError` for a negative number of bytes or words, and for a share outside 0 to 1.
    """

    min_page_bytes: int
    min_words: int
    min_kept_share: float
    max_replacement_share: float
    max_repeated_line_share: float

    def __post_init__(self) -> None:
        for name in ("min_page_bytes", "min_words"):
            if getattr(self, name) < 0:
                msg = f"{name} must be 0 or more, got {getattr(self, name)}"
                raise ValueError(msg)
        for name in ("min_kept_share", "max_replacement_share", "max_repeated_line_share"):
            share = getattr(self, name)
            if not 0 <= share <= 1:
                msg = f"{name} must be between 0 and 1, got {share}"
                raise ValueError(msg)

    def judge(
        self, *, text: str, n_bytes: int, n_words: int, n_page_words: int, replacement_share: float
    ) -> str | None:
        """Return the reason slug of the first broken rule, None for a page to keep.

        *text* is the main text, a line a block, *n_bytes* those of the page as it came, unpacked, *n_words* the words
        of the text, *n_page_words* those of the whole page, *replacement_share* the share of U+FFFD among the page's
        characters.
        """
        if n_bytes < self.min_page_bytes:
            return "small_page"
        if n_words < self.min_words:
            return "short_text"
        # divided, not multiplied: 7 of 100 words are not below a bound of 0.07
        if n_page_words and n_words / n_page_words < self.min_kept_share:
            return "low_kept_share"
        if 0 < self.max_replacement_share < replacement_share:
            return "replacement_characters"
        # the only rule that reads the text comes last
        if 0 < self.max_repeated_line_share < repeated_line_share(text):
            return "repeated_lines"
        return None
