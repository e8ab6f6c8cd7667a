"""The steps that a call takes in our own Python: a measure of work that no clock and no other process can move.

Loops within compiled kernels, numpy and other libraries are not seen; a loop that calls them is.
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
    """Return how many instructions of Python *call* runs in the project's own files."""
    count = 0

    @cache
    def is_ours(path: str) -> bool:
        return any(part in path for part in _OURS)

    def trace(frame: FrameType, event: str, _: object) -> object:
        nonlocal count
        if not is_ours(frame.f_code.co_filename):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count
