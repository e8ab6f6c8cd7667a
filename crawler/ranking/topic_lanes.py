"""Rows of `LANES` numbers, one a topic, added up as whole vectors.

An arc's index is read once for all lanes, and a row is whole cache lines side by side. Arrays hold
float32 or float64, and are made by `lane_rows`. Vectors are LLVM's portable ones; the compiler cuts
them into what the processor has. Without compiled code (``NUMBA_DISABLE_JIT``) numpy does the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from crawler.kernels.jit import is_interpreted

if TYPE_CHECKING:
    import numpy.typing as npt

    Rows = npt.NDArray[np.floating]
    Indices = npt.NDArray[np.uint32]

_Number = TypeVar("_Number", bound=np.floating)

# measured (bench_facets, on a graph of a million pages): 16 take 1.3 times as long for 100 topics,
# 64 nine tenths, and twice the memory
LANES = 32

_INDEX = ir.IntType(64)
_SHORT = ir.IntType(32)
_CACHE_LINE = 64
# numba's own type leaves the first argument of what it makes in place.
_intrinsic: Any = intrinsic
_proxy: Any = cgutils.create_struct_proxy


def lane_rows(n_rows: int, dtype: type[_Number]) -> npt.NDArray[_Number]:
    """Return zeros of shape (n_rows, `LANES`) that begin at a cache line.

    Vectors that lie across two cost twice (measured: 1.3 times the whole).
    """
    size = np.dtype(dtype).itemsize
    memory = np.zeros(n_rows * LANES * size + _CACHE_LINE, dtype=np.uint8)
    first = -memory.ctypes.data % _CACHE_LINE
    numbers = memory[first : first + n_rows * LANES * size].view(dtype)
    return numbers.reshape(n_rows, LANES)


def _vector(array_type: Any) -> Any:
    """Return the LLVM type of a row of an array."""
    number = ir.FloatType() if array_type.dtype.bitwidth == 32 else ir.DoubleType()
    return ir.VectorType(number, LANES)


def _row(context: Any, builder: Any, array_type: Any, array: Any, row: Any) -> Any:
    """Return a pointer to row *row* of *array* as a vector."""
    data = _proxy(array_type)(context, builder, array).data
    place = builder.gep(data, [builder.mul(row, ir.Constant(_INDEX, LANES))])
    return builder.bitcast(place, _vector(array_type).as_pointer())


def _spread(builder: Any, number: Any, vector: Any) -> Any:
    """Return the vector whose lanes are all *number*."""
    if vector.element != number.type:
        number = builder.fptrunc(number, vector.element)
    nothing = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(nothing, number, ir.Constant(_SHORT, 0))
    return builder.shuffle_vector(
        first, nothing, ir.Constant(ir.VectorType(_SHORT, LANES), [0] * LANES)
    )


def _sum_of_rows(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Return the sum of ``x[indices[start:stop]]``; the first four arguments are those four."""
    x_type, indices_type = signature.args[:2]
    x, indices, start, stop = arguments[:4]
    index_data = _proxy(indices_type)(context, builder, indices).data
    vector = _vector(x_type)
    zero = ir.Constant(vector, [0.0] * LANES)
    before = builder.block
    loop = builder.append_basic_block("rows")
    after = builder.append_basic_block("rows_end")
    builder.cbranch(builder.icmp_signed("<", start, stop), loop, after)
    builder.position_at_end(loop)
    place = builder.phi(_INDEX)
    total = builder.phi(vector)
    source = builder.zext(builder.load(builder.gep(index_data, [place])), _INDEX)
    row = builder.load(_row(context, builder, x_type, x, source), align=8)
    following = builder.add(place, ir.Constant(_INDEX, 1))
    new_total = builder.fadd(total, row)
    place.add_incoming(start, before)
    place.add_incoming(following, loop)
    total.add_incoming(zero, before)
    total.add_incoming(new_total, loop)
    builder.cbranch(builder.icmp_signed("<", following, stop), loop, after)
    builder.position_at_end(after)
    result = builder.phi(vector)
    result.add_incoming(zero, before)
    result.add_incoming(new_total, loop)
    return result


# The compiler takes neither tuples of such arguments nor keywords.
@_intrinsic  # type: ignore[untyped-decorator]
def _gather(  # noqa: PLR0913, PLR0917
    typing_context: Any,  # noqa: ARG001
    x: Any,
    indices: Any,
    start: Any,  # noqa: ARG001
    stop: Any,  # noqa: ARG001
    into: Any,
    row: Any,  # noqa: ARG001
    factor: Any,  # noqa: ARG001
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        total = _sum_of_rows(context, builder, signature, arguments)
        place = _row(context, builder, signature.args[4], *arguments[4:6])
        scaled = builder.fmul(total, _spread(builder, arguments[6], total.type))
        builder.store(builder.fadd(builder.load(place, align=8), scaled), place, align=8)
        return context.get_dummy_value()

    long = types.int64
    return types.void(x, indices, long, long, into, long, types.float64), generate


@_intrinsic  # type: ignore[untyped-decorator]
def _relax(  # noqa: PLR0913, PLR0917
    typing_context: Any,  # noqa: ARG001
    x: Any,
    indices: Any,
    start: Any,  # noqa: ARG001
    stop: Any,  # noqa: ARG001
    constant: Any,
    row: Any,  # noqa: ARG001
    page: Any,  # noqa: ARG001
    alpha: Any,  # noqa: ARG001
    scale: Any,  # noqa: ARG001
    weight: Any,  # noqa: ARG001
    change: Any,
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        total = _sum_of_rows(context, builder, signature, arguments)
        alpha, scale, weight = (_spread(builder, each, total.type) for each in arguments[7:10])
        from_outside = _row(context, builder, signature.args[4], *arguments[4:6])
        place = _row(context, builder, signature.args[0], arguments[0], arguments[6])
        first = ir.Constant(_INDEX, 0)
        changed = _row(context, builder, signature.args[10], arguments[10], first)
        incoming = builder.fadd(builder.load(from_outside, align=8), builder.fmul(alpha, total))
        new = builder.fmul(incoming, scale)
        step = builder.fsub(new, builder.load(place, align=8))
        size = builder.fmul(_absolute(builder, step), weight)
        builder.store(builder.fadd(builder.load(changed, align=8), size), changed, align=8)
        builder.store(new, place, align=8)
        return context.get_dummy_value()

    long, number = types.int64, types.float64
    arguments = (x, indices, long, long, constant, long, long, number, number, number, change)
    return types.void(*arguments), generate


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
        place = _row(context, builder, signature.args[0], *arguments[:2])
        added = builder.load(_row(context, builder, signature.args[2], *arguments[2:4]), align=8)
        scaled = builder.fmul(added, _spread(builder, arguments[4], added.type))
        builder.store(builder.fadd(builder.load(place, align=8), scaled), place, align=8)
        return context.get_dummy_value()

    return types.void(into, types.int64, x, types.int64, types.float64), generate


@_intrinsic  # type: ignore[untyped-decorator]
def _multiply(
    typing_context: Any,  # noqa: ARG001
    x: Any,
    page: Any,  # noqa: ARG001
    factors: Any,
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _row(context, builder, signature.args[0], *arguments[:2])
        first = ir.Constant(_INDEX, 0)
        by = builder.load(_row(context, builder, signature.args[2], arguments[2], first), align=8)
        builder.store(builder.fmul(builder.load(place, align=8), by), place, align=8)
        return context.get_dummy_value()

    return types.void(x, types.int64, factors), generate


def _absolute(builder: Any, vector: Any) -> Any:
    """Return *vector* without the signs."""
    bits = 32 if vector.type.element == ir.FloatType() else 64
    whole = ir.VectorType(ir.IntType(bits), LANES)
    mask = ir.Constant(whole, [2 ** (bits - 1) - 1] * LANES)
    return builder.bitcast(builder.and_(builder.bitcast(vector, whole), mask), vector.type)


def _gather_slowly(  # noqa: PLR0913, PLR0917
    x: Rows, indices: Indices, start: int, stop: int, into: Rows, row: int, factor: float
) -> None:
    into[row] += factor * x[indices[start:stop]].sum(axis=0)


def _relax_slowly(  # noqa: PLR0913, PLR0917
    x: Rows,
    indices: Indices,
    start: int,
    stop: int,
    constant: Rows,
    row: int,
    page: int,
    alpha: float,
    scale: float,
    weight: float,
    change: Rows,
) -> None:
    new = (constant[row] + alpha * x[indices[start:stop]].sum(axis=0)) * scale
    change[0] += abs(new - x[page]) * weight
    x[page] = new


def _add_scaled_slowly(into: Rows, row: int, x: Rows, page: int, factor: float) -> None:
    into[row] += factor * x[page]


def _multiply_slowly(x: Rows, page: int, factors: Rows) -> None:
    x[page] *= factors[0]


gather: Any = _gather_slowly if is_interpreted else _gather
"""gather(x, indices, start, stop, into, row, factor): into[row] += factor * sum of those rows of x."""
relax: Any = _relax_slowly if is_interpreted else _relax
"""relax(x, indices, start, stop, constant, row, page, alpha, scale, weight, change)

x[page] = (constant[row] + alpha * sum of those rows of x) * scale; change[0] += weight * |the step|.
"""
add_scaled: Any = _add_scaled_slowly if is_interpreted else _add_scaled
"""add_scaled(into, row, x, page, factor): into[row] += factor * x[page]."""
multiply: Any = _multiply_slowly if is_interpreted else _multiply
"""multiply(x, page, factors): x[page] *= factors[0], lane by lane."""
