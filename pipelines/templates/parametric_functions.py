"""Distances of pages by parametric functions of their nested lists.

The lists of a page are a string: a pair of braces for each ``ul``, within those of the one around it, and behind the
opening brace how many ``li`` it has, as ``{2{3}}{4}``. With f_k(D) the functions of page D's string, its length, how
many braces open, the sum of its numbers and their mean::

    d(D1, D2) = sum w_k |f_k(D1) - f_k(D2)| / max(f_k(D1), f_k(D2))

where 0/0 is 0, the weights w sum to 1, and are the same unless told otherwise. *Source: Gottron 2008, section 3.5.4,
of Cruz, Borisov, Marks and Webb 1998*, for the string and the functions. The thesis has no formula, and no string
as an example, so these are our reading:

- differences are shares of the larger value, or the length would outweigh all;
- an ``li`` is of the nearest list around it, ``ul`` or ``ol``, and counts where that is a ``ul``; an ``ol`` has no
  braces;
- a number stands before the lists in its own; a page without ``ul`` has the empty string, and 0 of all.

Shapes: values float64[4] of a page, in the order of `FUNCTIONS`; a row float64[n]. Cost: the string takes time in
proportion to the elements, a row to the pages. Invariant: in [0, 1], symmetric, with the triangle inequality; 0 says
that lists are alike, and nothing of the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.templates.labels import label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from pipelines.templates.documents import Document, Tree

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]

FUNCTIONS = ("length", "lists", "items", "mean")


def brace_string(tree: Tree) -> str:
    """Return the string of the lists of *tree*.

    >>> from crawler.page import build_page
    >>> from pipelines.templates.documents import document
    >>> source = b"<ul><li>a<li>b<ul><li>c<li>d<li>e</ul></ul><ol><li>f</ol>"
    >>> brace_string(document(build_page(source, url="http://a.com/", content_type=None)).tree)
    '{2{3}}'
    """
    parts: list[str] = []
    n_items: list[int] = []
    # Open lists: where each ends, and the place of its number; -1 for an ol.
    is_open: list[tuple[int, int]] = []
    ul, ol, li = (np.uint64(label(name)) for name in ("ul", "ol", "li"))
    places = np.flatnonzero((tree.label == ul) | (tree.label == ol) | (tree.label == li))
    for place in places.tolist():
        while is_open and is_open[-1][0] <= place:
            parts += "}" * (is_open.pop()[1] >= 0)
        if tree.label[place] == li:
            if is_open and is_open[-1][1] >= 0:
                n_items[is_open[-1][1]] += 1
            continue
        end = place + int(tree.size[place])
        if tree.label[place] == ol:
            is_open.append((end, -1))
            continue
        is_open.append((end, len(n_items)))
        n_items.append(0)
        parts.append("{")
    parts += ["}" for _, number in is_open if number >= 0]
    numbers = iter(n_items)
    return "".join(f"{{{next(numbers)}" if part == "{" else part for part in parts)


def list_values(document: Document) -> F64:
    """Return the values of `FUNCTIONS` for *document*."""
    braces = brace_string(document.tree)
    numbers = [int(each) for each in braces.replace("}", "").split("{") if each]
    total = sum(numbers)
    return np.array([len(braces), len(numbers), total, total / max(len(numbers), 1)], np.float64)


class ParametricRows:
    """The values of the functions of pages, with *weights* by name of `FUNCTIONS`, which sum to 1."""

    def __init__(self, pages: Sequence[F64], weights: Mapping[str, float] | None = None) -> None:
        self._values = np.array(pages, np.float64).reshape(len(pages), len(FUNCTIONS))
        shares = dict.fromkeys(FUNCTIONS, 1 / len(FUNCTIONS)) if weights is None else dict(weights)
        if unknown := sorted(set(shares) - set(FUNCTIONS)):
            raise ValueError(f"weights must be of {', '.join(FUNCTIONS)}, got {', '.join(unknown)}")
        if abs(sum(shares.values()) - 1) > 1e-9 or min(shares.values()) < 0:
            raise ValueError(f"weights must be 0 or more and sum to 1, got {sum(shares.values())}")
        self._weights = np.array([shares.get(name, 0.0) for name in FUNCTIONS])

    def __len__(self) -> int:
        return len(self._values)

    def row(self, place: int, others: I64 | None = None) -> F64:
        """Return the distances of the page at *place* to *others*, by default all, float64[m]."""
        theirs = self._values if others is None else self._values[others]
        mine = self._values[place]
        largest = np.maximum(theirs, mine)
        shares = np.abs(theirs - mine) / np.where(largest > 0, largest, 1)
        # Not as a product with the weights, whose sums depend on how many pages there are.
        found: F64 = (shares * self._weights).sum(axis=1)
        return found
