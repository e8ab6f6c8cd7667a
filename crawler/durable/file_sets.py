"""Sets of files that take their places together: who reads all of them is not to have files of two writings.

They are written into a folder beside their places, and moved out of it when all are there. Where the process is killed
meanwhile, the folder stays with those that have not moved yet, and what stands beside it is of two writings; who writes
the set next first moves the rest.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crawler.durable.files import passing_folder, sync_file
from crawler.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def _leave(_: Path) -> None:
    """Remove nothing."""


@dataclass(frozen=True, slots=True)
class FileSet:
    """The files whose places are beside the folder *waiting*, in which they wait for them.

    *members* returns those of a folder, in the order in which they go: what else is there stays, *waiting* may be a
    folder of somebody else. *remove_others* is given the last of them, before it goes, and removes what an earlier set
    left beside *waiting*.
    """

    waiting: Path
    members: Callable[[Path], list[Path]]
    remove_others: Callable[[Path], None] = _leave

    @contextmanager
    def written(self) -> Iterator[Path]:
        """Yield an empty folder; the files that are in it when the block ends without an exception take their places.

        Raises `InputError` when another process writes the set.
        """
        with passing_folder(self.waiting) as unfinished:
            if self.waiting.exists():  # of a run that was killed
                self.take_places()
            together = unfinished / self.waiting.name
            together.mkdir()
            yield together
            for path in together.iterdir():
                sync_file(path)
            sync_file(together)
            together.replace(self.waiting)
            sync_file(self.waiting.parent)
            self.take_places()

    def take_places(self) -> None:
        """Have the files that wait take their places, and remove what others left there.

        The last one goes last, and says until then what the set is: this can be killed, and done again. Raises
        `InputError` where one cannot be moved.
        """
        folder = self.waiting.parent
        try:
            paths = self.members(self.waiting)
            for path in paths[:-1]:
                path.replace(folder / path.name)
            for last in paths[-1:]:
                self.remove_others(last)
                last.replace(folder / last.name)
            sync_file(folder)
            self.waiting.rmdir()
        except OSError as error:
            raise InputError(
                f"cannot move all files of {self.waiting} to {folder} ({error.strerror}); mend that and export again"
            ) from error
