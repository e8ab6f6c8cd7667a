"""Who is told when a kernel is compiled: the first time after an install that takes most of a minute.

It knows nothing of numba, which takes a second to import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# Why a crawl ends that has no kernels: the compiler cannot make them here.
FAULTY_REASON = "kernels"

listeners: list[Callable[[], None]] = []


def tell_listeners() -> None:
    """Call the listeners: a kernel of which no machine code is kept is about to be compiled."""
    for listener in listeners:
        listener()
