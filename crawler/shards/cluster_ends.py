"""What the process of a shard does after its crawl: it starts itself again, or says why it cannot go on as a shard."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crawler.errors import InputError

# Shards of this process that are to be opened anew.
_restarts: list[int] = []
# Why this process cannot go on as a shard.
_ends: list[InputError] = []


def start_again_later(shard: int) -> None:
    """Have the process start itself again at the end of its crawl, to open *shard* anew."""
    _restarts.append(shard)


def fail_later(error: InputError) -> None:
    """Have the process end its crawl with *error*."""
    _ends.append(error)


def start_again_if_asked(*, is_told_to_stop: bool) -> None:
    """Replace this process by one that was started in the same way, if shards were added and it need not stop.

    Raises `InputError` when it cannot go on as a shard.
    """
    if _ends:
        raise _ends[0]
    if is_told_to_stop or not _restarts:
        return
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606  the same program, checked when it began
