"""The two scorers of CleanEval: of text only, and of text and marks; and cleaneval.py.

**Text only.** The least number of words inserted and deleted to make the gold text of the extracted
one (a Levenshtein distance whose substitutions cost 2), L being the length of their LCS::

    operations = |e| + |g| - 2 L;  score = 1 - operations / (L + operations)

Averaged over pages, each with the same weight. *Source: Baroni et al. 2008, after Pomikálek 2011,
section 2.5.* Open there: by which length the operations are divided. By matches and operations
together the score is in 0..1, and "404" left in where nothing is wanted scores 0, as he reports.

**Text and marks.** The same with the marks p, h and l that begin paragraphs, headings and list items
as words of their own. The weights of the original program, which also looks at where segments end,
are in no source of ours; a mark weighs as much as a word. The final score of the competition is the
mean of both.

**cleaneval.py** (Evert 2008; so Pomikálek 2011, section 2.9.6): words and marks that are aligned, page
by page, then added up over all pages. Lines that begin with ``URL`` are dropped, control characters
are spaces. ``ascii_only`` deletes all non-ASCII characters. The alignment is that of Python's difflib,
which is no LCS: it takes words of long texts that are frequent for noise, and so loses some. ``exact``
takes an LCS, ours, instead. An empty text counts as one empty word there, and so does a space at
either end; with ``exact`` it does not.

Texts are compared in Unicode's NFC, as by all our measures.

Cost: O(m n / 64), of difflib quadratic at worst. Invariant: equal texts score 1 in all of them.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

from crawler.page.words import nfc, ws_tokens
from pipelines.evaluation.gold import Scores
from pipelines.evaluation.measures.counts import Counts
from pipelines.evaluation.measures.lcs import lcs_length, lcs_pairs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PARAGRAPH, HEADING, ITEM = "p", "h", "l"
_MARK = re.compile("<([phl])>", re.IGNORECASE)
# Within its line: blanks that go over ends of lines would be read once for each of many empty ones.
_URL_LINE = re.compile(r"^[^\S\n]*+URL.*$", re.MULTILINE)
_CONTROLS = re.compile("[\0-\x1f]+")
_SPACES = re.compile(r"\s+", re.ASCII)
_NOT_ASCII = re.compile("[^\0-\x7f]+")


class WordAndMarkCounts(NamedTuple):
    """What cleaneval.py counts on a page; marks are words, too."""

    words: Counts
    marks: Counts


def text_only(extracted: str, gold: str) -> Scores:
    """Return precision and recall of the aligned words, and as *f1* the text-only score.

    >>> round(text_only("a b c d", "b c d e").f1, 6)
    0.6
    """
    return _score(_words(extracted), _words(gold))


def text_and_marks(extracted: str, gold: str) -> Scores:
    """Return the score of two texts with marks such as ``<p>`` before their segments."""
    return _score(_words(_MARK.sub(_spaced, extracted)), _words(_MARK.sub(_spaced, gold)))


def marked(segments: Iterable[tuple[str, str]]) -> str:
    r"""Return a text with marks, of pairs of mark and text: what :func:`text_and_marks` takes.

    >>> marked([("h", "Title"), ("p", "text")])
    '<h>Title\n<p>text'
    """
    return "\n".join(f"<{mark}>{text}" for mark, text in segments)


def marked_gold(tagged: str) -> str:
    """Return a ``gold_tagged`` text, lines of mark, tab and text, with the marks of `marked`."""
    lines = (line.partition("\t") for line in tagged.split("\n") if line.strip())
    return marked((mark, text) for mark, _, text in lines)


def mark_of(kind: str) -> str:
    """Return the mark of a block of *kind*, one of ``Blocks.kind``."""
    if kind.startswith("heading"):
        return HEADING
    return ITEM if kind == "item" else PARAGRAPH


def without_marks(text: str) -> str:
    """Return *text* without marks."""
    return _MARK.sub("", text)


def word_counts(
    extracted: str, gold: str, *, ascii_only: bool = True, exact: bool = False
) -> WordAndMarkCounts:
    """Return what cleaneval.py counts on a page, marks in both texts counted as words."""
    ours, theirs = (_normalised(text, ascii_only=ascii_only) for text in (extracted, gold))
    if exact:
        first, second = ours.split(), theirs.split()
        matched: Sequence[int] = lcs_pairs(first, second).first.tolist()
    else:
        first, second = _SPACES.split(ours), _SPACES.split(theirs)
        blocks = SequenceMatcher(None, first, second).get_matching_blocks()
        matched = [place for block in blocks for place in range(block.a, block.a + block.size)]
    n_marks = sum(_is_mark(first[place]) for place in matched)
    return WordAndMarkCounts(
        Counts(len(matched), len(first), len(second)),
        Counts(n_marks, sum(map(_is_mark, first)), sum(map(_is_mark, second))),
    )


def plain_words(extracted: str, gold: str) -> Counts:
    """Return the words that cleaneval.py counts, marks stripped and without non-ASCII characters."""
    return word_counts(without_marks(extracted), without_marks(gold)).words


def exact_plain_words(extracted: str, gold: str) -> Counts:
    """Return the words by the longest alignment, those of all scripts, marks stripped."""
    plain = without_marks(extracted), without_marks(gold)
    return word_counts(*plain, ascii_only=False, exact=True).words


def tagged_text_and_marks(extracted: str, tagged: str) -> Scores:
    """Return `text_and_marks` of a text with marks and a ``gold_tagged`` one."""
    return text_and_marks(extracted, marked_gold(tagged))


def _score(first: list[str], second: list[str]) -> Scores:
    n_common = lcs_length(first, second)
    score = n_common / union if (union := len(first) + len(second) - n_common) else 1.0
    counted = Counts(n_common, len(first), len(second)).scores
    return Scores(counted.precision, counted.recall, score)


def _words(text: str) -> list[str]:
    return ws_tokens(nfc(text))


def _normalised(text: str, *, ascii_only: bool) -> str:
    text = _CONTROLS.sub(" ", _URL_LINE.sub("", nfc(text)))
    text = _SPACES.sub(" ", _MARK.sub(_spaced, text))
    return _NOT_ASCII.sub("", text) if ascii_only else text


def _spaced(mark: re.Match[str]) -> str:
    return f" {mark[0]} "


def _is_mark(word: str) -> bool:
    return _MARK.fullmatch(word) is not None
