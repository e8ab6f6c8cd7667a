"""What the fork of a command is told before it: to kill itself at a step, to end at a connection."""

from __future__ import annotations

import functools
import os
import signal
import sys

# The exit code of a process that opened a connection.
CONNECTED = 77


def kill_at_step(step: str, number: int = 1) -> None:
    """Have a crawl kill this process at the *number*-th time of *step*."""
    from crawler import scheduler

    times = 0

    def on_step(reached: str) -> None:
        nonlocal times
        times += reached == step
        if times == number:
            os.kill(os.getpid(), signal.SIGKILL)

    scheduler.CrawlStore = functools.partial(scheduler.CrawlStore, on_step=on_step)


def end_at_a_connection() -> None:
    """Have this process end as soon as it opens a connection or asks for an address."""

    def audit(event: str, _: object) -> None:
        if event in {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname"}:
            os._exit(CONNECTED)

    sys.addaudithook(audit)


def kill_parent_at_step(step: str) -> None:
    """Have the parent of a fleet kill itself at *step* of what it writes into the journals of all."""
    from crawler.durable import journals

    def on_step(reached: str) -> None:
        if reached == step:
            os.kill(os.getpid(), signal.SIGKILL)

    journals.Journal.open_writer = functools.partial(journals.Journal.open_writer, on_step=on_step)
