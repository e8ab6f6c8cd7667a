"""What a method that labels blocks says of the text nodes of a page.

The nodes of a gold standard were read by another parser than the blocks, so both are matched by their
text: the non-white characters of all nodes and those of all blocks, one longest common subsequence.
A node belongs to the block that most of its matched characters are in, the first of several. A node
of which less than half is matched was not found: it has no block, and is not kept.

A method that gives only text is scored by its lines (:func:`counts_of_text`). A short node that was
dropped may then be taken for found, when what stands before it ends alike.

Cost: that of `measures.lcs.lcs_pairs`: quadratic, over 64. Invariant: when the nodes of each block,
joined, are its text, each node has its own block; and the blocks of the nodes never go back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.page.words import collapsed
from pipelines.evaluation.measures.lcs import lcs_pairs
from pipelines.evaluation.measures.text_nodes import node_counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from pipelines.evaluation.gold import NodeLabel
    from pipelines.evaluation.measures.counts import Counts

NO_BLOCK = -1


def blocks_of_nodes(nodes: Sequence[str], block_texts: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return the number of the block of each of the n *nodes*, or ``NO_BLOCK``; int64[n].

    >>> blocks_of_nodes(["Home", "Two ", "words", "gone"], ["Home", "Two words"]).tolist()
    [0, 1, 1, -1]
    """
    ours, theirs = ([_without_spaces(text) for text in texts] for texts in (nodes, block_texts))
    pairs = lcs_pairs("".join(ours), "".join(theirs))
    lengths = np.array([len(text) for text in ours], dtype=np.int64)
    node_of_pair = np.repeat(np.arange(len(ours)), lengths)[pairs.first]
    block_of_pair = np.repeat(np.arange(len(theirs)), [len(text) for text in theirs])[pairs.second]
    numbers = np.full(len(ours), NO_BLOCK, dtype=np.int64)
    n_found = np.bincount(node_of_pair, minlength=len(ours))
    for node in np.flatnonzero((n_found > 0) & (2 * n_found >= lengths)).tolist():
        low, high = np.searchsorted(node_of_pair, (node, node + 1))
        blocks, counts = np.unique(block_of_pair[low:high], return_counts=True)
        numbers[node] = blocks[counts.argmax()]
    return numbers


def align_nodes(
    nodes: Sequence[str], block_texts: Sequence[str], kept: Sequence[bool] | npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Return whether each of the n *nodes* is in a block that was *kept*; bool[n].

    Raises ValueError when there is not one *kept* for each block.
    """
    flags = np.asarray(kept, dtype=np.bool_)
    if len(flags) != len(block_texts):
        raise ValueError(f"kept must have one entry a block, {len(block_texts)}, got {len(flags)}")
    # The last entry is that of NO_BLOCK.
    return np.append(flags, False)[blocks_of_nodes(nodes, block_texts)]


def counts_of_blocks(
    labels: Sequence[NodeLabel],
    block_texts: Sequence[str],
    kept: Sequence[bool] | npt.NDArray[np.bool_],
    *,
    min_agreement: int = 0,
) -> Counts:
    """Return the counts (`text_nodes.node_counts`) of a page of which some blocks were *kept*."""
    found = align_nodes([node.text for node in labels], block_texts, kept)
    return node_counts(labels, found.tolist(), min_agreement=min_agreement)


def counts_of_text(
    extracted: str, labels: Sequence[NodeLabel], *, min_agreement: int = 0
) -> Counts:
    """Return the counts of a page of which the lines of *extracted* were kept."""
    lines = extracted.split("\n")
    return counts_of_blocks(labels, lines, [True] * len(lines), min_agreement=min_agreement)


def _without_spaces(text: str) -> str:
    return collapsed(text).replace(" ", "")
