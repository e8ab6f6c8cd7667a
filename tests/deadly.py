"""A pipeline that ends the process at pages whose URL says how: for tests of a crawl's recovery."""

from __future__ import annotations

import ctypes
import os
import signal


def end_process(url: str) -> None:
    """End the process in the way that *url* names, if it names one."""
    if "exit" in url:
        os._exit(3)
    elif "segfault" in url:
        ctypes.string_at(0)
    elif "kill" in url:  # as the kernel does when memory runs out
        os.kill(os.getpid(), signal.SIGKILL)


class Deadly:
    """Stands before or behind the stages, as its number in ITEM_PIPELINES says."""

    def process_item(self, item):
        end_process(item.url)
        return item
