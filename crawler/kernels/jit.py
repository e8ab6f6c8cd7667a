"""The decorators for compiled kernels; they keep the signature that `mypy --strict` sees.

A kernel takes numpy arrays, numbers and named tuples of them. It runs without the interpreter lock,
its machine code is kept beside the module (``__pycache__``) or, where that cannot be written, in
the user's cache folder, and nothing is compiled before the first call. numba takes the code from the
cache as long as the kernel's own file is unchanged. Ours are made of parts from several files, and of
constants from more: they are taken from the cache as long as every module of the kernel's folder is
unchanged, and every constant in them.

Index arrays are uint32 or uint64: a signed index costs a test for negative values at each access
(measured on PageRank's gather: 1.5 times the time). Floating-point sums keep their written order.
"""

from __future__ import annotations

import inspect
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numba
import numpy as np
import xxhash

if TYPE_CHECKING:
    from collections.abc import Callable

_Function = TypeVar("_Function", bound="Callable[..., Any]")

# NUMBA_DISABLE_JIT: kernels are run as Python, for coverage and debuggers.
is_interpreted = bool(cast(Any, numba).config.DISABLE_JIT)
# numba's own types leave out what begins with an underscore.
_njit: Any = numba.njit
# Parts are never called from Python.
_PART: dict[str, Any] = {
    "nogil": True,
    "_nrt": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


def kernel(function: _Function) -> _Function:
    """Compile *function* at its first call, for the types of that call."""
    return _cached(function, _njit(nogil=True, cache=True)(function))


def lean_kernel(function: _Function) -> _Function:
    """Compile as :func:`kernel` does a function that makes no array.

    Arrays are not counted as used within, which is most of the time of one that is made of many
    parts (measured on the scan of a page: 10 ms with, 0.35 ms without).
    """
    return _cached(function, _njit(nogil=True, cache=True, _nrt=False)(function))


def part(function: _Function) -> _Function:
    """Make *function* a part of the lean kernels that call it, compiled into each of them."""
    return cast(_Function, _njit(forceinline=True, **_PART)(function))


def cold_part(function: _Function) -> _Function:
    """Make *function* a part that is called, not copied: for what is seldom needed."""
    return cast(_Function, _njit(**_PART)(function))


def _cached(function: _Function, compiled: Any) -> _Function:
    if not is_interpreted:
        # numba has no public way to say what else a kernel is made of; tests/test_kernels_jit.py
        # fails when this one changes.
        compiled._cache._cache_file._source_stamp = _stamp(Path(inspect.getfile(function)).parent)
    return cast(_Function, compiled)


def _stamp(folder: Path) -> str:
    """Return a digest of the kernel modules in *folder*: their sources, and their constants.

    Constants that they import are among them. Those that kernels take parts from are imported by
    now, for the decorator runs behind the imports of the last.
    """
    digest = xxhash.xxh3_128(_sources(folder) + _sources(Path(__file__).parent))
    for name, module in sorted(sys.modules.items()):
        if Path(getattr(module, "__file__", None) or "/").parent != folder:
            continue
        for constant, value in sorted(vars(module).items()):
            if isinstance(value, int | np.ndarray):
                digest.update(f"{name}.{constant}={value!r}".encode())
    return digest.hexdigest()


@cache
def _sources(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.glob("*.py")))
