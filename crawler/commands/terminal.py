"""What a command that takes its time shows meanwhile: one line of a terminal, which is empty again behind it."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pipelines.corpus.corpus import Progress


@contextmanager
def terminal_line() -> Iterator[Callable[[str], None] | None]:
    """Give what writes a text over the one before, on standard error; None where that is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return

    def write(text: str) -> None:
        sys.stderr.write(f"\r\033[K{text}")
        sys.stderr.flush()

    try:
        yield write
    finally:
        write("")


@contextmanager
def documents_line() -> Iterator[Progress | None]:
    """Give what tells there how many documents of how many are behind, and at last that there is more to do."""
    with terminal_line() as write:
        if write is None:
            yield None
            return

        def progress(n_behind: int, n: int) -> None:
            more = "; computing" if n_behind == n else ""
            write(f"{n_behind:,} of {n:,} documents{more} ")

        yield progress
