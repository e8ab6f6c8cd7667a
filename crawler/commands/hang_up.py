"""What a crawl does when its terminal closes, or the ssh that it hangs on breaks (SIGHUP): it stops as after Ctrl-C.

So it does at a SIGTERM, the word of process managers, that comes before an engine hears it, or after that; so do all
other commands.
"""

from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

# How long a SIGTERM that was sent together with SIGHUP may take: the system may give it to another thread.
_TOGETHER_SECS = 0.2


def end_at_termination() -> None:
    """Have SIGTERM raise `KeyboardInterrupt`, as Ctrl-C does, where nobody hears it; else it would end the process
    unsaid.
    """
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, signal.default_int_handler)


def stop_at_hang_up(is_stopping: Callable[[], bool] = lambda: False) -> None:
    """Have the first SIGHUP do what the first SIGTERM would, unless a stop has begun, as *is_stopping* tells.

    It often comes twice, from the kernel and the shell, and at the end of a session together with SIGTERM:
    none of them is the second one that has Scrapy stop uncleanly. One that is ignored, by ``nohup``, stays so.
    """
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        return

    def stop(_number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        heard = signal.getsignal(signal.SIGTERM)
        if heard is signal.SIG_DFL:
            raise KeyboardInterrupt  # nobody hears the other yet, or any more
        if _is_running(heard, frame):
            return  # which has come just before
        time.sleep(_TOGETHER_SECS)
        if not is_stopping():
            # With one that has come and waits to be heard it is one.
            signal.raise_signal(signal.SIGTERM)

    signal.signal(signal.SIGHUP, stop)


def _is_running(function: Any, frame: FrameType | None) -> bool:
    """Tell whether *frame* is of a call of *function*, or of what it calls."""
    code = getattr(function, "__code__", None)
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back
    return frame is not None
