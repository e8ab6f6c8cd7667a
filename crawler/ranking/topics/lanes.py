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
from crawler.ranking.topics.vectors import INDEX, LANES, SHORT, VectorBuilder, writing

if TYPE_CHECKING:
    import numpy.typing as npt

    Rows = npt.NDArray[np.floating]
    Indices = npt.NDArray[np.unsignedinteger]

_Number = TypeVar("_Number", bound=np.floating)
_CACHE_LINE = 64
_get_or_insert: Any = cgutils.get_or_insert_function
# numba's own type leaves the first argument of what it makes in place.
_intrinsic: Any = intrinsic
_FIRST = ir.Constant(INDEX, 0)


def lane_rows(n_rows: int, dtype: type[_Number]) -> npt.NDArray[_Number]:
    """Return zeros of shape (n_rows, `LANES`) that begin at a cache line.

    Vectors that lie across two cost twice (measured: 1.3 times the whole).
    """
    size = np.dtype(dtype).itemsize
    memory = np.zeros(n_rows * LANES * size + _CACHE_LINE, dtype=np.uint8)
    first = -memory.ctypes.data % _CACHE_LINE
    numbers = memory[first : first + n_rows * LANES * size].view(dtype)
    return numbers.reshape(n_rows, LANES)


def _write_scaled(make: VectorBuilder, arguments: Any) -> None:
    vector = make.vector(0)
    by = make.spread(arguments[3], vector)

    def scale(p: Any) -> list[Any]:
        make.store(0, p, make.ir.fmul(make.row(1, p, vector), by))
        return []

    make.loop(_FIRST, arguments[2], 1, [], scale)


# The compiler takes neither tuples of such arguments nor keywords.
@_intrinsic  # type: ignore[untyped-decorator]
def _scale_rows(
    typing_context: Any,  # noqa: ARG001
    into: Any,
    x: Any,
    n_rows: Any,  # noqa: ARG001
    factor: Any,  # noqa: ARG001
) -> Any:
    return types.void(into, x, types.int64, types.float64), writing(_write_scaled)


def _write_weighed(make: VectorBuilder, arguments: Any) -> None:
    n_rows, _, row = arguments[3:]
    wide = make.vector(4)

    def add(p: Any, total: Any) -> list[Any]:
        weight = make.spread(make.number(2, make.number(1, p)), wide)
        return [make.add_product(total, make.row(0, p, wide), weight)]

    make.store(4, row, make.loop(_FIRST, n_rows, 1, [make.row(4, row)], add)[1])


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
    return types.void(x, kind, weight, types.int64, into, types.int64), writing(_write_weighed)


def _write_added(make: VectorBuilder, arguments: Any) -> None:
    _, row, _, page, factor = arguments
    vector = make.vector(0)
    added = make.row(2, page, vector)
    make.store(0, row, make.add_product(make.row(0, row), added, make.spread(factor, vector)))


@_intrinsic  # type: ignore[untyped-decorator]
def _add_scaled(
    typing_context: Any,  # noqa: ARG001
    into: Any,
    row: Any,  # noqa: ARG001
    x: Any,
    page: Any,  # noqa: ARG001
    factor: Any,  # noqa: ARG001
) -> Any:
    return types.void(into, types.int64, x, types.int64, types.float64), writing(_write_added)


def _write_products(make: VectorBuilder, arguments: Any) -> None:
    by = make.row(3, _FIRST, make.vector(0))

    def add(p: Any) -> list[Any]:
        make.store(0, p, make.add_product(make.row(0, p), make.row(1, p), by))
        return []

    make.loop(_FIRST, arguments[2], 1, [], add)


@_intrinsic  # type: ignore[untyped-decorator]
def _add_products(
    typing_context: Any,  # noqa: ARG001
    x: Any,
    y: Any,
    n_rows: Any,  # noqa: ARG001
    factors: Any,
) -> Any:
    return types.void(x, y, types.int64, factors), writing(_write_products)


def _write_turned(make: VectorBuilder, arguments: Any) -> None:
    builder = make.ir
    by = make.row(3, _FIRST)
    n_lanes = ir.Constant(INDEX, LANES)

    def turn(p: Any) -> list[Any]:
        square = []
        for number in range(LANES):
            row = builder.fmul(make.row(1, builder.add(p, ir.Constant(INDEX, number))), by)
            square.append(make.cast(row, make.vector(0)))
        # row p / LANES of columns that are taken as rows of LANES numbers
        place = builder.udiv(p, n_lanes)
        per_lane = builder.udiv(arguments[2], n_lanes)
        for number, column in enumerate(make.transposed(square)):
            of_lane = builder.mul(per_lane, ir.Constant(INDEX, number))
            make.store(0, builder.add(of_lane, place), column)
        return []

    make.loop(_FIRST, arguments[2], LANES, [], turn)


@_intrinsic  # type: ignore[untyped-decorator]
def _turn(
    typing_context: Any,  # noqa: ARG001
    columns: Any,
    rows: Any,
    n_rows: Any,  # noqa: ARG001
    factors: Any,
) -> Any:
    return types.void(columns, rows, types.int64, factors), writing(_write_turned)


def _write_fetch(make: VectorBuilder, arguments: Any) -> None:
    byte = ir.IntType(8).as_pointer()
    kind = ir.FunctionType(ir.VoidType(), [byte, SHORT, SHORT, SHORT])
    fetch = _get_or_insert(make.ir.module, kind, "llvm.prefetch.p0i8")
    place = make.ir.bitcast(make.place(0, arguments[1]), byte)
    make.ir.call(fetch, [place, *(ir.Constant(SHORT, n) for n in (0, 3, 1))])


@_intrinsic  # type: ignore[untyped-decorator]
def _fetch(typing_context: Any, x: Any, page: Any) -> Any:  # noqa: ARG001
    return types.void(x, types.int64), writing(_write_fetch)


def _scale_rows_slowly(into: Rows, x: Rows, n_rows: int, factor: float) -> None:
    into[:n_rows] = x[:n_rows].astype(into.dtype) * factor


def _weigh_slowly(x: Rows, kind: Indices, weight: Rows, n_rows: int, into: Rows, row: int) -> None:
    into[row] += weight[kind[:n_rows]] @ x[:n_rows].astype(into.dtype)


def _add_scaled_slowly(into: Rows, row: int, x: Rows, page: int, factor: float) -> None:
    into[row] += factor * x[page].astype(into.dtype)


def _add_products_slowly(x: Rows, y: Rows, n_rows: int, factors: Rows) -> None:
    x[:n_rows] += y[:n_rows] * factors[0].astype(x.dtype)


def _turn_slowly(columns: Rows, rows: Rows, n_rows: int, factors: Rows) -> None:
    columns[:, :n_rows] = (rows[:n_rows] * factors[0]).T


def _fetch_slowly(x: Rows, page: int) -> None:
    pass


scale_rows: Any = _scale_rows_slowly if is_interpreted else _scale_rows
"""scale_rows(into, x, n_rows, factor): into[p] = x[p] * factor."""
weigh: Any = _weigh_slowly if is_interpreted else _weigh
"""weigh(x, kind, weight, n_rows, into, row): into[row] += sum of weight[kind[p]] * x[p]."""
add_scaled: Any = _add_scaled_slowly if is_interpreted else _add_scaled
"""add_scaled(into, row, x, page, factor): into[row] += factor * x[page]."""
add_products: Any = _add_products_slowly if is_interpreted else _add_products
"""add_products(x, y, n_rows, factors): x[p] += y[p] * factors[0], lane by lane."""
turn: Any = _turn_slowly if is_interpreted else _turn
"""turn(columns, rows, n_rows, factors): columns[lane, p] = rows[p, lane] * factors[0, lane].

columns is [LANES, n_rows], and n_rows a multiple of `LANES`."""
fetch: Any = _fetch_slowly if is_interpreted else _fetch
"""fetch(x, page): have that row brought into the cache."""
