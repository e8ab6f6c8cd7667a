"""One time by which a request must be over, counted from where it leaves the scheduler.

The look-up of its host's address, connection, encryption, header and body share it: whatever of it the
first takes, the next has less. A robots.txt is a request of its own, its redirects included; the page that
waited for it begins anew. So does a page whose redirect leads to another: each is a request of its own.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy.http import Request

_META = "winnow_deadline"


def begin(request: Request, timeout_secs: float) -> None:
    """Let *request* be over in *timeout_secs*, or in its own ``download_timeout``."""
    request.meta[_META] = time.monotonic() + (request.meta.get("download_timeout") or timeout_secs)


def secs_left(request: Request) -> float | None:
    """Return the seconds that *request* still has, not below 0; None when it has no deadline."""
    deadline = request.meta.get(_META)
    return None if deadline is None else max(0.0, deadline - time.monotonic())
