"""Moving a part of an array within it, and copying eight bytes at once, in kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from crawler.kernels.jit import is_interpreted, part

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# numba's own type leaves the first argument of what it makes in place.
_intrinsic: Any = intrinsic
_proxy: Any = cgutils.create_struct_proxy
# Bytes that are brought into the cache at once.
_LINE = 64
_raw_memmove: Any = cgutils.raw_memmove


@_intrinsic  # type: ignore[untyped-decorator]
def _move(typing_context: Any, array: Any, source: Any, target: Any, n: Any) -> Any:  # noqa: ARG001
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = _proxy(signature.args[0])(context, builder, arguments[0]).data
        size = context.get_abi_sizeof(data.type.pointee)
        places = [builder.gep(data, [place]) for place in arguments[1:3]]
        _raw_memmove(builder, places[1], places[0], arguments[3], size)
        return context.get_dummy_value()

    return types.void(array, types.uint64, types.uint64, types.uint64), generate


def _copy_of(n_bytes: int) -> Any:
    """Return what copies *n_bytes* at once."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.VectorType(ir.IntType(8), n_bytes).as_pointer()
        places = [
            builder.bitcast(
                builder.gep(
                    _proxy(signature.args[i])(context, builder, arguments[i]).data,
                    [arguments[i + 1]],
                ),
                word,
            )
            for i in (0, 2)
        ]
        builder.store(builder.load(places[0], align=1), places[1], align=1)
        return context.get_dummy_value()

    return generate


@_intrinsic  # type: ignore[untyped-decorator]
def _copy_8(typing_context: Any, source: Any, start: Any, target: Any, to: Any) -> Any:  # noqa: ARG001
    return types.void(source, types.int64, target, types.int64), _copy_of(8)


@_intrinsic  # type: ignore[untyped-decorator]
def _copy_32(typing_context: Any, source: Any, start: Any, target: Any, to: Any) -> Any:  # noqa: ARG001
    return types.void(source, types.int64, target, types.int64), _copy_of(32)


@_intrinsic  # type: ignore[untyped-decorator]
def _prefetch(typing_context: Any, array: Any, place: Any) -> Any:  # noqa: ARG001
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = _proxy(signature.args[0])(context, builder, arguments[0]).data
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
        at = builder.bitcast(builder.gep(data, [arguments[1]]), pointer)
        # To be read, as near as can be, and data.
        builder.call(function, [at, *(ir.Constant(number, flag) for flag in (0, 3, 1))])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


if is_interpreted:

    def prefetch(array: npt.NDArray[Any], place: int) -> None:
        """Have the entry of *array* at *place* brought into the cache; it need not be there."""

    def copy_8(
        source: npt.NDArray[np.uint8], start: int, target: npt.NDArray[np.uint8], to: int
    ) -> None:
        """Copy the eight bytes of *source* from *start* on to *target*, from *to* on."""
        target[to : to + 8] = source[start : start + 8].copy()

    def copy_32(
        source: npt.NDArray[np.uint8], start: int, target: npt.NDArray[np.uint8], to: int
    ) -> None:
        """Copy the 32 bytes of *source* from *start* on to *target*, from *to* on."""
        target[to : to + 32] = source[start : start + 32].copy()

    def move(array: npt.NDArray[Any], source: np.uint64, target: np.uint64, n: np.uint64) -> None:
        """Copy *n* entries of *array* from *source* to *target*; the two may overlap."""
        array[int(target) : int(target + n)] = array[int(source) : int(source + n)].copy()

else:

    @part
    def prefetch(array: npt.NDArray[Any], place: int) -> None:
        """Have the entry of *array* at *place* brought into the cache; it need not be there."""
        _prefetch(array, place)

    @part
    def copy_8(
        source: npt.NDArray[np.uint8], start: int, target: npt.NDArray[np.uint8], to: int
    ) -> None:
        """Copy the eight bytes of *source* from *start* on to *target*, from *to* on."""
        _copy_8(source, start, target, to)

    @part
    def copy_32(
        source: npt.NDArray[np.uint8], start: int, target: npt.NDArray[np.uint8], to: int
    ) -> None:
        """Copy the 32 bytes of *source* from *start* on to *target*, from *to* on."""
        _copy_32(source, start, target, to)

    @part
    def move(array: npt.NDArray[Any], source: np.uint64, target: np.uint64, n: np.uint64) -> None:
        """Copy *n* entries of *array* from *source* to *target*; the two may overlap."""
        _move(array, source, target, n)


@part
def prefetch_bytes(array: npt.NDArray[np.uint8], begin: int, end: int) -> None:
    """Have the bytes of *array* from *begin* to *end* brought into the cache."""
    for place in range(begin, end, _LINE):
        prefetch(array, place)
