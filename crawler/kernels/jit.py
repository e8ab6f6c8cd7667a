"""The decorators for compiled kernels; they keep the signature that `mypy --strict` sees.

A kernel takes numpy arrays, numbers and named tuples of them. It runs without the interpreter lock,
its machine code is kept beside the module (``__pycache__``) or, where that cannot be written, in
the user's cache folder (``NUMBA_CACHE_DIR`` names another), and nothing is compiled before the
first call. numba takes the code from the cache as long as the kernel's own file is unchanged. Ours are
made of parts from several files, and of constants from more: they are taken from the cache as long as
the modules of all parts are unchanged, and every number in them.

Index arrays are uint32 or uint64: a signed index costs a test for negative values at each access
(measured on PageRank's gather: 1.5 times the time). Floating-point sums keep their written order.
"""

from __future__ import annotations

import importlib
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numba
import numpy as np
import xxhash
from numba.core import event
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic
from numba.np import linalg

from crawler.errors import InputError
from crawler.kernels.compiling import tell_listeners

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy.typing as npt

_Function = TypeVar("_Function", bound="Callable[..., Any]")
_Scalar = TypeVar("_Scalar", bound=np.generic)

# NUMBA_DISABLE_JIT: kernels are run as Python, for coverage and debuggers.
is_interpreted = bool(cast(Any, numba).config.DISABLE_JIT)
# numba's own types leave out what begins with an underscore.
_njit: Any = numba.njit
_COMPILED: tuple[Any, ...] = (Dispatcher, _Intrinsic)
# The kernels of the modules that are imported, by their names.
_KERNELS: dict[str, Any] = {}
# Parts are never called from Python.
_PART: dict[str, Any] = {
    "nogil": True,
    "_nrt": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    # As numpy divides: a test for 0 that raises keeps loops from being vectors.
    "error_model": "numpy",
}


def _import_array_functions() -> None:
    """Import numba's functions of arrays without scipy's BLAS, for which they look at their import.

    No kernel of ours multiplies matrices, and scipy's linear algebra is a third of what a process
    spends until its first kernel runs. Where a product is compiled, numba looks for it again.
    """
    look: Any = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = look


_import_array_functions()


class _Compiling(event.Listener):
    def on_start(self, event: object) -> None:  # noqa: ARG002  numba's interface
        tell_listeners()

    def on_end(self, event: object) -> None:
        pass


cast(Any, event).register("numba:compile", _Compiling())


def kernel(function: _Function) -> _Function:
    """Compile *function* at its first call, for the types of that call.

    Raises `InputError` when its machine code can be kept nowhere.
    """
    return _cached(function)


def lean_kernel(function: _Function) -> _Function:
    """Compile as :func:`kernel` does a function that makes no array.

    A division by zero gives what numpy gives. Arrays are not counted as used within, which is most of the time of one
    that is made of many parts (measured on the scan of a page: 10 ms with, 0.35 ms without).
    """
    return _cached(function, _nrt=False, error_model="numpy")


def with_first_types(kernel: _Function) -> _Function:
    """Return what calls *kernel* as if all arguments were of the types that they have in the first call.

    numba looks at the types of all arguments in each call, and for what named tuples are called: measured on the kernels
    of a small page, which take many arrays in few tuples, half of their time. Only for callers who make all arrays
    themselves, with the same entries and dimensions each time: of others numba refuses those whose entries are of another
    size alone.
    """
    if is_interpreted:
        return kernel
    compiled: Any = kernel
    entry: Callable[..., Any] | None = None

    def call(*arguments: Any) -> Any:
        nonlocal entry
        if entry is not None:
            return entry(*arguments)
        result = compiled(*arguments)
        # numba has no public way to call what it has compiled for given types.
        entry = compiled.overloads[tuple(map(compiled.typeof_pyval, arguments))].entry_point
        return result

    return cast(_Function, call)


def part(function: _Function) -> _Function:
    """Make *function* a part of the lean kernels that call it, compiled into each of them."""
    return cast(_Function, _njit(forceinline=True, **_PART)(function))


def cold_part(function: _Function) -> _Function:
    """Make *function* a part that is called, not copied: for what is seldom needed."""
    return cast(_Function, _njit(**_PART)(function))


def _cached(function: _Function, **options: Any) -> _Function:
    try:
        compiled = _njit(nogil=True, cache=True, **options)(function)
    except RuntimeError as error:
        raise InputError(
            "compiled code cannot be kept, neither beside the program nor in the home folder; name a "
            "folder that can be written as NUMBA_CACHE_DIR in the environment"
        ) from error
    if not is_interpreted:
        # numba has no public way to say what else a kernel is made of; tests/test_kernels_jit.py
        # fails when this one changes.
        kept = compiled._cache._cache_file
        kept._source_stamp = _stamp(function.__module__)
        kept._load_index = _unless_damaged(kept._load_index)
        kept._load_data = _unless_damaged(kept._load_data)
        _KERNELS[f"{function.__module__}.{function.__qualname__}"] = compiled
    return cast(_Function, compiled)


def _unless_damaged(load: Callable[..., Any]) -> Callable[..., Any]:
    """Return *load*, which reads what is kept of a kernel, with one error for all that is wrong with it: not there.

    Files that a crash of the system left without their bytes, or that name types of modules that are elsewhere since an
    update, keep nobody from compiling.
    """

    def loaded(*name: str) -> Any:
        try:
            return load(*name)
        except OSError:
            raise
        except Exception as error:  # unpickling raises any
            if name:
                raise FileNotFoundError(name[0]) from error
            return {}

    return loaded


def read_only(array: npt.NDArray[_Scalar]) -> npt.NDArray[_Scalar]:
    """Return a view of *array* that nobody can write to, as one over bytes is.

    A kernel is compiled for arrays of both kinds apart. One that reads arrays over bytes and others takes a view
    of the others.
    """
    view = array.view()
    view.setflags(write=False)
    return view


def used_kernels() -> dict[str, str]:
    """Return the kernels that this process has run, and of each the stamp that its machine code bears."""
    return {name: _stamp_of(kernel) for name, kernel in _KERNELS.items() if kernel.signatures}


def load_kernels() -> None:
    """Load the machine code that is kept of the kernels whose modules are imported."""
    for each in _KERNELS.values():
        # numba has no public way to list what its cache holds.
        for types, *_ in each._cache._cache_file._load_index():
            each.compile(types)


def are_unchanged(kernels: Mapping[str, str]) -> bool:
    """Tell whether *kernels*, those that are imported, bear the stamps that they did in another process."""
    known = _KERNELS.keys() & kernels.keys()
    return all(_stamp_of(_KERNELS[name]) == kernels[name] for name in known)


def _stamp_of(kernel: Any) -> str:
    return str(kernel._cache._cache_file._source_stamp)


def _stamp(name: str) -> str:
    """Return a digest of module *name* and all that its kernels are made of: sources and constants.

    Those are the modules of the parts that it names, and of theirs. Which other modules a process
    has loaded makes no difference: processes of all kinds share one cache.
    """
    digest = xxhash.xxh3_128()
    for module in sorted(_modules(name), key=lambda module: module.__name__):
        digest.update(_source(str(module.__file__)))
        for constant, value in sorted(vars(module).items()):
            if isinstance(value, np.ndarray):
                digest.update(f"{constant}={value.dtype}{value.shape}".encode() + value.tobytes())
            elif _is_number(value):
                digest.update(f"{constant}={value!r}".encode())
    return digest.hexdigest()


def _modules(name: str) -> set[ModuleType]:
    """Return module *name* and, over and over, those of the parts, intrinsics and modules it names."""
    roots = {name.partition(".")[0], __name__.partition(".")[0]}
    found: set[ModuleType] = set()
    waiting = [sys.modules[name]]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            used = (_module_of(value, roots) for value in vars(module).values())
            waiting += [other for other in used if other is not None]
    return found


def _module_of(value: object, roots: set[str]) -> ModuleType | None:
    if isinstance(value, ModuleType):
        return value if value.__name__.partition(".")[0] in roots else None
    if isinstance(value, _COMPILED):
        return sys.modules.get(str(value.__module__))
    return None


def _is_number(value: object) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_number, value))
    return isinstance(value, int | float | np.generic)


@cache
def _source(file: str) -> bytes:
    return Path(file).read_bytes()
