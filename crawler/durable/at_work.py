"""The page that the process works on, where a death of the process leaves it.

A page may end the process itself: by a fault in compiled code, or by the memory that it takes. Pages
are worked on one at a time, so the one that was being worked on when the process died is suspected;
those that were only out to be fetched are not. Counting is crawler.frontier.leases.crashes'.

*On disk.* File ``at_work`` beside the journal: u64 in the machine's byte order, 0 or the page id plus
one. It is mapped, so what is written is there after ``kill -9``; power loss may take it, and no page
ever caused one.
"""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_N_BYTES = 8


class PageAtWork:
    """The cell in file *path*, which is created idle; writing it takes no system call."""

    def __init__(self, path: Path) -> None:
        with path.open("a+b") as file:
            # Written, not only made so long: a disk without room is found here, not by a signal.
            file.write(b"\0" * max(0, _N_BYTES - path.stat().st_size))
            file.flush()
            self._map = mmap.mmap(file.fileno(), _N_BYTES)
        self._cell = memoryview(self._map).cast("Q")

    @property
    def page_id(self) -> int | None:
        """The page that is worked on, None when none is."""
        return self._cell[0] - 1 if self._cell[0] else None

    def begin(self, page_id: int) -> None:
        """Note that the page is worked on from here."""
        self._cell[0] = page_id + 1

    def end(self, page_id: int) -> None:
        """Note that the page is no longer worked on; nothing changes when it was not."""
        if self._cell[0] == page_id + 1:
            self._cell[0] = 0

    def clear(self) -> None:
        """Note that no page is worked on."""
        self._cell[0] = 0

    def close(self) -> None:
        """Let go of the file, which then says that no page is worked on; a second call does nothing."""
        if not self._map.closed:
            self.clear()
            self._cell.release()
            self._map.close()
