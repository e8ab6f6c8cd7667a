"""What the engine of the search index raises where files are damaged, as an error of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.durable.files import check_readable
from crawler.errors import FormatError

if TYPE_CHECKING:
    from pathlib import Path


class Damage:
    """Turns what the engine raises within it into the :exc:`FormatError` of a damaged *folder*."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: object
    ) -> None:
        # Where bits changed within a file, values are missing (None), or the engine panics, in a
        # class that no module has.
        known = ValueError | TypeError | OSError
        if kind and (issubclass(kind, known) or kind.__name__ == "PanicException"):
            check_readable(self._folder)
            reason = (str(error).splitlines() or [kind.__name__])[0]
            raise FormatError(
                f"the index in {self._folder} is damaged ({reason}); remove the folder and run `scrapy index`"
            ) from error
