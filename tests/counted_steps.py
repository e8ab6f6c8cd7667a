"""The steps that a call takes in our own Python: a measure of work that no clock and no other process can move.

Loops within compiled kernels, numpy and other libraries are not seen; a loop that calls them is. A step is a line:
each turn of a loop is one or more, that of a comprehension too, in a quarter of the time that instructions take.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

_OURS = ("/pipelines/", "/crawler/")


def n_steps(call: Callable[[], object]) -> int:
    """Return how many lines of the project's own files *call* runs through."""
    count = 0

    @cache
    def is_ours(path: str) -> bool:
        return any(part in path for part in _OURS)

    def trace(frame: FrameType, _event: str, _: object) -> object:
        return count_lines if is_ours(frame.f_code.co_filename) else None

    def count_lines(_frame: FrameType, event: str, _: object) -> object:
        nonlocal count
        count += event == "line"
        return count_lines

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count
