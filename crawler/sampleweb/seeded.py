"""Random streams and numbers named by what they are for: the root of the sample web's determinism.

Everything in the sample web is drawn from a stream whose seed is the xxh3 of its name, such as
``(7, "title", 12, 40)``; no stream is ever shared by two things, so that a page can be computed
without computing any other.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, TypeVar

from xxhash import xxh3_64_intdigest

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


def number(*name: int | str) -> int:
    """Return the 64-bit number that belongs to *name*.

    >>> number(1, "size") == number("1", "size") != number(2, "size")
    True
    """
    return xxh3_64_intdigest("\x1f".join(map(str, name)).encode())


def stream(*name: int | str) -> Random:
    """Return a fresh random stream that depends on *name* alone."""
    return Random(number(*name))


def pick(options: Sequence[T], *name: int | str) -> T:
    """Return the one of *options* that belongs to *name*; *options* must not be empty."""
    return options[number(*name) % len(options)]
