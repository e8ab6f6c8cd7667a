"""Gottron's document models: character sequence, word sequence, bag of words, set of words.

With the gold text m and the extracted text e, as sequences, bags or sets::

    CS, WS:  r = LCS(m, e) / |m|,  p = LCS(m, e) / |e|       over characters, over words
    BoW:     r = sum over w of min(m(w), e(w)) / sum m(w),  p likewise
    SoW:     r = |m n e| / |m|,  p = |m n e| / |e|

Of an empty gold text the recall is 1, of an empty extracted one the precision; F1 is 0 where both are.
Averages over pages are those of each of the three by itself (`measures.averages`); the mean of F1 is
no more than the F1 of the means.
*Source: Gottron 2008, sections 5.2.2 and 5.3.2; conventions: 2.2.4.*

Where the thesis is silent: texts are compared with whitespace collapsed, the single spaces count
among the characters, and both are in Unicode's NFC. Its words have no punctuation, and it tells of no
folding of case; ours are `evaluation_words` in their own case, one for each character of scripts without
spaces. ``words=blank_words`` divides at whitespace alone, as BTE and DSC do.

Cost: CS and WS O(m e / 64) time, see `measures.lcs`; BoW and SoW linear.
Invariants: BoW is at least WS, in both; equal texts score 1; BoW and SoW do not depend on order, and
SoW not on how often a word occurs. What no model sees: text that the page has twice, once as main
and once as additional content.
"""

from __future__ import annotations

from functools import partial
from math import fsum, nan, sqrt
from typing import TYPE_CHECKING

from crawler.page import PageRules, build_page
from crawler.page.words import collapsed, evaluation_words, ws_tokens
from pipelines.evaluation.gold import scores
from pipelines.evaluation.measures.lcs import lcs_length
from pipelines.evaluation.measures.token_f1 import bag_scores

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pipelines.evaluation.gold import Scores

    Splitter = Callable[[str], list[str]]

# The thesis leaves open which kB it means.
BYTES_PER_KB = 1024


def cased_words(text: str) -> list[str]:
    """Return the words of *text* in their own case and in NFC.

    >>> cased_words("Der Weg, weg")
    ['Der', 'Weg', 'weg']
    """
    return evaluation_words(collapsed(text), keep_case=True)


def blank_words(text: str) -> list[str]:
    """Return the runs of non-whitespace of *text* in NFC, punctuation and all.

    >>> blank_words("Der Weg, weg")
    ['Der', 'Weg,', 'weg']
    """
    return ws_tokens(collapsed(text))


def character_sequence(extracted: str, gold: str) -> Scores:
    """Return the scores of the longest common subsequence of characters."""
    first, second = collapsed(extracted), collapsed(gold)
    return scores(lcs_length(first, second), len(first), len(second))


def word_sequence(extracted: str, gold: str, *, words: Splitter = cased_words) -> Scores:
    """Return the scores of the longest common subsequence of words.

    >>> word_sequence("b a c", "a b c").f1 == 2 / 3
    True
    """
    first, second = words(extracted), words(gold)
    return scores(lcs_length(first, second), len(first), len(second))


def bag_of_words(extracted: str, gold: str, *, words: Splitter = cased_words) -> Scores:
    """Return the scores of the bags of words."""
    return bag_scores(words(extracted), words(gold))


def set_of_words(extracted: str, gold: str, *, words: Splitter = cased_words) -> Scores:
    """Return the scores of the sets of words."""
    first, second = set(words(extracted)), set(words(gold))
    return scores(len(first & second), len(first), len(second))


blank_word_sequence = partial(word_sequence, words=blank_words)
bag_of_blank_words = partial(bag_of_words, words=blank_words)
set_of_blank_words = partial(set_of_words, words=blank_words)


def stability(f1: Sequence[float]) -> float:
    """Return the standard deviation of the F1 of the pages of one set, n - 1 in the divisor.

    The smaller the more stable is a method. NaN for fewer than two pages.

    >>> round(stability([0.5, 0.7]), 6)
    0.141421
    """
    if len(f1) < 2:
        return nan
    mean = fsum(f1) / len(f1)
    return sqrt(fsum((x - mean) ** 2 for x in f1) / (len(f1) - 1))


def seconds_per_kb(seconds: float, n_bytes: int, *, bytes_per_kb: int = BYTES_PER_KB) -> float:
    """Return the time a kB of a page's source as served; NaN for a page without bytes."""
    return seconds * bytes_per_kb / n_bytes if n_bytes else nan


def plain_text(body: bytes, *, content_type: str | None = None) -> str:
    """Return the text of a page that a method gave back as HTML: its blocks, one a line.

    Tags, comments, scripts and styles are dropped, entities decoded, whitespace is collapsed. Tags within a line of
    text part no word: ``<b>W</b>ord`` is one.

    >>> plain_text(b"<p><b>W</b>ord, <i>x</i>")
    'Word, x'
    """
    page = build_page(body, url="", content_type=content_type, rules=PageRules(inline="phrasing"))
    return "\n".join(page.blocks.text)
