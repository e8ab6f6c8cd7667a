"""Workers of a test run that need a kernel at once compile it once: the others wait, and load it.

Half of what the workers of a first run compiled, another one was compiling, or had compiled just then. numba
writes the index of a kernel's cache without a lock besides: of two that write at once one is forgotten.
"""

from __future__ import annotations

import fcntl
import os

from numba.core.dispatcher import Dispatcher

from tests.forked_commands import SHARED

# The kernels that this process compiles: one calls others, and may call itself.
_held: set[str] = set()
_compile = Dispatcher.compile


def compile_once(self, types):
    """Compile *self*, a dispatcher, for *types* or load it, while no other process does."""
    cache_file = getattr(self._cache, "_cache_file", None)
    if cache_file is None or cache_file._index_path in _held:
        return _compile(self, types)
    path = cache_file._index_path
    os.makedirs(os.path.dirname(path), exist_ok=True)
    lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT)
    _held.add(path)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return _compile(self, types)
    finally:
        _held.discard(path)
        # By name: a process that was forked meanwhile holds the same lock.
        fcntl.flock(lock, fcntl.LOCK_UN)
        os.close(lock)


if SHARED in os.environ:
    Dispatcher.compile = compile_once  # type: ignore[method-assign]  # for all that this process compiles
