"""Pages that people segmented by hand, with marks of blocks in their mark-up.

The mark-up of *dataset-random* (Kreuzer 2013, "A Quantitative Comparison of Semantic Web Page
Segmentation Algorithms") is a serialised DOM with two attributes: ``data-block``, 1 for a top-level
block and 2 for one within, and ``data-block-type``. The annotators' own dialogue stands at the end of
the body; it is cut out.

Level 1: a word belongs to the innermost block of level 1 around it; level 2: to the innermost of
either level. Words outside of all blocks have label -1.

Segmentation divides a sequence. So :func:`runs` numbers the runs of equal labels: text on both
sides of an inner block is two segments, and each run outside of all blocks is one of its own, for who
marked the blocks beside it said that it is none of them. Both choices are the caller's.

Alignment: the marks are read by another parser than the page's blocks are made by, and the words
of both are aligned (longest matching runs, from the longest on). A word without a partner takes the
label of the nearest before it that has one, the first ones that of the first.
Cost: O(m) for pages that agree; quadratic at worst. This is for evaluation, not for pages of a crawl.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from html.parser import HTMLParser
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.page.tags import VOID
from crawler.page.words import block_words, density_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Labels = npt.NDArray[np.int64]

LEVELS = (1, 2)
OUTSIDE = -1
# Elements whose text the page model drops.
_SILENT = frozenset({"script", "style", "title", "noscript", "option", "textarea", "iframe"})
# The first element of the annotators' dialogue, which ends with the body.
_DIALOGUE = re.compile(r'<div\b[^>]*\brole="dialog"[^>]*>(?=\s*<div\b[^>]*\bui-dialog-titlebar\b)')
_BODY_END = re.compile(r"</body\s*>|\Z")


class MarkedPage(NamedTuple):
    """A page that was segmented by hand.

    *source*: its mark-up without the annotators' dialogue; *words*: its m density tokens, in page
    order; *labels*: the block of each, int64[m], by level.
    """

    source: str
    words: list[str]
    labels: dict[int, Labels]


class Aligned(NamedTuple):
    """Gold labels of the tokens of a page, int64[m], and how many of them have a partner."""

    labels: Labels
    n_matched: int


def read_marked(source: str) -> MarkedPage:
    """Read the mark-up of a page with marked blocks.

    >>> read_marked('<div data-block="1">a b <p data-block="2">c</p></div> d').labels[2].tolist()
    [0, 0, 1, -1]
    """
    source = _without_dialogue(source)
    parser = _Marks()
    parser.feed(source)
    parser.close()
    labels = np.array(parser.labels, dtype=np.int64).reshape(-1, len(LEVELS))
    return MarkedPage(source, parser.words, dict(zip(LEVELS, labels.T.copy(), strict=True)))


def align(words: Sequence[str], labels: Labels, texts: Sequence[str]) -> Aligned:
    """Return the labels of the density tokens of *texts*, given those of *words*, int64[m].

    No word of *texts* that occurs in *words*: all labels are -1.
    """
    tokens = [token for text in texts for token in density_tokens(text)]
    partner = np.full(len(tokens), -1, dtype=np.int64)
    matcher = SequenceMatcher(None, words, tokens, autojunk=False)
    for match in matcher.get_matching_blocks():
        partner[match.b : match.b + match.size] = np.arange(match.a, match.a + match.size)
    matched = np.flatnonzero(partner >= 0)
    if not len(matched):
        return Aligned(np.full(len(tokens), OUTSIDE, dtype=np.int64), 0)
    nearest = np.searchsorted(matched, np.arange(len(tokens)), side="right") - 1
    return Aligned(labels[partner[matched[np.maximum(nearest, 0)]]], len(matched))


def runs(labels: Labels) -> Labels:
    """Return the number of the run of equal *labels* that each word stands in, from 0 on.

    >>> runs(np.array([4, 4, -1, 4])).tolist()
    [0, 0, 1, 2]
    """
    return np.cumsum(np.diff(labels, prepend=labels[:1]) != 0)


def _without_dialogue(source: str) -> str:
    found = list(_DIALOGUE.finditer(source))
    if not found:
        return source
    end = _BODY_END.search(source, found[-1].end())
    return source[: found[-1].start()] + source[end.start() if end else len(source) :]


class _Marks(HTMLParser):
    """Collects words with the blocks around them; blocks are numbered from 0.

    Text goes on through an ``a``, as in atomic blocks, unless the ``a`` is a marked block.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self.labels: list[tuple[int, int]] = []
        self.n_blocks = 0
        # Open elements: name, blocks of the levels.
        self.open: list[tuple[str, tuple[int, int]]] = [("", (OUTSIDE, OUTSIDE))]
        self.n_silent = 0
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        level = dict(attrs).get("data-block")
        if tag != "a" or level:
            self._end_text()
        if tag in VOID:
            return
        blocks = self.open[-1][1]
        if level in ("1", "2"):
            blocks = (self.n_blocks if level == "1" else blocks[0], self.n_blocks)
            self.n_blocks += 1
        self.open.append((tag, blocks))
        self.n_silent += tag in _SILENT

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002  html.parser's
        if tag != "a":
            self._end_text()

    def handle_endtag(self, tag: str) -> None:
        place = next((k for k in range(len(self.open) - 1, 0, -1) if self.open[k][0] == tag), 0)
        before = self.open[place - 1][1]
        if tag != "a" or (place and before != self.open[place][1]):
            self._end_text()
        if place:
            self.n_silent -= sum(name in _SILENT for name, _ in self.open[place:])
            del self.open[place:]

    def handle_data(self, data: str) -> None:
        if not self.n_silent:
            self.parts.append(data)

    def close(self) -> None:
        super().close()
        self._end_text()

    def _end_text(self) -> None:
        words = block_words("".join(self.parts))[1]
        self.words += words
        self.labels += [self.open[-1][1]] * len(words)
        self.parts = []
