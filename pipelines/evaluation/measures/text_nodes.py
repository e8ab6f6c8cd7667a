"""Pomikálek's evaluation by text nodes, for standards that label each text node of a page.

With w(x) the characters of node x, over the nodes labelled good or bad of all pages as one::

    P = sum of w(good and kept) / sum of w(kept);  R = sum of w(good and kept) / sum of w(good)

Only nodes count on whose label at least *min_agreement* percent of the annotators agree: 100, 80, 50
or 0 in the thesis. Nodes labelled uncertain, and those with a tie, never count. All nodes of a block
are kept when the block is. Where nothing is kept P is 0 (the thesis is silent), and so is F.
*Source: Pomikálek 2011, section 2.9.1; F0.5 (`counts.f_beta`) favours precision.* Lengths are of text
with whitespace collapsed. ``unit="words"`` counts words in place of characters.

Also his test of coherence (2.9.4): a block is mixed when it has good nodes and bad ones; and his test
of whether two lists of nodes are of the same page in the same order (2.9).
Cost: linear. Invariant: dropping a bad node that was kept raises P and leaves R as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from crawler.page.words import collapsed, ws_tokens
from pipelines.evaluation.gold import BAD, GOOD, Scores
from pipelines.evaluation.measures.counts import Counts, f_beta

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipelines.evaluation.gold import NodeLabel

    Unit = Literal["characters", "words"]

# Section 2.9.1: two lists are misaligned when more than 5% of the pairs differ by more than 5%.
ALIGNMENT_TOLERANCE = 0.05


class Coherence(NamedTuple):
    """How many of the blocks with labelled nodes are mixed."""

    n_mixed: int
    n_blocks: int


def node_counts(
    labels: Sequence[NodeLabel],
    kept: Sequence[bool],
    *,
    min_agreement: int = 0,
    unit: Unit = "characters",
) -> Counts:
    """Return the counts of a page whose nodes have *labels* and were *kept* or not.

    ValueError for sequences of different lengths.
    """
    right = extracted = good = 0
    for node, is_kept in zip(labels, kept, strict=True):
        if node.label not in {GOOD, BAD} or node.agreement < min_agreement:
            continue
        weight = _weight(node.text, unit)
        extracted += weight * bool(is_kept)
        good += weight * (node.label == GOOD)
        right += weight * (bool(is_kept) and node.label == GOOD)
    return Counts(right, extracted, good)


def node_scores(counts: Counts) -> Scores:
    """Return the scores of the pooled *counts*; precision 0 where nothing is kept."""
    recall = counts.scores.recall
    precision = counts.scores.precision if counts.n_extracted else 0.0
    return Scores(precision, recall, f_beta(precision, recall))


def coherence(
    labels: Sequence[NodeLabel], block_of_node: Sequence[int], *, min_agreement: int = 0
) -> Coherence:
    """Return how many blocks have both good and bad nodes.

    *block_of_node*: the number of the block that each node is in, or less than 0 for none. Blocks
    without a good or bad node that counts are left out.
    """
    seen: dict[int, set[str]] = {}
    for node, block in zip(labels, block_of_node, strict=True):
        if node.label in {GOOD, BAD} and node.agreement >= min_agreement and block >= 0:
            seen.setdefault(block, set()).add(node.label)
    return Coherence(sum(len(found) > 1 for found in seen.values()), len(seen))


def is_aligned(first: Sequence[str], second: Sequence[str]) -> bool:
    """Tell whether two lists of nodes have the same number, and mostly the same lengths."""
    if len(first) != len(second):
        return False
    lengths = [(len(collapsed(a)), len(collapsed(b))) for a, b in zip(first, second, strict=True)]
    n_different = sum(abs(a - b) > ALIGNMENT_TOLERANCE * max(a, b) for a, b in lengths)
    return n_different <= ALIGNMENT_TOLERANCE * len(lengths)


def _weight(text: str, unit: Unit) -> int:
    return len(collapsed(text)) if unit == "characters" else len(ws_tokens(text))
