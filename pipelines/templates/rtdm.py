"""The restricted top-down mapping (RTDM) of two trees: what it costs to turn one into the other.

Children of two elements that are mapped are aligned as the letters of two words are; to delete or insert an
element is to do so with its subtree, one unit an element. Two children with the same subtree cost nothing; if one
has no children, it costs 1 if their names differ, and the other's elements but itself; else what the alignment of
their children costs. Where a row of an alignment begins with more than epsilon, the pair is not looked at.
*Source: Reis, Golgher, da Silva and Laender 2004; Gottron 2008, algorithm 3.7, and 7.1 in linear space.*

Read with ``tmp <- M[j]`` done for every j. Where the printed algorithm is silent or surprising:

- two elements with children cost nothing for different names, unless *relabel* has it cost 1;
- the roots are not compared, only what is below them;
- *epsilon* is compared with the cost within the alignment at hand, and is infinite by default: costs are exact.

The cost is not normalised: `similarity` is 1 - cost / (n1 + n2), as the cost is at most the elements of both. It is no
metric. Of a page the first `MAX_ELEMENTS` elements are compared, so that a pair takes no more than half a second
(`compared_tree`). Shapes: :class:`pipelines.templates.documents.Tree`. Cost: O(n1 n2) at worst, near-linear where
subtrees are the same; memory O(n) for one row each level; nothing recurs. Invariant: symmetric, 0 for a tree with
itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel, part
from pipelines.templates.documents import with_subtrees

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from pipelines.templates.documents import Document, Tree

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]

NO_LIMIT = 2**62
# The largest of 134 pages of the web has 5,966; two pages of so many take .4 s at worst.
MAX_ELEMENTS = 10_000
# Columns of an alignment: the two parents, the children at hand, the place of the latter among n, the cell
# before it in the row above, and where the row is.
_X, _Y, _U, _V, _J, _N, _DIAGONAL, _BASE, _N_COLUMNS = range(9)


class Nodes(NamedTuple):
    """The arrays of :class:`pipelines.templates.documents.Tree` that count."""

    label: U64
    size: I64
    subtree: U64


def compared_tree(document: Document) -> Tree:
    """Return the first `MAX_ELEMENTS` elements of *document* in document order, which are a tree, too."""
    tree = document.tree
    if len(tree.label) <= MAX_ELEMENTS:
        return tree
    # Copies: a part would keep the whole.
    return with_subtrees(tree.label[:MAX_ELEMENTS].copy(), tree.parent[:MAX_ELEMENTS].copy())


def rtdm(a: Tree, b: Tree, *, epsilon: float = float("inf"), relabel: bool = False) -> int:
    """Return the cost of turning *a* into *b*, in elements."""
    if not len(a.label) or not len(b.label):
        return max(len(a.label), len(b.label))
    limit = NO_LIMIT if epsilon >= NO_LIMIT else int(np.floor(epsilon))
    # One row is at most the children of an element of b, and one place more.
    room = np.empty(2 * len(b.label) + 2, np.int64)
    n_levels = min(len(a.label), len(b.label)) + 1
    waiting = np.empty((n_levels, _N_COLUMNS), np.int64)
    nodes = [Nodes(tree.label, tree.size, tree.subtree) for tree in (a, b)]
    return align(nodes[0], nodes[1], limit, relabel, waiting, room)


def similarity(a: Tree, b: Tree, *, epsilon: float = float("inf"), relabel: bool = False) -> float:
    """Return 1 - cost / elements of both, 0 to 1, for the rule of 80 % of Reis et al.; 1 without elements.

    The two roots count as elements.
    """
    n = len(a.label) + len(b.label)
    return 1 - rtdm(a, b, epsilon=epsilon, relabel=relabel) / n if n else 1.0


class RtdmRows:
    """The costs of turning the trees of pages into each other."""

    def __init__(
        self, trees: Sequence[Tree], *, epsilon: float = float("inf"), relabel: bool = False
    ) -> None:
        self.trees = trees
        self.epsilon = epsilon
        self.relabel = relabel

    def __len__(self) -> int:
        return len(self.trees)

    def row(self, place: int, others: I64 | None = None) -> F64:
        """Return the costs between the page at *place* and *others*, by default all, float64[m]."""
        mine = self.trees[place]
        costs = [
            rtdm(mine, self.trees[other], epsilon=self.epsilon, relabel=self.relabel)
            for other in (range(len(self)) if others is None else others.tolist())
        ]
        return np.array(costs, np.float64)


@lean_kernel
def align(a: Nodes, b: Nodes, limit: int, relabel: bool, waiting: I64, room: I64) -> int:
    """Return the cost of the forest below the root of *a* and that of *b*."""
    level = 0
    _begin(0, 0, 0, a, b, waiting[0], room)
    while True:
        at = waiting[level]
        if not _go_on(a, b, limit, at, room):
            level += 1
            _begin(at[_U], at[_V], at[_BASE] + at[_N] + 1, a, b, waiting[level], room)
            continue
        # What stands at the end of the last row is the cost.
        cost = room[at[_BASE] + at[_N]]
        if level == 0:
            return int(cost)
        level -= 1
        at = waiting[level]
        u, v, j = at[_U], at[_V], at[_J]
        substitute = at[_DIAGONAL] + cost + (relabel and a.label[u] != b.label[v])
        at[_DIAGONAL] = _fill(at[_BASE] + j, a.size[u], b.size[v], substitute, room)
        at[_V], at[_J] = v + b.size[v], j + 1


@part
def _begin(  # noqa: PLR0913, PLR0917 - a part of a kernel takes arrays one by one
    x: int, y: int, base: int, a: Nodes, b: Nodes, at: I64, room: I64
) -> None:
    """Write the row of no child of *x*, from *base* on: all of *y*'s up to each are inserted; begin that of the
    first.
    """
    room[base] = 0
    j, v = base, y + 1
    while v < y + b.size[y]:
        room[j + 1] = room[j] + b.size[v]
        v += b.size[v]
        j += 1
    at[_X], at[_Y], at[_U], at[_BASE], at[_N] = x, y, x + 1, base, j - base
    _begin_row(a, at, room)


@part
def _begin_row(a: Nodes, at: I64, room: I64) -> None:
    """Begin the row of the child u of x, if there is one."""
    at[_V], at[_J], at[_DIAGONAL] = at[_Y] + 1, 1, room[at[_BASE]]
    if at[_U] < at[_X] + a.size[at[_X]]:
        room[at[_BASE]] += a.size[at[_U]]


@part
def _go_on(a: Nodes, b: Nodes, limit: int, at: I64, room: I64) -> bool:
    """Fill cells from those at hand on; return True when all rows are done, False at two children to be aligned."""
    end_u, end_v = at[_X] + a.size[at[_X]], at[_Y] + b.size[at[_Y]]
    while at[_U] < end_u:
        u, v, j, diagonal = at[_U], at[_V], at[_BASE] + at[_J], at[_DIAGONAL]
        while v < end_v:
            substitute = NO_LIMIT
            if diagonal <= limit:
                cost = _cost_at_once(u, v, a, b)
                if cost < 0:
                    at[_V], at[_J], at[_DIAGONAL] = v, j - at[_BASE], diagonal
                    return False
                substitute = diagonal + cost
            diagonal = _fill(j, a.size[u], b.size[v], substitute, room)
            v += b.size[v]
            j += 1
        at[_U] = u + a.size[u]
        _begin_row(a, at, room)
    return True


@part
def _cost_at_once(u: int, v: int, a: Nodes, b: Nodes) -> int:
    """Return what it costs to turn *u* into *v*, or -1 where their children are to be aligned."""
    if a.subtree[u] == b.subtree[v]:
        return 0
    if a.size[u] == 1 or b.size[v] == 1:
        return int(a.size[u] + b.size[v] - 2 + (a.label[u] != b.label[v]))
    return -1


@part
def _fill(j: int, deleted: int, inserted: int, substitute: int, room: I64) -> int:
    """Write the cell *j* of a row over that of the row above, which is returned."""
    above = int(room[j])
    room[j] = min(above + deleted, room[j - 1] + inserted, substitute)
    return above
