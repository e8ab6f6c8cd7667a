"""The full-stop criterion: sentences are found in dense text, not in sparse text.

A full stop is a dot straight after a run of two or more letters that begins after a space, except
in the abbreviations vs. DC. Inc. Ltd. No. VAT. and Jan. to Dec., spelled so. "e.g.", "U.K." and "3.5" hold none.
pi_F are the segments with at least one full stop, pi_N those without. Two figures tell how well the
rounded density of a segment predicts which of them it is in:

- the information gain H(F) - H(F | density) in bits, every density being a class of its own, and
  that of the best single cut;
- the accuracy of the best cut: full stop from that density on (a linear classifier of one feature).

*Source: Kohlschütter 2011, section 4.3.2* (information gain .711, accuracy 91.4 %). The
sentence that defines the full stop is garbled there ("immediately follows a white-space terminated
sequence of at least two letters"): the run of letters follows white space here, and the dot need
not end its word unless *ends_word* is asked for. The shares of pi_N and pi_F are swapped in the
text: 4.18e7 and 9.50e7 of 1.37e8 tokens are 31 % and 69 %.

Shapes: int64[k] segments or tokens by rounded density 0..k-1. Cost: O(characters), O(k).
Invariant: 0 <= gain of the best cut <= gain <= entropy <= 1. Scripts with other full stops
(Chinese, Devanagari) count as text without.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.words import density_tokens

if TYPE_CHECKING:
    import numpy.typing as npt

# Kohlschütter 2011, section 4.3.2
ABBREVIATIONS = (
    *("vs", "DC", "Inc", "Ltd", "No", "VAT"),
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
_NO_ABBREVIATION = rf"(?<!\S)(?!(?:{'|'.join(ABBREVIATIONS)})\.)"
_FULL_STOP = re.compile(rf"{_NO_ABBREVIATION}[^\W\d_]{{2,}}+\.")
_FULL_STOP_AT_END = re.compile(rf"{_NO_ABBREVIATION}[^\W\d_]{{2,}}+\.(?!\S)")
_ABBREVIATED = frozenset(f"{word}." for word in ABBREVIATIONS)
# Kohlschütter 2011, section 4.4.2: full stops, question and exclamation marks, semicolons.
_SENTENCE_MARKS = (".", "?", "!", ";")
_CLOSING_MARKS = "\"'”’»)]"


@dataclass(frozen=True, slots=True)
class FullStopCriterion:
    """How density and full stop go together; *n* segments or tokens, *share* of them in pi_F."""

    n: int
    share: float
    entropy: float
    information_gain: float
    cut_information_gain: float
    accuracy: float
    cut: int


def has_full_stop(text: str, *, ends_word: bool = False) -> bool:
    """Tell whether *text* holds a full stop; with *ends_word* white space must follow it.

    >>> [has_full_stop(t) for t in ("It ends.", "Tools Inc. vs. U.K.", "see www.a.com")]
    [True, False, True]
    """
    found = (_FULL_STOP_AT_END if ends_word else _FULL_STOP).search(text)
    return found is not None


def sentence_lengths(text: str) -> list[int]:
    """Return the words of each sentence of *text*, the last one even without a mark at its end.

    >>> sentence_lengths("One two. Three? Made by Tools Inc. of London")
    [2, 1, 6]
    """
    lengths = []
    n_words = 0
    for word in density_tokens(text):
        n_words += 1
        if ends_sentence(word):
            lengths.append(n_words)
            n_words = 0
    return [*lengths, n_words] if n_words else lengths


def ends_sentence(word: str) -> bool:
    """Tell whether *word*, one of the density tokens, is the last one of a sentence."""
    return word.rstrip(_CLOSING_MARKS).endswith(_SENTENCE_MARKS) and word not in _ABBREVIATED


def full_stop_criterion(
    without: npt.NDArray[np.int64], with_stop: npt.NDArray[np.int64]
) -> FullStopCriterion:
    """Return how the density of segments predicts whether they hold a full stop.

    *without*, *with_stop*: segments (or tokens) of pi_N and pi_F by rounded density. ``cut`` is the
    lowest density that counts as text with full stop; of equal cuts the lowest. Nothing in both:
    zeros, and accuracy 1. Raises ValueError when their shapes differ.
    """
    if without.shape != with_stop.shape or without.ndim != 1:
        raise ValueError(
            f"both must be of one shape [k], got {without.shape} and {with_stop.shape}"
        )
    table = np.stack([without, with_stop]).astype(np.float64)
    total = float(table.sum())
    if not total:
        return FullStopCriterion(0, 0.0, 0.0, 0.0, 0.0, 1.0, 0)
    both = table.sum(axis=1)
    entropy = float(_entropy_sum(both[:, None]) / total)
    gain = entropy - float(_entropy_sum(table) / total)
    # below[:, i]: what is less dense than i, for the cuts i = 0..k
    below = np.concatenate([np.zeros((2, 1)), np.cumsum(table, axis=1)], axis=1)
    above = both[:, None] - below
    split = [
        _entropy_sum(below[:, [i]]) + _entropy_sum(above[:, [i]]) for i in range(below.shape[1])
    ]
    right = below[0] + above[1]
    cut = int(np.argmax(right))
    return FullStopCriterion(
        n=round(total),
        share=float(both[1] / total),
        entropy=entropy,
        information_gain=max(gain, 0.0),
        cut_information_gain=max(entropy - min(split) / total, 0.0),
        accuracy=float(right[cut] / total),
        cut=cut,
    )


def _entropy_sum(table: npt.NDArray[np.float64]) -> float:
    """Return the sum over the columns of *table* of their weight times their entropy, in bits."""
    columns = table.sum(axis=0)
    logs = np.log2(table, out=np.zeros_like(table), where=table > 0)
    column_logs = np.log2(columns, out=np.zeros_like(columns), where=columns > 0)
    return float((columns * column_logs).sum() - (table * logs).sum())
