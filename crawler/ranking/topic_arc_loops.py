"""The loops of topic PageRank over the arcs of pages that have as many, row by row.

Compiled as `crawler.ranking.topic_lanes` tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from crawler.kernels.jit import is_interpreted
from crawler.ranking.topic_vectors import INDEX, LANES, VectorBuilder

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Rows = npt.NDArray[np.floating]
    Indices = npt.NDArray[np.unsignedinteger]

# numba's own type leaves the first argument of what it makes in place.
_intrinsic: Any = intrinsic


# The compiler takes neither tuples of such arguments nor keywords.
@_intrinsic  # type: ignore[untyped-decorator]
def _relax_rows(  # noqa: PLR0913, PLR0917
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
    kept: Any,
    sums: Any,
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        make = VectorBuilder(context, builder, signature, arguments)
        vector = make.vector(0)
        _, _, arc, n_arcs, page, end = arguments[:6]

        def update(p: Any, j: Any, change: Any, kept: Any) -> list[Any]:
            stop = builder.add(j, n_arcs)
            total = make.sum_of_rows(0, 1, j, stop, make.row(6, p))
            of_kind = make.number(7, p)
            new = builder.fmul(total, make.spread(make.number(8, of_kind), vector))
            step = make.size(builder.fsub(new, make.row(0, p)))
            weight = make.spread(make.number(9, of_kind), vector)
            make.store(0, p, new)
            keeps = make.spread(make.number(10, of_kind), vector)
            return [
                stop,
                make.add_product(change, step, weight),
                make.add_product(kept, new, keeps),
            ]

        zero = ir.Constant(vector, [0.0] * LANES)
        found = make.loop(page, end, 1, [arc, zero, zero], update)[2:]
        for number, value in enumerate(found):
            row = ir.Constant(INDEX, number)
            added = builder.fpext(value, make.vector(11))
            make.store(11, row, builder.fadd(make.row(11, row), added))
        return context.get_dummy_value()

    long = types.int64
    arguments = (x, sources, long, long, long, long, given, kind, share, per_vote, kept, sums)
    return types.void(*arguments), generate


@_intrinsic  # type: ignore[untyped-decorator]
def _settle_rows(  # noqa: PLR0913, PLR0917
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
    base: Any,
    sums: Any,
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        make = VectorBuilder(context, builder, signature, arguments)
        vector = make.vector(6)
        _, _, arc, n_arcs, page, end = arguments[:6]

        def settle(p: Any, j: Any, *sums: Any) -> list[Any]:
            stop = builder.add(j, n_arcs)
            of_kind = make.number(7, p)
            of_votes = builder.fdiv(ir.Constant(ir.DoubleType(), -1.0), make.number(8, of_kind))
            vote = make.row(0, p, vector)
            total = make.sum_of_rows(0, 1, j, stop, make.row(6, p))
            missing = make.add_product(total, vote, make.spread(of_votes, vector))
            make.store(10, p, builder.fptrunc(missing, make.vector(10)))
            weight = make.spread(make.number(9, of_kind), vector)
            size, signed, rank = sums
            return [
                stop,
                builder.fadd(size, make.size(missing)),
                builder.fadd(signed, missing),
                make.add_product(rank, vote, weight),
            ]

        first = [make.row(11, ir.Constant(INDEX, number)) for number in range(3)]
        found = make.loop(page, end, 1, [arc, *first], settle)[2:]
        for number, value in enumerate(found):
            make.store(11, ir.Constant(INDEX, number), value)
        return context.get_dummy_value()

    long = types.int64
    arguments = (x, sources, long, long, long, long, given, kind, share, per_vote, base, sums)
    return types.void(*arguments), generate


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


relax_rows: Any = _relax_rows_slowly if is_interpreted else _relax_rows
"""relax_rows(x, sources, arc, n_arcs, page, end, given, kind, share, per_vote, kept, sums)

For each page p from *page* to *end*, the first one's *n_arcs* arcs being those from *arc* on: x[p] =
(given[p] + sum of those rows of x) * share[k], k = kind[p]; sums[0] += |step| * per_vote[k]; sums[1] +=
x[p] * kept[k]. sums is float64, x and given are float32."""
settle_rows: Any = _settle_rows_slowly if is_interpreted else _settle_rows
"""settle_rows(x, sources, arc, n_arcs, page, end, given, kind, share, per_vote, base, sums)

For the pages and arcs that `relax_rows` takes: base[p] = missing = given[p] + sum of those rows of x -
x[p] / share[k]; sums[0] += |missing|; sums[1] += missing; sums[2] += x[p] * per_vote[k]. given and sums
are float64."""
