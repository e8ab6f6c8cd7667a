"""The one decorator for compiled kernels; it keeps the signature that `mypy --strict` sees.

A kernel takes numpy arrays, numbers and named tuples of them. It runs without the interpreter lock,
its machine code is kept beside the module (``__pycache__``) or, where that cannot be written, in
the user's cache folder, and nothing is compiled before the first call.

Index arrays are uint32 or uint64: a signed index costs a test for negative values at each access
(measured on PageRank's gather: 1.5 times the time). Floating-point sums keep their written order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

import numba

if TYPE_CHECKING:
    from collections.abc import Callable

_Function = TypeVar("_Function", bound="Callable[..., Any]")


def kernel(function: _Function) -> _Function:
    """Compile *function* at its first call, for the types of that call."""
    return cast(_Function, numba.njit(nogil=True, cache=True)(function))
