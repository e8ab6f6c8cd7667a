"""The loops of topic PageRank over the arcs of pages that have as many, row by row.

Compiled as `crawler.ranking.topics.lanes` tells.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from crawler.kernels.jit import is_interpreted
from crawler.ranking.topics.vectors import INDEX, LANES, VectorBuilder, writing

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import numpy.typing as npt

    Rows = npt.NDArray[np.floating]
    Indices = npt.NDArray[np.unsignedinteger]
    # what is done with a page whose votes are added up, and what its sums grow by: pairs of factors
    Update = Callable[[VectorBuilder, Any, Any], list[tuple[Any, Any]]]

# numba's own type leaves the first argument of what it makes in place.
_intrinsic: Any = intrinsic
# The arguments of the loops, by place.
_X, _SOURCES, _GIVEN, _KIND, _SHARE, _PER_VOTE, _LAST, _SUMS = 0, 1, 6, 7, 8, 9, 10, 11


def _over_rows(update: Update, n_sums: int) -> Any:
    """Return the intrinsic that does *update* for each page; its sums are of the type of given."""
    write = writing(partial(_write_loop, update=update, n_sums=n_sums))

    # The compiler takes neither tuples of such arguments nor keywords.
    def loop_over_rows(  # noqa: PLR0913, PLR0917
        typing_context: Any,  # noqa: ARG001
        x: Any,
        sources: Any,
        arc: Any,  # noqa: ARG001
        n_arcs: Any,  # noqa: ARG001
        page: Any,  # noqa: ARG001
        end: Any,  # noqa: ARG001
        given: Any,
        kind: Any,
        share: Any,
        per_vote: Any,
        last: Any,
        sums: Any,
    ) -> Any:
        long = types.int64
        arguments = (x, sources, long, long, long, long, given, kind, share, per_vote, last, sums)
        return types.void(*arguments), write

    return _intrinsic(loop_over_rows)


def _write_loop(make: VectorBuilder, arguments: Any, update: Update, n_sums: int) -> None:
    """Write the loop over the pages, and add its sums to those there were."""
    _, _, arc, n_arcs, page, end = arguments[:_GIVEN]

    def step(p: Any, j: Any, *totals: Any) -> list[Any]:
        stop = make.ir.add(j, n_arcs)
        votes = make.sum_of_rows(_X, _SOURCES, j, stop, make.row(_GIVEN, p))
        grown = zip(totals, update(make, p, votes), strict=True)
        return [stop, *(make.add_product(total, a, b) for total, (a, b) in grown)]

    zeros = [ir.Constant(make.vector(_GIVEN), [0.0] * LANES)] * n_sums
    found = make.loop(page, end, 1, [arc, *zeros], step)[2:]
    for number, value in enumerate(found):
        row = ir.Constant(INDEX, number)
        added = make.cast(value, make.vector(_SUMS))
        make.store(_SUMS, row, make.ir.fadd(make.row(_SUMS, row), added))


def _relax(make: VectorBuilder, p: Any, votes: Any) -> list[tuple[Any, Any]]:
    of_kind = make.number(_KIND, p)
    new = make.ir.fmul(votes, make.spread(make.number(_SHARE, of_kind), votes.type))
    step = make.size(make.ir.fsub(new, make.row(_X, p)))
    make.store(_X, p, new)
    weight, keeps = (
        make.spread(make.number(weights, of_kind), votes.type) for weights in (_PER_VOTE, _LAST)
    )
    return [(step, weight), (new, keeps)]


def _settle(make: VectorBuilder, p: Any, votes: Any) -> list[tuple[Any, Any]]:
    of_kind = make.number(_KIND, p)
    one = ir.Constant(ir.DoubleType(), 1.0)
    less = make.ir.fdiv(ir.Constant(ir.DoubleType(), -1.0), make.number(_SHARE, of_kind))
    vote = make.row(_X, p, votes.type)
    missing = make.add_product(votes, vote, make.spread(less, votes.type))
    make.store(_LAST, p, make.cast(missing, make.vector(_LAST)))
    once = make.spread(one, votes.type)
    weight = make.spread(make.number(_PER_VOTE, of_kind), votes.type)
    return [(make.size(missing), once), (missing, once), (vote, weight)]


def _relax_rows_slowly(  # noqa: PLR0913, PLR0917
    x: Rows,
    sources: Indices,
    arc: int,
    n_arcs: int,
    page: int,
    end: int,
    given: Rows,
    kind: Indices,
    share: Rows,
    per_vote: Rows,
    kept: Rows,
    sums: Rows,
) -> None:
    for p in range(page, end):
        new = (given[p] + x[sources[arc : arc + n_arcs]].sum(axis=0)) * share[kind[p]]
        sums[0] += abs(new - x[p]) * per_vote[kind[p]]
        sums[1] += new * kept[kind[p]]
        x[p] = new
        arc += n_arcs


def _settle_rows_slowly(  # noqa: PLR0913, PLR0917
    x: Rows,
    sources: Indices,
    arc: int,
    n_arcs: int,
    page: int,
    end: int,
    given: Rows,
    kind: Indices,
    share: Rows,
    per_vote: Rows,
    base: Rows,
    sums: Rows,
) -> None:
    for p in range(page, end):
        total = given[p] + x[sources[arc : arc + n_arcs]].sum(axis=0, dtype=given.dtype)
        missing = total - x[p].astype(given.dtype) / share[kind[p]]
        sums[0] += abs(missing)
        sums[1] += missing
        sums[2] += x[p] * per_vote[kind[p]]
        base[p] = missing
        arc += n_arcs


relax_rows: Any = _relax_rows_slowly if is_interpreted else _over_rows(_relax, 2)
"""relax_rows(x, sources, arc, n_arcs, page, end, given, kind, share, per_vote, kept, sums)

For each page p from *page* to *end*, the first one's *n_arcs* arcs being those from *arc* on: x[p] =
(given[p] + sum of those rows of x) * share[k], k = kind[p]; sums[0] += |step| * per_vote[k]; sums[1] +=
x[p] * kept[k]. sums is float64, x and given are float32."""
settle_rows: Any = _settle_rows_slowly if is_interpreted else _over_rows(_settle, 3)
"""settle_rows(x, sources, arc, n_arcs, page, end, given, kind, share, per_vote, base, sums)

For the pages and arcs that `relax_rows` takes: base[p] = missing = given[p] + sum of those rows of x -
x[p] / share[k]; sums[0] += |missing|; sums[1] += missing; sums[2] += x[p] * per_vote[k]. given and sums
are float64."""
