"""Folders of rehearsals of kernels (crawler.extensions.compiled_kernels), in the system's folder for temporary files.

Who uses one holds a shared lock on it, by a descriptor that the crawl, which waits, hands to the process that
compiles, which lives on when the crawl is killed. The system takes the lock back when the last of them has died: the
folder is left over, and is removed by whichever crawl is started next.

Invariant: a folder is removed under the exclusive lock alone, so that who holds it, and sees that it is there, has it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PREFIX = "winnow-rehearsal-"


@contextmanager
def rehearsal_folder() -> Iterator[tuple[Path, int]]:
    """Make a folder, hold it while the block runs, and remove it; give it with the descriptor that holds it."""
    held = None
    while held is None:  # None: another one has just removed it, as nobody held it yet
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        held = hold(folder)
    try:
        yield folder, held
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(held)


def hold(folder: Path) -> int | None:
    """Hold *folder* until the descriptor that is returned is closed; None when it is being removed."""
    descriptor = _locked(folder, fcntl.LOCK_SH)
    if descriptor is not None and not folder.exists():
        os.close(descriptor)
        return None
    return descriptor


def remove_left_over() -> None:
    """Remove the folders of this user that no process holds."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        descriptor = _locked(folder, fcntl.LOCK_EX)
        if descriptor is None:
            continue
        if os.fstat(descriptor).st_uid == os.getuid():
            shutil.rmtree(folder, ignore_errors=True)
        os.close(descriptor)


def _locked(folder: Path, kind: int) -> int | None:
    """Return a descriptor of *folder* that has its lock, None when it cannot be had at once."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
