"""Rows of `LANES` numbers, one a topic, added up as whole vectors.

An arc's index is read once for all lanes, and a row of float32 is one cache line. Arrays hold
float32 or float64, and are made by `lane_rows`. Without compiled code (``NUMBA_DISABLE_JIT``) numpy
does the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from crawler.kernels.jit import is_interpreted
from crawler.ranking.topic_vectors import INDEX, LANES, SHORT, VectorBuilder

if TYPE_CHECKING:
    import numpy.typing as npt

    Rows = npt.NDArray[np.floating]
    Indices = npt.NDArray[np.unsignedinteger]

_Number = TypeVar("_Number", bound=np.floating)
_CACHE_LINE = 64
_get_or_insert: Any = cgutils.get_or_insert_function
# numba's own type leaves the first argument of what it makes in place.
_intrinsic: Any = intrinsic


def lane_rows(n_rows: int, dtype: type[_Number]) -> npt.NDArray[_Number]:
    """Return zeros of shape (n_rows, `LANES`) that begin at a cache line.

    Vectors that lie across two cost twice (measured: 1.3 times the whole).
    """
    size = np.dtype(dtype).itemsize
    memory = np.zeros(n_rows * LANES * size + _CACHE_LINE, dtype=np.uint8)
    first = -memory.ctypes.data % _CACHE_LINE
    numbers = memory[first : first + n_rows * LANES * size].view(dtype)
    return numbers.reshape(n_rows, LANES)


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
def _gather(  # noqa: PLR0913, PLR0917
    typing_context: Any,  # noqa: ARG001
    x: Any,
    sources: Any,
    start: Any,  # noqa: ARG001
    stop: Any,  # noqa: ARG001
    into: Any,
    row: Any,  # noqa: ARG001
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        make = VectorBuilder(context, builder, signature, arguments)
        _, _, start, stop, _, row = arguments
        total = make.sum_of_rows(0, 1, start, stop, make.row(4, row))
        make.store(4, row, total)
        return context.get_dummy_value()

    long = types.int64
    return types.void(x, sources, long, long, into, long), generate


@_intrinsic  # type: ignore[untyped-decorator]
def _weigh(  # noqa: PLR0913, PLR0917
    typing_context: Any,  # noqa: ARG001
    x: Any,
    kind: Any,
    weight: Any,
    n_rows: Any,  # noqa: ARG001
    into: Any,
    row: Any,  # noqa: ARG001
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        make = VectorBuilder(context, builder, signature, arguments)
        n_rows, _, row = arguments[3:]
        wide = make.vector(4)

        def add(p: Any, total: Any) -> list[Any]:
            weight = make.spread(make.number(2, make.number(1, p)), wide)
            return [make.add_product(total, make.row(0, p, wide), weight)]

        first = ir.Constant(INDEX, 0)
        make.store(4, row, make.loop(first, n_rows, 1, [make.row(4, row)], add)[1])
        return context.get_dummy_value()

    return types.void(x, kind, weight, types.int64, into, types.int64), generate


@_intrinsic  # type: ignore[untyped-decorator]
def _add_scaled(
    typing_context: Any,  # noqa: ARG001
    into: Any,
    row: Any,  # noqa: ARG001
    x: Any,
    page: Any,  # noqa: ARG001
    factor: Any,  # noqa: ARG001
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        make = VectorBuilder(context, builder, signature, arguments)
        _, row, _, page, factor = arguments
        vector = make.vector(0)
        added = make.row(2, page, vector)
        total = make.add_product(make.row(0, row), added, make.spread(factor, vector))
        make.store(0, row, total)
        return context.get_dummy_value()

    return types.void(into, types.int64, x, types.int64, types.float64), generate


@_intrinsic  # type: ignore[untyped-decorator]
def _add_products(
    typing_context: Any,  # noqa: ARG001
    x: Any,
    y: Any,
    n_rows: Any,  # noqa: ARG001
    factors: Any,
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        make = VectorBuilder(context, builder, signature, arguments)
        first = ir.Constant(INDEX, 0)
        by = make.row(3, first, make.vector(0))

        def add(p: Any) -> list[Any]:
            make.store(0, p, make.add_product(make.row(0, p), make.row(1, p), by))
            return []

        make.loop(first, arguments[2], 1, [], add)
        return context.get_dummy_value()

    return types.void(x, y, types.int64, factors), generate


@_intrinsic  # type: ignore[untyped-decorator]
def _settle(  # noqa: PLR0913, PLR0917
    typing_context: Any,  # noqa: ARG001
    x: Any,
    base: Any,
    votes: Any,
    page: Any,  # noqa: ARG001
    own: Any,  # noqa: ARG001
    per_vote: Any,  # noqa: ARG001
    sums: Any,
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        make = VectorBuilder(context, builder, signature, arguments)
        page, own, per_vote = arguments[3:6]
        vector = make.vector(1)
        added = make.row(0, page, vector)
        share = builder.fmul(added, make.spread(own, vector))
        missing = builder.fsub(make.row(1, page), share)
        total = builder.fadd(make.row(2, page), added)
        make.store(1, page, missing)
        make.store(2, page, total)
        rank = builder.fmul(total, make.spread(per_vote, vector))
        for number, value in enumerate((make.size(missing), missing, rank)):
            row = ir.Constant(INDEX, number)
            make.store(6, row, builder.fadd(make.row(6, row), value))
        return context.get_dummy_value()

    return types.void(x, base, votes, types.int64, types.float64, types.float64, sums), generate


@_intrinsic  # type: ignore[untyped-decorator]
def _fetch(typing_context: Any, x: Any, page: Any) -> Any:  # noqa: ARG001
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        make = VectorBuilder(context, builder, signature, arguments)
        byte = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, SHORT, SHORT, SHORT])
        fetch = _get_or_insert(builder.module, kind, "llvm.prefetch.p0i8")
        place = builder.bitcast(make.place(0, arguments[1]), byte)
        builder.call(fetch, [place, *(ir.Constant(SHORT, n) for n in (0, 3, 1))])
        return context.get_dummy_value()

    return types.void(x, types.int64), generate


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


def _gather_slowly(x: Rows, sources: Indices, start: int, stop: int, into: Rows, row: int) -> None:
    into[row] += x[sources[start:stop]].sum(axis=0, dtype=into.dtype)


def _weigh_slowly(x: Rows, kind: Indices, weight: Rows, n_rows: int, into: Rows, row: int) -> None:
    into[row] += weight[kind[:n_rows]] @ x[:n_rows].astype(into.dtype)


def _add_scaled_slowly(into: Rows, row: int, x: Rows, page: int, factor: float) -> None:
    into[row] += factor * x[page]


def _add_products_slowly(x: Rows, y: Rows, n_rows: int, factors: Rows) -> None:
    x[:n_rows] += y[:n_rows] * factors[0].astype(x.dtype)


def _settle_slowly(  # noqa: PLR0913, PLR0917
    x: Rows, base: Rows, votes: Rows, page: int, own: float, per_vote: float, sums: Rows
) -> None:
    base[page] -= x[page].astype(base.dtype) * own
    votes[page] += x[page]
    sums[0] += abs(base[page])
    sums[1] += base[page]
    sums[2] += votes[page] * per_vote


def _fetch_slowly(x: Rows, page: int) -> None:
    pass


relax_rows: Any = _relax_rows_slowly if is_interpreted else _relax_rows
"""relax_rows(x, sources, arc, n_arcs, page, end, given, kind, share, per_vote, kept, sums)

For each page p from *page* to *end*, the first one's *n_arcs* arcs being those from *arc* on: x[p] =
(given[p] + sum of those rows of x) * share[k], k = kind[p]; sums[0] += |step| * per_vote[k]; sums[1] +=
x[p] * kept[k]. sums is float64, x and given are float32."""
gather: Any = _gather_slowly if is_interpreted else _gather
"""gather(x, sources, start, stop, into, row): into[row] += sum of those rows of x."""
weigh: Any = _weigh_slowly if is_interpreted else _weigh
"""weigh(x, kind, weight, n_rows, into, row): into[row] += sum of weight[kind[p]] * x[p]."""
add_scaled: Any = _add_scaled_slowly if is_interpreted else _add_scaled
"""add_scaled(into, row, x, page, factor): into[row] += factor * x[page]."""
add_products: Any = _add_products_slowly if is_interpreted else _add_products
"""add_products(x, y, n_rows, factors): x[p] += y[p] * factors[0], lane by lane."""
settle: Any = _settle_slowly if is_interpreted else _settle
"""settle(x, base, votes, page, own, per_vote, sums): what `find_missing` does with a page."""
fetch: Any = _fetch_slowly if is_interpreted else _fetch
"""fetch(x, page): have that row brought into the cache."""
