"""The NumWords/LinkDensity tree: main content by the words of a block and its two neighbours.

With n the words and ld the link density of the previous, current and next atomic block of the page
(zeros beyond its ends), the decision tree that C4.8 learned on the L3S-GN1 news pages, reduced::

    cur.ld <= 1/3
    |  prev.ld <= 5/9
    |  |  cur.n <= 16
    |  |  |  next.n <= 15
    |  |  |  |  prev.n <= 4: BOILERPLATE
    |  |  |  |  prev.n > 4: CONTENT
    |  |  |  next.n > 15: CONTENT
    |  |  cur.n > 16: CONTENT
    |  prev.ld > 5/9
    |  |  cur.n <= 40
    |  |  |  next.n <= 17: BOILERPLATE
    |  |  |  next.n > 17: CONTENT
    |  |  cur.n > 40: CONTENT
    cur.ld > 1/3: BOILERPLATE

*Source: Kohlschütter 2011, section 4.4.3, algorithm 4.3; Kohlschütter, Fankhauser, Nejdl 2010.*
The thresholds are the printed decimals, which puts a link density of exactly 1/3 above the first
and one of 5/9 below the second. Shapes: all arrays have one entry a block. Cost: O(n), vectorised.
"""

from __future__ import annotations

from pipelines.boilerplate.rule_tree import LINKS, WORDS, Question, RuleTree

# The printed thresholds of both published trees.
MAX_LINK_DENSITY = 0.333333
MAX_PREVIOUS_LINK_DENSITY = 0.555556

_AMONG_SHORT = Question(f"previous {WORDS}", 4, at_most=False, above=True)
_AFTER_TEXT = Question(
    WORDS, 16, at_most=Question(f"next {WORDS}", 15, at_most=_AMONG_SHORT, above=True), above=True
)
_AFTER_LINKS = Question(
    WORDS, 40, at_most=Question(f"next {WORDS}", 17, at_most=False, above=True), above=True
)
_FEW_LINKS = Question(
    f"previous {LINKS}", MAX_PREVIOUS_LINK_DENSITY, at_most=_AFTER_TEXT, above=_AFTER_LINKS
)


class NumWordsTree(RuleTree):
    """Algorithm 4.3."""

    tree = Question(LINKS, MAX_LINK_DENSITY, at_most=_FEW_LINKS, above=False)
