"""Manuals: pages that a program for documentation made, or that have code; more is kept of them.

The pages that the trees were trained on have few manuals and little code. Of reference pages, long lists of short
entries, they dropped a tenth and more, and listings between the paragraphs that they kept. So manuals are doubted less
(:data:`DOUBT`), short gaps in what is kept of them are closed, tables of which half is kept are kept as a whole, and
code, what stands within ``pre``, is as likely as the text before it at least, on any page. What names itself an article
is no manual.

By cross-validation, but for the programs, which five of the training pages name; what they do on manuals is measured
(``pipelines/evaluation/training/winnow/EXPERIMENTS.md``).

Shapes: float64[n] and bool[n] of blocks. Cost: O(n).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.tags import KINDS
from pipelines.boilerplate.winnow.features.kind_words import generator_tags
from pipelines.boilerplate.winnow.features.matrix import FEATURE_NAMES

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page.blocks import Blocks
    from pipelines.boilerplate.winnow.trees import F32

    Bools = npt.NDArray[np.bool_]
    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]

# Blocks of code that a manual has which no program names, and log odds taken off the blocks of manuals.
CODE_BLOCKS = 2
DOUBT = -1.0
# Blocks and words of a short gap.
GAP_BLOCKS, GAP_WORDS = 3, 30
# Of what `generator` says of programs for documentation, as "DocBook XSL Stylesheets V1.79.1" or "mkdocs-1.4.2".
PROGRAMS = frozenset(
    b"antora asciidoc asciidoctor bookdown docbook docfx docusaurus docutils doxygen exdoc gitbook gtk javadoc "
    b"makeinfo mkdocs odoc pdoc publican rustdoc sphinx starlight texi texinfo vitepress vuepress".split()
)
_NAMED = re.compile(rb"<meta\b[^>]*\bname\s*=\s*[\"']?\s*generator\b")
_WORDS = re.compile(rb"[a-z]+")
_NAMED_ARTICLE = FEATURE_NAMES.index("page is article")
_CELL = KINDS.index("cell")
_PRE = FEATURE_NAMES.index("within pre")


def is_manual(x: F32, source: bytes) -> bool:
    """Tell whether the page with the features *x* of a block at least, and *source*, is a manual."""
    if x[_NAMED_ARTICLE, 0]:
        return False
    return bool(np.count_nonzero(x[_PRE]) >= CODE_BLOCKS) or names_program(source)


def names_program(source: bytes) -> bool:
    """Tell whether a ``meta`` element named generator in the begin of *source* has one of PROGRAMS.

    >>> names_program(b'<meta name="generator" content="Doxygen 1.9.4">')
    True
    """
    return any(
        _NAMED.match(tag) is not None and not PROGRAMS.isdisjoint(_WORDS.findall(tag))
        for tag in generator_tags(source)
    )


def with_code(probability: F64, x: F32) -> F64:
    """Return *probability*, that of code no smaller than that of the last block before it that is none.

    What has none, 0, is out of the question, and stays so.
    """
    if not np.count_nonzero(x[_PRE]):
        return probability
    is_code = x[_PRE] > 0
    before = np.maximum.accumulate(np.where(is_code, -1, np.arange(len(probability))))
    is_raised = (before >= 0) & (probability > 0)
    return np.where(is_raised, np.maximum(probability, probability[before]), probability)


def rest_of_manual(kept: Bools, blocks: Blocks) -> Bools:
    """Return which other *blocks* of a manual are kept for those *kept* around them."""
    is_cell = blocks.paths.kind_number[blocks.path_number] == _CELL
    n_words = blocks.n_words.astype(np.float64)
    return gaps(kept, n_words) | rest_of_tables(kept, is_cell, n_words)


def gaps(kept: Bools, n_words: F64) -> Bools:
    """Return the blocks in short gaps between those *kept*."""
    place = np.flatnonzero(kept)
    start, end = place[:-1] + 1, place[1:]
    words = np.concatenate([[0.0], n_words.cumsum()])
    is_short = (end - start <= GAP_BLOCKS) & (words[end] - words[start] <= GAP_WORDS)
    return _between(start[is_short], end[is_short], len(kept)) & ~kept


def rest_of_tables(kept: Bools, is_cell: Bools, n_words: F64) -> Bools:
    """Return the cells beside those *kept* in rows of cells of which these have half of the words."""
    edges = np.flatnonzero(np.diff(is_cell, prepend=False, append=False))
    start, end = edges[::2], edges[1::2]
    words = np.concatenate([[0.0], n_words.cumsum()])
    found = np.concatenate([[0.0], (n_words * kept).cumsum()])
    n_found = found[end] - found[start]
    is_kept = (n_found > 0) & (2 * n_found >= words[end] - words[start])
    return _between(start[is_kept], end[is_kept], len(kept)) & ~kept


def _between(start: I64, end: I64, n_blocks: int) -> Bools:
    """Return which blocks lie from a *start* to its *end*, ranges that do not overlap."""
    turns = np.zeros(n_blocks + 1, np.int64)
    turns[start] += 1
    turns[end] -= 1
    return turns.cumsum()[:-1] > 0
