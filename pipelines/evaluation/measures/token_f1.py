"""Token F1: precision, recall and F1 of the words of a text, as bags.

With e(w) and g(w) how often word w is in the extracted and in the gold text::

    found = sum over w of min(e(w), g(w));  P = found / sum e;  R = found / sum g

Words are runs of word characters, lower-cased by Unicode, so that the Turkish İ is an i with one dot more and no i;
each character of a script that is written without spaces is one, and letters are compared in Unicode's NFC. Neither
order nor punctuation counts. The conventions for empty texts are those of `pipelines.evaluation.gold.scores`.
*Source: the measure of the present web-extraction comparisons; the formula is Gottron's bag of words
(Gottron 2008, section 5.2.2), who does not lower the case.*
Cost: linear. Invariant: P and R change places when the texts do.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from crawler.page.words import evaluation_words, nfc
from pipelines.evaluation.gold import scores

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from pipelines.evaluation.gold import Scores


def token_f1(extracted: str, gold: str) -> Scores:
    """Return the scores of the words of *extracted* against those of *gold*.

    >>> token_f1("The cat. The dog?", "a cat, the dog")
    Scores(precision=0.75, recall=0.75, f1=0.75)
    """
    return bag_scores(compared_words(extracted), compared_words(gold))


def compared_words(text: str) -> list[str]:
    r"""Return the words of *text*, whether its accents are letters' own or marks behind them.

    >>> compared_words("Caf\N{LATIN SMALL LETTER E WITH ACUTE}") == compared_words("Cafe\N{COMBINING ACUTE ACCENT}")
    True
    """
    composed = text if text.isascii() else nfc(text)
    if "İ" in composed:
        # Of all letters this alone becomes two signs, of which the second would end its word.
        return [word.lower() for word in evaluation_words(composed, keep_case=True)]
    return evaluation_words(composed)


def bag_scores(extracted: Iterable[Hashable], gold: Iterable[Hashable]) -> Scores:
    """Return the scores of the bag of *extracted* against that of *gold*."""
    in_extracted, in_gold = Counter(extracted), Counter(gold)
    # Over the smaller bag; missing keys count 0.
    fewer, more = sorted((in_extracted, in_gold), key=len)
    found = sum(min(count, more[word]) for word, count in fewer.items())
    return scores(found, in_extracted.total(), in_gold.total())
