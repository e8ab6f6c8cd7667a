"""What a command shows on a terminal."""

from __future__ import annotations

import fcntl
import os
import struct
import termios
from contextlib import suppress

from tests.conftest import ROOT, scrapy_environment
from tests.forked_commands import Running


def shown_on_terminal(*arguments: str, columns: int = 80) -> bytes:
    """Return what ``scrapy`` with *arguments*, which ends well, writes to a terminal of so many *columns*."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = scrapy_environment()
    environment.pop("COLUMNS", None)
    with open(theirs, "wb") as terminal:
        process = Running(list(arguments), ROOT, environment, log=terminal)
    shown = b""
    with suppress(OSError):  # so a terminal ends on which nobody writes any more
        while data := os.read(ours, 65536):
            shown += data
    os.close(ours)
    assert process.wait(60) == 0
    return shown
