"""Files without a name that are gone with the process: what the disk does not take of them is told by their folder."""

from __future__ import annotations

import io
import os
import tempfile
from typing import TYPE_CHECKING

from crawler.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import IO

    from _typeshed import ReadableBuffer


class _Told(io.FileIO):
    """An open file, of *folder*, that says where a write to it failed: the system names no file for one."""

    folder: Path | None = None

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            place = self.folder or tempfile.gettempdir()
            mend = "make room there" + ("" if self.folder else ", or name another folder in TMPDIR")
            raise InputError(
                f"cannot write temporary files in {place} ({error.strerror}); {mend}"
            ) from error


def temporary_file(folder: Path | None = None) -> IO[bytes]:
    """Return a new file in *folder*, by default the system's; its writes raise `InputError` where they fail."""
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        told = _Told(os.dup(file.fileno()), "w+")
    told.folder = folder
    return io.BufferedRandom(told)
