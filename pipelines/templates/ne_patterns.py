"""Node extraction patterns: trees with wildcards that accept pages of one template.

A pattern is a tree of elements and texts in which a leaf may be a wildcard. It stands for sibling subtrees, whatever
they are: one (``.``), at most one (``?``), one or more (``+``), any number (``*``); so it is the least and the most of
them, 1 or no limit. A pattern accepts a tree when the two can be mapped so that each element is mapped to one of its
name, each text to one that says the same, and every child of an element, in order, to a child of its image or into a
wildcard among these. Of several such mappings the one counts of which the fewest vertices are in wildcards. A tree
without wildcards accepts itself alone; two patterns are combined into one by aligning their children as RTDM does: what
differs becomes a wildcard, and wildcards side by side one.

*Source: Reis, Golgher, da Silva and Laender 2004, after Gottron 2008, section 3.3.5*, who gives what wildcards stand
for, that patterns are mapped by RTDM with infinite costs for what is not allowed, and that a combined one accepts all
that the two accept. Ours, for neither costs nor rules of combination are given there: a vertex in a wildcard costs 1,
all else nothing or is not allowed; wildcards are leaves; pairs deeper than `MAX_DEPTH`, and those beyond `MAX_CELLS`
cells of alignments, become wildcards, or are not accepted.

Cost: O(n1 n2) at worst, `MAX_CELLS` at most; equal subtrees cost nothing. Invariant: a combined pattern accepts what
either of its parts accepts.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

from pipelines.templates.pattern_vertices import Vertex, is_literal, wildcard

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    # Vertices that are mapped to each other, or those in a wildcard.
    _Part = tuple[Vertex, Vertex] | list[Vertex]

# Each level is some calls of Python, which allows a thousand.
MAX_DEPTH = 100
# Some half a second; pages of a thousand elements have some ten thousand.
MAX_CELLS = 300_000
_NONE, _LITERAL, _SKIPPED, _ONE, _MORE = range(5)


class _Aligned(NamedTuple):
    """An alignment of two rows of children: its cost, and pairs in which one may be None."""

    cost: float
    pairs: list[tuple[Vertex | None, Vertex | None]]


def combine(a: Vertex, b: Vertex) -> Vertex:
    """Return a pattern that accepts all that *a* and *b* accept."""
    return _Combination().of(a, b, 0)


class _Combination:
    """The combination of two patterns; what pairs of vertices cost is worked out once."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], _Aligned | None] = {}
        self._n_cells = 0

    def of(self, a: Vertex, b: Vertex, depth: int) -> Vertex:
        """Return the combination of *a* and *b*, mapped to each other."""
        if a.subtree == b.subtree:
            return a
        aligned = self._aligned(a, b, depth)
        if aligned is None:
            return wildcard(min(a.least, b.least), max(a.most, b.most))
        children = (self._of_pair(x, y, depth + 1) for x, y in aligned.pairs)
        return Vertex(a.label, _without_neighbours(children))

    def _of_pair(self, a: Vertex | None, b: Vertex | None, depth: int) -> Vertex:
        if a is not None and b is not None:
            return self.of(a, b, depth)
        alone = a or b
        assert alone is not None
        return wildcard(0, alone.most)

    def _cost(self, a: Vertex, b: Vertex, depth: int) -> float:
        """Return how many vertices of *a* and *b* go into wildcards when they are mapped to each other."""
        if a.subtree == b.subtree:
            return 0
        aligned = self._aligned(a, b, depth)
        if aligned is not None:
            return aligned.cost
        return a.weight + b.weight

    def _aligned(self, a: Vertex, b: Vertex, depth: int) -> _Aligned | None:
        """Return the alignment of the children of *a* and *b*, None where they can be a wildcard alone."""
        key = id(a), id(b)
        if key not in self._known:
            can_be = a.label == b.label and a.children and b.children and depth < MAX_DEPTH
            self._known[key] = self._align(a.children, b.children, depth + 1) if can_be else None
        return self._known[key]

    def _align(self, a: Sequence[Vertex], b: Sequence[Vertex], depth: int) -> _Aligned | None:
        """Return the cheapest alignment of *a* and *b*, None beyond `MAX_CELLS`."""
        start = _n_equal(a, b)
        end = _n_equal(a[start:][::-1], b[start:][::-1])
        x, y = a[start : len(a) - end], b[start : len(b) - end]
        self._n_cells += (len(x) + 1) * (len(y) + 1)
        if self._n_cells > MAX_CELLS:
            return None
        inner = self._cheapest(x, y, depth)
        before = list(zip(a[:start], b[:start], strict=True))
        after = list(zip(a[len(a) - end :], b[len(b) - end :], strict=True))
        return _Aligned(inner.cost, [*before, *inner.pairs, *after])

    def _cheapest(self, a: Sequence[Vertex], b: Sequence[Vertex], depth: int) -> _Aligned:
        costs = [[0.0] * (len(b) + 1) for _ in range(len(a) + 1)]
        for i, x in enumerate(a):
            costs[i + 1][0] = costs[i][0] + x.weight
        for j, y in enumerate(b):
            costs[0][j + 1] = costs[0][j] + y.weight
        mapped = [[self._cost(x, y, depth) for y in b] for x in a]
        for i, x in enumerate(a):
            above, row = costs[i], costs[i + 1]
            for j, y in enumerate(b):
                row[j + 1] = min(
                    above[j] + mapped[i][j], above[j + 1] + x.weight, row[j] + y.weight
                )
        pairs: list[tuple[Vertex | None, Vertex | None]] = []
        i, j = len(a), len(b)
        while i or j:
            # Of equal costs one wildcard for both is better than one for each.
            if i and j and costs[i][j] == costs[i - 1][j - 1] + mapped[i - 1][j - 1]:
                i, j = i - 1, j - 1
                pairs.append((a[i], b[j]))
            elif i and costs[i][j] == costs[i - 1][j] + a[i - 1].weight:
                i -= 1
                pairs.append((a[i], None))
            else:
                j -= 1
                pairs.append((None, b[j]))
        return _Aligned(costs[-1][-1], pairs[::-1])


def _n_equal(a: Sequence[Vertex], b: Sequence[Vertex]) -> int:
    """Return how many of *a* and *b* are the same from the first on."""
    n = 0
    while n < min(len(a), len(b)) and a[n].subtree == b[n].subtree:
        n += 1
    return n


def _without_neighbours(children: Iterable[Vertex]) -> list[Vertex]:
    """Return *children* with wildcards side by side as one."""
    found: list[Vertex] = []
    for child in children:
        if found and child.is_wildcard and found[-1].is_wildcard:
            child = wildcard(max(found.pop().least, child.least), inf)  # noqa: PLW2901 - the two as one
        found.append(child)
    return found


class Captured(NamedTuple):
    """What wildcards of a pattern stand for in a tree: the vertices of each, in the order of the tree, and how many
    they are in all.
    """

    cost: float
    groups: list[list[Vertex]]


def captured(pattern: Vertex, tree: Vertex) -> Captured | None:
    """Return what is in the wildcards of *pattern* when it is mapped to *tree*, None when it does not accept it."""
    if pattern.is_wildcard:
        return Captured(tree.weight, [[tree]])
    mapping = _Mapping()
    cost = mapping.cost(pattern, tree)
    return None if cost == inf else Captured(cost, mapping.groups(pattern, tree))


class _Mapped(NamedTuple):
    """Children mapped to children: the cost; how many of the pattern stand before its first wildcard and behind its
    last, which are mapped one to one; and the step that leads to each pair of ends of what is between.
    """

    cost: float
    n_before: int
    n_behind: int
    steps: list[list[int]]


class _Mapping:
    """A mapping of a pattern to a tree without wildcards."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], _Mapped] = {}
        self._n_cells = 0

    def cost(self, pattern: Vertex, tree: Vertex) -> float:
        """Return how many vertices of *tree* are in wildcards; infinite where *pattern* does not accept it."""
        if is_literal(pattern):
            return 0 if pattern.subtree == tree.subtree else inf
        if pattern.label != tree.label:
            return inf
        key = id(pattern), id(tree)
        if key not in self._known:
            self._known[key] = self._mapped(pattern.children, tree.children)
        return self._known[key].cost

    def _mapped(self, pattern: Sequence[Vertex], tree: Sequence[Vertex]) -> _Mapped:
        before, behind = _n_fixed(pattern), _n_fixed(pattern[::-1])
        none = _Mapped(inf, before, behind, [])
        if before == len(pattern):
            behind = 0
        inner = pattern[before : len(pattern) - behind]
        n_inner = len(tree) - before - behind
        if n_inner < 0 or (n_inner and not inner):
            return none
        fixed = [*zip(pattern[:before], tree, strict=False)]
        fixed += zip(pattern[len(pattern) - behind :], tree[before + n_inner :], strict=True)
        cost = 0.0
        for mine, other in fixed:
            cost += self.cost(mine, other)
            if cost == inf:
                return none
        self._n_cells += (len(inner) + 1) * (n_inner + 1)
        if self._n_cells > MAX_CELLS:
            return none
        between, steps = self._fill(inner, tree[before : before + n_inner])
        return _Mapped(cost + between, before, behind, steps)

    def _fill(
        self, pattern: Sequence[Vertex], tree: Sequence[Vertex]
    ) -> tuple[float, list[list[int]]]:
        """Return the cost of mapping all of *pattern* to all of *tree*, and the step that leads to each pair of
        ends.
        """
        n = len(tree)
        above, steps = [0.0] + [inf] * n, [[_NONE] * (n + 1)]
        for vertex in pattern:
            row, step = [inf] * (n + 1), [_NONE] * (n + 1)
            if vertex.is_wildcard and vertex.least == 0:
                row, step = list(above), [_SKIPPED] * (n + 1)
            for j, child in enumerate(tree):
                cost, how = above[j], _ONE
                if vertex.is_wildcard:
                    if vertex.most > 1 and row[j] < cost:
                        cost, how = row[j], _MORE
                    cost += child.weight
                elif cost < inf:
                    cost, how = cost + self.cost(vertex, child), _LITERAL
                if cost < row[j + 1]:
                    row[j + 1], step[j + 1] = cost, how
            above = row
            steps.append(step)
        return above[n], steps

    def groups(self, pattern: Vertex, tree: Vertex) -> list[list[Vertex]]:
        """Return the vertices of *tree* in each wildcard that has any, in the order of the tree."""
        found: list[list[Vertex]] = []
        waiting: list[_Part] = [(pattern, tree)]
        while waiting:
            each = waiting.pop()
            if isinstance(each, list):
                found.append(each)
            elif not is_literal(each[0]):
                waiting += self._parts(*each)
        return found

    def _parts(self, pattern: Vertex, tree: Vertex) -> list[_Part]:
        """Return the pairs of children that are mapped to each other, and those that are in wildcards, the last ones
        first.
        """
        _, before, behind, steps = self._known[id(pattern), id(tree)]
        mine, theirs = pattern.children, tree.children
        parts: list[_Part] = [*zip(mine[::-1][:behind], theirs[::-1], strict=False)]
        group: list[Vertex] = []
        i, j = len(mine) - before - behind, len(theirs) - before - behind
        while i or j:
            step = steps[i][j]
            i -= step != _MORE
            j -= step != _SKIPPED
            if step == _LITERAL:
                parts.append((mine[before + i], theirs[before + j]))
            elif step in {_ONE, _MORE}:
                group.append(theirs[before + j])
            if step != _MORE and group:
                parts.append(group[::-1])
                group = []
        parts += zip(mine[:before][::-1], theirs[:before][::-1], strict=True)
        return parts


def _n_fixed(pattern: Sequence[Vertex]) -> int:
    """Return how many of *pattern* stand before its first wildcard."""
    return next((place for place, vertex in enumerate(pattern) if vertex.is_wildcard), len(pattern))
