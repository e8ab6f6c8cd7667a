"""Readers of gold standards: each gives the pages of one layout on disk, sorted, one at a time."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from crawler.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pipelines.evaluation.gold import GoldPage

__all__ = ["LAYOUTS", "check_once", "guess_layout", "linked_pages", "open_dataset"]

# Names, and modules beside this one, in the order in which they are asked whether a path is theirs.
LAYOUTS = {
    "uniform": "uniform",
    "gottron-zip": "gottron_zip",
    "l3s-gn1": "l3s_gn1",
    "cleaneval": "cleaneval",
    "canola": "canola",
}


class _Reader(Protocol):
    """What the module of a layout has."""

    @staticmethod
    def is_layout(path: Path) -> bool:
        """Tell whether *path*, which exists, looks like a standard of this layout."""

    @staticmethod
    def read(path: Path) -> Iterator[GoldPage]:
        """Give the pages of the standard at *path*; InputError when it is of another layout."""


def open_dataset(path: Path, layout: str | None = None) -> Iterator[GoldPage]:
    """Give the pages of the gold standard at *path*, sorted by set and page.

    *layout* is one of ``LAYOUTS``, guessed when None. Pages are read as they are asked for.
    Raises InputError, at the call, for a path that is missing or of no known layout.
    """
    if not path.exists():
        raise InputError(f"{path} does not exist; give the folder or file of a gold standard")
    if layout is not None and layout not in LAYOUTS:
        raise InputError(f"layout {layout!r} is unknown; give one of {', '.join(LAYOUTS)}")
    return _reader(layout or guess_layout(path)).read(path)


def linked_pages(path: Path) -> Iterator[tuple[str, bytes]]:
    """Give the URL and the bytes of each page that those of the standard at *path* link to, where it holds such."""
    reader = import_module(f"pipelines.evaluation.readers.{LAYOUTS[guess_layout(path)]}")
    found = getattr(reader, "linked_pages", None)
    return iter(()) if found is None else cast("Iterator[tuple[str, bytes]]", found(path))


def guess_layout(path: Path) -> str:
    """Return the layout of the gold standard at *path*; InputError when it has none."""
    for layout in LAYOUTS:
        if _reader(layout).is_layout(path):
            return layout
    raise InputError(
        f"{path} is of no known layout ({', '.join(LAYOUTS)}); "
        "give the folder of a set, with manifest.jsonl, pages and gold (`scrapy evaluate --help` tells more), "
        "or a folder of sets"
    )


def check_once(paths: Sequence[Path]) -> None:
    """Raise InputError for a path that another one holds: pages counted twice make errors too small."""
    seen: list[Path] = []
    for path in paths:
        whole = path.resolve()
        for other in seen:
            if whole.is_relative_to(other) or other.is_relative_to(whole):
                raise InputError(
                    f"{path} is given twice, the other time by {other}; give one of them"
                )
        seen.append(whole)


def _reader(layout: str) -> _Reader:
    return cast(_Reader, import_module(f"pipelines.evaluation.readers.{LAYOUTS[layout]}"))
