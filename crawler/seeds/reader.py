"""Reads seeds from a file of any known format, telling the format from what is in it.

ODP dumps (`crawler.seeds.odp`), category tables and URL lists (`crawler.seeds.lists`); each may be
packed with gzip or bzip2. The name of the file means nothing.

A stream that breaks off or is damaged half-way ends there, and is counted as ``damaged_stream``:
the seeds before it are good.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from crawler.categories import clean_category
from crawler.errors import InputError
from crawler.seeds.lists import read_lines
from crawler.seeds.odp import read_odp
from crawler.seeds.seed import matches_category
from crawler.seeds.source import DAMAGED, WANTED, open_seeds, sniff

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from crawler.seeds.seed import Seed

_READERS = {"odp": read_odp, "lines": read_lines}


class SeedReader:
    """The seeds of *path* in file order, one a record: a URL under two topics comes twice.

    Iterating again reads again from the start. After it: ``skipped``, records without a usable seed
    by reason; ``n_seeds``, seeds given; ``n_other_category``, good ones that *category* kept out.

    Raises :exc:`InputError` when the file is missing, empty, or nothing that holds seeds.
    """

    def __init__(self, path: str | os.PathLike[str], *, category: str | None = None):
        self.path = Path(path)
        self.category = clean_category(category or "") or None
        self.format = sniff(self.path)
        self.skipped: Counter[str] = Counter()
        self.n_seeds = 0
        self.n_other_category = 0

    def __iter__(self) -> Iterator[Seed]:
        self.skipped.clear()
        self.n_seeds = self.n_other_category = 0
        with open_seeds(self.path) as stream:
            seeds = _READERS[self.format](stream, self.skipped)
            while True:
                try:
                    seed = next(seeds, None)
                except DAMAGED:
                    self.skipped["damaged_stream"] += 1
                    return
                if seed is None:
                    return
                if self._wants(seed):
                    self.n_seeds += 1
                    yield seed
                else:
                    self.n_other_category += 1

    def _wants(self, seed: Seed) -> bool:
        prefix = self.category
        return prefix is None or any(matches_category(path, prefix) for path in seed.categories)


def read_seeds(path: str | os.PathLike[str], *, category: str | None = None) -> SeedReader:
    """Return a reader of the seeds of *path* under the category prefix *category*; see there."""
    return SeedReader(path, category=category)


def check_seeds(path: str | os.PathLike[str], *, category: str | None = None) -> None:
    """Raise :exc:`InputError` unless *path* holds a seed (of *category*, when one is given).

    Reads up to the first such seed; a category that the file does not have costs a whole pass.
    """
    reader = read_seeds(path, category=category)
    if next(iter(reader), None) is not None:
        return
    if reader.n_other_category:
        raise InputError(f"seeds file {path} has no seed in category {category!r}; see its topics")
    skipped = ", ".join(f"{reason} {number}" for reason, number in sorted(reader.skipped.items()))
    why = f" (skipped: {skipped})" if skipped else ""
    raise InputError(f"seeds file {path} holds no usable seed{why}; {WANTED}")
