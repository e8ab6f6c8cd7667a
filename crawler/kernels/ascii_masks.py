"""What 64 bytes of text are, as the bits of one number: the lowest bit is the first byte.

For kernels that go from word to word instead of from byte to byte. Vectors are LLVM's portable
ones. The caller sees to it that 64 bytes can be read, and written where it copies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from crawler.kernels.jit import is_interpreted, part

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    Bytes = npt.NDArray[np.uint8]
    Ranges = tuple[tuple[int, int], ...]

WIDTH = 64
# The bit that makes a letter small; signs before "@" have it.
SMALL = 0x20
# First and last byte of ranges: whitespace as str.split has it, letters and digits.
_SPACES = ((0x09, 0x0D), (0x1C, 0x20))
_BREAKS = ((0x0A, 0x0A), (0x20, 0x20))
_WORDS = ((0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A))
_HIGH = ((0x80, 0xFF),)
_LEADS = ((0xC0, 0xFF),)
_LAST = ((0xFF, 0xFF),)
# numba's own type leaves the first argument of what it makes in place.
_intrinsic: Any = intrinsic
_proxy: Any = cgutils.create_struct_proxy


def _vector_at(context: Any, builder: Any, array_type: Any, array: Any, place: Any) -> Any:
    """Return a pointer to the 64 bytes of *array* from *place* on."""
    source = _proxy(array_type)(context, builder, array)
    vector = ir.VectorType(ir.IntType(8), WIDTH)
    return builder.bitcast(builder.gep(source.data, [place]), vector.as_pointer())


def _mask_of(ranges: Ranges) -> Any:
    """Return what makes the bits of those of 64 bytes that are in one of *ranges*."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = ir.VectorType(ir.IntType(8), WIDTH)
        place = _vector_at(context, builder, signature.args[0], *arguments)
        loaded = builder.load(place, align=1)
        mask = ir.Constant(ir.VectorType(ir.IntType(1), WIDTH), [0] * WIDTH)
        for first, last in ranges:
            from_first = builder.sub(loaded, ir.Constant(vector, [first] * WIDTH))
            size = ir.Constant(vector, [last - first] * WIDTH)
            mask = builder.or_(mask, builder.icmp_unsigned("<=", from_first, size))
        return builder.bitcast(mask, ir.IntType(WIDTH))

    return generate


@_intrinsic  # type: ignore[untyped-decorator]
def _spaces(typing_context: Any, array: Any, place: Any) -> Any:  # noqa: ARG001
    return types.uint64(array, types.int64), _mask_of(_SPACES)


@_intrinsic  # type: ignore[untyped-decorator]
def _breaks(typing_context: Any, array: Any, place: Any) -> Any:  # noqa: ARG001
    return types.uint64(array, types.int64), _mask_of(_BREAKS)


@_intrinsic  # type: ignore[untyped-decorator]
def _words(typing_context: Any, array: Any, place: Any) -> Any:  # noqa: ARG001
    return types.uint64(array, types.int64), _mask_of(_WORDS)


@_intrinsic  # type: ignore[untyped-decorator]
def _high(typing_context: Any, array: Any, place: Any) -> Any:  # noqa: ARG001
    return types.uint64(array, types.int64), _mask_of(_HIGH)


@_intrinsic  # type: ignore[untyped-decorator]
def _leads(typing_context: Any, array: Any, place: Any) -> Any:  # noqa: ARG001
    return types.uint64(array, types.int64), _mask_of(_LEADS)


@_intrinsic  # type: ignore[untyped-decorator]
def _last(typing_context: Any, array: Any, place: Any) -> Any:  # noqa: ARG001
    return types.uint64(array, types.int64), _mask_of(_LAST)


def _pairs_of(set_bits: int) -> Any:
    """Return what makes the bits of two bytes that follow each other; *set_bits* are set in what is read."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = ir.VectorType(ir.IntType(8), WIDTH)
        undefined = ir.Constant(vector, ir.Undefined)
        lanes = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
        array, place, *wanted = arguments
        masks = []
        for further, byte in enumerate(wanted):
            at = builder.add(place, ir.Constant(place.type, further))
            loaded = builder.load(
                _vector_at(context, builder, signature.args[0], array, at), align=1
            )
            loaded = builder.or_(loaded, ir.Constant(vector, [set_bits] * WIDTH))
            one = builder.insert_element(undefined, byte, ir.Constant(ir.IntType(32), 0))
            masks.append(
                builder.icmp_unsigned("==", loaded, builder.shuffle_vector(one, undefined, lanes))
            )
        return builder.bitcast(builder.and_(*masks), ir.IntType(WIDTH))

    return generate


@_intrinsic  # type: ignore[untyped-decorator]
def _pairs(typing_context: Any, array: Any, place: Any, first: Any, second: Any) -> Any:  # noqa: ARG001
    return types.uint64(array, types.int64, types.uint8, types.uint8), _pairs_of(0)


@_intrinsic  # type: ignore[untyped-decorator]
def _small_pairs(typing_context: Any, array: Any, place: Any, first: Any, second: Any) -> Any:  # noqa: ARG001
    return types.uint64(array, types.int64, types.uint8, types.uint8), _pairs_of(SMALL)


@_intrinsic  # type: ignore[untyped-decorator]
def _n_trailing_zeros(typing_context: Any, mask: Any) -> Any:  # noqa: ARG001
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


@_intrinsic  # type: ignore[untyped-decorator]
def _copy(typing_context: Any, array: Any, place: Any, target: Any, to: Any) -> Any:  # noqa: ARG001
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source = _vector_at(context, builder, signature.args[0], *arguments[:2])
        written = _vector_at(context, builder, signature.args[2], *arguments[2:])
        builder.store(builder.load(source, align=1), written, align=1)
        return context.get_dummy_value()

    return types.none(array, types.int64, target, types.int64), generate


def _python_mask(ranges: Ranges) -> Callable[[Bytes, int], np.uint64]:
    def mask(source: Bytes, place: int) -> np.uint64:
        bits = 0
        for i, byte in enumerate(source[place : place + WIDTH].tolist()):
            bits |= any(first <= byte <= last for first, last in ranges) << i
        return np.uint64(bits)

    return mask


if is_interpreted:
    space_mask = _python_mask(_SPACES)
    break_mask = _python_mask(_BREAKS)
    word_mask = _python_mask(_WORDS)
    high_mask = _python_mask(_HIGH)
    lead_mask = _python_mask(_LEADS)
    last_mask = _python_mask(_LAST)

    def pair_mask(source: Bytes, place: int, first: int, second: int) -> np.uint64:
        """Return the bits of *first* before *second* among the 64 bytes from *place* on."""
        bits = 0
        for i in range(WIDTH):
            bits |= (source[place + i] == first and source[place + i + 1] == second) << i
        return np.uint64(bits)

    def small_pair_mask(source: Bytes, place: int, first: int, second: int) -> np.uint64:
        """Return the bits of *first* before *second*, small letters or signs, in any case of letters."""
        bits = 0
        for i in range(WIDTH):
            is_first = source[place + i] | SMALL == first
            bits |= (is_first and source[place + i + 1] | SMALL == second) << i
        return np.uint64(bits)

    def first_bit(mask: np.uint64) -> int:
        """Return the place of the lowest bit of *mask* that is set; 64 when none is."""
        bits = int(mask)
        return (bits & -bits).bit_length() - 1 if bits else WIDTH

    def copy_64(source: Bytes, place: int, target: Bytes, to: int) -> None:
        """Copy 64 bytes of *source* from *place* on to place *to* of *target*."""
        target[to : to + WIDTH] = source[place : place + WIDTH]
else:

    @part
    def space_mask(source: Bytes, place: int) -> np.uint64:
        """Return the bits of the ASCII whitespace among the 64 bytes from *place* on."""
        return np.uint64(_spaces(source, place))

    @part
    def break_mask(source: Bytes, place: int) -> np.uint64:
        """Return the bits of spaces and line feeds among the 64 bytes from *place* on."""
        return np.uint64(_breaks(source, place))

    @part
    def word_mask(source: Bytes, place: int) -> np.uint64:
        """Return the bits of the ASCII letters and digits among the 64 bytes from *place* on."""
        return np.uint64(_words(source, place))

    @part
    def high_mask(source: Bytes, place: int) -> np.uint64:
        """Return the bits of what is not ASCII among the 64 bytes from *place* on."""
        return np.uint64(_high(source, place))

    @part
    def lead_mask(source: Bytes, place: int) -> np.uint64:
        """Return the bits of what begins a character that is not ASCII among the 64 bytes from *place* on."""
        return np.uint64(_leads(source, place))

    @part
    def last_mask(source: Bytes, place: int) -> np.uint64:
        """Return the bits of the byte 255 among the 64 bytes from *place* on."""
        return np.uint64(_last(source, place))

    @part
    def pair_mask(source: Bytes, place: int, first: int, second: int) -> np.uint64:
        """Return the bits of *first* before *second* among the 64 bytes from *place* on.

        65 bytes are read.
        """
        return np.uint64(_pairs(source, place, first, second))

    @part
    def small_pair_mask(source: Bytes, place: int, first: int, second: int) -> np.uint64:
        """Return the bits of *first* before *second*, small letters or signs, in any case of letters.

        65 bytes are read. A byte that differs from a sign in that bit alone is taken for it.
        """
        return np.uint64(_small_pairs(source, place, first, second))

    @part
    def first_bit(mask: np.uint64) -> int:
        """Return the place of the lowest bit of *mask* that is set; 64 when none is."""
        return int(_n_trailing_zeros(mask))

    @part
    def copy_64(source: Bytes, place: int, target: Bytes, to: int) -> None:
        """Copy 64 bytes of *source* from *place* on to place *to* of *target*."""
        _copy(source, place, target, to)
