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

The cost is not normalised: `similarity` is 1 - cost / (n1 + n2), as the cost is at most the elements of both.
It is no metric. Shapes: :class:`pipelines.templates.documents.Tree`. Cost: O(n1 n2) at worst, near-linear where subtrees are the
same; memory O(n) for one row each level; nothing recurs. Invariant: symmetric, 0 for a tree with itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from pipelines.templates.documents import Tree

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]

NO_LIMIT = 2**62
# Columns of an alignment that waits: the two parents, the children at hand, the place of the latter among n, the cell
# before it in the row above, and where the row is.
_X, _Y, _U, _V, _J, _N, _DIAGONAL, _BASE, _N_COLUMNS = range(9)


def rtdm(a: Tree, b: Tree, *, epsilon: float = float("inf"), relabel: bool = False) -> int:
    """Return the cost of turning *a* into *b*, in elements."""
    if not len(a.label) or not len(b.label):
        return max(len(a.label), len(b.label))
    limit = NO_LIMIT if epsilon >= NO_LIMIT else int(np.floor(epsilon))
    # One row is at most the children of an element of b, and one place more.
    room = np.empty(2 * len(b.label) + 2, np.int64)
    n_levels = min(len(a.label), len(b.label)) + 1
    waiting = np.empty((n_levels, _N_COLUMNS), np.int64)
    return align(
        (a.label, a.size, a.subtree), (b.label, b.size, b.subtree), limit, relabel, waiting, room
    )


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
def align(  # noqa: C901, PLR0912, PLR0915 - one loop in place of a recursion
    a: tuple[U64, I64, U64],
    b: tuple[U64, I64, U64],
    limit: int,
    relabel: bool,
    waiting: I64,
    room: I64,
) -> int:
    """Return the cost of the forest below the root of *a* and that of *b*: label, size and subtree each."""
    label_a, size_a, same_a = a
    label_b, size_b, same_b = b
    x = y = level = base = 0
    is_new = True
    u = v = j = n = diagonal = 0
    while True:
        if is_new:
            # The row of no child of x: all of y's up to each are inserted.
            room[base] = 0
            j, v = 1, y + 1
            while v < y + size_b[y]:
                room[base + j] = room[base + j - 1] + size_b[v]
                v += size_b[v]
                j += 1
            n = j - 1
            u, v, j = x + 1, y + 1, 1
            if u < x + size_a[x]:
                diagonal = room[base]
                room[base] += size_a[u]
            is_new = False
        result = -1
        if u >= x + size_a[x]:
            # The row is done: what stands at the end of it is the cost.
            result = room[base + n]
            if level == 0:
                return int(result)
            level -= 1
            x, y, u, v, j, n, diagonal, base = (
                waiting[level, _X],
                waiting[level, _Y],
                waiting[level, _U],
                waiting[level, _V],
                waiting[level, _J],
                waiting[level, _N],
                waiting[level, _DIAGONAL],
                waiting[level, _BASE],
            )
        elif v >= y + size_b[y]:
            u += size_a[u]
            v, j = y + 1, 1
            if u < x + size_a[x]:
                diagonal = room[base]
                room[base] += size_a[u]
            continue
        substitute = diagonal
        if result >= 0:
            substitute += result + (1 if relabel and label_a[u] != label_b[v] else 0)
        elif diagonal > limit:
            substitute = NO_LIMIT
        elif same_a[u] == same_b[v]:
            pass
        elif size_a[u] == 1 or size_b[v] == 1:
            substitute += size_a[u] + size_b[v] - 2 + (1 if label_a[u] != label_b[v] else 0)
        else:
            waiting[level, _X], waiting[level, _Y], waiting[level, _U] = x, y, u
            waiting[level, _V], waiting[level, _J], waiting[level, _N] = v, j, n
            waiting[level, _DIAGONAL], waiting[level, _BASE] = diagonal, base
            level += 1
            base += n + 1
            x, y = u, v
            is_new = True
            continue
        deleted = room[base + j] + size_a[u]
        inserted = room[base + j - 1] + size_b[v]
        diagonal = room[base + j]
        room[base + j] = min(deleted, inserted, substitute)
        v += size_b[v]
        j += 1
