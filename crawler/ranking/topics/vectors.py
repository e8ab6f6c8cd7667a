"""Writes LLVM's instructions for rows of `LANES` numbers; used by `crawler.ranking.topics.lanes`.

Vectors are LLVM's portable ones; the compiler cuts them into what the processor has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from llvmlite import ir
from numba.core import cgutils, types

if TYPE_CHECKING:
    from collections.abc import Callable

# A row of float32 is one cache line. Measured (bench_facets, a million pages): a topic costs as much
# with 32, but of 100 topics the last block is then nearly empty.
LANES = 16

INDEX = ir.IntType(64)
SHORT = ir.IntType(32)
_proxy: Any = cgutils.create_struct_proxy


class VectorBuilder:
    """Writes the instructions of an intrinsic whose arguments these are."""

    def __init__(self, context: Any, builder: Any, signature: Any, arguments: Any) -> None:
        self.ir = builder
        self._types = signature.args
        self._arguments = arguments
        self._arrays = [
            _proxy(kind)(context, builder, value).data if isinstance(kind, types.Array) else None
            for kind, value in zip(signature.args, arguments, strict=True)
        ]

    def vector(self, array: int) -> Any:
        """Return the type of a row of argument *array*."""
        number = ir.FloatType() if self._types[array].dtype.bitwidth == 32 else ir.DoubleType()
        return ir.VectorType(number, LANES)

    def place(self, array: int, row: Any) -> Any:
        """Return a pointer to row *row* of argument *array*."""
        first = self.ir.mul(row, ir.Constant(INDEX, LANES))
        return self.ir.bitcast(
            self.ir.gep(self._arrays[array], [first]), self.vector(array).as_pointer()
        )

    def row(self, array: int, row: Any, into: Any = None) -> Any:
        """Return a row of argument *array*, as the vector type *into*."""
        found = self.ir.load(self.place(array, row), align=8)
        return found if into is None else self.cast(found, into)

    def cast(self, vector: Any, into: Any) -> Any:
        """Return *vector* as the vector type *into*."""
        if into == vector.type:
            return vector
        narrower = isinstance(into.element, ir.FloatType)
        return (self.ir.fptrunc if narrower else self.ir.fpext)(vector, into)

    def store(self, array: int, row: Any, vector: Any) -> None:
        """Write *vector* to a row of argument *array*."""
        self.ir.store(vector, self.place(array, row), align=8)

    def number(self, array: int, place: Any) -> Any:
        """Return an element of argument *array*, whole numbers as indices."""
        found = self.ir.load(self.ir.gep(self._arrays[array], [place]))
        if isinstance(found.type, ir.IntType) and found.type.width < 64:
            return self.ir.zext(found, INDEX)
        return found

    def spread(self, number: Any, vector: Any) -> Any:
        """Return the vector whose lanes are all *number*."""
        if vector.element != number.type:
            number = self.ir.fptrunc(number, vector.element)
        nothing = ir.Constant(vector, ir.Undefined)
        first = self.ir.insert_element(nothing, number, ir.Constant(SHORT, 0))
        lanes = ir.Constant(ir.VectorType(SHORT, LANES), [0] * LANES)
        return self.ir.shuffle_vector(first, nothing, lanes)

    def add_product(self, total: Any, a: Any, b: Any) -> Any:
        """Return total + a * b, rounded once where the processor can."""
        return self.ir.fadd(total, self.ir.fmul(a, b, flags=("contract",)), flags=("contract",))

    def size(self, vector: Any) -> Any:
        """Return *vector* without the signs."""
        bits = 32 if isinstance(vector.type.element, ir.FloatType) else 64
        whole = ir.VectorType(ir.IntType(bits), LANES)
        mask = ir.Constant(whole, [2 ** (bits - 1) - 1] * LANES)
        return self.ir.bitcast(self.ir.and_(self.ir.bitcast(vector, whole), mask), vector.type)

    def transposed(self, square: list[Any]) -> list[Any]:
        """Return the columns of `LANES` vectors.

        The first half of the list is interleaved with the second: number k of it, in binary, moves by
        one place to the left, as the place of a lane does. Done log2(`LANES`) times, both are swapped.
        """
        half = LANES // 2
        mask = ir.VectorType(SHORT, LANES)
        low = ir.Constant(mask, [n // 2 + n % 2 * LANES for n in range(LANES)])
        high = ir.Constant(mask, [half + n // 2 + n % 2 * LANES for n in range(LANES)])
        for _ in range(LANES.bit_length() - 1):
            pairs = zip(square[:half], square[half:], strict=True)
            square = [self.ir.shuffle_vector(a, b, m) for a, b in pairs for m in (low, high)]
        return square

    def loop(self, start: Any, end: Any, step: int, values: list[Any], body: Any) -> list[Any]:
        """Run ``values = body(i, *values)`` for i from *start* by *step* while i + step <= end.

        Return i and the values after the last.
        """
        builder, by = self.ir, ir.Constant(INDEX, step)
        before = builder.block
        head = builder.append_basic_block("loop")
        inside = builder.append_basic_block("loop_body")
        after = builder.append_basic_block("loop_end")
        builder.branch(head)
        builder.position_at_end(head)
        now = [builder.phi(value.type) for value in (start, *values)]
        for phi, value in zip(now, (start, *values), strict=True):
            phi.add_incoming(value, before)
        following = builder.add(now[0], by)
        builder.cbranch(builder.icmp_signed("<=", following, end), inside, after)
        builder.position_at_end(inside)
        new = body(*now)
        for phi, value in zip(now, (following, *new), strict=True):
            phi.add_incoming(value, builder.block)
        builder.branch(head)
        builder.position_at_end(after)
        return now

    def sum_of_rows(self, x: int, sources: int, start: Any, stop: Any, first: Any) -> Any:
        """Return *first* + the rows of *x* whose numbers stand in *sources*, in two sums."""

        def two(j: Any, a: Any, b: Any) -> list[Any]:
            one = self.row(x, self.number(sources, j), first.type)
            following = self.ir.add(j, ir.Constant(INDEX, 1))
            other = self.row(x, self.number(sources, following), first.type)
            return [self.ir.fadd(a, one), self.ir.fadd(b, other)]

        def last(j: Any, a: Any) -> list[Any]:
            return [self.ir.fadd(a, self.row(x, self.number(sources, j), first.type))]

        zero = ir.Constant(first.type, [0.0] * LANES)
        j, a, b = self.loop(start, stop, 2, [first, zero], two)
        a = self.loop(j, stop, 1, [a], last)[1]
        return self.ir.fadd(a, b)


def writing(write: Callable[[VectorBuilder, Any], None]) -> Callable[..., Any]:
    """Return what numba generates the code of an intrinsic by: *write* of its builder and arguments."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        write(VectorBuilder(context, builder, signature, arguments), arguments)
        return context.get_dummy_value()

    return generate
