"""The scan's kernels as Python, to be fuzzed: with the integers of compiled code, and watched.

Without its compiler numba leaves the kernels plain functions. An element of a numpy array then is a
scalar of the array's type, which overflows where compiled code does not, and a negative index counts
from the end. Here elements are Python's integers, and a place outside of an array raises.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt


class WatchedArray(np.ndarray):
    """An array that gives Python's integers, and that has no negative places."""

    def __getitem__(self, place: Any) -> Any:
        _check_place(place)
        found = super().__getitem__(place)
        return int(found) if isinstance(found, np.integer) else found

    def __setitem__(self, place: Any, value: Any) -> None:
        _check_place(place)
        if self.dtype == np.int64 and isinstance(value, int):
            # Hashes wrap around; nothing else comes near.
            value = (value + 2**63) % 2**64 - 2**63
        super().__setitem__(place, value)


def _check_place(place: Any) -> None:
    for part in place if isinstance(place, tuple) else (place,):
        if not isinstance(part, slice) and part < 0:
            raise IndexError(f"place {part} of an array")


def _watched(argument: Any) -> Any:
    if isinstance(argument, np.ndarray):
        return argument.view(WatchedArray)
    if isinstance(argument, tuple) and hasattr(argument, "_fields"):
        return type(argument)(*map(_watched, argument))
    return argument


def _on_watched_arrays(kernel: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *arguments: kernel(*map(_watched, arguments))


# As those of the kernels, but always of 64 bits: hashes are made from them, and wrap around.
def _lower(byte: int) -> np.int64:
    return np.int64(byte | 32 if 65 <= byte <= 90 else byte)


def _byte_at(source: npt.NDArray[np.uint8], place: int) -> np.int64:
    return np.int64(source[place])


def watch_kernels() -> None:
    """Let the scan of this process work on watched arrays; NUMBA_DISABLE_JIT must be set."""
    from crawler.page.scanning import (
        character_references,
        counts,
        elements,
        results,
        tags,
        words_of_values,
    )

    kernels: Any = results
    kernels._scan = _on_watched_arrays(kernels._scan)
    kernels._count = kernels.count = counts.count = _on_watched_arrays(counts.count)
    module: Any
    for module in (tags, elements, words_of_values):
        module.lower = _lower
    module = character_references
    module.byte_at = _byte_at
    # A conversion wraps around, too.
    module = tags
    module.np = SimpleNamespace(**vars(np))
    module.np.uint64 = lambda value: np.uint64(int(value) % 2**64)
