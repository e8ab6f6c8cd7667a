"""What a crawl does when its disk cannot be written, or its frontier fails: it ends at once, and can go on later.

What is in memory is ahead of the journal by then, and nothing more can be kept. The journal is as it
was after its last commit, as after ``kill -9``: the same command goes on from there.
"""

from __future__ import annotations

import errno
import logging
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from crawler.errors import WinnowError, print_lines, tell

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# The call or a file is wrong (crawler.commands.base).
EXIT_CODE = 2
# Anything else is (the same).
FAULT_CODE = 1

logger = logging.getLogger(__name__)


def end_process(corpus_dir: str, error: Exception) -> NoReturn:
    """Say what *error* kept from being written to *corpus_dir*, and end the process."""
    why = str(error)
    if not isinstance(error, WinnowError):
        reason = getattr(error, "strerror", None) or why
        why = f"cannot write {corpus_dir} ({reason}); {_mend(error)} and start again"
    print_lines([])  # what was printed before goes first
    tell(f"winnow: {' '.join(why.split())}")
    os._exit(EXIT_CODE)


@contextmanager
def ended_by_faults() -> Iterator[None]:
    """End the process for any error of the block: an engine that cannot ask for pages would ask for ever."""
    try:
        yield
    except Exception as error:
        logger.critical("The frontier fails", exc_info=True)
        print_lines([])
        why = f"{type(error).__name__}: {error}".strip(": ")
        tell(
            f"winnow: the frontier fails ({' '.join(why.split())}), and the crawl ends; what was committed is kept, and the same command goes on from there"
        )
        os._exit(FAULT_CODE)


def _mend(error: Exception) -> str:
    number = getattr(error, "errno", None)
    if number in {errno.EMFILE, errno.ENFILE}:
        return "raise the limit of open files (ulimit -n)"
    if number == errno.ENOENT:
        return "leave the folder where it is while a crawl runs,"
    return "make room on the disk"


@contextmanager
def ended_by_errors(folder: Path) -> Iterator[None]:
    """End the process for a :exc:`WinnowError` of the block, which says what is wrong with *folder*.

    A page that comes next would have it again, and be rejected for it.
    """
    try:
        yield
    except WinnowError as error:
        end_process(str(folder), error)
