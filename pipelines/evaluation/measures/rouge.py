"""ROUGE-LSum: how much of each line of the gold text is in the union of its LCSs with all lines.

For a line g of the gold text U(g) are the places in g that belong to its longest common subsequence
with at least one line of the extracted text. A hit is a word at such a place that both texts have
left, as often as each has it::

    R = hits / |gold|,  P = hits / |extracted|,  F1 = 2 P R / (P + R)

*Source: Lin 2004, section 3.2, with the clipping of ROUGE 1.5.5; so in the present benchmarks
(Bevendorff et al. 2023) by the package rouge_score.* Where there are several longest subsequences it
matters which is taken: ours is the one of that package, and all counts are equal to its.

Deviations: lines are the units, not sentences found by a model; empty texts are scored as all our
measures do, which matters only for precision and recall by themselves, for F1 is 0 in both unless
both texts are empty: that is 1.

Words: `compared_words`, so that texts without spaces can be compared. ``words=ws_tokens`` are those
of Bevendorff et al. (which make a Chinese sentence one word).

Cost: O(m n / 64) for m gold and n extracted words, and some 25 ns for each pair of lines; lines that are
equal are one. O(m + n) memory and that of `lcs_pairs` for the longest lines.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from pipelines.evaluation.gold import scores
from pipelines.evaluation.measures.lcs import numbered, space_for
from pipelines.evaluation.measures.lcs_kernels import MOST_ROWS, Lines, Places, union_hits
from pipelines.evaluation.measures.token_f1 import compared_words

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from pipelines.evaluation.gold import Scores

    Symbols = npt.NDArray[np.int64]


def rouge_lsum(
    extracted: str, gold: str, *, words: Callable[[str], list[str]] = compared_words
) -> Scores:
    r"""Return the ROUGE-LSum scores of two texts, lines ended by ``\n``.

    >>> rouge_lsum("a b c d\nx", "a b\nc d", words=str.split)
    Scores(precision=0.8, recall=1.0, f1=0.888888888888889)
    """
    ours, theirs = _lines(extracted, words), _lines(gold, words)
    n_extracted, n_gold = sum(map(len, ours)), sum(map(len, theirs))
    if not n_extracted or not n_gold:
        return scores(0, n_extracted, n_gold)
    return scores(_hits(ours, theirs), n_extracted, n_gold)


def _lines(text: str, words: Callable[[str], list[str]]) -> list[list[str]]:
    return [tokens for line in text.split("\n") if (tokens := words(line))]


def _hits(extracted: list[list[str]], gold: list[list[str]]) -> int:
    ours, theirs = Counter(map(tuple, extracted)), Counter(map(tuple, gold))
    symbols = numbered(*([word for line in lines for word in line] for lines in (ours, theirs)))
    n_symbols = int(max(each.max() for each in symbols)) + 1
    ours_lines, theirs_lines = map(_numbered_lines, symbols, (ours, theirs))
    longest = max(map(len, theirs))
    places = Places(
        head=np.full(n_symbols, -1, dtype=np.int64),
        before=np.empty(longest, dtype=np.int64),
        row_of=np.full(n_symbols, -1, dtype=np.int64),
        rows=np.zeros((MOST_ROWS + 1, (longest + 63) // 64), dtype=np.uint64),
    )
    left = [_counts(lines, n_symbols) for lines in (theirs_lines, ours_lines)]
    return union_hits(
        theirs_lines,
        ours_lines,
        places,
        space_for(longest, max(map(len, ours))),
        np.empty(longest, dtype=np.int64),
        np.stack([*left, np.zeros(n_symbols, np.int64)]),
    )


def _numbered_lines(symbols: Symbols, lines: Counter[tuple[str, ...]]) -> Lines:
    """Return *lines*, whose words are *symbols*, as the kernel takes them."""
    ends = np.cumsum([len(line) for line in lines], dtype=np.int64)
    return Lines(symbols, ends, np.array(list(lines.values()), dtype=np.int64))


def _counts(lines: Lines, n_symbols: int) -> Symbols:
    """Return how often each symbol stands in the text of *lines*, all repeats counted."""
    repeats = np.repeat(lines.repeats, np.diff(lines.ends, prepend=0))
    found = np.zeros(n_symbols, np.int64)
    np.add.at(found, lines.symbols, repeats)
    return found
