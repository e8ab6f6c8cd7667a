"""The densitometric tree: main content by the text density of a block and its two neighbours.

With d the text density and ld the link density of the previous, current and next atomic block of
the page (zeros beyond its ends)::

    cur.ld <= 1/3
    |  prev.ld <= 5/9
    |  |  cur.d <= 9
    |  |  |  next.d <= 10
    |  |  |  |  prev.d <= 4: BOILERPLATE
    |  |  |  |  prev.d > 4: CONTENT
    |  |  |  next.d > 10: CONTENT
    |  |  cur.d > 9
    |  |  |  next.d = 0: BOILERPLATE
    |  |  |  next.d > 0: CONTENT
    |  prev.ld > 5/9
    |  |  next.d <= 11: BOILERPLATE
    |  |  next.d > 11: CONTENT
    cur.ld > 1/3: BOILERPLATE

*Source: Kohlschütter 2011, section 4.4.3, algorithm 4.2; Kohlschütter, Fankhauser, Nejdl 2010.*
Blocks have a word at least, so that next.d = 0 means the last block of the page, which is
boilerplate. Shapes: all arrays have one entry a block. Cost: O(n), vectorised.
"""

from __future__ import annotations

from pipelines.boilerplate.numwords_tree import MAX_LINK_DENSITY, MAX_PREVIOUS_LINK_DENSITY
from pipelines.boilerplate.rule_tree import DENSITY, LINKS, Question, RuleTree

_AMONG_THIN = Question(f"previous {DENSITY}", 4, at_most=False, above=True)
_THIN = Question(f"next {DENSITY}", 10, at_most=_AMONG_THIN, above=True)
_DENSE = Question(f"next {DENSITY}", 0, at_most=False, above=True)
_AFTER_TEXT = Question(DENSITY, 9, at_most=_THIN, above=_DENSE)
_AFTER_LINKS = Question(f"next {DENSITY}", 11, at_most=False, above=True)
_FEW_LINKS = Question(
    f"previous {LINKS}", MAX_PREVIOUS_LINK_DENSITY, at_most=_AFTER_TEXT, above=_AFTER_LINKS
)


class DensitometricTree(RuleTree):
    """Algorithm 4.2."""

    tree = Question(LINKS, MAX_LINK_DENSITY, at_most=_FEW_LINKS, above=False)
